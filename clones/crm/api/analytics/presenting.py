"""Reports as the resources of analytics show them: metadata, columns, fact maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.crm.api.ui.shown import ui_value
from clones.crm.models import SObjectRow
from clones.crm.queries.manners import Manner, display_value
from clones.crm.queries.reports import ReportRun, value_at
from clones.crm.rules.reports import (
    Aggregate,
    Column,
    Grouping,
    Key,
    Report,
    ReportType,
    default_columns,
)
from clones.crm.rules.reports.groupings import NOTHING
from clones.crm.rules.schema import Field, SObject

_OPERATORS: Final = {
    "equals": "equals",
    "notEqual": "not equal to",
    "lessThan": "less than",
    "greaterThan": "greater than",
    "lessOrEqual": "less or equal",
    "greaterOrEqual": "greater or equal",
    "contains": "contains",
    "notContain": "does not contain",
    "startsWith": "starts with",
}
_TOTAL: Final = "T"


def present_listed(row: SObjectRow, root: str) -> dict[str, Any]:
    """Return a report in short."""
    own = f"{root}/analytics/reports/{row.Id}"
    return {
        "describeUrl": f"{own}/describe",
        "fieldsUrl": f"{own}/fields",
        "id": row.Id,
        "instancesUrl": f"{own}/instances",
        "name": row.Name,
        "url": own,
    }


def present_metadata(
    given: Mapping[str, Any], type_: ReportType, row: SObjectRow | None
) -> dict[str, Any]:
    """Return a report's metadata, with what it does not say itself."""
    found = {
        "aggregates": given.get("aggregates") or ["RowCount"],
        "allowedInCustomDetailFormula": None,
        "buckets": given.get("buckets") or [],
        "chart": None,
        "crossFilters": given.get("crossFilters") or [],
        "currency": "USD",
        "customDetailFormula": {},
        "customSummaryFormula": {},
        "description": None if row is None else row.Description,
        "detailColumns": given.get("detailColumns") or [],
        "developerName": None if row is None else row.DeveloperName,
        "division": None,
        "folderId": None if row is None else row.OwnerId,
        "groupingsAcross": [_grouping(one) for one in given.get("groupingsAcross") or []],
        "groupingsDown": [_grouping(one) for one in given.get("groupingsDown") or []],
        "hasDetailRows": given.get("hasDetailRows", True) is not False,
        "hasRecordCount": True,
        "historicalSnapshotDates": [],
        "id": None if row is None else row.Id,
        "name": None if row is None else row.Name,
        "presentationOptions": {"hasStackedSummaries": True},
        "reportBooleanFilter": given.get("reportBooleanFilter"),
        "reportFilters": given.get("reportFilters") or [],
        "reportFormat": given.get("reportFormat") or "TABULAR",
        "reportType": {"label": type_.label, "type": type_.name},
        "scope": given.get("scope") or "organization",
        "showGrandTotal": given.get("showGrandTotal", True) is not False,
        "showSubtotals": given.get("showSubtotals", True) is not False,
        "sortBy": given.get("sortBy") or [],
        "standardDateFilter": given.get("standardDateFilter")
        or {"column": _first_date(type_.of), "durationValue": "CUSTOM"}
        | {"endDate": None, "startDate": None},
        "standardFilters": None,
        "supportsRoleHierarchy": False,
        "userOrHierarchyFilterId": None,
    }
    return dict(sorted(found.items()))


def _grouping(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "dateGranularity": given.get("dateGranularity") or "None",
        "name": given.get("name"),
        "sortAggregate": given.get("sortAggregate"),
        "sortOrder": given.get("sortOrder") or "Asc",
    }


def _first_date(of: SObject) -> str:
    name = "CloseDate" if of.field("CloseDate") is not None else "CreatedDate"
    return f"{of.name}.{name}"


