"""What duplicate rules found, as answers have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.crm.domain.duplicates.asked import DuplicateOptions
from clones.crm.domain.duplicates.comparing import Compared
from clones.crm.domain.duplicates.rules import DuplicateRule
from clones.crm.models import SObjectRow
from clones.crm.queries.formula_values import lay_formulas
from clones.crm.queries.formulas import Looker
from clones.crm.rules.shown_values import address_of, shown_value


def present_result(
    rule: DuplicateRule,
    found: Sequence[Compared],
    *,
    allows: bool,
    options: DuplicateOptions,
    looker: Looker,
    message: str | None = None,
) -> dict[str, Any]:
    """Return what a rule found; `allows` tells that the record may be saved in spite of it."""
    return {
        "allowSave": allows,
        "duplicateRule": rule.name,
        "duplicateRuleEntityType": rule.object,
        "errorMessage": rule.alert if message is None else message or None,
        "matchResults": [_result(one, options, looker) for one in found],
    }


def _result(found: Compared, options: DuplicateOptions, looker: Looker) -> dict[str, Any]:
    if options.with_details and found.matches:
        rows = [one.row for one in found.matches]
        lay_formulas(rows, rows[0].sobject.fields, looker)
    return {
        "entityType": found.rule.object,
        "errors": [],
        "matchEngine": found.rule.engine,
        "matchRecords": [
            {
                "additionalInformation": [],
                "fieldDiffs": [],
                "matchConfidence": one.likeness,
                "record": _record(one.row, options),
            }
            for one in found.matches
        ],
        "rule": found.rule.name,
        "size": len(found.matches),
        "success": True,
    }


def _record(row: SObjectRow, options: DuplicateOptions) -> dict[str, Any]:
    of = row.sobject
    url = f"{options.root}/sobjects/{of.name}/{row.pk}"
    shown: dict[str, Any] = {"attributes": {"type": of.name, "url": url}, "Id": row.pk}
    for field in of.fields if options.with_details else ():
        if field.type == "address":
            shown[field.name] = address_of(of, field, lambda name: getattr(row, name))
        else:
            shown[field.name] = shown_value(getattr(row, field.name))
    return shown
