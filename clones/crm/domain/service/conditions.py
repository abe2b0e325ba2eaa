"""Conditions of rules: filters joined by logic, or a formula, over a record.

A condition is kept as JSON in the vendor's metadata terms: `items` (`field` as `Case.Priority`,
`Account.Industry` or `User.Email`, `operation`, `value`), `logic` ("1 AND (2 OR 3)", all where it
is None) or `formula`. One without any of them is met by every record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.core import clock
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.formulas import FormulaRecord, Looker, checked_formula, walked_path
from clones.crm.rules.criteria import Item, WrongCriteria, check_criteria, meets, read_items
from clones.crm.rules.formulas import (
    Blanks,
    FormulaError,
    FormulaValueError,
    Kind,
    Place,
    evaluate,
)
from clones.crm.rules.schema import Field, SObject

Condition = Mapping[str, Any]
ALWAYS: Final[Condition] = {}


@dataclass(frozen=True, slots=True)
class _Paths:
    """The fields that a condition over an object may name, each under its whole path."""

    of: SObject

    def field(self, name: str) -> Field | None:
        """Return the field at a path from a record; None where it leads nowhere."""
        walked = walked_path(self.of, _path(self.of, name))
        return None if walked is None else replace(walked.field, name=name)


def read_condition(of: SObject, given: Mapping[str, Any], *, prefix: str = "") -> dict[str, Any]:
    """Return the condition that the metadata of a rule's entry have, as it is kept.

    `prefix` stands before the names of the members, as `milestoneCriteriaFilterItems` has one.

    Raises:
        RecordError: a field is not there, an operation or a value is none for it, the logic or the
            formula cannot be read.
    """
    formula = given.get(f"{prefix}Formula" if prefix else "formula")
    if formula:
        try:
            checked_formula(of, str(formula), Place.ASSIGNMENT, Kind.BOOLEAN)
        except FormulaError as error:
            raise _wrong(str(error)) from error
        return {"formula": str(formula)}
    items = given.get(f"{prefix}FilterItems" if prefix else "criteriaItems")
    logic = given.get(f"{prefix}BooleanFilter" if prefix else "booleanFilter") or None
    items = [items] if isinstance(items, Mapping) else items or []
    try:
        read_items(items)
        kept = [{**one, "value": _text(one.get("value"))} for one in items]
        check_criteria(_items(kept), logic, _Paths(of))
    except WrongCriteria as error:
        raise _wrong(str(error)) from error
    return {"items": kept, "logic": logic} if kept else {}


def is_met(
    condition: Condition,
    of: SObject,
    get: Callable[[str], Any],
    *,
    user: str,
    read: dict[str, SObjectRow | None] | None = None,
) -> bool:
    """Tell whether a record meets a condition; `get` returns its fields, `user` looks at it.

    `read` keeps the parents that were read, by their ids, for conditions that are asked next.
    """
    looker = Looker(user, clock.now())
    record = FormulaRecord(of, get, looker, {} if read is None else read)
    formula = condition.get("formula")
    try:
        if formula:
            checked = checked_formula(of, formula, Place.ASSIGNMENT, Kind.BOOLEAN)
            return evaluate(checked, record, situation=looker.situation(Blanks.ZEROES)) is True
        items = condition.get("items", ())
        return not items or meets(
            _items(items),
            condition["logic"],
            _Paths(of),
            lambda field: record(_path(of, field.name)),
        )
    except (FormulaError, FormulaValueError):
        return False  # it has no value, or names a field that is gone


def _items(kept: Any) -> list[Item]:
    """Return filters with the whole paths of their fields."""
    return [Item(one["field"], one["operation"], one["value"]) for one in kept]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def _path(of: SObject, field: str) -> str:
    """Return the path of a field from a record, as formulas have it."""
    start, dot, rest = field.partition(".")
    if not dot or start.lower() == of.name.lower():
        return rest or start
    return f"${start}.{rest}" if start.lower() == "user" else field


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