def present_extended(report: Report) -> dict[str, Any]:
    """Return the labels and kinds of a report's columns, groupings and aggregates."""
    return {
        "aggregateColumnInfo": {
            one.name: {
                "acrossGroupingContext": None,
                "dataType": _aggregate_type(one),
                "downGroupingContext": None,
                "label": one.label,
            }
            for one in report.aggregates
        },
        "detailColumnInfo": {one.name: _column_info(report.type.of, one) for one in report.columns},
        "groupingColumnInfo": {
            one.name: {
                **_column_info(report.type.of, one.column),
                "groupingLevel": level,
                "label": one.column.label if one.bucket is None else one.bucket.label,
            }
            for groupings in (report.down, report.across)
            for level, one in enumerate(groupings)
        },
    }


def _aggregate_type(one: Aggregate) -> str:
    return "int" if one.column is None else one.column.field.type


def _column_info(of: SObject, one: Column) -> dict[str, Any]:
    return {
        "dataType": one.field.type,
        "entityColumnName": one.field.name,
        "fieldToFieldFilterable": False,
        "fullyQualifiedName": f"{of.name}.{one.path}",
        "inactiveFilterValues": [],
        "isCustom": bool(one.field.custom),
        "isLookup": one.key_path is not None,
        "label": one.label,
        "uniqueCountable": True,
    }


def present_type_metadata(type_: ReportType) -> dict[str, Any]:
    """Return what reports of a type can show, group by and filter by."""
    kinds = sorted({one.type for one in type_.of.fields})
    return {
        "categories": [
            {
                "columns": {
                    f"{type_.of.name}.{one.name}": _type_column(one)
                    for one in type_.of.fields
                    if one.is_stored
                },
                "label": f"{type_.of.label} Information",
            }
        ],
        "dataTypeFilterOperatorMap": {
            kind: [{"label": label, "name": name} for name, label in _OPERATORS.items()]
            for kind in kinds
        },
        "scopes": {
            "scopes": [
                {
                    "default": True,
                    "label": f"All {type_.of.plural.lower()}",
                    "value": "organization",
                },
                {"default": False, "label": f"My {type_.of.plural.lower()}", "value": "user"},
            ]
        },
        "standardDateFilterDurationGroups": [],
    }


def _type_column(one: Field) -> dict[str, Any]:
    return {
        "allowedInCustomDetailFormula": False,
        "bucketable": one.type in ("picklist", "string"),
        "dataType": one.type,
        "filterValues": [{"label": each.label, "name": each.value} for each in one.values],
        "filterable": bool(one.filterable),
        "isCustom": bool(one.custom),
        "isLookup": one.type == "reference",
        "label": one.label,
        "uniqueCountable": False,
    }


def present_type(type_: ReportType) -> dict[str, Any]:
    """Return a report type with what a new report of it begins with."""
    metadata = {"detailColumns": default_columns(type_.of), "reportType": {"type": type_.name}}
    return {
        "attributes": {"reportTypeName": type_.name, "type": "ReportType"},
        "reportMetadata": present_metadata(metadata, type_, None),
        "reportTypeMetadata": present_type_metadata(type_),
    }


