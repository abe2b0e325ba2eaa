"""Rules that the account makes: triggers, automations, macros, views, SLAs.

Conditions are {"all": [{field, operator, value}, ...], "any": [...]}; actions are [{field, value}].
"""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord, Record


def no_conditions() -> dict[str, list[object]]:
    """Return conditions that everything meets."""
    return {"all": [], "any": []}


class TriggerCategory(Record):
    """A heading of triggers; its position comes before the triggers' own."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Trigger(Record):
    """A rule that runs when a ticket is created or updated. `revision` counts its edits."""

    id = models.BigIntegerField(primary_key=True)
    category = models.ForeignKey(TriggerCategory, on_delete=models.PROTECT)
    title = models.CharField(max_length=255)
    description = models.TextField(null=True)
    active = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=0)
    default = models.BooleanField(default=False)
    conditions = models.JSONField(default=no_conditions)
    actions = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class TriggerRevision(AmbientRecord):
    """A trigger as an edit left it. It follows from the edit itself, so no diff shows it.

    `number` is the trigger's `revision`; `snapshot` is {"title", "description", "active",
    "conditions", "actions"}; `author_id` is -1 for the system.
    """

    id = models.BigIntegerField(primary_key=True)
    trigger = models.ForeignKey(
        Trigger, on_delete=models.CASCADE, related_name="revisions", db_index=False
    )
    number = models.PositiveIntegerField()
    author_id = models.BigIntegerField()
    snapshot = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trigger", "number"], name="helpdesk_triggerrevision_number"
            )
        ]


class Automation(Record):
    """A rule that runs every hour over the tickets that are not closed."""

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=255)
    active = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=0)
    default = models.BooleanField(default=False)
    conditions = models.JSONField(default=no_conditions)
    actions = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Macro(Record):
    """A prepared answer. `restriction` is null, or {"type": "Group"|"User", "id", "ids"}."""

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=255)
    description = models.TextField(null=True)
    active = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=9999)
    default = models.BooleanField(default=False)
    actions = models.JSONField(default=list)
    restriction = models.JSONField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class View(Record):
    """A standing question about tickets.

    `output` is {"columns": [name, ...], "group_by", "group_order", "sort_by", "sort_order"}.
    """

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=255)
    raw_title = models.CharField(max_length=255)
    description = models.TextField(null=True)
    active = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=10000)
    default = models.BooleanField(default=False)
    conditions = models.JSONField(default=no_conditions)
    output = models.JSONField(default=dict)
    restriction = models.JSONField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class Schedule(Record):
    """Business hours: minutes since Sunday 00:00 in `time_zone` (IANA name).

    `intervals` is [{start_time, end_time}]; `holidays` is [{name, start_date, end_date}].
    """

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    time_zone = models.CharField(max_length=64)
    intervals = models.JSONField(default=list)
    holidays = models.JSONField(default=list)
    default = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class SlaPolicy(Record):
    """Targets for tickets that its filter matches.

    `policy_metrics` is [{priority, metric, target (minutes), business_hours}].
    """

    id = models.BigIntegerField(primary_key=True)
    title = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    filter = models.JSONField(default=no_conditions)
    policy_metrics = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
