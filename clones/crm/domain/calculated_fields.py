"""Fields that formulas give their values: always, or where a new record says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.crm.errors import RecordError
from clones.crm.queries.formula_values import fitting
from clones.crm.queries.formulas import (
    FormulaRecord,
    Looker,
    blanks_of,
    checked_formula,
    field_type,
    formula_of,
    walked_path,
)
from clones.crm.rules.formulas import (
    FormulaError,
    Place,
    evaluate,
    field_paths,
    parse,
    parts,
)
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.custom import FORMULA_KINDS, KINDS, custom_field
from clones.crm.rules.summaries import read_summary

# Characters of a text that a formula gives, as a describe says it.
_TEXT_LENGTH: Final = 1300
# How many formulas may stand in one another.
DEEPEST_CHAIN: Final = 25
# What makes a formula give another value though no record changed.
_OF_THE_MOMENT: Final = frozenset({"TODAY", "NOW", "TIMENOW"})
_NOT_WRITTEN: Final = {
    "calculated": True,
    "createable": False,
    "updateable": False,
    "aggregatable": True,
}


def formula_definition(
    of: SObject, kind: str, definition: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a definition says of a field that a formula works out.

    `options`: `formula`; `zeroes` (blank numbers are zeroes, as they are where nothing is said).

    Raises:
        RecordError: the formula is none of this kind, or no formula can be.
    """
    if kind not in FORMULA_KINDS:
        raise RecordError("INVALID_TYPE", f"Field type {kind} cannot have a formula", ["Type"])
    found = {
        **_NOT_WRITTEN,
        "calculatedFormula": options["formula"],
        "formulaTreatNullNumberAsZero": bool(options.get("zeroes", True)),
        "nillable": kind != "Checkbox",
        "permissionable": True,
        "defaultValue": False if kind == "Checkbox" else None,
    }
    if kind == "Text":
        found["length"] = _TEXT_LENGTH
    field = custom_field(None, {**definition, **found})
    try:
        checked = formula_of(of, field)
    except FormulaError as error:
        raise wrong_formula(error) from error
    if _depth(of, field) > DEEPEST_CHAIN:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"Formula uses formula fields more than {DEEPEST_CHAIN} levels deep.",
            ["Metadata"],
        )
    names = {part.function.name for part in parts(checked.root) if part.function is not None}
    asks = any(path.startswith("$") for path in field_paths(checked.formula))
    if names & _OF_THE_MOMENT or asks:
        found["groupable"] = False
    return found


def default_definition(of: SObject, kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a definition says of the value that a new record has where it says nothing.

    Raises:
        RecordError: `default_formula` is no formula that can stand there.
    """
    text = options.get("default_formula")
    if text is None:
        return {}
    field = custom_field(None, {"name": "Default", "label": "", "type": KINDS[kind][0]})
    try:
        checked = checked_formula(of, text, Place.DEFAULT, field_type(field).kind)
    except FormulaError as error:
        raise wrong_formula(error) from error
    own = [path for path in field_paths(checked.formula) if not path.startswith("$")]
    if own:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"Field {own[0]} may not be used in this type of formula",
            ["Metadata"],
        )
    return {"defaultValueFormula": text, "defaultedOnCreate": True}


def default_value(of: SObject, field: Field, looker: Looker) -> Any:
    """Return what a new record has in a field of which nothing is said; None without a value."""
    text = field.flags["defaultValueFormula"]
    kind = field_type(field)
    record = FormulaRecord(of, lambda _: None, looker)
    try:
        checked = checked_formula(of, text, Place.DEFAULT, kind.kind)
        value = evaluate(checked, record, situation=looker.situation(blanks_of(field)))
    except FormulaError:
        return None
    return fitting(field, value, looker)


def wrong_formula(error: FormulaError) -> RecordError:
    """Return what is said of a formula that cannot be kept."""
    return RecordError("FIELD_INTEGRITY_EXCEPTION", str(error), ["Metadata"])


def field_using(of: SObject, name: str) -> Field | None:
    """Return a formula or summary field of any object that names a field; None if there is none."""
    wanted = of.field(name)
    for owner in of.schema:
        for field in owner.fields:
            if field.summary is not None and _sums(field.summary, of, name):
                return field
            if field.formula is None:
                continue
            for path in field_paths(parse(field.formula)):
                walked = walked_path(owner, path)
                if walked is None:
                    continue
                if any(hop is wanted for hop in walked.hops) or walked.field is wanted:
                    return field
    return None


def _sums(given: Mapping[str, Any], of: SObject, name: str) -> bool:
    """Tell whether a summary is of a field, or by it."""
    summary = read_summary(given)
    named = {summary.via, summary.field, *(item.field for item in summary.items)}
    return summary.child == of.name and name in named


def _depth(of: SObject, field: Field) -> int:
    """Return how many formulas stand in one another, that of a field the outermost."""
    if field.formula is None:
        return 0
    below = [walked_path(of, path) for path in field_paths(parse(field.formula))]
    return 1 + max((_depth(one.of, one.field) for one in below if one is not None), default=0)
