"""Routing: skills of agents and tickets, queues, who is at work, and how the account routes.

The vendor calls a kind of skill an attribute, and a skill a value of it.
"""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.automation import no_conditions
from clones.helpdesk.models.people import User
from clones.helpdesk.models.tickets import Ticket


class RoutingSettings(Record):
    """The one row of how an account routes; an account without one does not.

    `skill_based_filtered_views` are ids of views that show each agent what their skills match.
    """

    HIGHEST_SPARE_CAPACITY = "highest_spare_capacity"
    LONGEST_IDLE = "longest_idle"
    METHODS = (HIGHEST_SPARE_CAPACITY, LONGEST_IDLE)

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    enabled = models.BooleanField(default=False)
    autorouting_tag = models.CharField(max_length=255, default="")
    max_email_capacity = models.PositiveIntegerField(default=0)
    max_messaging_capacity = models.PositiveIntegerField(default=0)
    method = models.CharField(
        max_length=22,
        choices=[(name, name) for name in METHODS],
        default=HIGHEST_SPARE_CAPACITY,
    )
    using_skill_based_routing = models.BooleanField(default=False)
    skill_based_filtered_views = models.JSONField(default=list)
    updated_at = models.DateTimeField()


class RoutingAttribute(Record):
    """A kind of skill: languages, products."""

    id = models.CharField(primary_key=True, max_length=36)
    name = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class RoutingValue(Record):
    """A skill. A new ticket that meets its `conditions`, if it has any, gets it."""

    id = models.CharField(primary_key=True, max_length=36)
    attribute = models.ForeignKey(RoutingAttribute, on_delete=models.CASCADE, related_name="values")
    name = models.CharField(max_length=255)
    conditions = models.JSONField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class AgentValue(Record):
    """A skill that an agent has."""

    id = models.CharField(primary_key=True, max_length=36)
    agent = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="routing_values", db_index=False
    )
    value = models.ForeignKey(RoutingValue, on_delete=models.CASCADE, related_name="agents")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["agent", "value"], name="helpdesk_agentvalue_once")
        ]


class TicketValue(Record):
    """A skill that a ticket needs."""

    id = models.CharField(primary_key=True, max_length=36)
    ticket = models.ForeignKey(
        Ticket, on_delete=models.CASCADE, related_name="routing_values", db_index=False
    )
    value = models.ForeignKey(RoutingValue, on_delete=models.CASCADE, related_name="tickets")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ticket", "value"], name="helpdesk_ticketvalue_once")
        ]


class RoutingChange(Record):
    """What became of a skill, its kind, or one that somebody or a ticket has: an export's row.

    `stream` is the export's name, `key` the record's id; `body` holds what is shown beside.
    """

    STREAMS = ("attributes", "attribute_values", "instance_values")

    id = models.BigIntegerField(primary_key=True)
    stream = models.CharField(max_length=16, choices=[(name, name) for name in STREAMS])
    type = models.CharField(max_length=18)
    key = models.CharField(max_length=36)
    body = models.JSONField(default=dict)
    time = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["stream", "time", "id"], name="helpdesk_routing_change")]


class Queue(Record):
    """Where tickets wait that meet its `definition`, and the groups whose agents take them.

    A queue with a lower `order` is asked first; of the tickets that wait, those whose queue has a
    lower `priority` number go first. The group ids are in the order in which they are tried.
    """

    id = models.CharField(primary_key=True, max_length=26)
    name = models.CharField(max_length=255)
    description = models.TextField(null=True)
    definition = models.JSONField(default=no_conditions)
    priority = models.PositiveIntegerField(default=1)
    order = models.PositiveIntegerField()
    primary_group_ids = models.JSONField(default=list)
    secondary_group_ids = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class AgentAvailability(Record):
    """Whether an agent is at work. `id` is the agent's; one without a row is offline.

    `status` is the vendor's number of a unified status: 2 offline, 3 online, 4 away, 5 transfers
    only. `assigned_at` is when routing gave them a ticket last.
    """

    id = models.BigIntegerField(primary_key=True)
    agent = models.OneToOneField(User, on_delete=models.CASCADE, related_name="availability")
    status = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=32, default="UNKNOWN")
    assigned_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField()
