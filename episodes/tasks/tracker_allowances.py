"""What working on issues changes: the allowances that families of the tracker share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from episodes.tasks.footprint import Allow

INSERT: Final = frozenset({"insert"})
UPDATE: Final = frozenset({"update"})
ANY: Final = frozenset({"insert", "update", "delete"})

# What every change of an issue, and every comment on it, touches.
TOUCHED: Final = frozenset({"updated"})
MOVED: Final = frozenset({"status_id", "status_category_changed", "resolution_id"}) | {
    "resolution_date"
}
ASSIGNED: Final = frozenset({"assignee_id"})


def commenting_on(issues: Iterable[int]) -> tuple[Allow, ...]:
    """Allow comments on these issues, and that whoever says something watches them from then on."""
    numbers = sorted(issues)
    said = [
        Allow(table, INSERT, where={"issue_id": issue})
        for issue in numbers
        for table in ("tracker_comment", "tracker_watcher")
    ]
    touched = Allow("tracker_issue", UPDATE, keys=frozenset(numbers), columns=TOUCHED)
    return (*said, touched)


def changing(issues: Iterable[int], columns: Iterable[str]) -> tuple[Allow, ...]:
    """Allow these columns of these issues, and comments on them."""
    numbers = sorted(issues)
    wanted = frozenset(columns) | TOUCHED
    own = Allow("tracker_issue", UPDATE, keys=frozenset(numbers), columns=wanted)
    return (own, *commenting_on(numbers))


def working_on_issues(issues: Iterable[int], *more: str) -> tuple[Allow, ...]:
    """Allow moving these issues through their workflow, giving them to people, and comments.

    `more` are further columns of their rows.
    """
    return changing(issues, {*MOVED, *ASSIGNED, *more})


def filling(issues: Iterable[int], table: str, **where: object) -> tuple[Allow, ...]:
    """Allow rows beside these issues: of versions, components, labels, values of fields, sprints.

    `where` narrows which rows, as `field_id=10026` or `kind="fix"`.
    """
    return tuple(Allow(table, ANY, where={"issue_id": issue, **where}) for issue in sorted(issues))


def linking(issues: Iterable[int]) -> tuple[Allow, ...]:
    """Allow links from and to these issues; both ends are touched by one."""
    return tuple(
        Allow("tracker_issuelink", ANY, where={end: issue})
        for issue in sorted(issues)
        for end in ("source_id", "destination_id")
    )


def touching(issues: Iterable[int]) -> tuple[Allow, ...]:
    """Allow that these issues are marked as changed, as the far ends of links are."""
    return (Allow("tracker_issue", UPDATE, keys=frozenset(issues), columns=TOUCHED),)


def new_issue(project: int, *, at_most: int) -> tuple[Allow, ...]:
    """Allow up to so many new issues in a space, with what hangs on them only by their insert."""
    return (
        Allow("tracker_issue", INSERT, where={"project_id": project}, at_most=at_most),
        Allow(
            "tracker_project", UPDATE, keys=frozenset({project}), columns=frozenset({"last_number"})
        ),
    )


def beside_new_issues(*tables: str, at_most: int | None = None) -> tuple[Allow, ...]:
    """Allow rows of these tables that hang on issues which the agent made."""
    beside = ("issue_id", "tracker_issue")
    return tuple(Allow(table, ANY, beside=beside, at_most=at_most) for table in tables)
