"""What webhooks are told: the payload of each event, owed to those who listen.

Payloads show records as the second version of the API does, to the owner of the webhook.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from clones.core import clock
from clones.tracker.api.presenters.agile import present_board, present_sprint
from clones.tracker.api.presenters.attachments import attachment_ref
from clones.tracker.api.presenters.comments import present_comment
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.issues import present_issue
from clones.tracker.api.presenters.refs import project_ref, user_ref, version_ref
from clones.tracker.api.presenters.worklogs import present_worklog
from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.settings import setting
from clones.tracker.domain.webhooks import listening, owe_event
from clones.tracker.models import ChangeGroup, ChangeItem, Issue, Webhook
from clones.tracker.queries.rights import BROWSE, Rights
from clones.tracker.queries.searching import matches
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.webhook_events import OF_ISSUES

Json = dict[str, Any]
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# The site's address where no request says another.
HOME: Final = "https://tracker.example"
SHORT: Final = ("summary", "issuetype", "project", "assignee", "priority", "status")
# What an update is called that comes with something else, beside its own event.
UPDATES: Final = {
    "worklog_created": "issue_work_logged",
    "worklog_updated": "issue_worklog_updated",
    "worklog_deleted": "issue_worklog_deleted",
    "attachment_created": "issue_updated",
    "attachment_deleted": "issue_updated",
}


@listen()
def tell(event: Event) -> None:
    """Owe an event to the webhooks that want to know of it."""
    webhooks = listening()
    if not webhooks:
        return
    for name, kind in _names(event):
        for webhook in webhooks:
            if name in webhook.events and _wants(webhook, event, name):
                owe_event(webhook, name, _payload(event, name, kind, webhook), _values(event))
    _call_named(event, webhooks)


def _names(event: Event) -> list[tuple[str, str]]:
    """Return what an event is called by webhooks, each with the type of the issue's event."""
    kind = event.kind
    if kind == "issue_updated":
        return [("jira:issue_updated", _kind_of_update(event))]
    if kind in ("issue_created", "issue_deleted"):
        return [(f"jira:{kind}", kind)]
    if kind.startswith("version_"):
        return [(f"jira:{kind}", kind)]
    found = [(kind, kind)]
    if kind in UPDATES and event.changes is not None:
        found.append(("jira:issue_updated", UPDATES[kind]))
    return found


def _kind_of_update(event: Event) -> str:
    if event.details.get("moved"):
        return "issue_moved"
    if "transition" in event.details:
        return "issue_generic"
    fields = _fields_of(event.changes)
    return "issue_assigned" if fields == {"assignee"} else "issue_updated"


def _fields_of(group: ChangeGroup | None) -> set[str]:
    if group is None:
        return set()
    rows = ChangeItem.objects.filter(group=group)
    return {id or name for id, name in rows.values_list("field_id", "field")}


def _wants(webhook: Webhook, event: Event, name: str) -> bool:
    """Tell whether a webhook's filters let an event through."""
    keys = webhook.scope.get("property_keys")
    is_property = name.startswith("issue_property_")
    if keys is not None and is_property and event.details.get("key") not in keys:
        return False
    fields = webhook.scope.get("field_ids")
    is_update = name == "jira:issue_updated"
    if fields is not None and is_update and _fields_of(event.changes).isdisjoint(fields):
        return False
    if not name.startswith(OF_ISSUES) or event.issue is None:
        return True
    reader = Rights(webhook.owner) if webhook.dynamic else None
    if reader is not None and not reader.may_on(BROWSE, event.issue):
        return False
    try:
        return matches(event.issue, webhook.jql, reader)
    except JqlError:
        # What the query names is not there any more: it finds nothing.
        return False


def _payload(event: Event, name: str, kind: str, webhook: Webhook) -> Json:
    show = Show(setting("jira.baseurl", HOME), "2", Rights(webhook.owner))
    body: Json = {
        "timestamp": (clock.now() - EPOCH) // timedelta(milliseconds=1),
        "webhookEvent": name,
    }
    if name.startswith("jira:issue_"):
        return body | _of_issue(event, kind, show)
    thing = event.kind.partition("_")[0]
    if event.kind.startswith("issue_property_"):
        thing = "property"
    maker = _THINGS.get(thing)
    return body | (maker(event, show) if maker is not None else {})


def _of_issue(event: Event, kind: str, show: Show) -> Json:
    found: Json = {
        "issue_event_type_name": kind,
        "user": user_ref(event.actor.user, show),
        "issue": _whole(event.issue, show),
    }
    if event.changes is not None:
        found["changelog"] = _changelog(event.changes)
    if event.comment is not None:
        found["comment"] = present_comment(event.comment, show)
    return found


def _whole(issue: Issue | None, show: Show) -> Json | None:
    return None if issue is None else present_issue(issue, None, show)


