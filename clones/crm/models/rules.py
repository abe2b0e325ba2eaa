"""Rules that an organization gives its records."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class RetrieveRequest(Record):
    """Components that somebody wants as files: their kinds and names."""

    journal = "ambient"

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    user = models.CharField(max_length=ID_LENGTH)
    asked_at = models.DateTimeField()
    definition = models.JSONField()


class ValidationRule(Record):
    """A condition under which a record is not saved, and what is said then.

    `formula` is true of what is wrong. `field` is where the message stands, None for the whole
    record.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=True)
    formula = models.TextField()
    message = models.TextField()
    field = models.CharField(max_length=80, null=True)
    description = models.TextField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["object", "name"], name="crm_validation_rule_name"),
        )
