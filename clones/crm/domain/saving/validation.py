"""Validation rules: what an organization does not let be saved."""

from __future__ import annotations

from typing import Any

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError, RecordErrors
from clones.crm.models import ValidationRule, rows_of
from clones.crm.queries.formulas import FormulaRecord, checked_formula
from clones.crm.rules.formulas import Blanks, FormulaError, Kind, Place, Situation, evaluate


@step(Stage.VALIDATION)
def check_rules(change: Change) -> None:
    """See that no active rule of the object is true of the record as it will be.

    A rule that has no value of a record, as where it divides by zero, says so.

    Raises:
        RecordErrors: rules are true of it; each says its own message.
    """
    rules = list(
        ValidationRule.objects.filter(object=change.of.name, is_active=True).order_by("name")
    )
    if not rules:
        return
    record, situation = record_of(change), situation_of(change)
    found = []
    for rule in rules:
        fields = [rule.field] if rule.field else []
        try:
            checked = checked_formula(change.of, rule.formula, Place.VALIDATION, Kind.BOOLEAN)
            is_wrong = evaluate(checked, record, situation=situation) is True
        except FormulaError as error:
            message = f'The formula in the "{rule.name}" validation rule is invalid: {error}'
            found.append(RecordError("FIELD_CUSTOM_VALIDATION_EXCEPTION", message, []))
            continue
        if is_wrong:
            found.append(RecordError("FIELD_CUSTOM_VALIDATION_EXCEPTION", rule.message, fields))
    if found:
        raise RecordErrors(found)


def record_of(change: Change) -> FormulaRecord:
    """Return a record that is being saved, as formulas ask for its values."""
    return FormulaRecord(change.of, change.get, change.looker)


def situation_of(change: Change) -> Situation:
    """Return what formulas over a record that is being saved may ask beside it."""
    before = change.before
    prior = None if before is None else FormulaRecord(change.of, before.get, change.looker)
    return change.looker.situation(
        Blanks.BLANKS,
        prior=prior,
        is_new=change.is_new,
        vlookup=lambda of, field, name: _looked_up(change, of, field, name),
    )


def _looked_up(change: Change, of: str, field: str, name: str) -> Any:
    """Return a field of the first record of a custom object that has a name, None without one."""
    target = change.of.schema.find(of)
    if target is None or not target.is_custom:
        return None
    row = rows_of(target).filter(Name=name, IsDeleted=False).order_by("CreatedDate", "Id").first()
    if row is None:
        return None
    return FormulaRecord(target, row.__getattribute__, change.looker)(field)
