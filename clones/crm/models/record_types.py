"""Of which types records can be: what their picklists offer, and to whom they are open."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class PicklistOffer(Record):
    """What picklists offer to records of a type, or to those of a business process.

    `id` is that of the RecordType or the BusinessProcess. `definition` has, by the names of fields,
    `values` and `default`, which may be None.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80)
    definition = models.JSONField()


class RecordTypeVisibility(Record):
    """That users of a permission set may make records of a type.

    `parent` is the permission set (a profile has one of its own), `record_type` the id of the type.
    `is_default` says that records are of it where nobody says anything: a profile has one default
    of an object at most.
    """

    id = models.CharField(max_length=2 * ID_LENGTH, primary_key=True)
    parent = models.CharField(max_length=ID_LENGTH)
    object = models.CharField(max_length=80)
    record_type = models.CharField(max_length=ID_LENGTH)
    is_default = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=["parent", "object"], name="crm_visible_record_types"),)
