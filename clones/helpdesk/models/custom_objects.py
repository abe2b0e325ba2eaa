"""Custom objects: kinds of records that an account defines for itself, their fields and records."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class CustomObject(Record):
    """A kind of records that the account's admins defined.

    A deleted one stays, without its fields and records: its `key` cannot be used again.
    `created_by` and `updated_by` are ids of users.
    """

    id = models.CharField(primary_key=True, max_length=26)
    key = models.CharField(max_length=100, unique=True)
    title = models.CharField(max_length=255)
    title_pluralized = models.CharField(max_length=255)
    description = models.TextField(default="")
    include_in_list_view = models.BooleanField(default=True)
    created_by = models.BigIntegerField()
    updated_by = models.BigIntegerField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)


class CustomObjectField(Record):
    """A field of a custom object's records: `standard::name`, `standard::external_id`, or its own.

    `options` is a list of {id, name, value, default}. `relationship_target_type` says what a lookup
    refers to. `properties` of the name are those of autonumbering and uniqueness. A deleted field
    stays, without its values: its `key` cannot be used again.
    """

    NAME = "standard::name"
    EXTERNAL_ID = "standard::external_id"

    id = models.BigIntegerField(primary_key=True)
    custom_object = models.ForeignKey(
        CustomObject, on_delete=models.CASCADE, related_name="fields", db_index=False
    )
    key = models.CharField(max_length=255)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    regexp_for_validation = models.CharField(max_length=1024, null=True)
    options = models.JSONField(default=list)
    relationship_target_type = models.CharField(max_length=125, null=True)
    properties = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["custom_object", "key"], name="helpdesk_customobjectfield_key"
            )
        ]

    @property
    def is_standard(self) -> bool:
        """Whether every object has the field."""
        return self.key.startswith("standard::")


class CustomObjectRecord(Record):
    """A record of a custom object. Values lie in `custom_object_fields`, under their fields' keys.

    Numbers are kept as numbers, checkboxes as booleans, multiple choices as lists, all else as
    text; a lookup as the id of what it refers to. `created_by` and `updated_by` are ids of users.
    """

    id = models.CharField(primary_key=True, max_length=26)
    custom_object = models.ForeignKey(
        CustomObject, on_delete=models.CASCADE, related_name="records", db_index=False
    )
    name = models.CharField(max_length=255)
    external_id = models.CharField(max_length=255, null=True)
    custom_object_fields = models.JSONField(default=dict)
    created_by = models.BigIntegerField()
    updated_by = models.BigIntegerField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["custom_object", "external_id"], name="helpdesk_customrecord_external"
            )
        ]
        indexes = [
            models.Index(fields=["custom_object", "id"], name="helpdesk_customrecord_object"),
            models.Index(fields=["custom_object", "name", "id"], name="helpdesk_customrecord_name"),
        ]
