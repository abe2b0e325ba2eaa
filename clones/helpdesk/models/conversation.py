"""What is said on tickets, and the files that go with it."""

from __future__ import annotations

from django.db import models

from clones.core.models import Blob, Record
from clones.helpdesk.models.people import User
from clones.helpdesk.models.tickets import Audit, Ticket


class Comment(Record):
    """What somebody said on a ticket, to the requester (`public`) or among agents.

    Its id is that of the audit event that recorded it.
    """

    words = ("body",)

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="comments", db_index=False
    )
    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.PROTECT)
    body = models.TextField()
    html_body = models.TextField()
    public = models.BooleanField(default=True)
    via = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["ticket", "created_at", "id"], name="helpdesk_comment_ticket")
        ]


class Upload(Record):
    """Files sent ahead of the comment that will carry them, named by a token."""

    id = models.BigIntegerField(primary_key=True)
    token = models.CharField(max_length=40, unique=True)
    uploader = models.ForeignKey(User, on_delete=models.CASCADE)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField()


class Attachment(Record):
    """A file on a comment, or waiting in an upload. `file_name` is as it was sent."""

    id = models.BigIntegerField(primary_key=True)
    upload = models.ForeignKey(
        Upload, on_delete=models.SET_NULL, null=True, related_name="attachments"
    )
    comment = models.ForeignKey(
        Comment, on_delete=models.CASCADE, null=True, related_name="attachments"
    )
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT)
    file_name = models.CharField(max_length=255)
    content_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField()
    inline = models.BooleanField(default=False)
    deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField()
