"""What agents discuss beside a ticket, with people outside its conversation."""

from __future__ import annotations

from django.db import models

from clones.core.models import Blob, Record
from clones.helpdesk.models.tickets import Ticket


class SideConversation(Record):
    """A thread beside a ticket: by email, or with the agents of another ticket (`child`).

    `participants` are {"user_id", "name", "email"}, of a child ticket also "support_group_id" and
    "support_agent_id"; `external_ids` maps names to texts.
    """

    STATES = ("open", "closed")

    id = models.CharField(primary_key=True, max_length=36)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="side_conversations")
    child = models.OneToOneField(
        Ticket, on_delete=models.SET_NULL, null=True, related_name="side_conversation"
    )
    subject = models.TextField(default="")
    preview_text = models.TextField(default="")
    state = models.CharField(max_length=6, choices=[(name, name) for name in STATES])
    participants = models.JSONField(default=list)
    external_ids = models.JSONField(default=dict)
    message_added_at = models.DateTimeField()
    state_updated_at = models.DateTimeField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class SideConversationEvent(Record):
    """What happened in a thread: `create` and `reply` have a message, `update` has updates.

    `message` is {"subject", "preview_text", "body", "html_body", "from", "to", "external_ids"};
    its files point here.
    """

    KINDS = ("create", "reply", "update")

    id = models.CharField(primary_key=True, max_length=36)
    side_conversation = models.ForeignKey(
        SideConversation, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    position = models.PositiveIntegerField()
    type = models.CharField(max_length=6, choices=[(name, name) for name in KINDS])
    via = models.CharField(max_length=20)
    actor = models.JSONField(null=True)
    message = models.JSONField(null=True)
    updates = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["side_conversation", "position"], name="helpdesk_side_event_place"
            )
        ]
        indexes = [models.Index(fields=["created_at", "id"], name="helpdesk_side_event_created")]


class SideConversationFile(Record):
    """A file of a message, or one sent ahead of it."""

    id = models.CharField(primary_key=True, max_length=39)
    event = models.ForeignKey(
        SideConversationEvent, on_delete=models.CASCADE, null=True, related_name="files"
    )
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT)
    name = models.CharField(max_length=255)
    content_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField()
    uploader_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()
