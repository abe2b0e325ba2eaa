"""Issues as cards and rows of backlogs show them: a fixed number of statements for any number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, TypeVar

from django.db.models import QuerySet

from clones.core.lookups import key_list
from clones.tracker.domain.estimation import TIME
from clones.tracker.models import (
    Board,
    Issue,
    IssueType,
    Priority,
    Project,
    Status,
    User,
)
from clones.tracker.queries.agile_fields import flag_field
from clones.tracker.queries.hot import (
    EPIC_LOOKS_AMONG,
    FIX_VERSIONS_OF_ISSUES,
    ISSUE_TYPES_AMONG,
    ISSUES_WITH_VALUE,
    LABELS_OF_ISSUES,
    NUMBERS_OF_ISSUES,
    OPEN_SPRINTS_OF_ISSUES,
    PRIORITIES_AMONG,
    STATUSES_AMONG,
    USERS_AMONG,
)
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import WorkTime, text_of
from clones.tracker.web.boards.card_style import CardStyle

Named = TypeVar("Named", IssueType, Priority, Status, User)
_COLUMNS: Final = (
    *("id", "key", "summary", "project_id", "issue_type_id", "status_id", "priority_id"),
    *("assignee_id", "parent_id", "original_estimate", "status_category_changed"),
)


@dataclass(frozen=True, slots=True)
class CardIssue:
    """The columns of an issue that a card needs, without the issue."""

    id: int
    key: str
    summary: str
    project: int
    type: int
    status: int
    priority: int | None
    assignee: int | None
    parent: int | None
    original: int | None
    status_changed: datetime


@dataclass(frozen=True, slots=True)
class Above:
    """An issue that others belong to: an epic, or the parent of sub-tasks."""

    id: int
    key: str
    name: str
    level: int
    parent: int | None
    rank: str
    color: str = "color_1"


def works_of(issues: QuerySet[Issue], limit: int) -> list[CardIssue]:
    """Return the first of some issues, in their order."""
    return [CardIssue(*row) for row in issues.values_list(*_COLUMNS)[:limit]]


class CardExtras:
    """What is shown of some issues beside their own columns; each part is read once."""

    def __init__(
        self, works: Sequence[CardIssue], board: Board, rights: Rights, place: str = "board"
    ) -> None:
        self.works = works
        self.looks = CardStyle(works, board, rights, place)
        self._board = board
        self._rights = rights

    @cached_property
    def _keys(self) -> str:
        return key_list(work.id for work in self.works)

    @cached_property
    def types(self) -> dict[int, IssueType]:
        """Types of issues by id."""
        return _by_id(ISSUE_TYPES_AMONG.all(key_list(work.type for work in self.works)))

    @cached_property
    def priorities(self) -> dict[int, Priority]:
        """Priorities by id."""
        return _by_id(PRIORITIES_AMONG.all(key_list(work.priority for work in self.works)))

    @cached_property
    def statuses(self) -> dict[int, Status]:
        """Statuses by id."""
        return _by_id(STATUSES_AMONG.all(key_list(work.status for work in self.works)))

    @cached_property
    def spaces(self) -> dict[int, Project]:
        """The spaces of the issues, by id; by name."""
        keys = {work.project for work in self.works}
        rows = Project.objects.filter(id__in=keys).order_by("name", "id")
        return {space.id: space for space in rows}

    @cached_property
    def assignees(self) -> dict[int, User]:
        """Those who have the issues, by id; by name."""
        return _by_id(USERS_AMONG.all(key_list(work.assignee for work in self.works)))

    @cached_property
    def above(self) -> dict[int, Above]:
        """Parents that the viewer sees, and theirs, by id."""
        found = self._read(work.parent for work in self.works)
        further = self._read(one.parent for one in found.values())
        found |= further
        epics = key_list(one.id for one in found.values() if one.level > 0)
        looks = {look.id: look for look in (EPIC_LOOKS_AMONG.all(epics) if epics else ())}
        return {
            one.id: one
            if one.id not in looks
            else Above(
                one.id,
                one.key,
                looks[one.id].name or one.name,
                one.level,
                one.parent,
                one.rank,
                looks[one.id].color,
            )
            for one in found.values()
        }

    def _read(self, keys: Iterable[int | None]) -> dict[int, Above]:
        wanted = sorted({key for key in keys if key is not None})
        if not wanted:
            return {}
        rows = visible_issues(self._rights).filter(id__in=wanted).order_by("id")
        columns = ("id", "key", "summary", "issue_type__hierarchy_level", "parent_id", "rank")
        return {row[0]: Above(*row) for row in rows.values_list(*columns)}

    def epic_of(self, work: CardIssue) -> Above | None:
        """Return the epic of an issue, of a sub-task that of its parent."""
        found = self.above.get(work.parent or 0)
        if found is not None and found.level <= 0:
            found = self.above.get(found.parent or 0)
        return found if found is not None and found.level > 0 else None

    def parent_of(self, work: CardIssue) -> Above | None:
        """Return what a sub-task is a part of."""
        found = self.above.get(work.parent or 0)
        return found if found is not None and found.level <= 0 else None

    @cached_property
    def numbers(self) -> dict[int, float]:
        """Estimates by issue: numbers, or seconds for times."""
        field = self._board.estimation
        if field is None or not self.works:
            return {}
        if field == TIME:
            return {work.id: work.original for work in self.works if work.original is not None}
        number = int(field.removeprefix("customfield_"))
        rows = NUMBERS_OF_ISSUES.all(self._keys, number)
        return {issue: value for issue, value in rows if value is not None}

    def estimate(self, work: CardIssue) -> str:
        """Return an issue's estimate as people read it, empty for none."""
        found = self.numbers.get(work.id)
        return "" if found is None else self.written(found)

    def written(self, number: float) -> str:
        """Return an estimate, or a sum of them, as people read it."""
        if self._board.estimation == TIME:
            return text_of(int(number), self._lengths)
        return f"{number:g}"

    @cached_property
    def _lengths(self) -> WorkTime:
        return work_time()

    @cached_property
    def flagged(self) -> frozenset[int]:
        """The issues that something stands in the way of."""
        field = flag_field()
        if field is None or not self.works:
            return frozenset()
        return frozenset(ISSUES_WITH_VALUE.all(self._keys, field.id))

    @cached_property
    def labels(self) -> dict[int, list[str]]:
        """The labels of each issue that has any, by name."""
        found: dict[int, list[str]] = defaultdict(list)
        for issue, label in LABELS_OF_ISSUES.all(self._keys) if self.works else ():
            found[issue].append(label)
        return found

    @cached_property
    def versions(self) -> dict[int, list[tuple[int, str]]]:
        """The ids and names of the versions that each issue is to be in."""
        found: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for issue, version, name in FIX_VERSIONS_OF_ISSUES.all(self._keys) if self.works else ():
            found[issue].append((version, name))
        return found

    @cached_property
    def sprints(self) -> dict[int, int]:
        """The sprint, to come or running, of each issue that is in one."""
        return dict(OPEN_SPRINTS_OF_ISSUES.all(self._keys)) if self.works else {}


def _by_id(rows: Iterable[Named]) -> dict[int, Named]:
    return {row.id: row for row in rows}
