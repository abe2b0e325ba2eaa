"""The objects and fields that queries are read against."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clones.crm.rules.schema import Field, OrgSchema, SObject
from clones.crm.rules.soql.schema import SchemaChild, SchemaField, SchemaObject

# Objects that a search without RETURNING leaves out.
_NAMED_ONLY: Final = frozenset({"Product2", "FeedItem", "FeedComment"})


class QuerySchema:
    """An organization's objects, as queries see them (`clones.crm.rules.soql.schema.Schema`)."""

    def __init__(self, schema: OrgSchema) -> None:
        self._schema = schema

    def object(self, name: str) -> SchemaObject | None:
        """Return the object with this name; None if there is none."""
        of = self._schema.find(name)
        if of is None:
            return None
        can = of.abilities
        return SchemaObject(
            of.name,
            of.label,
            of.prefix,
            custom=of.is_custom,
            queryable=can["queryable"],
            searchable=can["searchable"],
        )

    def fields(self, of: str) -> Sequence[SchemaField]:
        """Return the fields of an object, in the order of describe."""
        found = self._schema.find(of)
        return () if found is None else _fields(found)

    def field(self, of: str, name: str) -> SchemaField | None:
        """Return a field of an object by its name; None if it has no such field."""
        wanted = name.lower()
        return next((one for one in self.fields(of) if one.name.lower() == wanted), None)

    def relationship(self, of: str, name: str) -> SchemaField | None:
        """Return the reference field whose relationship name this is; None if there is none."""
        found = self._schema.find(of)
        field = None if found is None else found.reference(name)
        return None if field is None else self.field(of, field.name)

    def child(self, of: str, name: str) -> SchemaChild | None:
        """Return a child relationship of an object by its name; None if it has no such."""
        parent = self._schema.find(of)
        found = None if parent is None else self._schema.child(parent, name)
        if found is None or found.seen.name is None:
            return None
        return SchemaChild(found.seen.name, found.child.name, found.field.name)

    def searched_objects(self) -> Sequence[str]:
        """Return the objects that SOSL looks through where a search names none."""
        return [
            of.name
            for of in self._schema
            if of.abilities["searchable"] and of.name not in _NAMED_ONLY
        ]


@lru_cache(maxsize=512)
def _fields(of: SObject) -> tuple[SchemaField, ...]:
    return tuple(_field(one) for one in of.fields)


def _field(field: Field) -> SchemaField:
    flags = field.flags
    return SchemaField(
        name=field.name,
        label=field.label,
        type=field.type,
        filterable=flags["filterable"],
        sortable=flags["sortable"],
        groupable=flags["groupable"],
        aggregatable=flags["aggregatable"],
        relationship_name=field.relationship,
        reference_to=field.reference_to,
        custom=flags["custom"],
        nillable=flags["nillable"],
        case_sensitive=flags["caseSensitive"],
        length=field.length,
        part_of=flags["compoundFieldName"],
    )
