"""Formulas over records: the types of the fields that they name, and their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.custom_values import read_values
from clones.crm.rules.formulas import (
    Blanks,
    Checked,
    FieldType,
    FormulaError,
    Kind,
    Place,
    Situation,
    check,
    evaluate,
    nested,
    parse,
)
from clones.crm.rules.formulas.numbers import CONTEXT
from clones.crm.rules.schema import Field, SObject

DEEPEST: Final = 10  # parents in a row
_KINDS: Final = {
    "boolean": Kind.BOOLEAN,
    "date": Kind.DATE,
    "datetime": Kind.DATETIME,
    "picklist": Kind.PICKLIST,
    "multipicklist": Kind.MULTIPICKLIST,
}
# What a formula names beside its record: the object whose record it is, by the name before the dot.
_GLOBALS: Final = {"$user": "User", "$profile": "Profile", "$organization": "Organization"}
_LONG: Final = 255
_HUNDRED: Final = Decimal(100)


@dataclass
class Looker:
    """For whom and when formulas are worked out: the id of a user, and the moment."""

    user: str
    now: datetime

    @cached_property
    def zone(self) -> ZoneInfo:
        """The zone in which the user's days begin."""
        rows = rows_of("User").filter(Id=self.user)
        return ZoneInfo(rows.values_list("TimeZoneSidKey", flat=True).first() or "UTC")

    def situation(self, blanks: Blanks = Blanks.BLANKS, **more: Any) -> Situation:
        """Return what formulas may ask beside their record; `more` as `Situation` has it."""
        return Situation(now=self.now, zone=self.zone, blanks=blanks, **more)


def field_type(of: Field) -> FieldType:
    """Return what a formula must know of a field that is kept, or shown by its type alone."""
    if of.type == "textarea" and of.length > _LONG:
        return FieldType(Kind.TEXT, unusable="Long Text Area")
    if of.is_number:
        return FieldType(Kind.NUMBER, percent=of.type == "percent")
    choices = tuple(one.value for one in of.values) if of.type == "picklist" else None
    return FieldType(_KINDS.get(of.type, Kind.TEXT), choices=choices)


def resolver(of: SObject) -> Callable[[str], FieldType | None]:
    """Return what finds the types of the fields that formulas over an object name by a path."""

    def found(path: str) -> FieldType | None:
        walked = walked_path(of, path)
        if walked is None:
            return None
        if walked.field.formula is None:
            return field_type(walked.field)
        try:
            own = formula_of(walked.of, walked.field)
        except FormulaError as error:
            raise nested(path, error) from error
        return replace(field_type(walked.field), size=own.size)

    return found


@lru_cache(maxsize=512)
def checked_formula(of: SObject, text: str, place: Place, returns: Kind | None) -> Checked:
    """Return a formula over an object's records, ready to be worked out.

    Raises:
        FormulaError: it is none, or names what is not there.
    """
    return check(parse(text), returns=returns, fields=resolver(of), place=place)


def formula_of(of: SObject, field: Field) -> Checked:
    """Return the formula of a field of an object, ready to be worked out.

    Raises:
        FormulaError: it is none, or names what is not there.
        ValueError: the field has none.
    """
    if field.formula is None:
        raise ValueError(field.name)
    return checked_formula(of, field.formula, Place.FIELD, field_type(field).kind)


def blanks_of(field: Field) -> Blanks:
    """Return what blank numbers are to the formula of a field."""
    return Blanks.ZEROES if field.flags["formulaTreatNullNumberAsZero"] else Blanks.BLANKS


@dataclass(frozen=True, slots=True)
class Walked:
    """A path of a formula, followed: the references on it, and the field `of` an object at its end.

    `start` is the object whose one record it begins with, such as the user; None for the record.
    """

    hops: tuple[Field, ...]
    of: SObject
    field: Field
    start: str | None = None


def walked_path(of: SObject, path: str) -> Walked | None:
    """Follow a path of a formula over an object's records; None where it leads nowhere."""
    of = of.whole
    *parents, last = path.split(".")
    start = None
    if parents and parents[0].lower() in _GLOBALS:
        start = _GLOBALS[parents.pop(0).lower()]
        known = of.schema.find(start)
        if known is None:
            return None
        of = known
    if len(parents) > DEEPEST:
        return None
    hops = []
    for name in parents:
        hop = of.reference(name)
        target = None if hop is None or hop.is_polymorphic else of.schema.find(hop.reference_to[0])
        if hop is None or target is None:
            return None
        hops.append(hop)
        of = target
    found = of.field(last)
    if found is None or not (found.is_stored or found.formula):
        return None
    return Walked(tuple(hops), of, found, start)


@dataclass
class FormulaRecord:
    """The values of a record and of its parents, as formulas ask for them.

    `get` returns a field of the record itself. `read` has the parents that were read, by their ids:
    records that share it read each parent once.
    """

    of: SObject
    get: Callable[[str], Any]
    looker: Looker
    read: dict[str, SObjectRow | None] = field(default_factory=dict)

    def __call__(self, path: str) -> Any:
        """Return the value at a path, None where it is blank or there is no such parent.

        Raises:
            FormulaValueError: it is that of a formula, which has none.
        """
        walked = walked_path(self.of, path)
        if walked is None:
            return None
        hops = walked.hops
        if walked.start is not None:
            row = self._global(walked.start)
        elif hops:
            row = self._parent(hops[0], self.get(hops[0].name))
            hops = hops[1:]
        else:
            return self.value(walked.field)
        for hop in hops:
            row = None if row is None else self._parent(hop, getattr(row, hop.name))
        if row is None:
            return None
        return FormulaRecord(walked.of, row.__getattribute__, self.looker, self.read).value(
            walked.field
        )

    def value(self, of: Field) -> Any:
        """Return the value of a field of the record itself, not rounded where a formula gives it.

        Raises:
            FormulaValueError: its formula has none.
        """
        if of.formula is None:
            return self.get(of.name)
        situation = self.looker.situation(blanks_of(of))
        found = evaluate(formula_of(self.of, of), self, situation=situation)
        if of.type == "percent" and isinstance(found, Decimal):
            return CONTEXT.multiply(found, _HUNDRED)
        return found

    def _global(self, of: str) -> SObjectRow | None:
        user = self._row(self.of.schema.objects["User"], self.looker.user)
        if of == "User" or user is None:
            return user
        if of == "Profile":
            return self._row(self.of.schema.objects["Profile"], user.ProfileId)
        found: SObjectRow | None = rows_of("Organization").first()
        return found

    def _parent(self, hop: Field, id: str | None) -> SObjectRow | None:
        target = self.of.schema.find(hop.reference_to[0])
        return None if target is None or id is None else self._row(target, id)

    def _row(self, of: SObject, id: str) -> SObjectRow | None:
        if id not in self.read:
            row: SObjectRow | None = rows_of(of).filter(Id=id).first()
            if row is not None:
                row.sobject = of
                read_values(row)
            self.read[id] = row
        return self.read[id]