class FactMap:
    """Shows what a run of a report found: groupings with keys, and the facts by these."""

    def __init__(self, run: ReportRun, manner: Manner) -> None:
        self.run, self.report, self.manner = run, run.report, manner

    def body(self, *, with_rows: bool) -> dict[str, Any]:
        """Return the groupings and the facts."""
        down = self._levels(self.report.down, (), across=False)
        across = self._levels(self.report.across, (), across=True)
        facts: dict[str, Any] = {}
        for left, left_name in ((), _TOTAL), *_named(down):
            for right, right_name in ((), _TOTAL), *_named(across):
                facts[f"{left_name}!{right_name}"] = self._fact(left, right, with_rows=with_rows)
        return {
            "factMap": facts,
            "groupingsAcross": {"groupings": [_without_key(one) for one in across]},
            "groupingsDown": {"groupings": [_without_key(one) for one in down]},
        }

    def _levels(
        self, groupings: tuple[Grouping, ...], parent: Key, *, across: bool, name: str = ""
    ) -> list[dict[str, Any]]:
        level = len(parent)
        if level == len(groupings):
            return []
        one, shown = groupings[level], []
        keys = self.run.groups.children(parent, across=across)
        for place, key in enumerate(self._sorted(one, keys, across=across)):
            own = f"{name}_{place}" if name else str(place)
            label, value = self._shown(one, key)
            shown.append(
                {
                    "groupings": self._levels(groupings, key, across=across, name=own),
                    "key": own,
                    "label": label,
                    "value": value,
                    "": key,
                }
            )
        return shown

    def _shown(self, one: Grouping, key: Key) -> tuple[str, Any]:
        label, value = one.shown(key[-1])
        if label is not None:
            return label, value
        field = one.column.field
        shown = display_value(field, value, self.manner)
        return str(value).lower() if isinstance(value, bool) else shown or str(value), value

    def _sorted(self, one: Grouping, keys: list[Key], *, across: bool) -> list[Key]:
        aggregate = next((each for each in self.report.aggregates if each.name == one.by), None)
        order = {each.value: place for place, each in enumerate(one.column.field.values)}

        def place(key: Key) -> tuple[Any, ...]:
            if aggregate is not None:
                down, right = ((), key) if across else (key, ())
                value = self.run.groups.fact(down, right).value(aggregate)
                return (0, 0 if value is None else value, str(key))
            first = key[-1][0]
            if first is None:
                return (0, 0, "")
            if first in order and one.bucket is None:
                return (1, order[first], str(first))
            numbers = tuple(each for each in key[-1] if type(each) in (int, float))
            return (2, *numbers, str(first).lower()) if numbers else (2, str(first).lower(), "")

        return sorted(keys, key=place, reverse=one.descends)

    def _fact(self, down: Key, across: Key, *, with_rows: bool) -> dict[str, Any]:
        fact = self.run.groups.fact(down, across)
        found: dict[str, Any] = {
            "aggregates": [self._aggregate(one, fact.value(one)) for one in self.report.aggregates]
        }
        if with_rows:
            rows = self.run.rows.get((down, across), [])
            is_finest = len(down) == len(self.report.down) and len(across) == len(
                self.report.across
            )
            found["rows"] = (
                [
                    {"dataCells": [self._cell(one, row) for one in self.report.columns]}
                    for row in rows
                ]
                if is_finest
                else []
            )
        return found

    def _aggregate(self, one: Aggregate, value: Any) -> dict[str, Any]:
        if value is None:
            return {"label": NOTHING, "value": None}
        if one.column is None:
            return {"label": f"{value:,}", "value": value}
        shown = display_value(one.column.field, value, self.manner)
        return {"label": shown or str(value), "value": ui_value(value)}

    def _cell(self, one: Column, row: dict[str, Any]) -> dict[str, Any]:
        value = value_at(row, one.path)
        key = None if one.key_path is None else value_at(row, one.key_path)
        if value is None:
            return {"label": NOTHING, "value": None}
        shown = display_value(one.field, value, self.manner)
        if one.field.type == "currency":
            return {"label": shown, "value": {"amount": ui_value(value), "currency": None}}
        label = str(value).lower() if isinstance(value, bool) else shown or str(value)
        return {"label": label, "value": ui_value(value) if key is None else key}


def _named(groupings: list[dict[str, Any]]) -> list[tuple[Key, str]]:
    found = []
    for one in groupings:
        found.append((one[""], one["key"]))
        found += _named(one["groupings"])
    return found


def _without_key(one: dict[str, Any]) -> dict[str, Any]:
    inner = [_without_key(each) for each in one["groupings"]]
    return {**{name: one[name] for name in ("key", "label", "value")}, "groupings": inner}
