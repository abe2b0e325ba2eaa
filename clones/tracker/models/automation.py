"""Automation: rules that people write, and what each of their runs did."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.people import User


class AutomationRule(Record):
    """A rule. `projects` are ids of spaces; empty: the whole site.

    `trigger` and `components` are the vendor's JSON (`rules.automation.documents`); `trigger_type`
    repeats the trigger's type. `write_access` is UNRESTRICTED or OWNER_ONLY, `notify_on_error`
    FIRSTERROR, EVERYERROR or NEVER. `hook` is the secret part of an incoming webhook's address.
    `memory` is what the rule keeps from run to run: {"failures", "last", "turns"}. `next_run` is
    when a scheduled one is due.
    """

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    enabled = models.BooleanField(default=True)
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    projects = models.JSONField(default=list)
    labels = models.JSONField(default=list)
    trigger_type = models.CharField(max_length=64, default="")
    trigger = models.JSONField(default=dict)
    components = models.JSONField(default=list)
    allow_chains = models.BooleanField(default=False)
    notify_on_error = models.CharField(max_length=12, default="FIRSTERROR")
    write_access = models.CharField(max_length=12, default="UNRESTRICTED")
    collaborators = models.JSONField(default=list)
    hook = models.CharField(max_length=64, default="")
    memory = models.JSONField(default=dict)
    created = models.DateTimeField()
    updated = models.DateTimeField()
    next_run = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["trigger_type", "id"], name="tracker_automationrule_trigger")
        ]


class AutomationRun(Record):
    """A line of a rule's audit log.

    `outcome` is SUCCESS, NO_ACTIONS, SOME_ERRORS, FAILURE, LOOP or THROTTLED of a run, and
    CONFIG_CHANGE where `author` changed the rule. `issues` are keys. `steps` tell what each part
    did: {"id", "component", "type", "name", "depth", "outcome", "messages", "issues"}.
    """

    id = models.BigIntegerField(primary_key=True)
    rule = models.ForeignKey(
        AutomationRule, on_delete=models.CASCADE, related_name="runs", db_index=False
    )
    outcome = models.CharField(max_length=16)
    summary = models.CharField(max_length=255, default="")
    author = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    issues = models.JSONField(default=list)
    steps = models.JSONField(default=list)
    started = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["rule", "id"], name="tracker_automationrun_rule")]
