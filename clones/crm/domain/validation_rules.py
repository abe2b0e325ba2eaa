"""Writing validation rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import ValidationRule
from clones.crm.queries.formulas import checked_formula
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.formulas import FormulaError, Kind, Place
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name

LONGEST_MESSAGE: Final = 255
_NEEDED: Final = ("formula", "message")


def define_rule(of: str, name: str, values: Mapping[str, Any], *, actor: str) -> ValidationRule:
    """Give an object a validation rule.

    `values`: `formula`, `message`; `field` (where the message stands), `description`, `is_active`.

    Raises:
        RecordError: the actor may not, the name is taken or will not do, something is missing, or
            the formula is none that yields true or false.
        NotFound: there is no such object.
    """
    require_admin(actor)
    target = whole_schema().find(of)
    if target is None:
        raise NotFound
    if not is_name(name):
        raise RecordError("INVALID_FIELD", "The rule name is not valid.", ["FullName"])
    if ValidationRule.objects.filter(object=target.name, name__iexact=name).exists():
        raise RecordError(
            "DUPLICATE_VALUE", f"There is already a validation rule named {name}.", ["FullName"]
        )
    now = clock.now().replace(microsecond=0)
    made = ValidationRule(
        id=new_id("03d", ValidationRule),
        object=target.name,
        name=name,
        created_at=now,
        updated_at=now,
    )
    _set(made, target, {**dict.fromkeys(_NEEDED), **values})
    made.save(force_insert=True)
    return made


def change_rule(rule: ValidationRule, values: Mapping[str, Any], *, actor: str) -> None:
    """Change a validation rule; `values` as `define_rule` has them.

    Raises:
        RecordError: as `define_rule` does.
    """
    require_admin(actor)
    target = whole_schema().find(rule.object)
    if target is None:
        raise NotFound
    _set(rule, target, values)
    rule.updated_at = clock.now().replace(microsecond=0)
    rule.save()


def remove_rule(rule: ValidationRule, *, actor: str) -> None:
    """Take a validation rule away.

    Raises:
        RecordError: the actor may not.
    """
    require_admin(actor)
    rule.delete()


def _set(rule: ValidationRule, of: SObject, values: Mapping[str, Any]) -> None:
    missing = [name for name in _NEEDED if name in values and not values[name]]
    if missing:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            f"Required fields are missing: [{', '.join(missing)}]",
            missing,
        )
    if "formula" in values:
        try:
            checked_formula(of, values["formula"], Place.VALIDATION, Kind.BOOLEAN)
        except FormulaError as error:
            raise RecordError("FIELD_INTEGRITY_EXCEPTION", str(error), ["Metadata"]) from error
    if len(values.get("message") or "") > LONGEST_MESSAGE:
        raise RecordError(
            "STRING_TOO_LONG",
            f"Error Message: data value too large (max length={LONGEST_MESSAGE})",
            ["Metadata"],
        )
    shown_at = values.get("field")
    if shown_at and of.field(shown_at) is None:
        raise RecordError("INVALID_FIELD", f"No such column '{shown_at}'", ["Metadata"])
    for name, value in values.items():
        setattr(rule, name, value)
