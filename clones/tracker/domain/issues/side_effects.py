"""What a request does to an issue besides setting fields: comments, work logs and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.tracker.domain.comments import KEPT, add_comment, delete_comment, edit_comment
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.issues.planning import Planned, PlannedAction
from clones.tracker.domain.links import find_kind, link_issues
from clones.tracker.domain.worklogs import KEPT as UNSAID
from clones.tracker.domain.worklogs import (
    Work,
    add_worklog,
    read_adjustment,
    read_seconds,
    read_started,
)
from clones.tracker.models import Issue
from clones.tracker.queries.comments import find_comment
from clones.tracker.queries.rights import Rights, find_issue

NO_END: Final = "An issue to link to must be specified."


def act(planned: Planned, issue: Issue, *, actor: Rights, notify: bool = True) -> None:
    """Do what was planned besides values, in its order.

    Raises:
        Invalid: something of it cannot be done; with the field's name.
    """
    for one in planned.acts:
        _DOING[one.field](one, issue, actor, notify)


def _comment(one: PlannedAction, issue: Issue, actor: Rights, notify: bool) -> None:  # noqa: FBT001 - of a table
    value = one.value
    if one.verb == "add":
        add_comment(
            issue,
            value.get("body"),
            actor=actor,
            visibility=value.get("visibility"),
            public=_is_public(value),
            properties=value.get("properties") or (),
            notify=notify,
        )
        return
    try:
        found = find_comment(actor, str(value.get("id", "")), issue)
    except NotFound as error:
        raise Invalid(fields={"comment": error.messages[0]}) from error
    if one.verb == "remove":
        delete_comment(found, actor=actor)
    else:
        edit_comment(
            found,
            value.get("body", found.body),
            actor=actor,
            visibility=value.get("visibility", KEPT),
            notify=notify,
        )


def _is_public(value: Mapping[str, Any]) -> bool:
    return value.get("public", value.get("jsdPublic", True)) is not False


def _worklog(one: PlannedAction, issue: Issue, actor: Rights, notify: bool) -> None:  # noqa: FBT001 - the same
    value = one.value
    spent, seconds = value.get("timeSpent"), value.get("timeSpentSeconds")
    work = Work(
        seconds=read_seconds(
            None if spent is None else str(spent), seconds if isinstance(seconds, int) else None
        ),
        started=read_started(value.get("started")),
        comment=value.get("comment", UNSAID),
        visibility=value.get("visibility", UNSAID),
    )
    adjustment = read_adjustment(
        value.get("adjustEstimate"), new=value.get("newEstimate"), amount=value.get("reduceBy")
    )
    add_worklog(issue, work, actor=actor, adjustment=adjustment, notify=notify)


def _link(one: PlannedAction, issue: Issue, actor: Rights, notify: bool) -> None:  # noqa: FBT001 - the same
    """Link an issue: it does to `outwardIssue` what the kind's outward words say."""
    ends = [end for end in ("outwardIssue", "inwardIssue") if isinstance(one.value.get(end), dict)]
    if not ends:
        raise Invalid(fields={"issuelinks": NO_END})
    try:
        kind = find_kind(one.value.get("type"))
        for end in ends:
            named = one.value[end]
            other = find_issue(actor, str(named.get("key", named.get("id", ""))))
            if other.id != issue.id:
                pair = (issue, other) if end == "outwardIssue" else (other, issue)
                link_issues(*pair, kind, actor=actor)
    except (NotFound, Invalid) as error:
        raise Invalid(fields={"issuelinks": error.messages[0]}) from error


_DOING = {"comment": _comment, "worklog": _worklog, "issuelinks": _link}
