"""Mail about issues: who is told of what happens, by the scheme of the issue's space.

Only those are told who see the issue, and the comment or work log if it is restricted; nobody of
what they did themselves, unless they want that. Each gets one message of a request, whatever
happened in it: what comes later in a request is added to the message that they have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from clones.core import clock, post
from clones.core.addresses import with_name
from clones.core.models import Message
from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.richtext import plain_of, stored
from clones.tracker.domain.settings import setting
from clones.tracker.models import ChangeItem, Issue, User
from clones.tracker.queries.recipients import reachable, recipients_of, wants_own_changes
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import text_of
from clones.tracker.rules.richtext.document import mentioned

HOME: Final = "https://tracker.example"
SENDER: Final = "jira@tracker.example"
TITLE: Final = "Jira"
# Says in each message of which event it is: `issue_updated`, `comment_created`...
EVENT_HEADER: Final = "X-Jira-Event"
# What happened, by the vendor's numbers of events in schemes.
EVENTS: Final = {
    "issue_created": 1,
    "issue_updated": 2,
    "issue_deleted": 8,
    "comment_created": 6,
    "comment_updated": 14,
    "comment_deleted": 17,
    "worklog_created": 10,
    "worklog_updated": 15,
    "worklog_deleted": 16,
}
ASSIGNED, RESOLVED, CLOSED, REOPENED, MOVED, GENERIC = 3, 4, 5, 7, 9, 13
# How a text that was changed named people: its history keeps it as markup.
MENTION: Final = re.compile(r"\[~accountid:([^\]\s]+)\]")
# Changes that nobody is told of: where a card lies, and what other messages tell.
SILENT: Final = frozenset({"Rank", "WorklogId"})
WORDS: Final = {
    1: "created",
    ASSIGNED: "assigned",
    RESOLVED: "resolved",
    CLOSED: "closed",
    REOPENED: "reopened",
    6: "commented on",
    14: "edited a comment on",
    17: "deleted a comment on",
    8: "deleted",
    MOVED: "moved",
    10: "logged work on",
    15: "changed a work log on",
    16: "deleted a work log on",
}


@listen(*EVENTS)
def tell(event: Event) -> None:
    """Mail those who are to know of an event."""
    issue = event.issue
    if issue is None or not event.notify:
        return
    items = [] if event.changes is None else _items(event)
    if event.kind == "issue_updated" and not items:
        return
    number = _number(event, items)
    people, addresses = recipients_of(issue, number, event.actor, former=_former_assignee(items))
    about = event.comment or event.worklog
    people |= _mentioned(event, items)
    own = event.actor.user
    if own is not None and own.id in people and not wants_own_changes(own):
        people.discard(own.id)
    found = reachable(people, issue, visibility=None if about is None else about.visibility)
    recipients = [with_name(user.display_name, user.email or "") for user in found]
    if about is None or about.visibility is None:
        recipients += addresses
    if recipients:
        text = f"{_headline(event, number)}\n\n{_body(event, items)}".strip()
        _send(issue, event.actor, recipients, text, event.kind)


def mail_about(
    issue: Issue,
    actor: Rights,
    recipients: Iterable[User],
    *,
    subject: str,
    text: str,
    html: str | None,
) -> None:
    """Mail people about an issue in somebody's own words."""
    for user in recipients:
        post.send(
            clone="tracker",
            sender=sender_of(issue, actor),
            recipients=[with_name(user.display_name, user.email or "")],
            subject=subject,
            text=text,
            html=html,
            headers=_headers(issue),
            about=f"tracker.issue:{issue.id}",
        )


def sender_of(issue: Issue, actor: Rights) -> str:
    """Return whom mail about an issue is from."""
    name = TITLE if actor.user is None else f"{actor.user.display_name} ({TITLE})"
    return with_name(name, issue.project.sender_email or SENDER)


def subject_of(issue: Issue) -> str:
    """Return the subject of mail about an issue."""
    return f"[{setting('jira.title', TITLE)}] ({issue.key}) {issue.summary}"


