"""The tables of the standard objects, made from their schema.

Columns have the API names of the vendor's fields, so that a change of a row reads as the product
has it (`crm_opportunity.StageName`). A reference is the id that it has, and binds nothing: what it
may lead to is asked where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from clones.core.models import Record
from clones.crm.rules.schema import Field, SObject, standard_schema
from clones.crm.rules.schema.fields import NUMBERS

ID_LENGTH: Final = 18

_COLUMNS: Final[Mapping[str, type[models.Field[Any, Any]]]] = {
    "date": models.DateField,
    "datetime": models.DateTimeField,
    "int": models.BigIntegerField,
    **dict.fromkeys(NUMBERS - {"int"}, models.FloatField),
}


class SObjectRow(Record):
    """A record of a standard object."""

    sobject: SObject

    if TYPE_CHECKING:  # columns that the schema has, and no type checker knows

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    class Meta:
        abstract = True


def _is_sought(field: Field) -> bool:
    """Tell whether records are looked for by a reference: as children, or by their owner."""
    seen = (field.children or {}).values()
    return field.name == "OwnerId" or any(child.name is not None for child in seen)


def column(field: Field) -> models.Field[Any, Any]:
    """Return the column that holds a field."""
    if field.type == "id":
        return models.CharField(max_length=ID_LENGTH, primary_key=True)
    if field.type == "reference":
        return models.CharField(max_length=ID_LENGTH, null=True, db_index=_is_sought(field))
    if field.type == "boolean":
        return models.BooleanField(default=False)
    kind = _COLUMNS.get(field.type)
    if kind is not None:
        return kind(null=True)
    return models.TextField(null=True, db_index=field.nameField)


def _made(of: SObject) -> type[SObjectRow]:
    meta = type("Meta", (), {"db_table": f"crm_{of.name.lower()}", "app_label": "crm"})
    columns = {one.name: column(one) for one in of.stored}
    own = {"__module__": __name__, "__doc__": f"Records of {of.name}.", "Meta": meta}
    own |= {"sobject": of, "words": (of.searched,) if of.searched else ()}
    # Django's lookups are joined by two underscores, which no name of its models may have.
    return type(of.name.replace("__", "_"), (SObjectRow,), {**own, **columns})


def _all_made() -> Iterator[tuple[str, type[SObjectRow]]]:
    tables = {one.name: _made(one) for one in standard_schema() if one.stored_as is None}
    for one in standard_schema():
        yield one.name, tables[one.stored_as or one.name]


MODELS: Final[Mapping[str, type[SObjectRow]]] = dict(_all_made())
