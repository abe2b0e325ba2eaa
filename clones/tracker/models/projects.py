"""Spaces, which the API calls projects, with their components and versions."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.access import NotificationScheme, PermissionScheme, SecurityScheme
from clones.tracker.models.fields import FieldConfigurationScheme, IssueTypeScreenScheme
from clones.tracker.models.kinds import IssueTypeScheme, PriorityScheme
from clones.tracker.models.people import User
from clones.tracker.models.workflows import WorkflowScheme


class ProjectCategory(Record):
    """A category of spaces."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")


class Project(Record):
    """A space. `last_number` is the number of the last issue made in it: none is used twice.

    `style` is classic (company-managed) or next-gen (team-managed). `assignee_type` is
    PROJECT_LEAD or UNASSIGNED.
    """

    TYPES = ("software", "service_desk", "business")

    id = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=10, unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField(default="")
    lead = models.ForeignKey(User, on_delete=models.PROTECT, related_name="led_projects")
    type = models.CharField(max_length=16, choices=[(name, name) for name in TYPES])
    template = models.CharField(max_length=120, default="")
    style = models.CharField(max_length=8, default="classic")
    assignee_type = models.CharField(max_length=16, default="UNASSIGNED")
    url = models.CharField(max_length=255, default="")
    category = models.ForeignKey(ProjectCategory, on_delete=models.SET_NULL, null=True)
    avatar_id = models.BigIntegerField(default=10400)
    uuid = models.CharField(max_length=36, unique=True)
    is_private = models.BooleanField(default=False)
    sender_email = models.CharField(max_length=254, null=True)
    features = models.JSONField(default=dict)
    last_number = models.PositiveIntegerField(default=0)
    archived_at = models.DateTimeField(null=True)
    archived_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    permission_scheme = models.ForeignKey(
        PermissionScheme, on_delete=models.PROTECT, related_name="projects"
    )
    notification_scheme = models.ForeignKey(
        NotificationScheme, on_delete=models.PROTECT, null=True, related_name="projects"
    )
    security_scheme = models.ForeignKey(
        SecurityScheme, on_delete=models.PROTECT, null=True, related_name="projects"
    )
    issue_type_scheme = models.ForeignKey(
        IssueTypeScheme, on_delete=models.PROTECT, related_name="projects"
    )
    screen_scheme = models.ForeignKey(
        IssueTypeScreenScheme, on_delete=models.PROTECT, related_name="projects"
    )
    field_scheme = models.ForeignKey(
        FieldConfigurationScheme, on_delete=models.PROTECT, null=True, related_name="projects"
    )
    workflow_scheme = models.ForeignKey(
        WorkflowScheme, on_delete=models.PROTECT, related_name="projects"
    )
    priority_scheme = models.ForeignKey(
        PriorityScheme, on_delete=models.PROTECT, related_name="projects"
    )
    created = models.DateTimeField()

    @property
    def is_live(self) -> bool:
        """Whether it is neither archived nor in the trash."""
        return self.archived_at is None and self.deleted_at is None

    @property
    def simplified(self) -> bool:
        """Whether its own team manages it."""
        return self.style == "next-gen"


class FormerProjectKey(Record):
    """A key that a space had before: it still leads there."""

    id = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=10, unique=True)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="former_keys")


class Component(Record):
    """A part of what a space makes."""

    id = models.BigIntegerField(primary_key=True)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="components", db_index=False
    )
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    lead = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="led_components"
    )
    assignee_type = models.CharField(max_length=20, default="PROJECT_DEFAULT")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="tracker_component_once")
        ]


class Version(Record):
    """A release of what a space makes, in its place among the space's."""

    id = models.BigIntegerField(primary_key=True)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    start_date = models.DateField(null=True)
    release_date = models.DateField(null=True)
    released = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    driver = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="driven_versions"
    )
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="tracker_version_once")
        ]
        indexes = [models.Index(fields=["project", "position"], name="tracker_version_place")]


class VersionWork(Record):
    """A link to work that belongs to a release."""

    id = models.BigIntegerField(primary_key=True)
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="related_work")
    uuid = models.CharField(max_length=36, unique=True)
    category = models.CharField(max_length=255)
    title = models.CharField(max_length=255, default="")
    url = models.TextField(null=True)
    issue = models.BigIntegerField(null=True)
