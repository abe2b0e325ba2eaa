"""Workflows: statuses, transitions with their rules, and which types go through which."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.fields import Screen
from clones.tracker.models.kinds import IssueType, Status


class Workflow(Record):
    """A workflow. `uuid` is its id in the API; `version` counts its changes.

    `layout` is {"start", "loop"}: where the diagram has its beginning.
    """

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    # A team-managed space has workflows of its own.
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="own_workflows"
    )
    is_system = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    version_uuid = models.CharField(max_length=36)
    layout = models.JSONField(default=dict)
    properties = models.JSONField(default=dict)
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["name", "id"], name="tracker_workflow_name")]


class WorkflowStatus(Record):
    """A status of a workflow; `layout` is {"x", "y"} in its diagram."""

    id = models.BigIntegerField(primary_key=True)
    workflow = models.ForeignKey(
        Workflow, on_delete=models.CASCADE, related_name="statuses", db_index=False
    )
    status = models.ForeignKey(Status, on_delete=models.PROTECT, related_name="workflows")
    reference = models.CharField(max_length=255)
    layout = models.JSONField(null=True)
    properties = models.JSONField(default=dict)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workflow", "status"], name="tracker_workflowstatus_once"
            )
        ]


class Transition(Record):
    """A way from statuses to another; `number` is its id in the API, unique in its workflow.

    `sources` are {"status", "from_port", "to_port"} for a DIRECTED one. `conditions` is a tree
    {"operation": "ALL" | "ANY", "conditions": [rule], "groups": [tree]} or None; `validators`,
    `actions` and `triggers` are rules {"id", "key", "parameters"}.
    """

    TYPES = ("INITIAL", "GLOBAL", "DIRECTED")

    id = models.BigIntegerField(primary_key=True)
    workflow = models.ForeignKey(
        Workflow, on_delete=models.CASCADE, related_name="transitions", db_index=False
    )
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    type = models.CharField(max_length=8, choices=[(name, name) for name in TYPES])
    # None: it leads back to where the issue is.
    to_status = models.ForeignKey(Status, on_delete=models.PROTECT, null=True, related_name="+")
    sources = models.JSONField(default=list)
    conditions = models.JSONField(null=True)
    validators = models.JSONField(default=list)
    actions = models.JSONField(default=list)
    triggers = models.JSONField(default=list)
    screen = models.ForeignKey(
        Screen, on_delete=models.SET_NULL, null=True, related_name="transitions"
    )
    # A rule {"id", "key", "parameters"} that asks people for fields, where there is no screen.
    reminder = models.JSONField(null=True)
    custom_issue_event = models.CharField(max_length=40, null=True)
    properties = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workflow", "number"], name="tracker_transition_number")
        ]


class WorkflowVersion(Record):
    """What a workflow was at one of its versions.

    `document` is {"workflow", "statuses"} as the API has them.
    """

    id = models.BigIntegerField(primary_key=True)
    workflow = models.ForeignKey(
        Workflow, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    version = models.PositiveIntegerField()
    document = models.JSONField()
    author = models.ForeignKey(
        "tracker.User", on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    written = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workflow", "version"], name="tracker_workflowversion_once"
            )
        ]


class WorkflowScheme(Record):
    """Which workflow counts for which type; a draft waits beside the scheme that it is of."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)
    default_workflow = models.ForeignKey(Workflow, on_delete=models.PROTECT, related_name="+")
    draft_of = models.OneToOneField("self", on_delete=models.CASCADE, null=True)
    version = models.PositiveIntegerField(default=1)
    version_uuid = models.CharField(max_length=36)
    updated = models.DateTimeField(null=True)
    updated_by = models.ForeignKey(
        "tracker.User", on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )


class WorkflowSchemeItem(Record):
    """The workflow of a type."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        WorkflowScheme, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    issue_type = models.ForeignKey(IssueType, on_delete=models.CASCADE, related_name="+")
    workflow = models.ForeignKey(Workflow, on_delete=models.PROTECT, related_name="scheme_items")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "issue_type"], name="tracker_workflowitem_once"
            )
        ]
