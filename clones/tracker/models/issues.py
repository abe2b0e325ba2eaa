"""Issues and the values of their fields."""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord, DirtyFieldsRecord, Record
from clones.tracker.models.access import SecurityLevel
from clones.tracker.models.agile import Sprint
from clones.tracker.models.fields import CustomField, FieldOption
from clones.tracker.models.kinds import IssueType, Priority, Resolution, Status
from clones.tracker.models.people import Group, User
from clones.tracker.models.projects import Component, Project, Version


class Issue(DirtyFieldsRecord):
    """A piece of work.

    `key` is its space's key and `number`. Documents are kept as the API's third version has them;
    their plain text, in which searches look, is in `IssueText`. Estimates and spent time are
    seconds.
    """

    id = models.BigIntegerField(primary_key=True)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="issues", db_index=False
    )
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=22, unique=True)
    issue_type = models.ForeignKey(IssueType, on_delete=models.PROTECT, related_name="issues")
    status = models.ForeignKey(
        Status, on_delete=models.PROTECT, related_name="issues", db_index=False
    )
    status_category_changed = models.DateTimeField()
    priority = models.ForeignKey(
        Priority, on_delete=models.PROTECT, null=True, related_name="issues"
    )
    resolution = models.ForeignKey(
        Resolution, on_delete=models.PROTECT, null=True, related_name="issues"
    )
    resolution_date = models.DateTimeField(null=True)
    summary = models.CharField(max_length=255)
    description = models.JSONField(null=True)
    environment = models.JSONField(null=True)
    reporter = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="reported", db_index=False
    )
    creator = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="created_issues"
    )
    assignee = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="assigned", db_index=False
    )
    parent = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="children", db_index=False
    )
    security_level = models.ForeignKey(
        SecurityLevel, on_delete=models.SET_NULL, null=True, related_name="issues"
    )
    due_date = models.DateField(null=True)
    original_estimate = models.BigIntegerField(null=True)
    remaining_estimate = models.BigIntegerField(null=True)
    time_spent = models.BigIntegerField(null=True)
    rank = models.CharField(max_length=255)
    archived_at = models.DateTimeField(null=True)
    archived_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="tracker_issue_number")
        ]
        indexes = [
            models.Index(fields=["status", "project"], name="tracker_issue_status"),
            models.Index(fields=["assignee", "status"], name="tracker_issue_assignee"),
            models.Index(fields=["reporter", "id"], name="tracker_issue_reporter"),
            models.Index(fields=["parent", "id"], name="tracker_issue_parent"),
            models.Index(fields=["rank", "id"], name="tracker_issue_rank"),
            models.Index(fields=["created", "id"], name="tracker_issue_created"),
            models.Index(fields=["updated", "id"], name="tracker_issue_updated"),
            models.Index(fields=["resolution_date"], name="tracker_issue_resolved"),
            models.Index(fields=["due_date"], name="tracker_issue_due"),
        ]


class FormerIssueKey(Record):
    """A key that an issue had before it was moved: it still leads there."""

    id = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=22, unique=True)
    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="former_keys")


class IssueText(Record):
    """What the words of an issue are looked for in: one row for each of its texts.

    `field` is summary, description, environment, comment or customfield_N; `source` the row that
    the text is of (the issue, the comment, the value).
    """

    words = ("text",)

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="texts", db_index=False)
    field = models.CharField(max_length=40)
    source = models.BigIntegerField()
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue", "field", "source"], name="tracker_issuetext_once"
            )
        ]


class IssueLabel(Record):
    """A label of an issue."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="labels", db_index=False
    )
    label = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "label"], name="tracker_label_once")
        ]
        indexes = [models.Index(fields=["label", "issue"], name="tracker_label_label")]


class IssueComponent(Record):
    """A component that an issue is about."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="component_links", db_index=False
    )
    component = models.ForeignKey(Component, on_delete=models.CASCADE, related_name="links")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue", "component"], name="tracker_issuecomponent_once"
            )
        ]


class IssueVersion(Record):
    """A version of an issue: `kind` is fix (in which it is mended) or affects (which has it)."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="version_links", db_index=False
    )
    version = models.ForeignKey(
        Version, on_delete=models.CASCADE, related_name="links", db_index=False
    )
    kind = models.CharField(max_length=7, choices=[("fix", "fix"), ("affects", "affects")])

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue", "kind", "version"], name="tracker_issueversion_once"
            )
        ]
        indexes = [models.Index(fields=["version", "kind"], name="tracker_issueversion_version")]


class IssueSprint(Record):
    """A sprint that an issue is or was in."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="sprint_links", db_index=False
    )
    sprint = models.ForeignKey(Sprint, on_delete=models.CASCADE, related_name="links")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "sprint"], name="tracker_issuesprint_once")
        ]


class FieldValue(Record):
    """One value of a custom field of an issue; fields with several have a row for each.

    Which column counts is the field's kind (`rules/field_kinds`): `text` of a URL, a label or a
    line; `document` of rich text; `other` the id of a space or a version.
    A cascading choice is the row of its deepest option.
    """

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="field_values", db_index=False
    )
    field = models.ForeignKey(
        CustomField, on_delete=models.CASCADE, related_name="values", db_index=False
    )
    position = models.PositiveSmallIntegerField(default=0)
    text = models.TextField(null=True)
    document = models.JSONField(null=True)
    number = models.FloatField(null=True)
    day = models.DateField(null=True)
    moment = models.DateTimeField(null=True)
    option = models.ForeignKey(
        FieldOption, on_delete=models.CASCADE, null=True, related_name="values"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, null=True, related_name="+", db_index=False
    )
    other = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue", "field", "position"], name="tracker_fieldvalue_once"
            )
        ]
        indexes = [
            models.Index(fields=["field", "number"], name="tracker_fieldvalue_number"),
            models.Index(fields=["field", "moment"], name="tracker_fieldvalue_moment"),
            models.Index(fields=["field", "day"], name="tracker_fieldvalue_day"),
        ]


class Watcher(Record):
    """Somebody who is told of what happens to an issue."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="watchers", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="watched")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "user"], name="tracker_watcher_once")
        ]


class Vote(Record):
    """Somebody who wants an issue done."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="votes", db_index=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="voted")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issue", "user"], name="tracker_vote_once")]


class IssueView(AmbientRecord):
    """When a user last looked at an issue."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="views", db_index=False)
    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="views")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "issue"], name="tracker_view_once")]
        indexes = [models.Index(fields=["user", "at"], name="tracker_view_recent")]
