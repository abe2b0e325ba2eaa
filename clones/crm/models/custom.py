"""Objects and fields that an organization defines, and where their values lie.

A field's values lie in a column that is lent to it: its slot. Slots are columns of a row beside the
record, so a query finds records by custom fields as by any others, and no table ever changes
(docs/adr/0054).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH, SObjectRow

# How many columns of each kind are lent: texts, texts that records are sought by, references,
# numbers, days, moments, checkboxes; and the one that keeps of which type a record is.
SLOTS: Final[Mapping[str, int]] = {
    "t": 40,
    "x": 8,
    "r": 12,
    "n": 30,
    "y": 10,
    "m": 10,
    "b": 20,
    "k": 1,
}
RECORD_TYPE_SLOT: Final = "k01"


class CustomObject(Record):
    """An object that an organization defined; `definition` is what `rules.schema` reads."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    name = models.CharField(max_length=80, unique=True)
    prefix = models.CharField(max_length=3, unique=True)
    definition = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class CustomField(Record):
    """A field that an organization defined; `definition` is what `rules.schema` reads.

    What a formula works out has no slot.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    slot = models.CharField(max_length=4, null=True)
    definition = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["object", "name"], name="crm_custom_field_name"),
            models.UniqueConstraint(fields=["object", "slot"], name="crm_custom_field_slot"),
        )


def _slots(kinds: Iterable[str]) -> Iterator[str]:
    """Yield the names of the columns of some kinds."""
    for kind in kinds:
        for number in range(1, SLOTS[kind] + 1):
            yield f"{kind}{number:02d}"


def _columns() -> dict[str, models.Field[Any, Any]]:
    kinds: dict[str, Any] = {
        "t": lambda: models.TextField(null=True),
        "x": lambda: models.TextField(null=True, db_index=True),
        "r": lambda: models.CharField(max_length=ID_LENGTH, null=True, db_index=True),
        "k": lambda: models.CharField(max_length=ID_LENGTH, null=True),
        "n": lambda: models.FloatField(null=True),
        "y": lambda: models.DateField(null=True),
        "m": lambda: models.DateTimeField(null=True),
        "b": lambda: models.BooleanField(null=True),
    }
    return {name: kinds[name[0]]() for name in _slots(SLOTS)}


class CustomRecord(SObjectRow):
    """A record of a custom object: what every one has; the rest lies in its slots."""

    words = (("Name",),)

    Object = models.CharField(max_length=80, db_index=True)
    Id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    IsDeleted = models.BooleanField(default=False)
    Name = models.TextField(null=True, db_index=True)
    OwnerId = models.CharField(max_length=ID_LENGTH, null=True, db_index=True)
    RecordTypeId = models.CharField(max_length=ID_LENGTH, null=True)
    CreatedDate = models.DateTimeField(null=True)
    CreatedById = models.CharField(max_length=ID_LENGTH, null=True)
    LastModifiedDate = models.DateTimeField(null=True)
    LastModifiedById = models.CharField(max_length=ID_LENGTH, null=True)
    SystemModstamp = models.DateTimeField(null=True)
    LastActivityDate = models.DateField(null=True)
    LastViewedDate = models.DateTimeField(null=True)
    LastReferencedDate = models.DateTimeField(null=True)


CustomValues: type[Record] = type(
    "CustomValues",
    (Record,),
    {
        "__module__": __name__,
        "__doc__": "The values of a record's custom fields, by their slots.",
        "words": (tuple(_slots("tx")),),
        "Id": models.CharField(max_length=ID_LENGTH, primary_key=True),
        **_columns(),
    },
)
