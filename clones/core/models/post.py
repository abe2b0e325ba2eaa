"""Mail-shaped messages: where clones meet."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord, Record


class Message(Record):
    """A message on its way between people and clones.

    `direction` is `out` for what a clone told people by itself and `in` for what a person wrote, or
    what came from outside. `recipients` are those of its To line, `cc` those who get a copy.
    `headers` are the others that it carries; `files` are {"name", "content_type", "size", "blob",
    "cid"}, the bytes in the blob of that hash, `cid` the identifier by which the HTML shows a
    picture, or None. `thread` is the Message-ID with which its conversation began. `about` names
    the record that it speaks of, or became.
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
    cc = models.JSONField(default=list)
    message_id = models.CharField(max_length=255, default="")
    thread = models.CharField(max_length=255, default="")
    files = models.JSONField(default=list)

    class Meta:
        db_table = "core_message"
        indexes = [
            models.Index(fields=["about"], name="core_message_about"),
            models.Index(fields=["message_id"], name="core_message_name"),
            models.Index(fields=["thread"], name="core_message_thread"),
        ]


class Envelope(AmbientRecord):
    """That a message lies in somebody's mailbox: what its lines say, to be found by address.

    `folder` is `sent` for its sender and `inbox` for each who got it. Ambient: it repeats the
    message, and `read_at` says only what its reader looked at.
    """

    id = models.CharField(primary_key=True, max_length=40)
    address = models.CharField(max_length=254)
    folder = models.CharField(max_length=5, choices=[("inbox", "inbox"), ("sent", "sent")])
    read_at = models.DateTimeField(null=True)
    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, related_name="envelopes", db_index=False
    )

    class Meta:
        db_table = "core_envelope"
        indexes = [
            models.Index(fields=["address", "folder", "message"], name="core_envelope_mailbox"),
            models.Index(fields=["message"], name="core_envelope_message"),
        ]
