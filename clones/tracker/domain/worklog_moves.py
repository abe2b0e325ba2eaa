"""Many work logs at once: deleting them, and moving them to another issue.

Neither tells anybody: no mail, no webhooks, and no history where they are moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from clones.core import clock
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.history import Changes
from clones.tracker.domain.worklogs import bury_worklog, change_times
from clones.tracker.models import Issue, Worklog
from clones.tracker.queries.comments import seen_condition
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.estimates import AUTO, LEAVE, Adjustment

LIMIT: Final = 5000


def delete_worklogs(
    issue: Issue, ids: Sequence[int], *, actor: Rights, adjustment: Literal["auto", "leave"]
) -> None:
    """Delete work logs of an issue.

    Raises:
        Invalid: no or too many ids, or the actor may not delete all work logs.
        NotFound: one is not the issue's, or they do not see it.
    """
    if not actor.may_on("DELETE_ALL_WORKLOGS", issue):
        raise Invalid("You do not have permission to delete all worklogs for this issue.")
    rows = _found(issue, ids, actor)
    changes = Changes(issue, actor)
    for worklog in rows:
        changes.note("WorklogId", "", str(worklog.id), str(worklog.id), None, None)
    spent = -sum(worklog.seconds for worklog in rows)
    change_times(issue, changes, spent=spent, adjustment=_adjustment(adjustment), deleting=True)
    for worklog in rows:
        bury_worklog(worklog)


def move_worklogs(
    issue: Issue,
    target: Issue,
    ids: Sequence[int],
    *,
    actor: Rights,
    adjustment: Literal["auto", "leave"],
) -> None:
    """Move work logs of an issue to another.

    Raises:
        Invalid: no or too many ids, one is restricted to a role, or the actor may not.
        NotFound: one is not the issue's, or they do not see it.
    """
    for where in (issue, target):
        for permission in ("EDIT_ALL_WORKLOGS", "DELETE_ALL_WORKLOGS"):
            if not actor.may_on(permission, where):
                raise Invalid("You do not have permission to move worklogs.")
    if target.id == issue.id:
        raise Invalid("The source and destination issues must be different.")
    rows = _found(issue, ids, actor)
    if any((worklog.visibility or {}).get("type") == "role" for worklog in rows):
        raise Invalid("Worklogs restricted by a project role cannot be moved.")
    keys = [worklog.id for worklog in rows]
    Worklog.objects.filter(id__in=keys).update(issue=target, updated=clock.now())
    spent = sum(worklog.seconds for worklog in rows)
    way = _adjustment(adjustment)
    change_times(issue, Changes(issue, actor), spent=-spent, adjustment=way, recorded=False)
    change_times(target, Changes(target, actor), spent=spent, adjustment=way, recorded=False)


def _adjustment(way: Literal["auto", "leave"]) -> Adjustment:
    return AUTO if way == "auto" else LEAVE


def _found(issue: Issue, ids: Sequence[int], actor: Rights) -> list[Worklog]:
    wanted = sorted(set(ids))
    if not wanted:
        raise Invalid("The list of worklog IDs must not be empty.")
    if len(wanted) > LIMIT:
        raise Invalid(f"No more than {LIMIT} worklogs can be changed at once.")
    found = Worklog.objects.filter(seen_condition(actor), issue=issue, id__in=wanted)
    rows = list(found.order_by("id"))
    missing = sorted(set(wanted) - {worklog.id for worklog in rows})
    if missing:
        raise NotFound(f"Cannot find worklog with id: '{missing[0]}'.")
    for worklog in rows:
        worklog.issue = issue
    return rows
