"""Which sprints issues are in: at most one that is to come or runs, and those that are over.

Sub-tasks are in the sprints of their parents, and nothing of it is in their own history. Whoever
changes the field Sprint of an issue calls `note_sprint`, with the entry of the history that it
is writing, and is told by it whether anything changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_ids
from clones.tracker.models import Issue, IssueSprint, Sprint
from clones.tracker.queries.agile_fields import sprint_field

SUBTASKS: Final = "Sub-tasks cannot be moved independently of their parents."


def links_of(issues: Collection[int]) -> dict[int, list[IssueSprint]]:
    """Return the sprints of issues in the order in which they came into them, by issue."""
    found: dict[int, list[IssueSprint]] = defaultdict(list)
    rows = IssueSprint.objects.filter(issue__in=issues).select_related("sprint").order_by("id")
    for link in rows:
        found[link.issue_id].append(link)
    return found


def note_sprint(issue: Issue, sprint: Sprint | None, changes: Changes) -> bool:
    """Put an issue into a sprint, with None into none that is to come or runs; note the change.

    Its sub-tasks go with it. Tells whether anything changed. The caller has checked that the
    sprint is not over and that the actor may.

    Raises:
        Invalid: it is a sub-task.
    """
    if issue.issue_type.subtask:
        raise Invalid(fields={sprint_field(): SUBTASKS})
    return bool(note_sprints([issue], sprint, {issue.id: changes}))


def note_sprints(
    issues: Sequence[Issue], sprint: Sprint | None, changes: Mapping[int, Changes]
) -> list[Issue]:
    """Put issues into a sprint and return those that were not there; else as `note_sprint`.

    Args:
        issues: none of them a sub-task.
        sprint: where they go, None for the backlog.
        changes: the entry of the history of each issue, by its id.
    """
    links = links_of([issue.id for issue in issues])
    field = sprint_field()
    moved = []
    for issue in issues:
        before = [link.sprint for link in links[issue.id]]
        after = [one for one in before if one.state == "closed"]
        if sprint is not None:
            after.append(sprint)
        if {one.id for one in before} == {one.id for one in after}:
            continue
        old, new = _ids_and_names(before), _ids_and_names(after)
        changes[issue.id].note("Sprint", field, *old, *new, custom=True)
        moved.append(issue)
    children = _subtasks(moved)
    _write([issue.id for issue in moved] + children, sprint)
    return moved


def follow_parent(subtask: Issue) -> None:
    """Put a sub-task into the sprints of its parent, and into no others."""
    wanted = set()
    if subtask.parent_id is not None:
        rows = IssueSprint.objects.filter(issue=subtask.parent_id)
        wanted = set(rows.values_list("sprint_id", flat=True))
    there = IssueSprint.objects.filter(issue=subtask)
    present = set(there.values_list("sprint_id", flat=True))
    if present - wanted:
        there.exclude(sprint__in=wanted).delete()
    missing = sorted(wanted - present)
    ids = next_ids(IssueSprint, len(missing))
    IssueSprint.objects.bulk_create(
        [
            IssueSprint(id=id, issue=subtask, sprint_id=sprint)
            for id, sprint in zip(ids, missing, strict=True)
        ]
    )


@listen("issue_created")
def _follow_at_birth(event: Event) -> None:
    if event.issue is not None and event.issue.issue_type.subtask:
        follow_parent(event.issue)


@listen("issue_updated")
def _follow_elsewhere(event: Event) -> None:
    """Put a sub-task that got another parent, or became one, into the parent's sprints."""
    issue, changes = event.issue, event.changes
    if issue is None or changes is None or not issue.issue_type.subtask:
        return
    fields = changes.items.values_list("field_id", flat=True)
    if {"parent", "issuetype"} & set(fields):
        follow_parent(issue)


def _ids_and_names(sprints: Sequence[Sprint]) -> tuple[str, str]:
    """Return ids and names of sprints as histories have them: empty texts for none."""
    return ", ".join(str(one.id) for one in sprints), ", ".join(one.name for one in sprints)


def _subtasks(issues: Sequence[Issue]) -> list[int]:
    if not issues:
        return []
    rows = Issue.objects.filter(parent__in=issues, issue_type__hierarchy_level__lt=0)
    return list(rows.order_by("id").values_list("id", flat=True))


def _write(issues: Sequence[int], sprint: Sprint | None) -> None:
    """Take issues out of sprints that are to come or run, and put them into one."""
    if not issues:
        return
    links = IssueSprint.objects.filter(issue__in=issues)
    leaving = links.exclude(sprint__state="closed")
    staying: set[int] = set()
    if sprint is not None:
        leaving = leaving.exclude(sprint=sprint)
        staying = set(links.filter(sprint=sprint).values_list("issue_id", flat=True))
    gone = list(leaving.values_list("id", flat=True))
    if gone:
        IssueSprint.objects.filter(id__in=gone).delete()
    if sprint is None:
        return
    coming = [issue for issue in issues if issue not in staying]
    ids = next_ids(IssueSprint, len(coming))
    IssueSprint.objects.bulk_create(
        [
            IssueSprint(id=id, issue_id=issue, sprint=sprint)
            for id, issue in zip(ids, coming, strict=True)
        ]
    )
