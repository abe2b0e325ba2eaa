"""The histories of the issues of sprints, as the reports of a board need them.

Told are issues of the level of tasks that somebody sees: sub-tasks go with their parents and have
no history of sprints, epics are in none. The number of statements does not grow with them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Final

from django.db.models import Q

from clones.core.digits import is_digits
from clones.core.lookups import key_list
from clones.tracker.domain.estimation import TIME
from clones.tracker.models import ChangeItem, FieldValue, Issue, IssueSprint, Sprint
from clones.tracker.queries.agile_fields import sprint_field
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.rules.reports.courses import Course, course_of
from clones.tracker.rules.reports.sprints import Tale

COUNT: Final = "issueCount"
_NUMBER: Final = re.compile(r"\d+")
FAMILY: Final = ("project", "issue_type", "status", "priority", "assignee")


@dataclass(frozen=True, slots=True)
class Tales:
    """The histories of the issues of sprints: by the sprint's id, and the issues by theirs."""

    by_sprint: Mapping[int, Sequence[Tale]]
    issues: Mapping[int, Issue]


def tales_of(
    sprints: Sequence[Sprint], statistic: str, done: Iterable[int], rights: Rights
) -> Tales:
    """Return the histories of the issues that are or were in some sprints.

    Args:
        sprints: which.
        statistic: how issues are counted: the id of a field of numbers, `timeoriginalestimate` in
            seconds, or `issueCount`, where each is one.
        done: the statuses in which issues are done.
        rights: of who looks.
    """
    if not sprints:
        return Tales({}, {})
    field = sprint_field()
    issues = _issues(sprints, field, rights)
    keys = key_list(issues)
    links: dict[int, set[int]] = defaultdict(set)
    rows = IssueSprint.objects.filter(issue__in_csv=keys).values_list("issue_id", "sprint_id")
    for member, holder in rows:
        links[member].add(holder)
    moves = _items(keys, field)
    statuses = status_courses(issues)
    sizes = _sizes(issues, keys, statistic)
    ends = frozenset(done)
    found: dict[int, list[Tale]] = {}
    for sprint_row in sprints:
        number = sprint_row.id
        tales = []
        for id, issue in issues.items():
            told = [(at, number in _ids(old), number in _ids(new)) for at, old, new in moves[id]]
            inside = course_of(number in links[id], told)
            if inside.first or any(value for _, value in inside.steps):
                course = statuses[id]
                is_done = Course(
                    course.first in ends, tuple((at, to in ends) for at, to in course.steps)
                )
                tales.append(Tale(id, issue.created, inside, is_done, sizes[id]))
        found[number] = tales
    return Tales(found, issues)


def status_courses(issues: Mapping[int, Issue]) -> dict[int, Course[int]]:
    """Return the statuses that issues went through, by the id of the issue."""
    moves = _items(key_list(issues), "status")
    return {
        id: course_of(
            issue.status_id,
            [(at, int(old or 0), int(new or 0)) for at, old, new in _numbered(moves[id])],
        )
        for id, issue in issues.items()
    }


def _numbered(
    rows: Iterable[tuple[datetime, str, str]],
) -> Iterable[tuple[datetime, str, str]]:
    return (row for row in rows if is_digits(row[1]) and is_digits(row[2]))


def _issues(sprints: Sequence[Sprint], field: str, rights: Rights) -> dict[int, Issue]:
    """Return the issues that are in some sprints or that a history names beside one of them."""
    ids = set(
        IssueSprint.objects.filter(sprint__in=[sprint.id for sprint in sprints])
        .order_by()
        .values_list("issue_id", flat=True)
    )
    named = reduce(or_, (_names(sprint.id) for sprint in sprints))
    items = ChangeItem.objects.filter(named, field_id=field).order_by()
    ids |= set(items.values_list("issue_id", flat=True))
    rows = visible_issues(rights).filter(id__in_csv=key_list(sorted(ids)))
    rows = rows.filter(issue_type__hierarchy_level=0).select_related(*FAMILY)
    return {issue.id: issue for issue in rows.order_by("id")}


def _names(sprint: int) -> Q:
    # A number within a longer one is found, too: what is not of the sprint falls out later.
    return Q(old__contains=str(sprint)) | Q(new__contains=str(sprint))


def _items(keys: str, field: str) -> dict[int, list[tuple[datetime, str, str]]]:
    """Return the changes of a field by issue: when, from what, to what; the oldest first."""
    found: dict[int, list[tuple[datetime, str, str]]] = defaultdict(list)
    rows = ChangeItem.objects.filter(issue__in_csv=keys, field_id=field).order_by("created", "id")
    for issue, at, old, new in rows.values_list("issue_id", "created", "old", "new"):
        found[issue].append((at, old or "", new or ""))
    return found


def _ids(text: str) -> set[int]:
    return {int(number) for number in _NUMBER.findall(text)}


def _sizes(
    issues: Mapping[int, Issue], keys: str, statistic: str
) -> dict[int, Course[float | None]]:
    if statistic == COUNT:
        one: Course[float | None] = Course(1.0)
        return dict.fromkeys(issues, one)
    changes: dict[int, list[tuple[datetime, float | None, float | None]]] = defaultdict(list)
    rows = ChangeItem.objects.filter(issue__in_csv=keys, field_id=statistic)
    values = rows.order_by("created", "id").values_list(
        "issue_id", "created", "old_string", "new_string"
    )
    for issue, at, old, new in values:
        changes[issue].append((at, _number(old), _number(new)))
    present = _present(issues, keys, statistic)
    return {id: course_of(present.get(id), changes[id]) for id in issues}


def _present(issues: Mapping[int, Issue], keys: str, statistic: str) -> dict[int, float | None]:
    if statistic == TIME:
        return {id: issue.original_estimate for id, issue in issues.items()}
    number = statistic.removeprefix("customfield_")
    if not is_digits(number):
        return {}
    rows = FieldValue.objects.filter(issue__in_csv=keys, field=int(number))
    return dict(rows.order_by("issue_id", "-position").values_list("issue_id", "number"))


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
