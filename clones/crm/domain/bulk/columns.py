"""What an upload says of each record: the head of a table, and values by their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.saving.lookups import finds_records
from clones.crm.domain.saving.values import check_type
from clones.crm.rules.bulk.words import NOTHING
from clones.crm.rules.schema import Field, SObject

_YES: Final = ("1", "yes", "y", "on")
_NO: Final = ("0", "no", "n", "off")


@dataclass(frozen=True, slots=True)
class PlainColumn:
    """A column of a field's values."""

    field: Field

    def say(self, cell: str, said: dict[str, Any]) -> None:
        """Add what a cell says to what is said of its record."""
        said[self.field.name] = None if cell == NOTHING else given_value(self.field, cell)


@dataclass(frozen=True, slots=True)
class ParentColumn:
    """A column of values by which parents are found."""

    field: Field
    parent: SObject
    key: Field

    def say(self, cell: str, said: dict[str, Any]) -> None:
        """Add what a cell says to what is said of its record."""
        named = {"attributes": {"type": self.parent.name}, self.key.name: cell}
        said[self.field.relationship or ""] = None if cell == NOTHING else named


Column = PlainColumn | ParentColumn


def given_value(field: Field, text: str) -> str:
    """Return a text as the value of a field; a checkbox is said in more words than by JSON."""
    if field.type == "boolean":
        word = text.strip().lower()
        return "true" if word in _YES else "false" if word in _NO else text
    return text


def columns_of_head(of: SObject, head: Sequence[str]) -> list[Column]:
    """Return the columns of a table by its head.

    Raises:
        BulkError: a field or a relationship is not there, or has an object said before it without
            need.
    """
    return [_column(of, name.strip()) for name in head]


def said_of(columns: Sequence[Column], cells: Sequence[str]) -> dict[str, Any]:
    """Return what the cells of a row say; those without anything say nothing."""
    said: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        if cell.strip():
            column.say(cell, said)
    return said


def check_names(of: SObject, record: Mapping[str, Any]) -> None:
    """See that a record names fields and relationships of its object.

    Raises:
        BulkError: it names something else.
    """
    for name in record:
        if name != "attributes" and of.field(name) is None and of.reference(name) is None:
            raise _no_field(name)


def check_types(of: SObject, said: Mapping[str, Any]) -> None:
    """See that each value is of the type of its field.

    Raises:
        RecordError: one is not.
    """
    for name, value in said.items():
        field = of.field(name)
        if field is not None and field.type != "id":
            check_type(field, value)


def _no_field(name: str) -> BulkError:
    return BulkError("InvalidBatch", f"Field name not found : {name[:200]}")


def _column(of: SObject, name: str) -> Column:
    field = of.field(name)
    if field is not None:
        return PlainColumn(field)
    before, dot, key = name.partition(".")
    if not dot:
        raise _no_field(name)
    kind, _, relationship = before.rpartition(":")
    reference = of.reference(relationship)
    if reference is None:
        raise BulkError("InvalidBatch", f"Unable to find relationship: {relationship[:200]}")
    if kind and len(reference.reference_to) == 1:
        raise BulkError(
            "InvalidBatch",
            f"type is not needed for non polymorphic foreign key references: {relationship}",
        )
    targets = [kind] if kind else list(reference.reference_to)
    for target in targets:
        parent = of.schema.find(target)
        found = None if parent is None else parent.field(key)
        if parent is not None and found is not None and finds_records(found):
            return ParentColumn(reference, parent, found)
    raise _no_field(name)
