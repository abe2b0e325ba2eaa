"""Tickets and what is said and recorded about them."""

from __future__ import annotations

from django.db import models

from clones.core.models import DirtyFieldsRecord, Record
from clones.helpdesk.models.fields import Brand, CustomStatus, TicketForm
from clones.helpdesk.models.people import Group, Organization, User
from clones.helpdesk.rules.system_fields import choices_of

STATUSES = choices_of("status")
PRIORITIES = choices_of("priority")
TYPES = choices_of("type")


class Ticket(DirtyFieldsRecord):
    """A piece of work for the desk.

    `custom_fields` maps field ids (text) to values; absent ones are null. A ticket with
    `deleted_at` lies among the deleted ones until it is restored. `satisfaction_score` is
    unoffered, offered, good or bad.
    """

    words = ("subject", "tags")

    id = models.BigIntegerField(primary_key=True)
    subject = models.TextField(default="")
    description = models.TextField(default="")
    status = models.CharField(max_length=8, choices=[(status, status) for status in STATUSES])
    priority = models.CharField(max_length=8, null=True)
    type = models.CharField(max_length=8, null=True)
    requester = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="requested_tickets", db_index=False
    )
    submitter = models.ForeignKey(User, on_delete=models.PROTECT, related_name="submitted_tickets")
    assignee = models.ForeignKey(
        User,
        on_delete=models.SET_NULL,
        null=True,
        related_name="assigned_tickets",
        db_index=False,
    )
    group = models.ForeignKey(Group, on_delete=models.SET_NULL, null=True, db_index=False)
    organization = models.ForeignKey(
        Organization, on_delete=models.SET_NULL, null=True, db_index=False
    )
    problem = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, db_index=False)
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
    brand = models.ForeignKey(Brand, on_delete=models.SET_NULL, null=True, db_index=False)
    ticket_form = models.ForeignKey(
        TicketForm, on_delete=models.SET_NULL, null=True, db_index=False
    )
    custom_status = models.ForeignKey(
        CustomStatus, on_delete=models.SET_NULL, null=True, db_index=False
    )
    satisfaction_score = models.CharField(max_length=10, default="unoffered")
    sla_policy_id = models.BigIntegerField(null=True)
    # The business hours that a rule gave it; without them the account's default ones count.
    schedule = models.ForeignKey(
        "helpdesk.Schedule", on_delete=models.SET_NULL, null=True, db_index=False
    )
    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.ForeignKey(
        User,
        on_delete=models.SET_NULL,
        null=True,
        related_name="deleted_tickets",
        db_index=False,
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["status", "updated_at", "id"], name="helpdesk_ticket_status"),
            models.Index(fields=["requester", "id"], name="helpdesk_ticket_requester"),
            models.Index(fields=["assignee", "status"], name="helpdesk_ticket_assignee"),
            models.Index(fields=["organization", "id"], name="helpdesk_ticket_organization"),
            models.Index(fields=["created_at", "id"], name="helpdesk_ticket_created"),
            models.Index(fields=["updated_at", "id"], name="helpdesk_ticket_updated"),
            models.Index(fields=["group", "status"], name="helpdesk_ticket_group"),
            models.Index(fields=["problem"], name="helpdesk_ticket_problem"),
            models.Index(fields=["external_id"], name="helpdesk_ticket_external"),
            models.Index(fields=["via_followup_source_id"], name="helpdesk_ticket_followup"),
            models.Index(
                fields=["id"], name="helpdesk_ticket_live", condition=models.Q(deleted_at=None)
            ),
        ]


class Audit(Record):
    """One update of a ticket: who, how, and the events it consists of."""

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="audits", db_index=False
    )
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, db_index=False)
    created_at = models.DateTimeField()
    metadata = models.JSONField(default=dict)
    via = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["ticket", "created_at", "id"], name="helpdesk_audit_ticket"),
            models.Index(fields=["author", "id"], name="helpdesk_audit_author"),
            models.Index(fields=["created_at", "id"], name="helpdesk_audit_created"),
        ]


class AuditEvent(Record):
    """One event of an audit. `body` holds what its `type` has: field, values, recipients...

    A `Comment` event has an empty body: its content is the `Comment` row of the same id.
    """

    id = models.BigIntegerField(primary_key=True)
    audit = models.ForeignKey(
        Audit, on_delete=models.CASCADE, related_name="events", db_index=False
    )
    type = models.CharField(max_length=40)
    position = models.PositiveIntegerField()
    body = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["audit", "position"], name="helpdesk_event_audit")]
