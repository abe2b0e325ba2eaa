"""Hearing what happens, and setting off the rules that it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core.lookups import key_list
from clones.tracker.domain.automation import chains
from clones.tracker.domain.automation.recording import record_outcome
from clones.tracker.domain.automation.running import set_off
from clones.tracker.domain.events import Event, listen
from clones.tracker.models import AutomationRule, Issue, Status
from clones.tracker.queries.automation import counts_for, listening
from clones.tracker.queries.automation_values import IssueThing
from clones.tracker.queries.hot import ITEMS_OF_GROUPS
from clones.tracker.queries.rule_values import values_of
from clones.tracker.rules.automation.events import (
    FIELD_CHANGED,
    ChangedField,
    Happened,
    changes_of,
    fires,
)
from clones.tracker.rules.automation.smart.values import plain_of

LOOP: Final = (
    "This rule was stopped: rules set each other off {} times in a row. Check that none of them "
    "leads to itself."
)
SPENT: Final = (
    "This rule was stopped: rules set each other off {} times after one event. Check that none of "
    "them leads to itself."
)
# Fields whose values a new issue brings, for monitors of fields.
_BROUGHT: Final = (
    *("summary", "description", "priority", "assignee", "reporter", "labels", "components"),
    *("fixVersions", "versions", "parent", "duedate"),
)


@listen(
    "issue_created",
    "issue_updated",
    "issue_transitioned",
    "issue_deleted",
    "comment_created",
    "worklog_created",
    "issuelink_created",
    "sprint_created",
    "sprint_started",
    "sprint_closed",
    "version_created",
    "version_updated",
    "version_released",
    "version_unreleased",
    "sla_breached",
    "approval_asked",
    "approval_decided",
)
def hear(event: Event) -> None:
    """Set off the rules that an event concerns."""
    happened = Happened(event.kind, (), _details(event))
    if event.kind == "issue_updated" and event.changes is not None:
        happened = Happened(event.kind, _changed(event), happened.details)
    rules = listening(happened.triggers)
    if not rules:
        return
    if event.kind == "issue_transitioned":
        happened = Happened(event.kind, (), {**happened.details, **_statuses(event)})
    if event.kind == "issue_created" and any(one.trigger_type == FIELD_CHANGED for one in rules):
        happened = Happened(event.kind, _brought(event), happened.details)
    space = _space(event)
    fired = [one for one in rules if counts_for(one, space) and fires(one.trigger, happened)]
    # Of an event that nobody's rules led to, all that follows is counted together.
    number = chains.event() if fired else 0
    for rule in fired:
        _set_off(rule, event, happened, space, number)


def _set_off(
    rule: AutomationRule, event: Event, happened: Happened, space: int | None, number: int
) -> None:
    chain = chains.current()
    if chain and not rule.allow_chains:
        return
    key = [] if event.issue is None else [event.issue.key]
    said = chains.verdict(rule.id, None if event.issue is None else event.issue.id)
    if said == "loop":
        record_outcome(rule, "LOOP", LOOP.format(chains.DEEPEST), issues=key)
    elif said == "spent":
        record_outcome(rule, "THROTTLED", SPENT.format(chains.BUDGET), issues=key)
    if said != "go":
        return
    gone = event.kind == "issue_deleted"
    set_off(
        rule,
        {
            "issues": [] if event.issue is None or gone else [event.issue.id],
            "project": space,
            "initiator": None if event.actor.user is None else event.actor.user.id,
            "chain": list(chain),
            "event": number,
            "names": _names(rule, event, happened),
        },
    )


def _names(rule: AutomationRule, event: Event, happened: Happened) -> dict[str, Any]:
    """Return what texts can name beside the issue, as a job keeps it."""
    found: dict[str, Any] = {}
    for name in ("comment", "worklog", "version", "sprint", "link"):
        row = getattr(event, name)
        if row is not None:
            found[name] = row.id
    if event.changes is not None:
        fields = None
        if rule.trigger_type == FIELD_CHANGED:
            chosen = changes_of(rule.trigger.get("value") or {}, happened)
            fields = [one.id for one in chosen]
        found["changes"] = {"group": event.changes.id, "fields": fields}
    if event.kind == "issue_deleted" and event.issue is not None:
        found["issue"] = found["triggerIssue"] = _remembered(event.issue)
    if event.kind == "sla_breached":
        found["sla"] = {"name": event.details.get("metric")}
    if event.kind.startswith("approval_"):
        found["approval"] = {
            "id": event.details.get("approval"),
            "decision": event.details.get("decision"),
        }
    return found


def _remembered(issue: Issue) -> dict[str, Any]:
    """Return what is kept of an issue that goes."""
    thing = IssueThing(issue)
    names = ("key", "id", "summary", "status", "assignee", "reporter", "priority", "issuetype")
    found: dict[str, Any] = {}
    for name in names:
        value = thing.part(name)
        shown = plain_of(value)
        found[name] = shown if not hasattr(value, "part") else _parts(value)
    return found


def _parts(value: Any) -> dict[str, Any]:
    return {
        name: plain_of(value.part(name))
        for name in ("name", "displayName", "accountId", "id", "key")
        if value.part(name) is not None
    }


def _details(event: Event) -> dict[str, Any]:
    """Return what triggers ask of an event beside the fields that changed."""
    found = dict(event.details)
    found["doing"] = _doing(event)
    if event.link is not None:
        found |= {"link_type": event.link.type_id, "link_name": event.link.type.name}
    if event.comment is not None:
        found["public"] = event.comment.public and event.comment.visibility is None
    if event.version is not None:
        found["name"] = event.version.name
    if event.sprint is not None:
        found["name"] = event.sprint.name
    if event.kind == "sla_breached":
        found["name"] = event.details.get("metric")
    return found


def _doing(event: Event) -> str:
    if event.kind == "issue_created":
        return "create"
    return "transition" if "transition" in event.details else "update"


def _changed(event: Event) -> Sequence[ChangedField]:
    rows = ITEMS_OF_GROUPS.all(key_list([event.changes.id])) if event.changes else []
    return [
        ChangedField(row.field_id, row.field, row.old, row.old_string, row.new, row.new_string)
        for row in rows
    ]


def _brought(event: Event) -> Sequence[ChangedField]:
    """Return the values of a new issue as changes from nothing."""
    issue = event.issue
    if issue is None:
        return ()
    found = []
    for field in _BROUGHT:
        held = values_of(field, [issue]).get(issue.id, ())
        if held:
            text = ", ".join(one.text for one in held)
            found.append(ChangedField(field, field, None, None, held[0].id or None, text))
    return found


def _statuses(event: Event) -> dict[str, Any]:
    """Return the names of the statuses between which an issue moved."""
    ids = [event.details.get("from"), event.details.get("to")]
    rows = Status.objects.in_bulk([id for id in ids if id is not None])
    names = [rows[id].name if id in rows else "" for id in ids]
    return {"from_name": names[0], "to_name": names[1]}


def _space(event: Event) -> int | None:
    """Return the id of the space that an event is of."""
    if event.issue is not None:
        return event.issue.project_id
    if event.version is not None:
        return event.version.project_id
    if event.project is not None:
        return event.project.id
    board = event.board or (None if event.sprint is None else event.sprint.board)
    return None if board is None else board.project_id
