"""Approval processes, and the records that they lock."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class ApprovalProcess(Record):
    """What an approval process (by the id of its definition) does, as the vendor's metadata say it.

    Of several that fit a record, the first by `order` takes it.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80, db_index=True)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=False)
    order = models.IntegerField()
    definition = models.JSONField()


class RecordLock(Record):
    """A record (by its id) that waits for approval, or was approved for good.

    `editors` may change it beside administrators: ids of users.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    editors = models.JSONField()
