"""What a query is read against: the objects, fields and relationships that its caller can see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field, as describe shows it.

    Args:
        name: in describe's casing.
        type: of describe: `string`, `picklist`, `multipicklist`, `reference`, `id`, `double`,
            `int`, `long`, `currency`, `percent`, `boolean`, `date`, `datetime`, `time`,
            `textarea`, `email`, `phone`, `url`, `combobox`, `address`, `location`, `base64`,
            `anyType`, `encryptedstring`, `complexvalue`.
        relationship_name: of a reference, the name of the path to the parent; None without one.
        reference_to: the objects that a reference may point to; several make it polymorphic.
        length: of texts, in characters; 0 for others.
        part_of: the compound field (`BillingAddress`, `Name`) whose part this is, or None.
    """

    name: str
    label: str
    type: str
    filterable: bool = True
    sortable: bool = True
    groupable: bool = True
    aggregatable: bool = True
    relationship_name: str | None = None
    reference_to: tuple[str, ...] = ()
    custom: bool = False
    nillable: bool = True
    case_sensitive: bool = False
    length: int = 0
    part_of: str | None = None
    createable: bool = True
    updateable: bool = True

    @property
    def polymorphic(self) -> bool:
        """Whether this points to records of several objects."""
        return len(self.reference_to) > 1


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """An object, as describe shows it.

    `key_prefix` has the three characters that its ids begin with. `searchable` says whether SOSL
    may name it in RETURNING.
    """

    name: str
    label: str
    key_prefix: str | None = None
    custom: bool = False
    queryable: bool = True
    searchable: bool = True


@dataclass(frozen=True, slots=True)
class SchemaChild:
    """A child relationship: `object` has the reference `field` that points to the parent."""

    name: str
    object: str
    field: str


class SchemaView(Protocol):
    """The objects that the user can see. Nothing here raises; names are matched without case."""

    def object(self, name: str) -> SchemaObject | None:
        """Return the object with this name; None if there is none."""
        ...

    def fields(self, of: str) -> Sequence[SchemaField]:
        """Return the fields of an object, in the order of describe."""
        ...

    def field(self, of: str, name: str) -> SchemaField | None:
        """Return a field of an object by its name; None if it has no such field."""
        ...

    def relationship(self, of: str, name: str) -> SchemaField | None:
        """Return the reference field whose relationship name this is; None if there is none."""
        ...

    def child(self, of: str, name: str) -> SchemaChild | None:
        """Return a child relationship of an object by its name; None if it has no such."""
        ...

    def searched_objects(self) -> Sequence[str]:
        """Return the objects that SOSL looks through where a search names none."""
        ...
