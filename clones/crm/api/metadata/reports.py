"""Reports as metadata has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.crm.models import SObjectRow
from clones.crm.rules.reports import report_type
from clones.crm.rules.schema import OrgSchema

_FORMATS: Final = {"TABULAR": "Tabular", "SUMMARY": "Summary", "MATRIX": "Matrix"}
_SUMS: Final = {"s": "Sum", "a": "Average", "mx": "Maximum", "m": "Minimum"}


def report_metadata(row: SObjectRow, given: Mapping[str, Any], schema: OrgSchema) -> dict[str, Any]:
    """Return a report: its columns with what is summed of each, its groupings and conditions."""
    type_ = given.get("reportType")
    name = type_.get("type") if isinstance(type_, Mapping) else type_
    found = report_type(str(name), schema)
    sums: dict[str, list[str]] = {}
    for one in given.get("aggregates") or ():
        kind, _, column = str(one).partition("!")
        if kind in _SUMS and column:
            sums.setdefault(column, []).append(_SUMS[kind])
    columns = dict.fromkeys([*(given.get("detailColumns") or ()), *sums])
    body: dict[str, Any] = {
        "fullName": row.DeveloperName,
        "columns": [
            {"aggregateTypes": sums[one], "field": one} if one in sums else {"field": one}
            for one in columns
        ],
    }
    if row.Description:
        body["description"] = row.Description
    filters = given.get("reportFilters") or ()
    if filters:
        logic = given.get("reportBooleanFilter")
        body["filter"] = {
            **({"booleanFilter": logic} if logic else {}),
            "criteriaItems": [
                {"column": one.get("column"), "operator": one.get("operator")}
                | {"value": one.get("value") or ""}
                for one in filters
            ],
        }
    body["format"] = _FORMATS.get(str(given.get("reportFormat") or "TABULAR"), "Tabular")
    for member, key in (("groupingsAcross", "groupingsAcross"), ("groupingsDown", "groupingsDown")):
        groups = [_grouping(one) for one in given.get(key) or ()]
        if groups:
            body[member] = groups
    body |= {
        "name": row.Name,
        "reportType": str(name) if found is None else found.name,
        "scope": given.get("scope") or "organization",
        "showDetails": given.get("hasDetailRows", True) is not False,
    }
    return body


def _grouping(given: Mapping[str, Any]) -> dict[str, Any]:
    granularity = given.get("dateGranularity") or "None"
    return {
        "dateGranularity": "Day" if granularity == "None" else granularity,
        "field": given.get("name"),
        "sortOrder": given.get("sortOrder") or "Asc",
    }
