"""How many issues of a search there are for each value of a field, or of two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, F, QuerySet

from clones.tracker.models import (
    CustomField,
    FieldValue,
    IssueComponent,
    IssueLabel,
    IssueSprint,
    IssueVersion,
)
from clones.tracker.queries.fields import all_fields
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import RunnableQuery
from clones.tracker.rules.field_catalogue import custom_number
from clones.tracker.rules.field_kinds.kinds import kind_of
from clones.tracker.rules.jql.words import encoded


@dataclass(frozen=True, slots=True)
class StatisticField:
    """A field to count by.

    `name` is its name in queries; `value` and `label` lead to what queries name and people read;
    `rows` is the table of a field with several values, with `only` as its condition.
    """

    name: str
    value: str
    label: str
    nothing: str
    order: str = ""
    rows: Any = None
    only: tuple[tuple[str, str], ...] = ()


AXES: Final = {
    "statuses": StatisticField("status", "status_id", "status__name", "None"),
    "assignees": StatisticField(
        "assignee", "assignee__account_id", "assignee__display_name", "Unassigned"
    ),
    "reporter": StatisticField(
        "reporter", "reporter__account_id", "reporter__display_name", "None"
    ),
    "creator": StatisticField("creator", "creator__account_id", "creator__display_name", "None"),
    "issuetype": StatisticField("issuetype", "issue_type_id", "issue_type__name", "None"),
    "priorities": StatisticField(
        "priority", "priority_id", "priority__name", "None", "priority__position"
    ),
    "resolution": StatisticField("resolution", "resolution_id", "resolution__name", "Unresolved"),
    "project": StatisticField("project", "project__key", "project__name", "None"),
    "labels": StatisticField("labels", "label", "label", "None", rows=IssueLabel),
    "components": StatisticField(
        "component", "component_id", "component__name", "None", rows=IssueComponent
    ),
    "fixfor": StatisticField(
        "fixVersion",
        "version_id",
        "version__name",
        "None",
        rows=IssueVersion,
        only=(("kind", "fix"),),
    ),
    "version": StatisticField(
        "affectedVersion",
        "version_id",
        "version__name",
        "None",
        rows=IssueVersion,
        only=(("kind", "affects"),),
    ),
}
# What names and shows a value of custom fields that can be counted by, by the kind of the field.
_CUSTOM: Final = {
    **dict.fromkeys(("option", "options", "cascade"), ("option_id", "option__value")),
    **dict.fromkeys(("user", "users"), ("user__account_id", "user__display_name")),
    **dict.fromkeys(("group", "groups"), ("group__name", "group__name")),
    "labels": ("text", "text"),
}


def custom_stats(rights: Rights) -> dict[str, str]:
    """Return the custom fields that somebody can count by: their names, by key."""
    return {field.key: field.name for field in all_fields(rights) if _axis(field) is not None}


def axis_of(key: str, rights: Rights) -> tuple[StatisticField, str] | None:
    """Return the field that a setting names, and the name of a custom one; None: there is none."""
    if key in AXES:
        return AXES[key], ""
    if custom_number(key) is None:
        return None
    field = next((one for one in all_fields(rights) if one.key == key), None)
    axis = None if field is None else _axis(field)
    return None if field is None or axis is None else (axis, field.name)


def _axis(field: CustomField) -> StatisticField | None:
    kind = kind_of(field.type).name
    if kind == "sprint":
        return StatisticField("sprint", "sprint_id", "sprint__name", "None", rows=IssueSprint)
    columns = _CUSTOM.get(kind)
    if columns is None:
        return None
    only = (("field", str(field.id)),)
    return StatisticField(f"cf[{field.id}]", *columns, "None", rows=FieldValue, only=only)


@dataclass(frozen=True, slots=True)
class StatisticValue:
    """A value of a field: what queries say for it, what it is called, its place among others."""

    clause: str
    label: str
    place: tuple[int, str] = (0, "")


@dataclass(frozen=True, slots=True)
class Counted:
    """A value with how many issues have it."""

    value: StatisticValue
    count: int


def counted(search: RunnableQuery, axis: StatisticField) -> list[Counted]:
    """Return the values of a field, the most frequent first; none of it is at the end."""
    rows = _rows(search, axis).values(*_columns(axis)).annotate(number=Count("pk", distinct=True))
    totals: Counter[StatisticValue] = Counter()
    for row in rows.order_by():
        totals[_value(axis, row)] += row["number"]
    if axis.rows is not None:
        have = _rows(search, axis).values("issue")
        if without := search.found.exclude(pk__in=have).count():
            totals[_value(axis, {})] = without
    found = [Counted(value, number) for value, number in totals.items()]
    return sorted(found, key=lambda one: (-one.count, one.value.label.lower(), one.value.clause))


@dataclass(frozen=True, slots=True)
class Crossed:
    """How many issues have a value of each of two fields: by the pair, by each, and in all.

    An issue with several values counts once for each of them, and once in all.
    """

    pairs: Counter[tuple[StatisticValue, StatisticValue]]
    across: Counter[StatisticValue]
    down: Counter[StatisticValue]
    whole: int


def crossed(search: RunnableQuery, across: StatisticField, down: StatisticField) -> Crossed:
    """Return how many issues have a value of each of two fields."""
    ids = list(search.found.order_by("pk").values_list("pk", flat=True))
    first, second = _by_issue(search, across), _by_issue(search, down)
    nothing = _value(across, {}), _value(down, {})
    found = Crossed(Counter(), Counter(), Counter(), len(ids))
    for id in ids:
        ones = list(dict.fromkeys(first.get(id) or [nothing[0]]))
        others = list(dict.fromkeys(second.get(id) or [nothing[1]]))
        found.across.update(ones)
        found.down.update(others)
        found.pairs.update((one, other) for one in ones for other in others)
    return found


def ordered(values: Iterable[StatisticValue]) -> list[StatisticValue]:
    """Return values in their own order; none of it is at the end."""
    return sorted(set(values), key=lambda value: (*value.place, value.clause))


def _rows(search: RunnableQuery, axis: StatisticField) -> QuerySet[Any]:
    if axis.rows is None:
        return search.found
    rows: QuerySet[Any] = axis.rows.objects.filter(issue__in=search.found.values("pk"))
    return rows.filter(**dict(axis.only))


def _columns(axis: StatisticField) -> list[str]:
    return list(dict.fromkeys([axis.value, axis.label, *([axis.order] if axis.order else [])]))


def _by_issue(search: RunnableQuery, axis: StatisticField) -> dict[int, list[StatisticValue]]:
    found: dict[int, list[StatisticValue]] = defaultdict(list)
    rows = _rows(search, axis).annotate(of=F("pk" if axis.rows is None else "issue_id"))
    known: dict[Any, StatisticValue] = {}
    for row in rows.values("of", *_columns(axis)).order_by():
        key = row[axis.value]
        if key not in known:
            known[key] = _value(axis, row)
        found[row["of"]].append(known[key])
    return found


def _value(axis: StatisticField, row: dict[str, Any]) -> StatisticValue:
    key = row.get(axis.value)
    if key is None:
        return StatisticValue(f"{axis.name} is EMPTY", axis.nothing, (1 << 30, ""))
    label = str(row[axis.label])
    written = str(key) if isinstance(key, int) else encoded(key)
    place = row.get(axis.order) if axis.order else 0
    return StatisticValue(f"{axis.name} = {written}", label, (int(place or 0), label.lower()))
