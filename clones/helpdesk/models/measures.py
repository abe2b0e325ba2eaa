"""What is measured of tickets: counters, SLA clocks, ratings; and bulk jobs."""

from __future__ import annotations

from django.db import models

from clones.core.models import DirtyFieldsRecord, Record
from clones.helpdesk.models.people import Group, User
from clones.helpdesk.models.tickets import Ticket


class TicketMetric(DirtyFieldsRecord):
    """Counters and moments of one ticket.

    `minutes` maps reply_time, first_resolution_time, full_resolution_time, agent_wait_time,
    requester_wait_time and on_hold_time to {"calendar", "business"} in whole minutes.
    """

    id = models.BigIntegerField(primary_key=True)
    ticket = models.OneToOneField(Ticket, on_delete=models.CASCADE, related_name="metric")
    group_stations = models.PositiveIntegerField(default=0)
    assignee_stations = models.PositiveIntegerField(default=0)
    reopens = models.PositiveIntegerField(default=0)
    replies = models.PositiveIntegerField(default=0)
    assignee_updated_at = models.DateTimeField(null=True)
    requester_updated_at = models.DateTimeField(null=True)
    status_updated_at = models.DateTimeField(null=True)
    custom_status_updated_at = models.DateTimeField(null=True)
    initially_assigned_at = models.DateTimeField(null=True)
    assigned_at = models.DateTimeField(null=True)
    solved_at = models.DateTimeField(null=True)
    latest_comment_added_at = models.DateTimeField(null=True)
    reply_time_in_seconds = models.PositiveIntegerField(null=True)
    minutes = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class SlaClock(Record):
    """One run of one target on one ticket.

    `used_seconds` is what ran before `running_since` (calendar or business time, as the target
    counts); a paused clock has no `running_since`. `breach_at` is when it will be breached, or was.
    """

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="sla_clocks", db_index=False
    )
    metric = models.CharField(max_length=24)
    instance = models.PositiveIntegerField()
    state = models.CharField(
        max_length=9, choices=[(state, state) for state in ("active", "paused", "fulfilled")]
    )
    target_minutes = models.PositiveIntegerField(null=True)
    business_hours = models.BooleanField(default=False)
    started_at = models.DateTimeField()
    running_since = models.DateTimeField(null=True)
    used_seconds = models.PositiveIntegerField(default=0)
    breach_at = models.DateTimeField(null=True)
    breached = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["ticket", "metric", "instance"], name="helpdesk_clock_ticket")
        ]


class MetricEvent(Record):
    """A turn of an SLA clock. `body` holds what its type has: sla, status, deleted."""

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="metric_events", db_index=False
    )
    metric = models.CharField(max_length=24)
    instance_id = models.PositiveIntegerField()
    type = models.CharField(max_length=16)
    time = models.DateTimeField()
    body = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["ticket", "id"], name="helpdesk_metricevent_ticket"),
            models.Index(fields=["time", "id"], name="helpdesk_metricevent_time"),
        ]


class SatisfactionRating(Record):
    """What a requester thought of how a ticket was handled."""

    id = models.BigIntegerField(primary_key=True)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
    requester = models.ForeignKey(User, on_delete=models.PROTECT, related_name="given_ratings")
    assignee = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="received_ratings"
    )
    group = models.ForeignKey(Group, on_delete=models.SET_NULL, null=True)
    score = models.CharField(max_length=10)
    comment = models.TextField(null=True)
    reason = models.CharField(max_length=255, null=True)
    reason_code = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["ticket", "id"], name="helpdesk_rating_ticket")]


class JobStatus(Record):
    """A bulk change under way. `work` is what it does; `results` what became of each record."""

    id = models.CharField(primary_key=True, max_length=40)
    requested_by = models.ForeignKey(User, on_delete=models.PROTECT)
    job_type = models.CharField(max_length=40)
    status = models.CharField(max_length=9, default="queued")
    total = models.PositiveIntegerField(null=True)
    progress = models.PositiveIntegerField(null=True)
    message = models.TextField(null=True)
    results = models.JSONField(null=True)
    work = models.JSONField(default=dict)
    created_at = models.DateTimeField()
