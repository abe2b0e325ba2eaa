"""Mail that was held back."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.fields import Brand
from clones.helpdesk.models.people import User
from clones.helpdesk.models.tickets import Ticket


class SuspendedTicket(Record):
    """A mail that became neither a ticket nor a comment, until somebody decides.

    `cause_id` is the vendor's number of the cause that `cause` tells; `author` is the sender if
    they were known; `ticket` is the one that the mail would have updated. The files of
    `attachment_ids` stand on no comment yet.
    """

    id = models.BigIntegerField(primary_key=True)
    cause_id = models.PositiveSmallIntegerField()
    cause = models.CharField(max_length=80)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True)
    author_name = models.CharField(max_length=255)
    author_email = models.CharField(max_length=254)
    recipient = models.CharField(max_length=254, null=True)
    subject = models.TextField(default="")
    content = models.TextField(default="")
    html_content = models.TextField(null=True)
    message_id = models.CharField(max_length=998, null=True)
    ticket = models.ForeignKey(Ticket, on_delete=models.SET_NULL, null=True)
    brand = models.ForeignKey(Brand, on_delete=models.SET_NULL, null=True, db_index=False)
    via = models.JSONField(default=dict)
    attachment_ids = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["author_email", "created_at"], name="helpdesk_suspended_sender")
        ]
