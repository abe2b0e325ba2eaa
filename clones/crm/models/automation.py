"""What an organization has done by itself: workflow rules with their actions, and flows."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class WorkflowRule(Record):
    """A condition on the records of an object, and what is done where it comes true.

    `definition` is the metadata of the rule, as the vendor has them.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=False)
    definition = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["object", "name"], name="crm_workflow_rule_name"),
        )
        indexes = (models.Index(fields=["object"], name="crm_workflow_rule_object"),)


class WorkflowAction(Record):
    """Something that rules do: `kind` is FieldUpdate, Alert, Task or OutboundMessage."""

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    kind = models.CharField(max_length=20)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    definition = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "object", "name"], name="crm_workflow_action_name"
            ),
        )


class FlowVersion(Record):
    """A version of a flow, which starts by itself: of its versions at most one is active.

    `flow` is the id that they share. `object` and `trigger` say of which records, and when, it
    starts: None where it does not start by itself. `definition` is the flow's metadata, as the
    vendor has them.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    flow = models.CharField(max_length=ID_LENGTH)
    name = models.CharField(max_length=80)
    number = models.IntegerField()
    is_active = models.BooleanField(default=False)
    object = models.CharField(max_length=80, null=True)
    trigger = models.CharField(max_length=40, null=True)
    definition = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["flow", "number"], name="crm_flow_version_number"),
        )
        indexes = (models.Index(fields=["object"], name="crm_flow_version_object"),)
