"""Webhooks: where the desk sends word of what happens."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Webhook(Record):
    """An endpoint and what it is told of.

    `authentication` is null or {"type", "data", "add_position"}; `custom_headers` is null or
    {name: value}. The signing secret is made from `signing_revision`, and stored nowhere.
    `created_by` and `updated_by` are users, -1 for the system.
    """

    METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
    FORMATS = ("json", "xml", "form_encoded")
    STATUSES = ("active", "inactive")

    id = models.CharField(primary_key=True, max_length=26)
    name = models.CharField(max_length=255)
    description = models.TextField(null=True)
    status = models.CharField(max_length=8, choices=[(state, state) for state in STATUSES])
    endpoint = models.TextField()
    http_method = models.CharField(max_length=6, choices=[(name, name) for name in METHODS])
    request_format = models.CharField(max_length=12, choices=[(name, name) for name in FORMATS])
    subscriptions = models.JSONField(default=list)
    authentication = models.JSONField(null=True)
    custom_headers = models.JSONField(null=True)
    signing_revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    created_by = models.BigIntegerField()
    updated_at = models.DateTimeField()
    updated_by = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["name", "id"], name="helpdesk_webhook_name")]
