"""Who changed the account's configuration and people, and how."""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord


class AuditLog(AmbientRecord):
    """One change as admins read it. It follows from the change itself, so no diff shows it.

    Names are kept as they were: what a log speaks of may be gone. `actor_id` is -1 for the
    system; `source_id` is null where the source has no number.
    """

    ACTIONS = ("create", "destroy", "exported", "login", "update")

    id = models.BigIntegerField(primary_key=True)
    action = models.CharField(max_length=8, choices=[(name, name) for name in ACTIONS])
    actor_id = models.BigIntegerField()
    actor_name = models.CharField(max_length=255)
    source_type = models.CharField(max_length=40)
    source_id = models.BigIntegerField(null=True)
    source_label = models.CharField(max_length=255)
    change_description = models.TextField(default="")
    ip_address = models.CharField(max_length=45, null=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["created_at", "id"], name="helpdesk_auditlog_created"),
            models.Index(fields=["source_type", "source_id"], name="helpdesk_auditlog_source"),
        ]
