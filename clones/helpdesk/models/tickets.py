"""Tickets and what is said and recorded about them."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.people import Group, Organization, User

STATUSES = ("new", "open", "pending", "hold", "solved", "closed")
PRIORITIES = ("low", "normal", "high", "urgent")
TYPES = ("question", "incident", "problem", "task")


class TicketField(Record):
    """A field of tickets: the system's own and the account's. `required` means on solve."""

    id = models.BigIntegerField(primary_key=True)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=255)
    title_in_portal = models.CharField(max_length=255, default="")
    description = models.TextField(default="")
    agent_description = models.TextField(null=True)
    key = models.CharField(max_length=255, null=True)
    position = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    required = models.BooleanField(default=False)
    required_in_portal = models.BooleanField(default=False)
    visible_in_portal = models.BooleanField(default=False)
    editable_in_portal = models.BooleanField(default=False)
    collapsed_for_agents = models.BooleanField(default=False)
    regexp_for_validation = models.CharField(max_length=1024, null=True)
    tag = models.CharField(max_length=255, null=True)
    removable = models.BooleanField(default=True)
    options = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Ticket(Record):
    """A piece of work for the desk. `custom_fields` maps field ids (text) to values."""

    id = models.BigIntegerField(primary_key=True)
    subject = models.TextField(default="")
    description = models.TextField(default="")
    status = models.CharField(max_length=8, choices=[(status, status) for status in STATUSES])
    priority = models.CharField(max_length=8, null=True)
    type = models.CharField(max_length=8, null=True)
    requester = models.ForeignKey(User, on_delete=models.PROTECT, related_name="requested_tickets")
    submitter = models.ForeignKey(User, on_delete=models.PROTECT, related_name="submitted_tickets")
    assignee = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="assigned_tickets"
    )
    group = models.ForeignKey(Group, on_delete=models.SET_NULL, null=True)
    organization = models.ForeignKey(Organization, on_delete=models.SET_NULL, null=True)
    problem = models.ForeignKey("self", on_delete=models.SET_NULL, null=True)
    external_id = models.CharField(max_length=255, null=True)
    recipient = models.CharField(max_length=254, null=True)
    via = models.JSONField(default=dict)
    tags = models.JSONField(default=list)
    custom_fields = models.JSONField(default=dict)
    email_cc_ids = models.JSONField(default=list)
    follower_ids = models.JSONField(default=list)
    is_public = models.BooleanField(default=True)
    due_at = models.DateTimeField(null=True)
    via_followup_source_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["status", "updated_at", "id"], name="helpdesk_ticket_status"),
            models.Index(fields=["requester", "id"], name="helpdesk_ticket_requester"),
            models.Index(fields=["assignee", "status"], name="helpdesk_ticket_assignee"),
            models.Index(fields=["organization", "id"], name="helpdesk_ticket_organization"),
            models.Index(fields=["created_at", "id"], name="helpdesk_ticket_created"),
        ]


class Audit(Record):
    """One update of a ticket: who, how, and the events it consists of."""

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="audits")
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True)
    created_at = models.DateTimeField()
    metadata = models.JSONField(default=dict)
    via = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["ticket", "created_at", "id"], name="helpdesk_audit_ticket")]


class AuditEvent(Record):
    """One event of an audit. `body` holds what its `type` has: field, values, recipients..."""

    id = models.BigIntegerField(primary_key=True)
    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="events")
    type = models.CharField(max_length=40)
    position = models.PositiveIntegerField()
    body = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["audit", "position"], name="helpdesk_event_audit")]


class Comment(Record):
    """What somebody said on a ticket, to the requester (`public`) or among agents."""

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="comments")
    audit = models.ForeignKey(Audit, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.PROTECT)
    body = models.TextField()
    html_body = models.TextField()
    public = models.BooleanField(default=True)
    via = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["ticket", "created_at", "id"], name="helpdesk_comment_ticket")]
