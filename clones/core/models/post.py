"""Mail-shaped messages: where clones meet."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import Record


class Message(Record):
    """A message on its way between people and clones.

    `direction` is `out` for what a clone sent and `in` for what came in from outside.
    """

    id = models.BigIntegerField(primary_key=True)
    direction = models.CharField(max_length=3, choices=[("in", "in"), ("out", "out")])
    clone = models.CharField(max_length=16)
    sent_at = models.DateTimeField()
    sender = models.CharField(max_length=320)
    recipients = models.JSONField()
    subject = models.CharField(max_length=998, default="")
    text = models.TextField(default="")
    html = models.TextField(null=True)
    headers = models.JSONField(default=dict)
    about = models.CharField(max_length=80, null=True)

    class Meta:
        db_table = "core_message"
        indexes = [models.Index(fields=["about"], name="core_message_about")]
