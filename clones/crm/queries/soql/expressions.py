"""Expressions of a plan as SQL: fields, aggregates, functions of dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, cast

from django.db import connection

from clones.crm.errors import CrmError
from clones.crm.queries.soql.fragments import Sql
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.plan import Applied, Chain, Distance, Expression, RowCount

_AGGREGATES: Final = {name: f"{name}({{}})" for name in ("COUNT", "SUM", "AVG", "MIN", "MAX")}
# Shown in another form by who presents the answer; the value is the same.
_OF_THE_ANSWER: Final = frozenset({"toLabel", "FORMAT", "convertCurrency"})
# Mean radius of the earth.
_RADIUS: Final = {"km": 6371.009, "mi": 3958.761}
_ZONE: Final = re.compile(r"[\w/+-]+", re.ASCII)
_TEXTS: Final = frozenset(
    {"string", "picklist", "email", "phone", "url", "combobox", "textarea", "multipicklist"}
)


def is_text(type_: str) -> bool:
    """Tell whether values of a type are texts that are compared without case."""
    return type_ in _TEXTS


def expression_sql(what: Expression, tables: Tables, calendar: Calendar) -> Sql:
    """Return what an expression of a plan yields.

    Raises:
        CrmError: nothing here works it out.
    """
    if isinstance(what, Chain):
        return tables.column(what)
    if isinstance(what, RowCount):
        return Sql("COUNT(*)")
    if isinstance(what, Distance):
        return _distance(what, tables)
    name = what.name
    if name in _OF_THE_ANSWER:
        return expression_sql(what.argument, tables, calendar)
    if name == "GROUPING":
        return Sql("0")
    if name == "COUNT_DISTINCT":
        return Sql("COUNT(DISTINCT {})").format(folded(what.argument, tables, calendar))
    if name in _AGGREGATES:
        return Sql(_AGGREGATES[name]).format(expression_sql(what.argument, tables, calendar))
    return _date_part(what, tables, calendar)


def _distance(what: Distance, tables: Tables) -> Sql:
    """Return how far places are from one (the haversine formula); null where it is not known."""
    place = what.location
    of = tables.schema.objects[place.object]
    stem = place.field.name.removesuffix("Address")
    if of.field(f"{stem}Latitude") is None or of.field(f"{stem}Longitude") is None:
        raise CrmError("DISTANCE is not supported for this field", code="INVALID_FIELD")
    latitude, longitude = (
        tables.column(replace(place, field=replace(place.field, name=f"{stem}{part}")))
        for part in ("Latitude", "Longitude")
    )
    given = Sql("%s", (float(what.latitude),)), Sql("%s", (float(what.longitude),))
    half = Sql(
        "POWER(SIN(RADIANS({} - {}) / 2), 2)"
        " + COS(RADIANS({})) * COS(RADIANS({})) * POWER(SIN(RADIANS({} - {}) / 2), 2)"
    ).format(latitude, given[0], given[0], latitude, longitude, given[1])
    angle = Sql("ATAN2(SQRT({}), SQRT(ABS(1.0 - ({}))))").format(half, half)
    return Sql(f"{2 * _RADIUS[what.unit]} * {{}}").format(angle)


def folded(what: Expression, tables: Tables, calendar: Calendar) -> Sql:
    """Return an expression as it is compared and grouped: a text in one case."""
    found = expression_sql(what, tables, calendar)
    return Sql("UPPER({})").format(found) if is_text(what.type) else found


def _date_part(what: Applied, tables: Tables, calendar: Calendar) -> Sql:
    argument, zone = what.argument, "UTC"
    if isinstance(argument, Applied) and argument.name == "convertTimezone":
        argument, zone = argument.argument, str(calendar.zone)
    inner = expression_sql(argument, tables, calendar)
    if what.name == "HOUR_IN_DAY":
        return _of_moment("hour", inner, zone)
    day = inner if argument.type == "date" else _cast_to_day(inner, zone)
    if what.name == "DAY_ONLY":
        return day
    return _PARTS[what.name](day, calendar)


def _of_moment(part: str, moment: Sql, zone: str) -> Sql:
    text, given = connection.ops.datetime_extract_sql(part, moment.text, moment.parameters, zone)
    return _with_zone(Sql(text, tuple(given)), zone)


def _cast_to_day(moment: Sql, zone: str) -> Sql:
    text, given = connection.ops.datetime_cast_date_sql(moment.text, moment.parameters, zone)
    return _with_zone(Sql(text, tuple(given)), zone)


def _with_zone(found: Sql, zone: str) -> Sql:
    """Return a piece with the name of a zone in its text where that is all that it is given.

    A key of a group has to be the same wherever it stands: PostgreSQL does not take pieces with
    placeholders for that.
    """
    if found.parameters != (zone,) or not _ZONE.fullmatch(zone):
        return found
    return Sql(found.text.replace("%s", f"'{zone}'"))


def _of_day(part: str, day: Sql) -> Sql:
    text, given = connection.ops.date_extract_sql(part, day.text, cast(Any, day.parameters))
    return Sql(f"CAST({text} AS INTEGER)", tuple(given))


def _day_in_year(day: Sql) -> Sql:
    if connection.vendor == "sqlite":
        return Sql("CAST(strftime('%%j', {}) AS INTEGER)").format(day)
    return Sql("CAST(EXTRACT(DOY FROM {}) AS INTEGER)").format(day)


def _in_weeks(days: Sql) -> Sql:
    return Sql("(({} - 1) / 7 + 1)").format(days)


def _fiscal_month(day: Sql, calendar: Calendar) -> Sql:
    shift = Sql(f"(({{}} - {calendar.fiscal_start} + 12) % 12 + 1)".replace("%", "%%"))
    return shift.format(_of_day("month", day))


def _fiscal_year(day: Sql, calendar: Calendar) -> Sql:
    """Return the number of a day's fiscal year: the year in which it ends, or begins."""
    year = _of_day("year", day)
    if calendar.fiscal_start == 1:
        return year
    sooner, later = (0, 1) if calendar.fiscal_named_by_end else (-1, 0)
    told = Sql(f"({{}} + CASE WHEN {{}} >= {calendar.fiscal_start} THEN {later} ELSE {sooner} END)")
    return told.format(year, _of_day("month", day))


_PARTS: Final[dict[str, Callable[[Sql, Calendar], Sql]]] = {
    "CALENDAR_MONTH": lambda day, _: _of_day("month", day),
    "CALENDAR_QUARTER": lambda day, _: _of_day("quarter", day),
    "CALENDAR_YEAR": lambda day, _: _of_day("year", day),
    "DAY_IN_MONTH": lambda day, _: _of_day("day", day),
    "DAY_IN_WEEK": lambda day, _: _of_day("week_day", day),
    "DAY_IN_YEAR": lambda day, _: _day_in_year(day),
    "FISCAL_MONTH": _fiscal_month,
    "FISCAL_QUARTER": lambda day, calendar: Sql("(({} + 2) / 3)").format(
        _fiscal_month(day, calendar)
    ),
    "FISCAL_YEAR": _fiscal_year,
    "WEEK_IN_MONTH": lambda day, _: _in_weeks(_of_day("day", day)),
    "WEEK_IN_YEAR": lambda day, _: _in_weeks(_day_in_year(day)),
}
