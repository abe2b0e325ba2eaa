"""Values as pages show them, in the user's ways of writing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.crm.models import rows_of
from clones.crm.rules.schema import Field

# What dates look like, by the country of a locale: day first unless said otherwise.
_MONTH_FIRST: Final = frozenset({"US"})
CURRENCY: Final = "$"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a user writes moments: the zone, and whether months come first."""

    zone: ZoneInfo
    month_first: bool

    def day(self, day: date) -> str:
        """Return a day as the user writes it."""
        if self.month_first:
            return f"{day.month}/{day.day}/{day.year}"
        return f"{day.day:02d}/{day.month:02d}/{day.year}"

    def moment(self, moment: datetime) -> str:
        """Return a moment as the user writes it, in the user's zone."""
        own = moment.astimezone(self.zone)
        if not self.month_first:
            return f"{self.day(own.date())} {own:%H:%M}"
        half = "AM" if own.hour < 12 else "PM"
        return f"{self.day(own.date())}, {own.hour % 12 or 12}:{own:%M} {half}"


def manner_of(user: str) -> Manner:
    """Return how a user (by id) writes."""
    found = rows_of("User").filter(Id=user).values("TimeZoneSidKey", "LocaleSidKey").first() or {}
    country = str(found.get("LocaleSidKey") or "en_US").rpartition("_")[2]
    return Manner(ZoneInfo(found.get("TimeZoneSidKey") or "UTC"), country in _MONTH_FIRST)


def display_value(field: Field, value: Any, manner: Manner | None) -> str | None:
    """Return what a page shows for a value, None where it shows the value itself.

    Without a manner, dates are left to whoever shows them.
    """
    if value is None:
        return None
    if field.type in ("picklist", "multipicklist", "combobox"):
        labels = {one.value: one.label for one in field.values}
        return ";".join(labels.get(one, one) for one in str(value).split(";"))
    if field.type == "currency":
        sign = "-" if value < 0 else ""
        return f"{sign}{CURRENCY}{abs(value):,.{field.scale}f}"
    if field.type == "percent":
        return f"{_plain(value)}%"
    if field.type in ("double", "int"):
        return f"{value:,.{field.scale}f}" if field.scale < 10 else _plain(value)
    if manner is None or field.type not in ("date", "datetime"):
        return None
    if field.type == "date":
        return manner.day(date.fromisoformat(str(value)[:10]))
    return manner.moment(datetime.fromisoformat(f"{str(value)[:19]}+00:00"))


def _plain(value: float) -> str:
    return f"{value:,.10f}".rstrip("0").rstrip(".")
