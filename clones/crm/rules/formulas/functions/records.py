"""The functions that look at the record: picklists, what it was before, and other records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from clones.crm.rules.formulas.errors import (
    FormulaValueError,
    not_a_choice,
    not_a_field,
    wrong_argument,
)
from clones.crm.rules.formulas.functions.logic import require_text_literal
from clones.crm.rules.formulas.functions.signatures import (
    TEXT,
    Function,
    Table,
    Typed,
    require_count,
    require_kind,
)
from clones.crm.rules.formulas.nodes import FieldReference, Node, TextLiteral
from clones.crm.rules.formulas.types import Kind, Place

if TYPE_CHECKING:
    from clones.crm.rules.formulas.evaluating import Evaluation, Situation

RECORDS = Table()
_CHANGES: Final = frozenset(
    {Place.VALIDATION, Place.WORKFLOW, Place.ASSIGNMENT, Place.FIELD_UPDATE}
)
_VALIDATION: Final = frozenset({Place.VALIDATION})
_OBJECT_FIELD = re.compile(r"\$ObjectType\.(\w+)\.Fields\.(\w+)", re.IGNORECASE)


def _pick_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 2, 2, node.span.start)
    field, choice = operands
    if field.kind is not Kind.PICKLIST:
        raise not_a_field(function.shown, "picklist", at=field.node.span.start)
    require_text_literal(function, choice)
    return Kind.BOOLEAN


@RECORDS.checked("ISPICKVAL", _pick_kind)
def is_pick_value(value: str, choice: str) -> bool:
    """Tell whether a picklist has a choice; "" stands for none."""
    return value == choice


def _includes_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 2, 2, node.span.start)
    field, choice = operands
    if field.kind is not Kind.MULTIPICKLIST:
        raise not_a_field(function.shown, "multi-select picklist", at=field.node.span.start)
    require_text_literal(function, choice)
    known = (field.operands[0] if field.operands else field).field
    choices = known.choices if known is not None else None
    said = choice.node.value if isinstance(choice.node, TextLiteral) else ""
    if said and choices is not None and said not in choices:
        raise not_a_choice(at=choice.node.span.start)
    return Kind.BOOLEAN


def _choices(value: str) -> list[str]:
    return [choice for choice in value.split(";") if choice]


@RECORDS.checked("INCLUDES", _includes_kind)
def includes(value: str, choice: str) -> bool:
    """Tell whether a choice is among those of a picklist."""
    return choice in _choices(value) if choice else not value


@RECORDS.function("PICKLISTCOUNT", (Kind.MULTIPICKLIST,), gives=Kind.NUMBER)
def picklist_count(value: str) -> Decimal:
    """Return how many choices a picklist has."""
    return Decimal(len(_choices(value)))


def _require_field(function: Function, operands: Sequence[Typed], node: Node) -> Typed:
    require_count(function, operands, 1, 1, node.span.start)
    if not isinstance(operands[0].node, FieldReference):
        raise not_a_field(function.shown, at=operands[0].node.span.start)
    return operands[0]


def _changed_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    _require_field(function, operands, node)
    return Kind.BOOLEAN


def _prior_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    return _require_field(function, operands, node).kind


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.replace("\r\n", "\n") == other.replace("\r\n", "\n")
    return bool(one == other)


@RECORDS.checked("ISCHANGED", _changed_kind, lazy=True, places=_CHANGES)
def is_changed(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether a field has another value than before; it never has on a new record.

    A blank number is another value than zero, whatever the formula's mode.
    """
    situation = evaluation.situation
    if situation.is_new or situation.prior is None:
        return False
    before = evaluation.read(operands[0], situation.prior)
    return not _same(before, evaluation.read(operands[0], evaluation.record))


@RECORDS.checked("PRIORVALUE", _prior_kind, lazy=True, places=_CHANGES)
def prior_value(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return the value that a field had before; on a new record, the one that it has."""
    situation = evaluation.situation
    if situation.is_new or situation.prior is None:
        return evaluation.value(operands[0])
    return evaluation.of_record(operands[0], situation.prior)


@RECORDS.function("ISNEW", gives=Kind.BOOLEAN, situated=True, places=_CHANGES)
def is_new(situation: Situation) -> bool:
    """Tell whether the record is being created."""
    return situation.is_new


@RECORDS.function("ISCLONE", gives=Kind.BOOLEAN, situated=True, places=_CHANGES)
def is_clone(situation: Situation) -> bool:
    """Tell whether the record is being created as a copy of another."""
    return situation.is_clone


@RECORDS.function("GETSESSIONID", gives=Kind.TEXT, situated=True)
def session_id(situation: Situation) -> str:
    """Return the id of the session of who looks."""
    return situation.session_id


def _object_field(operand: Typed) -> tuple[str, str] | None:
    if not isinstance(operand.node, FieldReference):
        return None
    found = _OBJECT_FIELD.fullmatch(operand.node.path)
    return (found[1], found[2]) if found is not None else None


def _lookup_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 3, 3, node.span.start)
    result, key, name = operands
    returned, looked = _object_field(result), _object_field(key)
    if returned is None or looked is None:
        wrong = result if returned is None else key
        raise not_a_field(function.shown, at=wrong.node.span.start)
    own = returned[0].lower().endswith("__c") and returned[0].lower() == looked[0].lower()
    if not own or looked[1].lower() != "name":
        raise wrong_argument(function.shown, at=key.node.span.start)
    require_kind(function, name, TEXT)
    return result.kind


@RECORDS.checked("VLOOKUP", _lookup_kind, lazy=True, places=_VALIDATION)
def vlookup(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return a field of the record of a custom object that has a name, None where none has.

    Raises:
        FormulaValueError: nobody can look it up here.
    """
    returned = _object_field(operands[0])
    lookup = evaluation.situation.vlookup
    if lookup is None or returned is None:
        raise FormulaValueError("Nothing can be looked up here.")
    return lookup(returned[0], returned[1], evaluation.value(operands[2]))
