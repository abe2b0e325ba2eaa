"""The site: its settings, its record of admins' acts, long tasks, webhooks, pictures."""

from __future__ import annotations

from django.db import models

from clones.core.models import Blob, Record
from clones.tracker.models.people import User


class Setting(Record):
    """A setting of the site, under a key of ours or of the vendor's application properties."""

    id = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=120, unique=True)
    value = models.JSONField(null=True)


class AuditRecord(Record):
    """What an admin did. The JSON columns are the API's own parts of a record."""

    id = models.BigIntegerField(primary_key=True)
    summary = models.CharField(max_length=255)
    category = models.CharField(max_length=64)
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created = models.DateTimeField()
    description = models.TextField(default="")
    object_item = models.JSONField(default=dict)
    changed_values = models.JSONField(default=list)
    associated_items = models.JSONField(default=list)

    class Meta:
        indexes = [models.Index(fields=["created", "id"], name="tracker_auditrecord_created")]


class Task(Record):
    """Work that goes on after its request was answered; `kind` says by what it is carried out.

    `status` is ENQUEUED, RUNNING, COMPLETE, FAILED, CANCEL_REQUESTED, CANCELLED or DEAD.
    """

    id = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=40)
    description = models.TextField(default="")
    status = models.CharField(max_length=16, default="ENQUEUED")
    payload = models.JSONField(default=dict)
    result = models.JSONField(null=True)
    message = models.TextField(default="")
    progress = models.PositiveSmallIntegerField(default=0)
    submitted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    submitted = models.DateTimeField()
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    last_update = models.DateTimeField()


class Webhook(Record):
    """A webhook: `dynamic` ones belong to an app (`owner`), the others are an admin's.

    `scope` is {"field_ids", "property_keys", "exclude_body"}; what is owed lies in core.
    """

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255, default="")
    url = models.TextField()
    events = models.JSONField(default=list)
    jql = models.TextField(default="")
    scope = models.JSONField(default=dict)
    dynamic = models.BooleanField(default=False)
    enabled = models.BooleanField(default=True)
    secret = models.CharField(max_length=255, default="")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="webhooks")
    created = models.DateTimeField()
    updated = models.DateTimeField()
    expires = models.DateTimeField(null=True)


class Avatar(Record):
    """A picture: `kind` is project, issuetype, priority or user. Without a blob it is the site's.

    `entity` is the id of what it was loaded for.
    """

    id = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=10)
    entity = models.CharField(max_length=128, null=True)
    name = models.CharField(max_length=80, default="")
    mime_type = models.CharField(max_length=40, default="image/svg+xml")
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, db_index=False)

    class Meta:
        indexes = [models.Index(fields=["kind", "entity"], name="tracker_avatar_kind")]
