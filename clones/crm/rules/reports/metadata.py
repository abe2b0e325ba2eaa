"""What a report asks, read from its metadata and checked against the objects that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.crm.rules.listing import Filter, FilterError, condition_text, field_at, logic_text
from clones.crm.rules.reports.columns import Column, column_of
from clones.crm.rules.reports.groupings import GRANULARITIES, Bucket, Grouping
from clones.crm.rules.reports.types import ReportType, report_type
from clones.crm.rules.schema import OrgSchema, SObject

FORMATS: Final = ("TABULAR", "SUMMARY", "MATRIX")
ROW_COUNT: Final = "RowCount"
_KINDS: Final = {"s": "Sum of", "a": "Average", "mx": "Largest", "m": "Smallest"}
_MOST: Final = {"columns": 100, "filters": 20, "down": 3, "across": 2, "cross": 3}
ALL_TIME: Final = ("CUSTOM", "ALL_TIME", "")
_MINE: Final = ("user", "mine", "my", "myteam")


class ReportError(Exception):
    """Raised where a report's metadata cannot be meant; the message says why."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number of each group: how many records, or a sum, average, most or least of a column."""

    name: str
    kind: str
    column: Column | None

    @property
    def label(self) -> str:
        """What people call it."""
        if self.column is None:
            return "Record Count"
        return f"{_KINDS[self.kind]} {self.column.label}"


@dataclass(frozen=True, slots=True)
class Report:
    """A report, ready to be asked: about which records, in which columns and groups."""

    type: ReportType
    format: str
    columns: tuple[Column, ...]
    down: tuple[Grouping, ...]
    across: tuple[Grouping, ...]
    aggregates: tuple[Aggregate, ...]
    where: str
    is_mine: bool
    order: tuple[tuple[Column, bool], ...]

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        """The groupings down, then those across."""
        return (*self.down, *self.across)


def read_report(given: Mapping[str, Any], schema: OrgSchema, zone: ZoneInfo) -> Report:
    """Return the report that metadata describe; days are those of a zone.

    Raises:
        ReportError: something is not there, or is of another kind than it has to be.
    """
    type_ = given.get("reportType")
    name = type_.get("type") if isinstance(type_, Mapping) else type_
    found = report_type(name, schema) if isinstance(name, str) else None
    if found is None:
        raise ReportError("Specify a valid report type.")
    of = found.of
    format_ = given.get("reportFormat") or "TABULAR"
    if format_ not in FORMATS:
        raise ReportError(f"The report format {format_} is not supported.")
    buckets = {one.name: one for one in map(_bucket, _list(given, "buckets", 5))}
    sources = {
        str(one.get("devloperName") or one.get("developerName")): str(one.get("sourceColumnName"))
        for one in _list(given, "buckets", 5)
    }

    def grouping(one: Mapping[str, Any]) -> Grouping:
        return _grouping(of, one, buckets, sources)

    down = tuple(map(grouping, _list(given, "groupingsDown", _MOST["down"])))
    across = tuple(map(grouping, _list(given, "groupingsAcross", _MOST["across"])))
    if (format_ == "TABULAR" and (down or across)) or (format_ != "MATRIX" and across):
        raise ReportError(f"A report of the format {format_} has no such groupings.")
    if format_ != "TABULAR" and not down:
        raise ReportError("Specify at least one row grouping.")
    columns = _texts(given, "detailColumns", _MOST["columns"])
    names = _texts(given, "aggregates", _MOST["columns"]) or [ROW_COUNT]
    return Report(
        type=found,
        format=format_,
        columns=tuple(_column(of, one) for one in columns if one not in buckets),
        down=down,
        across=across,
        aggregates=tuple(_aggregate(of, one) for one in names),
        where=_where(of, given, schema, zone),
        is_mine=str(given.get("scope") or "").lower() in _MINE and of.field("OwnerId") is not None,
        order=tuple(_sorting(of, one) for one in _list(given, "sortBy", 2)),
    )


def _list(given: Mapping[str, Any], name: str, most: int) -> list[Mapping[str, Any]]:
    found = given.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise ReportError(f"The value of {name} is not valid.")
    if len(found) > most:
        raise ReportError(f"Too many values of {name}: {most} are allowed.")
    return found


def _texts(given: Mapping[str, Any], name: str, most: int) -> list[str]:
    found = given.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ReportError(f"The value of {name} is not valid.")
    if len(found) > most:
        raise ReportError(f"Too many values of {name}: {most} are allowed.")
    return list(dict.fromkeys(found))


def _column(of: SObject, name: Any) -> Column:
    found = column_of(of, name) if isinstance(name, str) and len(name) <= 200 else None
    if found is None:
        raise ReportError(f"The column {str(name)[:80]} is not available in this report type.")
    return found


def _aggregate(of: SObject, name: str) -> Aggregate:
    if name == ROW_COUNT:
        return Aggregate(name, "", None)
    kind, _, column = name.partition("!")
    found = _column(of, column)
    if kind not in _KINDS or not (
        found.field.is_number or found.field.type in ("date", "datetime")
    ):
        raise ReportError(f"The aggregate {name[:80]} is not available in this report type.")
    if kind in ("s", "a") and not found.field.is_number:
        raise ReportError(f"The aggregate {name[:80]} is not available in this report type.")
    return Aggregate(name, kind, found)