def _send(issue: Issue, actor: Rights, recipients: list[str], text: str, kind: str) -> None:
    about = f"tracker.issue:{issue.id}"
    # The clock stands within a request: what was sent now was sent by it.
    rows = Message.objects.filter(about=about, clone="tracker", direction="out")
    already = {tuple(row.recipients): row for row in rows.filter(sent_at=clock.now())}
    address = f"{setting('jira.baseurl', HOME)}/browse/{issue.key}"
    for recipient in recipients:
        found = already.get((recipient,))
        if found is not None:
            found.text = f"{found.text.removesuffix(address).rstrip()}\n\n{text}\n\n{address}"
            found.save(update_fields=["text"])
            continue
        post.send(
            clone="tracker",
            sender=sender_of(issue, actor),
            recipients=[recipient],
            subject=subject_of(issue),
            text=f"{text}\n\n{address}",
            headers={**_headers(issue), EVENT_HEADER: kind},
            about=about,
        )


def _headers(issue: Issue) -> dict[str, Any]:
    thread = f"<issue.{issue.id}@{SENDER.rpartition('@')[2]}>"
    return {"In-Reply-To": thread, "References": thread}


def _items(event: Event) -> list[ChangeItem]:
    rows = ChangeItem.objects.filter(group=event.changes).exclude(field__in=SILENT)
    return list(rows.order_by("position"))


def _number(event: Event, items: list[ChangeItem]) -> int:
    """Return the number of an event in schemes."""
    if event.kind != "issue_updated":
        return EVENTS[event.kind]
    if event.details.get("moved"):
        return MOVED
    changed = {item.field_id or item.field: item for item in items}
    if "transition" in event.details:
        resolution = changed.get("resolution")
        if resolution is not None:
            return RESOLVED if resolution.new is not None else REOPENED
        return GENERIC
    return ASSIGNED if set(changed) == {"assignee"} else EVENTS["issue_updated"]


def _former_assignee(items: list[ChangeItem]) -> int | None:
    """Return whom an issue was taken from."""
    left = [item.old for item in items if item.field_id == "assignee" and item.old is not None]
    rows = User.objects.filter(account_id__in=left) if left else User.objects.none()
    return rows.values_list("id", flat=True).first()


def _mentioned(event: Event, items: list[ChangeItem]) -> set[int]:
    """Return the people whom a text names that is new, or names as it was not before."""
    document: Mapping[str, Any] | None = None
    before = set[str]()
    if event.kind == "comment_created" and event.comment is not None:
        document = event.comment.body
    elif event.kind == "issue_created" and event.issue is not None:
        document = event.issue.description
    elif event.kind == "issue_updated" and event.issue is not None:
        texts = [item.old_string or "" for item in items if item.field_id == "description"]
        document = event.issue.description if texts else None
        before = {account for text in texts for account in MENTION.findall(text)}
    if document is None:
        return set()
    accounts = set(mentioned(stored(dict(document)))) - before
    rows = User.objects.filter(account_id__in=accounts) if accounts else User.objects.none()
    return set(rows.values_list("id", flat=True))


def _headline(event: Event, number: int) -> str:
    name = event.actor.user.display_name if event.actor.user is not None else "Anonymous"
    key = event.issue.key if event.issue is not None else ""
    return f"{name} {WORDS.get(number, 'updated')} {key}"


def _body(event: Event, items: list[ChangeItem]) -> str:
    if event.comment is not None:
        return "" if event.kind == "comment_deleted" else plain_of(event.comment.body)
    if event.worklog is not None:
        spent = f"Time spent: {text_of(event.worklog.seconds, work_time())}"
        return f"{spent}\n\n{plain_of(event.worklog.comment)}".strip()
    if event.kind == "issue_created" and event.issue is not None:
        return plain_of(event.issue.description)
    return "\n".join(
        f"{item.field}: {item.old_string or 'None'} -> {item.new_string or 'None'}"
        for item in items
    )
