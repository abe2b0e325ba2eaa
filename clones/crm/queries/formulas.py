"""Formulas over records: the types of the fields that they name, and their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.custom_values import read_values
from clones.crm.rules.formulas import Checked, FieldType, Kind, Place, check, parse
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


def field_type(of: Field) -> FieldType:
    """Return what a formula must know of a field."""
    if of.type == "textarea" and of.length > _LONG:
        return FieldType(Kind.TEXT, unusable="Long Text Area")
    if of.is_number:
        return FieldType(Kind.NUMBER, percent=of.type == "percent")
    choices = tuple(one.value for one in of.values) if of.type == "picklist" else None
    return FieldType(_KINDS.get(of.type, Kind.TEXT), choices=choices)


def resolver(of: SObject) -> Callable[[str], FieldType | None]:
    """Return what finds the types of the fields that formulas over an object name by a path."""

    def found(path: str) -> FieldType | None:
        walked = _walked(of, path)
        return None if walked is None else field_type(walked[1])

    return found


@lru_cache(maxsize=512)
def checked_formula(of: SObject, text: str, place: Place, returns: Kind | None) -> Checked:
    """Return a formula over an object's records, ready to be worked out.

    Raises:
        FormulaError: it is none, or names what is not there.
    """
    return check(parse(text), returns=returns, fields=resolver(of), place=place)


def _walked(of: SObject, path: str) -> tuple[tuple[Field, ...], Field, str | None] | None:
    """Return the references on a path, the field at its end, and the global that it begins with."""
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
    return None if found is None or not found.is_stored else (tuple(hops), found, start)


@dataclass
class FormulaRecord:
    """The values of a record and of its parents, as formulas ask for them.

    `get` returns a field of the record itself; `user` is the id of who saves it.
    """

    of: SObject
    get: Callable[[str], Any]
    user: str
    _read: dict[str, SObjectRow | None] = field(default_factory=dict)

    def __call__(self, path: str) -> Any:
        """Return the value at a path, None where it is blank or there is no such parent."""
        walked = _walked(self.of, path)
        if walked is None:
            return None
        hops, last, start = walked
        if start is not None:
            row = self._global(start)
        elif hops:
            row = self._parent(hops[0], self.get(hops[0].name))
            hops = hops[1:]
        else:
            return self.get(last.name)
        for hop in hops:
            row = None if row is None else self._parent(hop, getattr(row, hop.name))
        return None if row is None else getattr(row, last.name)

    def _global(self, of: str) -> SObjectRow | None:
        user = self._row(self.of.schema.objects["User"], self.user)
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
        if id not in self._read:
            row: SObjectRow | None = rows_of(of).filter(Id=id).first()
            if row is not None:
                row.sobject = of
                read_values(row)
            self._read[id] = row
        return self._read[id]
