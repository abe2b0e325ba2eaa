"""Groupings of reports: by a value, a part of a date, or a bucket of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.crm.rules.reports.columns import Column

# How dates are grouped, and the functions of queries that give as fine a group; a week is put
# together from its days.
GRANULARITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "None": ("DAY",),
    "Day": ("DAY",),
    "Week": ("DAY",),
    "Month": ("CALENDAR_YEAR", "CALENDAR_MONTH"),
    "Quarter": ("CALENDAR_YEAR", "CALENDAR_QUARTER"),
    "Year": ("CALENDAR_YEAR",),
    "FiscalQuarter": ("FISCAL_YEAR", "FISCAL_QUARTER"),
    "FiscalYear": ("FISCAL_YEAR",),
    "MonthInYear": ("CALENDAR_MONTH",),
    "DayInMonth": ("DAY_IN_MONTH",),
}
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
NOTHING: Final = "-"


@dataclass(frozen=True, slots=True)
class Bucket:
    """Values that are one: the label of each by the value, and that of all others."""

    name: str
    label: str
    labels: Mapping[str, str]
    other: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """One level of groups, down or across.

    Args:
        name: as the report calls it: a column, or a bucket.
        column: where the values are.
        granularity: how dates are grouped, one of `GRANULARITIES`.
        descends: whether the last group comes first.
        by: the aggregate that groups are sorted by, None for their own values.
        bucket: what makes several values one, None where each is its own.
    """

    name: str
    column: Column
    granularity: str = "None"
    descends: bool = False
    by: str | None = None
    bucket: Bucket | None = field(default=None)

    @property
    def is_date(self) -> bool:
        """Whether it groups by dates."""
        return self.column.field.type in ("date", "datetime")

    def expressions(self) -> list[str]:
        """Return what a query groups by: the value, with the id of what it names, or date parts."""
        path = self.column.path
        if not self.is_date:
            key = self.column.key_path
            return [path] if key is None or self.bucket is not None else [path, key]
        parts = GRANULARITIES[self.granularity]
        if parts == ("DAY",):
            return [f"DAY_ONLY({path})" if self.column.field.type == "datetime" else path]
        return [f"{one}({path})" for one in parts]

    def key(self, values: Sequence[Any], *, first_weekday: int) -> tuple[Any, ...]:
        """Return what a group is the same by, of what a query gives for it."""
        if self.bucket is not None:
            value = values[0]
            label = NOTHING if value is None else self.bucket.labels.get(str(value))
            return (self.bucket.other if label is None else label,)
        if self.is_date and self.granularity == "Week" and values[0] is not None:
            day = date.fromisoformat(str(values[0])[:10])
            return ((day - timedelta(days=(day.weekday() - first_weekday) % 7)).isoformat(),)
        return tuple(values)

    def values_of(self, value: Any, key: Any, zone: ZoneInfo, fiscal_start: int) -> list[Any]:
        """Return what a query would give for the group that a record's value is in."""
        if not self.is_date:
            return [value] if len(self.expressions()) == 1 else [value, key]
        parts = GRANULARITIES[self.granularity]
        if value is None:
            return [None] * len(parts)
        day = _day(str(value), zone)
        return [_part(one, day, fiscal_start) for one in parts]

    def shown(self, key: tuple[Any, ...]) -> tuple[str | None, Any]:
        """Return the label of a group, None where its value is to be shown, and its value."""
        value = key[0]
        if value is None:
            return NOTHING, None
        if self.bucket is not None:
            return str(value), value
        if not self.is_date:
            return None if len(key) == 1 else str(value), key[-1]
        return self._shown_date(key)

    def _shown_date(self, key: tuple[Any, ...]) -> tuple[str | None, Any]:
        value, parts = key[0], GRANULARITIES[self.granularity]
        if self.granularity == "MonthInYear":
            return _MONTHS[int(value) - 1], value
        if parts == ("DAY",):
            return None, str(value)[:10]
        if parts[-1].endswith("MONTH") and len(key) > 1:
            return f"{_MONTHS[int(key[1]) - 1]} {key[0]}", f"{key[0]}-{int(key[1]):02d}-01"
        if parts[-1].endswith("QUARTER"):
            kind = "FQ" if parts[-1].startswith("FISCAL") else "CQ"
            kind = f"Q{key[1]} {kind[:1]}Y{key[0]}"
            return kind, f"{key[0]}-{int(key[1]) * 3 - 2:02d}-01"
        if self.granularity == "FiscalYear":
            return f"FY {value}", f"{value}-01-01"
        return str(value), f"{value}-01-01" if self.granularity == "Year" else value


def _day(text: str, zone: ZoneInfo) -> date:
    if len(text) <= 10:
        return date.fromisoformat(text)
    return datetime.fromisoformat(f"{text[:19]}+00:00").astimezone(zone).date()


def _part(name: str, day: date, fiscal_start: int) -> Any:
    quarter = (day.month - 1) // 3 + 1
    fiscal_month = (day.month - fiscal_start) % 12
    return {
        "DAY": day.isoformat(),
        "CALENDAR_YEAR": day.year,
        "CALENDAR_MONTH": day.month,
        "CALENDAR_QUARTER": quarter,
        "DAY_IN_MONTH": day.day,
        "FISCAL_YEAR": day.year + (1 if fiscal_start > 1 and day.month >= fiscal_start else 0),
        "FISCAL_QUARTER": fiscal_month // 3 + 1,
    }[name]
