"""Custom fields with contexts and options, field configurations, screens, and their schemes.

Fields are named by the vendor's ids: `summary`, `customfield_10016`.
"""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.kinds import IssueType


class CustomField(Record):
    """A custom field: `customfield_<id>`. `type` and `searcher` are the vendor's whole keys."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    type = models.CharField(max_length=255)
    searcher = models.CharField(max_length=255, null=True)
    is_locked = models.BooleanField(default=False)
    trashed_at = models.DateTimeField(null=True)
    trashed_by = models.ForeignKey("tracker.User", on_delete=models.SET_NULL, null=True)
    # A team-managed space has fields of its own.
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="own_fields"
    )
    created = models.DateTimeField()

    @property
    def key(self) -> str:
        """Its id in the API."""
        return f"customfield_{self.id}"


class FieldContext(Record):
    """Where a field has its options and default: in all spaces and types, or in some."""

    id = models.BigIntegerField(primary_key=True)
    field = models.ForeignKey(CustomField, on_delete=models.CASCADE, related_name="contexts")
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    all_projects = models.BooleanField(default=True)
    all_issue_types = models.BooleanField(default=True)
    default = models.JSONField(null=True)


class FieldContextProject(Record):
    """A space that a context is for."""

    id = models.BigIntegerField(primary_key=True)
    context = models.ForeignKey(
        FieldContext, on_delete=models.CASCADE, related_name="projects", db_index=False
    )
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, related_name="field_contexts"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["context", "project"], name="tracker_contextproject_once"
            )
        ]


class FieldContextType(Record):
    """A type of issues that a context is for."""

    id = models.BigIntegerField(primary_key=True)
    context = models.ForeignKey(
        FieldContext, on_delete=models.CASCADE, related_name="issue_types", db_index=False
    )
    issue_type = models.ForeignKey(
        IssueType, on_delete=models.CASCADE, related_name="field_contexts"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["context", "issue_type"], name="tracker_contexttype_once"
            )
        ]


class FieldOption(Record):
    """A value that a field offers in a context; of a cascading field, below another."""

    id = models.BigIntegerField(primary_key=True)
    context = models.ForeignKey(
        FieldContext, on_delete=models.CASCADE, related_name="options", db_index=False
    )
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    value = models.CharField(max_length=255)
    disabled = models.BooleanField(default=False)
    position = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["context", "position"], name="tracker_option_context")]


class FieldConfiguration(Record):
    """Which fields are hidden or required; fields without an item are neither."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)


class FieldConfigurationItem(Record):
    """What a configuration says of a field."""

    id = models.BigIntegerField(primary_key=True)
    configuration = models.ForeignKey(
        FieldConfiguration, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    field = models.CharField(max_length=40)
    is_hidden = models.BooleanField(default=False)
    is_required = models.BooleanField(default=False)
    description = models.TextField(default="")
    renderer = models.CharField(max_length=40, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["configuration", "field"], name="tracker_configitem_once"
            )
        ]


class FieldConfigurationScheme(Record):
    """Which configuration counts for which type of issues."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")


class FieldConfigurationSchemeItem(Record):
    """The configuration of a type; without a type, of all others."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        FieldConfigurationScheme, on_delete=models.CASCADE, related_name="items"
    )
    issue_type = models.ForeignKey(IssueType, on_delete=models.CASCADE, null=True)
    configuration = models.ForeignKey(FieldConfiguration, on_delete=models.CASCADE)


class Screen(Record):
    """The fields that people see when they make, see or change an issue, or move it on."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")


class ScreenTab(Record):
    """A tab of a screen."""

    id = models.BigIntegerField(primary_key=True)
    screen = models.ForeignKey(Screen, on_delete=models.CASCADE, related_name="tabs")
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField()


class ScreenTabField(Record):
    """A field on a tab, in its place."""

    id = models.BigIntegerField(primary_key=True)
    tab = models.ForeignKey(
        ScreenTab, on_delete=models.CASCADE, related_name="fields", db_index=False
    )
    field = models.CharField(max_length=40)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tab", "field"], name="tracker_tabfield_once")
        ]


class ScreenScheme(Record):
    """The screen of each operation; without one of its own, the default's."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    default = models.ForeignKey(Screen, on_delete=models.PROTECT, related_name="+")
    create = models.ForeignKey(Screen, on_delete=models.PROTECT, null=True, related_name="+")
    edit = models.ForeignKey(Screen, on_delete=models.PROTECT, null=True, related_name="+")
    view = models.ForeignKey(Screen, on_delete=models.PROTECT, null=True, related_name="+")


class IssueTypeScreenScheme(Record):
    """Which screens count for which type of issues."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)


class IssueTypeScreenSchemeItem(Record):
    """The screens of a type; without a type, of all others."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        IssueTypeScreenScheme, on_delete=models.CASCADE, related_name="items"
    )
    issue_type = models.ForeignKey(IssueType, on_delete=models.CASCADE, null=True)
    screen_scheme = models.ForeignKey(ScreenScheme, on_delete=models.PROTECT, related_name="uses")
