"""Mail and web requests."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from clones.core import post
from clones.core.addresses import address_of, with_name
from clones.core.webhooks import outbox
from clones.core.webhooks.headers import flaw_of_header
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.people import people_named
from clones.tracker.domain.notifications import SENDER
from clones.tracker.queries.automation import APP_NAME
from clones.tracker.queries.automation_values import IssueThing
from clones.tracker.rules.automation.catalogue.acting import METHODS
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.smart.values import plain_of, text_of
from clones.tracker.rules.webhook_events import address_problem

RULE: Final = "rule:"  # how deliveries of rules are told from those of webhooks
_TAG: Final = re.compile(r"<[^>]*>")
_BREAK: Final = re.compile(r"<(?:br|/p|/div|/li|/tr|/h\d)\b[^>]*>", re.IGNORECASE)
# What a body of an issue says, beside its key.
_TOLD: Final = (
    *("summary", "description", "issuetype", "status", "priority", "project", "assignee"),
    *("reporter", "labels", "created", "updated", "duedate", "resolution", "parent"),
)


@performs("jira.issue.outgoing.email")
def send_email(run: Run, component: Component) -> str:
    """Send mail in the rule's own words."""
    value = component["value"]
    lines = {part: _recipients(run, value.get(part)) for part in ("to", "cc", "bcc")}
    everybody = [*lines["to"], *lines["cc"], *lines["bcc"]]
    if not everybody:
        raise ActFailed("No recipients could be found for the email.")
    subject = " ".join(run.render(value.get("subject")).split())
    body = run.render(value.get("body"))
    if not subject or not body.strip():
        raise ActFailed("The email has no subject or no content.")
    rich = str(value.get("mimeType") or "text/html") == "text/html"
    if rich and value.get("convertLineBreaks", True) is not False:
        body = body.replace("\r\n", "\n").replace("\n", "<br>\n")
    headers = {"Auto-Submitted": "auto-generated", "X-Jira-Event": "automation_email"}
    reply_to = run.render(value.get("replyTo")).strip()
    if reply_to:
        headers["Reply-To"] = reply_to
    name = run.render(value.get("fromName")).strip() or APP_NAME
    about = None if run.issue is None else f"tracker.issue:{run.issue.id}"
    letter = {"subject": subject, "text": _plain(body) if rich else body, "headers": headers}
    sender = with_name(name, (run.project.sender_email if run.project else None) or SENDER)
    for recipients, copies in ((lines["to"], lines["cc"]), (lines["bcc"], [])):
        if recipients or copies:
            draft = post.Draft(
                sender,
                recipients,
                html=body if rich else None,
                cc=copies,
                **letter,  # type: ignore[arg-type]
            )
            post.post(draft, clone="tracker", about=about)
    return f"Email was sent to {len(everybody)} recipients: {', '.join(everybody)[:500]}"


def _recipients(run: Run, lines: Any) -> list[str]:
    """Return the addresses that lines of a form name: people, or bare addresses."""
    found: dict[str, str] = {}
    for line in lines if isinstance(lines, list) else ():
        given = line if isinstance(line, Mapping) else {"type": "FREE", "value": line}
        for user in people_named(run, given):
            if user.email and user.active:
                found.setdefault(user.email.lower(), with_name(user.display_name, user.email))
        if given.get("type") in ("FREE", "SMART", None):
            for text in run.texts(given.get("value")):
                address = address_of(text)
                if address:
                    found.setdefault(address, text)
    return list(found.values())


def _plain(body: str) -> str:
    """Return the words of HTML."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", body.replace("<br>\n", "<br>")))).strip()


@performs("jira.issue.outgoing.webhook")
def send_request(run: Run, component: Component) -> str:
    """Owe a request to another system; it is sent as webhooks are."""
    value = component["value"]
    url = run.render(value.get("url")).strip()
    problem = address_problem(url)
    if problem is not None:
        raise ActFailed(f"The web request could not be sent: {problem}")
    method = str(value.get("method") or "POST").upper()
    if (method, method) not in METHODS:
        raise ActFailed(f"The web request could not be sent: {method[:20]!r} is no method")
    kind = "issue" if value.get("sendIssue") is True else str(value.get("contentType") or "empty")
    body = ""
    if kind == "custom":
        body = run.render(value.get("customBody"))
    elif kind == "issue":
        body = json.dumps(_issue(run), ensure_ascii=False)
    headers = _headers(run, value.get("headers"))
    if body and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(["Content-Type", "application/json"])
    delivery = outbox.owe(
        clone="tracker",
        webhook=f"{RULE}{run.rule.id}",
        event="automation",
        method=method,
        url=url,
        headers=headers,
        body=body,
    )
    run.names["webhookResponse"] = {"status": None, "body": None}
    return f"Web request was handed over for sending: {method} {url} ({delivery.id})"


def _headers(run: Run, lines: Any) -> list[list[str]]:
    found = []
    for line in lines if isinstance(lines, list) else ():
        if isinstance(line, Mapping) and line.get("name"):
            name = " ".join(str(line["name"]).split())
            value = " ".join(run.render(line.get("value")).split())
            flaw = flaw_of_header(name, value)
            if flaw is not None:
                raise ActFailed(f"The web request could not be sent: {flaw}")
            found.append([name, value])
    return found


def _issue(run: Run) -> dict[str, Any]:
    """Return the issue at hand as the body of a request has it."""
    if run.issue is None:
        return {}
    thing = IssueThing(run.row())
    return {
        "issue": {
            "id": str(run.issue.id),
            "key": run.issue.key,
            "fields": {name: _plain_value(thing.part(name)) for name in _TOLD},
        }
    }


def _plain_value(value: Any) -> Any:
    return (
        value
        if value is None
        else plain_of(value)
        if not isinstance(value, str)
        else text_of(value)
    )
