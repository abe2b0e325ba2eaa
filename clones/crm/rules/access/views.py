"""An organization's objects as they are open to somebody: without what may not be read."""

from __future__ import annotations

import dataclasses
from typing import Protocol

from clones.crm.rules.access.objects import CREATE, DELETE, EDIT, READ
from clones.crm.rules.schema import Field, OrgSchema, SObject

_OF_CREATE = ("createable",)
_OF_EDIT = ("updateable",)
_OF_DELETE = ("deletable", "undeletable", "mergeable")


class Opening(Protocol):
    """What says how far objects and fields are open."""

    def grants(self, of: SObject) -> frozenset[str]:
        """Return what may be done to an object."""

    def field(self, of: SObject, field: Field) -> tuple[bool, bool]:
        """Return whether a field may be read and whether it may be changed."""


def opened_schema(schema: OrgSchema, rights: Opening) -> OrgSchema:
    """Return a schema without the objects and fields that may not be read.

    What may be read and not written says so by its flags, as describe shows them.
    """
    grants = {one.name: rights.grants(one) for one in schema}
    readable = {name for name, granted in grants.items() if READ in granted}
    opened = (
        _opened(one, grants[one.name], rights, readable) for one in schema if one.name in readable
    )
    return OrgSchema(opened, schema)


def _opened(of: SObject, granted: frozenset[str], rights: Opening, readable: set[str]) -> SObject:
    closed = [
        *(_OF_CREATE if CREATE not in granted else ()),
        *(_OF_EDIT if EDIT not in granted else ()),
        *(_OF_DELETE if DELETE not in granted else ()),
    ]
    fields = [field for one in of.fields if (field := _field(of, one, rights, readable))]
    names = {one.name for one in fields}
    return dataclasses.replace(
        of,
        fields=tuple(fields),
        abilities={**of.abilities, **dict.fromkeys(closed, False)},
        searched=tuple(name for name in of.searched if name in names),
    )


def _field(of: SObject, field: Field, rights: Opening, readable: set[str]) -> Field | None:
    """Return a field as it is open; None where it may not be read."""
    reads, edits = rights.field(of, field)
    whole = of.field(field.compoundFieldName or "")
    if whole is not None and whole.type == "address":
        reads, edits = _both((reads, edits), rights.field(of, whole))
    if not reads:
        return None
    if not edits:
        closed = {"createable": False, "updateable": False}
        field = dataclasses.replace(field, flags={**field.flags, **closed})
    if all(name in readable for name in field.reference_to):
        return field
    kept = tuple(name for name in field.reference_to if name in readable)
    children = {name: one for name, one in (field.children or {}).items() if name in readable}
    relationship = field.relationship if kept else None
    return dataclasses.replace(
        field, reference_to=kept, relationship=relationship, children=children or None
    )


def _both(one: tuple[bool, bool], other: tuple[bool, bool]) -> tuple[bool, bool]:
    return one[0] and other[0], one[1] and other[1]
