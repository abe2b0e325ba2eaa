"""Automation: rules that people write, and what each of their runs did."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.people import User


class AutomationRule(Record):
    """A rule. `projects` are ids of spaces; empty: the whole site.

    `trigger` is {"type", "value"}; `components` the conditions, branches and actions that follow,
    {"kind", "type", "value", "children"}. `next_run` is when a scheduled one is due.
    """

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    enabled = models.BooleanField(default=True)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    projects = models.JSONField(default=list)
    trigger = models.JSONField(default=dict)
    components = models.JSONField(default=list)
    allow_chains = models.BooleanField(default=False)
    notify_on_error = models.CharField(max_length=12, default="FIRST")
    created = models.DateTimeField()
    updated = models.DateTimeField()
    next_run = models.DateTimeField(null=True)


class AutomationRun(Record):
    """One run of a rule. `outcome` is SUCCESS, NO_ACTIONS, SOME_ERRORS, FAILURE, LOOP or THROTTLED.

    `steps` tell what each part did: {"type", "outcome", "messages", "issues"}.
    """

    id = models.BigIntegerField(primary_key=True)
    rule = models.ForeignKey(
        AutomationRule, on_delete=models.CASCADE, related_name="runs", db_index=False
    )
    outcome = models.CharField(max_length=12)
    issues = models.JSONField(default=list)
    steps = models.JSONField(default=list)
    started = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["rule", "id"], name="tracker_automationrun_rule")]
