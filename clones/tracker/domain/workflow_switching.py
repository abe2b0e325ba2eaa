"""Moving issues where workflows change under them: which statuses need another, and the moving.

A need is a type of issues that has statuses in the workflow that it leaves which the one that it
comes into has not. Types without any issue need nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.domain.errors import Conflict, Invalid
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.domain.transitions import change_status
from clones.tracker.models import Issue, Project, Status, Task, WorkflowStatus
from clones.tracker.queries.rights import Rights

MIGRATE: Final = "workflow.migrate"
BUSY: Final = "Another workflow configuration update task is ongoing."
SWITCH: Final = "workflow.switch"
PUBLISH: Final = "workflow.publish"
KINDS: Final = (MIGRATE, SWITCH, PUBLISH)

Flows = Callable[[int], int]  # from a type's id to its workflow's
Move = tuple[int, int, int, int]  # space, type, status before, status after


@dataclass(frozen=True, slots=True)
class Need:
    """Statuses of a type that need another one in the workflow that it comes into."""

    issue_type: int
    before: int
    after: int
    statuses: tuple[int, ...]


def needs_of(projects: Iterable[Project | int], before: Flows, after: Flows) -> list[Need]:
    """Return what issues of some spaces need when types change workflows, by type."""
    keys = [project if isinstance(project, int) else project.id for project in projects]
    held: dict[int, set[int]] = defaultdict(set)
    rows = Issue.objects.filter(project__in=keys).order_by()
    for kind, status in rows.values_list("issue_type_id", "status_id").distinct():
        held[kind].add(status)
    changed = [kind for kind in sorted(held) if before(kind) != after(kind)]
    flows = {flow(kind) for kind in changed for flow in (before, after)}
    statuses = statuses_of_flows(flows)
    found = []
    for kind in changed:
        gone = (statuses[before(kind)] | held[kind]) - statuses[after(kind)]
        if gone:
            found.append(Need(kind, before(kind), after(kind), tuple(sorted(gone))))
    return found


def statuses_of_flows(workflows: Collection[int]) -> dict[int, set[int]]:
    """Return the ids of the statuses of workflows, by the workflow's id."""
    found: dict[int, set[int]] = {workflow: set() for workflow in workflows}
    rows = WorkflowStatus.objects.filter(workflow__in=found)
    for workflow, status in rows.values_list("workflow_id", "status_id"):
        found[workflow].add(status)
    return found


def answered(
    needs: Sequence[Need],
    by_type: Mapping[tuple[int, int], int],
    by_flow: Mapping[tuple[int, int, int], int] | None = None,
) -> list[tuple[int, int, int]]:
    """Return, for each status that needs one, (type, before, after).

    Args:
        needs: what is needed.
        by_type: the new status of a type's status; it counts before the other.
        by_flow: the new status of a status from one workflow to another.

    Raises:
        Invalid: a mapping is missing, or leads to a status that the workflow has not.
    """
    missing: dict[tuple[int, ...], list[int]] = defaultdict(list)
    found: list[tuple[int, int, int]] = []
    targets = statuses_of_flows({need.after for need in needs})
    for need in needs:
        lost = []
        for status in need.statuses:
            new = by_type.get((need.issue_type, status))
            if new is None:
                new = (by_flow or {}).get((need.before, need.after, status))
            if new is None:
                lost.append(status)
            elif new not in targets[need.after]:
                raise Invalid(f"The status with ID {new} is not in the new workflow.")
            else:
                found.append((need.issue_type, status, new))
        if lost:
            missing[tuple(lost)].append(need.issue_type)
    if missing:
        raise Invalid(*(_missing(kinds, statuses) for statuses, kinds in missing.items()))
    return found


def _missing(kinds: Sequence[int], statuses: Sequence[int]) -> str:
    types = ",".join(f"'{kind}'" for kind in kinds)
    ids = ", ".join(str(status) for status in statuses)
    return (
        f"Issue type with ID {types} is missing the mappings required for statuses with IDs {ids}."
    )


def refuse_while_busy(**parts: int) -> None:
    """Hold changes back while a task still carries out one of the same thing.

    Raises:
        Conflict: one is under way for any of `workflow`, `scheme` or `project`.
    """
    for task in Task.objects.filter(kind__in=KINDS, status__in=("ENQUEUED", "RUNNING")):
        for name, key in parts.items():
            if key in (task.payload.get(name) or ()):
                raise Conflict(BUSY)


def start_migration(moves: Sequence[Move], *, actor: Rights, **parts: Sequence[int]) -> Task | None:
    """Begin to move issues into other statuses; None if there is nothing to move.

    `parts` say what is busy meanwhile: ids of `workflow`, `scheme` or `project`.
    """
    if not moves:
        return None
    payload: dict[str, Any] = {"moves": [list(move) for move in moves]}
    payload |= {name: list(keys) for name, keys in parts.items()}
    return start_task(MIGRATE, payload, actor=actor, description="Migrate issue statuses")


@carries_out(MIGRATE)
def migrate(task: Task, actor: Rights) -> dict[str, Any]:
    """Move the issues of a task."""
    return {"updatedIssues": move_issues(task.payload["moves"], actor=actor)}


def move_issues(moves: Iterable[Sequence[int]], *, actor: Rights) -> int:
    """Put issues into other statuses: (space, type, before, after). Return how many there were."""
    count = 0
    wanted = [tuple(move) for move in moves]
    statuses = Status.objects.in_bulk({move[3] for move in wanted})
    # First who moves where, then the moving: one's new status may be another's old one.
    planned: list[tuple[Issue, Status]] = []
    for project, kind, before, after in wanted:
        rows = Issue.objects.filter(project=project, issue_type=kind, status=before)
        planned.extend(
            (issue, statuses[after])
            for issue in rows.select_related("project", "issue_type", "status").order_by("id")
        )
    for issue, status in planned:
        change_status(issue, status, actor=actor)
        count += 1
    return count