def _brief(issue: Issue | None, show: Show) -> Json | None:
    return None if issue is None else present_issue(issue, SHORT, show)


def _changelog(group: ChangeGroup) -> Json:
    items = ChangeItem.objects.filter(group=group).order_by("position")
    return {
        "id": str(group.id),
        "items": [
            {
                "field": item.field,
                "fieldtype": item.field_type,
                "fieldId": item.field_id,
                "from": item.old,
                "fromString": item.old_string,
                "to": item.new,
                "toString": item.new_string,
            }
            for item in items
        ],
    }


def _comment(event: Event, show: Show) -> Json:
    assert event.comment is not None  # noqa: S101 - events of comments have one
    return {
        "comment": present_comment(event.comment, show),
        "issue": _brief(event.issue, show),
        "eventType": "primaryAction",
    }


def _worklog(event: Event, show: Show) -> Json:
    assert event.worklog is not None  # noqa: S101 - events of work logs have one
    return {"worklog": present_worklog(event.worklog, show)}


def _attachment(event: Event, show: Show) -> Json:
    assert event.attachment is not None  # noqa: S101 - events of files have one
    return {"attachment": attachment_ref(event.attachment, show)}


def _link(event: Event, show: Show) -> Json:
    link = event.link
    assert link is not None  # noqa: S101 - events of links have one
    return {
        "issueLink": {
            "id": link.id,
            "sourceIssueId": link.source_id,
            "destinationIssueId": link.destination_id,
            "issueLinkType": {
                "id": link.type.id,
                "name": link.type.name,
                "outwardName": link.type.outward,
                "inwardName": link.type.inward,
                "isSubTaskLinkType": False,
                "isSystemLinkType": False,
            },
            "systemLink": False,
        }
    }


def _property(event: Event, show: Show) -> Json:
    said = {"key": event.details["key"]}
    if "value" in event.details:
        said["value"] = event.details["value"]
    return {
        "user": user_ref(event.actor.user, show),
        "issue": _brief(event.issue, show),
        "property": said,
    }


def _project(event: Event, show: Show) -> Json:
    project = event.project
    assert project is not None  # noqa: S101 - events of spaces have one
    found = project_ref(project, show) or {}
    return {
        "project": found
        | {
            "id": project.id,
            "projectLead": user_ref(project.lead, show),
            "assigneeType": project.assignee_type,
        }
    }


def _version(event: Event, show: Show) -> Json:
    version = event.version
    assert version is not None  # noqa: S101 - events of versions have one
    return {"version": (version_ref(version, show) or {}) | {"projectId": version.project_id}}


def _sprint(event: Event, show: Show) -> Json:
    return {} if event.sprint is None else {"sprint": present_sprint(event.sprint, show)}


def _board(event: Event, show: Show) -> Json:
    return {} if event.board is None else {"board": present_board(event.board, show)}


def _option(event: Event, show: Show) -> Json:
    return {"property": {"key": event.details["key"], "value": event.details["value"]}}


def _user(event: Event, show: Show) -> Json:
    return {"user": user_ref(event.user, show)}


_THINGS: Final[dict[str, Callable[[Event, Show], Json]]] = {
    "comment": _comment,
    "worklog": _worklog,
    "attachment": _attachment,
    "issuelink": _link,
    "property": _property,
    "project": _project,
    "version": _version,
    "sprint": _sprint,
    "board": _board,
    "option": _option,
    "user": _user,
}


def _values(event: Event) -> dict[str, str]:
    """Return what the variables of addresses stand for."""
    found: dict[str, str] = {}
    project = event.project or (event.issue.project if event.issue is not None else None)
    if event.issue is not None:
        found |= {"issue.id": str(event.issue.id), "issue.key": event.issue.key}
    if project is not None:
        found |= {"project.id": str(project.id), "project.key": project.key}
    for name in ("comment", "worklog", "attachment", "version", "sprint", "board"):
        record = getattr(event, name)
        if record is not None:
            found[f"{name}.id"] = str(record.id)
    if event.actor.account_id is not None:
        found["modifiedUser.accountId"] = event.actor.account_id
    return found


def _call_named(event: Event, webhooks: Any) -> None:
    """Owe the event of a transition to the webhooks that its post functions name."""
    called = event.details.get("webhooks") or ()
    if event.kind != "issue_transitioned" or not called:
        return
    wanted = {str(id) for id in called}
    for webhook in webhooks:
        if str(webhook.id) in wanted:
            body = _payload(event, "jira:issue_updated", "issue_generic", webhook)
            body["transition"] = {
                "transitionId": event.details.get("transition"),
                "transitionName": event.details.get("transition_name"),
            }
            owe_event(webhook, "jira:issue_updated", body, _values(event))