def _grouping(
    of: SObject,
    given: Mapping[str, Any],
    buckets: Mapping[str, Bucket],
    sources: Mapping[str, str],
) -> Grouping:
    name = given.get("name")
    granularity = given.get("dateGranularity") or "None"
    if not isinstance(granularity, str) or granularity not in GRANULARITIES:
        raise ReportError(f"The date granularity {str(granularity)[:40]} is not valid.")
    bucket = buckets.get(name) if isinstance(name, str) else None
    column = _column(of, name if bucket is None else sources[bucket.name])
    by = given.get("sortAggregate")
    return Grouping(
        name=str(name),
        column=column,
        granularity=granularity if column.field.type in ("date", "datetime") else "None",
        descends=str(given.get("sortOrder") or "Asc").lower().startswith("desc"),
        by=by if isinstance(by, str) else None,
        bucket=bucket,
    )


def _bucket(given: Mapping[str, Any]) -> Bucket:
    name = given.get("devloperName") or given.get("developerName")
    if given.get("bucketType") not in ("picklist", "text") or not isinstance(name, str):
        raise ReportError("The bucket type is not supported.")
    labels: dict[str, str] = {}
    values = given.get("values") or []
    if not isinstance(values, list) or len(values) > 20:
        raise ReportError("The value of buckets is not valid.")
    for one in values:
        members = one.get("sourceDimensionValues") if isinstance(one, Mapping) else None
        if not isinstance(members, list):
            raise ReportError("The value of buckets is not valid.")
        labels |= {str(each): str(one.get("label")) for each in members}
    other = given.get("otherBucketLabel")
    return Bucket(name, str(given.get("label") or name), labels, str(other or "Other"))


def _sorting(of: SObject, given: Mapping[str, Any]) -> tuple[Column, bool]:
    ascends = not str(given.get("sortOrder") or "Asc").lower().startswith("desc")
    return _column(of, given.get("sortColumn")), ascends


def _where(of: SObject, given: Mapping[str, Any], schema: OrgSchema, zone: ZoneInfo) -> str:
    try:
        rows = [
            condition_text(of, _filter(of, one), zone)
            for one in _list(given, "reportFilters", _MOST["filters"])
        ]
        logic = given.get("reportBooleanFilter")
        if logic is not None and not isinstance(logic, str):
            raise ReportError("The filter logic is not valid.")
        parts = [logic_text(logic, rows) if rows or logic else ""]
        parts.append(_standard_dates(of, given.get("standardDateFilter"), zone))
        cross = _list(given, "crossFilters", _MOST["cross"])
        parts += [_cross(of, one, schema, zone) for one in cross]
    except FilterError as error:
        raise ReportError(str(error)) from error
    return " AND ".join(f"({one})" for one in parts if one)


def _filter(of: SObject, given: Mapping[str, Any]) -> Filter:
    column, operator = _column(of, given.get("column")), given.get("operator")
    value = given.get("value")
    if not isinstance(operator, str) or not isinstance(value, str | int | float | None):
        raise ReportError("The filter is not valid.")
    return Filter.read(column.path, operator, "" if value is None else str(value))


def _standard_dates(of: SObject, given: Any, zone: ZoneInfo) -> str:
    if not given:
        return ""
    if not isinstance(given, Mapping):
        raise ReportError("The standard date filter is not valid.")
    duration = str(given.get("durationValue") or "")
    start, end = given.get("startDate"), given.get("endDate")
    if duration.upper() in ALL_TIME and not start and not end:
        return ""
    column = _column(of, given.get("column"))
    rows = []
    if duration.upper() not in ALL_TIME:
        rows.append(Filter(column.path, "equals", duration))
    else:
        rows += [Filter(column.path, "greaterOrEqual", str(start))] if start else []
        rows += [Filter(column.path, "lessOrEqual", str(end))] if end else []
    if column.field.type not in ("date", "datetime"):
        raise ReportError("The standard date filter is not valid.")
    return " AND ".join(condition_text(of, one, zone) for one in rows)


def _cross(of: SObject, given: Mapping[str, Any], schema: OrgSchema, zone: ZoneInfo) -> str:
    related = schema.find(str(given.get("relatedEntity") or ""))
    join = None if related is None else field_at(related, str(given.get("relatedEntityJoinField")))
    if (
        related is None
        or join is None
        or join.type != "reference"
        or of.name not in join.reference_to
    ):
        raise ReportError("The cross filter is not valid.")
    rows = [
        condition_text(related, _filter(related, one), zone) for one in _list(given, "criteria", 5)
    ]
    where = f" WHERE {logic_text(None, rows)}" if rows else ""
    word = "NOT IN" if given.get("includesObject") is False else "IN"
    inner = f"SELECT {join.name} FROM {related.name}{where}"  # noqa: S608 - SOQL
    if word == "NOT IN":
        inner += f" {'AND' if where else 'WHERE'} {join.name} != null"
    return f"Id {word} ({inner})"
