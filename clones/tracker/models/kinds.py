"""Types, statuses, priorities and resolutions of issues, kinds of links, and their schemes."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class IssueType(Record):
    """A type of issues. `hierarchy_level` is 1 for epics, 0, or -1 for sub-tasks."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=60)
    description = models.TextField(default="")
    hierarchy_level = models.SmallIntegerField(default=0)
    avatar_id = models.BigIntegerField(default=10300)
    # A team-managed space has types of its own.
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="own_issue_types"
    )

    @property
    def subtask(self) -> bool:
        """Whether its issues are parts of others."""
        return self.hierarchy_level < 0


class IssueTypeScheme(Record):
    """The types that spaces offer."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    default_type = models.ForeignKey(IssueType, on_delete=models.SET_NULL, null=True)
    is_default = models.BooleanField(default=False)


class IssueTypeSchemeItem(Record):
    """A type of a scheme, in its place."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        IssueTypeScheme, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    issue_type = models.ForeignKey(IssueType, on_delete=models.CASCADE, related_name="places")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scheme", "issue_type"], name="tracker_typeschemeitem_once"
            )
        ]


class Status(Record):
    """A status. `category` is the vendor's key: undefined, new, indeterminate or done."""

    CATEGORIES = ("undefined", "new", "indeterminate", "done")

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    category = models.CharField(max_length=13, choices=[(name, name) for name in CATEGORIES])
    # A team-managed space has statuses of its own.
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="own_statuses"
    )


class Priority(Record):
    """A priority; the highest has the lowest `position`."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=60)
    description = models.TextField(default="")
    color = models.CharField(max_length=7, default="#cccccc")
    icon = models.CharField(max_length=255, default="")
    position = models.PositiveIntegerField()
    is_default = models.BooleanField(default=False)


class PriorityScheme(Record):
    """The priorities that spaces offer."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)
    default_priority = models.ForeignKey(Priority, on_delete=models.SET_NULL, null=True)


class PrioritySchemeItem(Record):
    """A priority of a scheme, in its place."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        PriorityScheme, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    priority = models.ForeignKey(Priority, on_delete=models.CASCADE, related_name="places")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scheme", "priority"], name="tracker_priorityitem_once")
        ]


class Resolution(Record):
    """How an issue was ended."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=60)
    description = models.TextField(default="")
    position = models.PositiveIntegerField()
    is_default = models.BooleanField(default=False)


class IssueLinkType(Record):
    """A kind of links, and what it is called from either end."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=60)
    inward = models.CharField(max_length=60)
    outward = models.CharField(max_length=60)
