"""Who may do what: permission, notification and security schemes, roles of spaces.

A holder is the vendor's pair of a type and a parameter: `group` and its name, `projectRole` and the
role's id, `user` and the account id, `reporter` and none...
"""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.people import Group, User


class PermissionScheme(Record):
    """Which holders have which permissions in the spaces that use it."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)


class PermissionGrant(Record):
    """One permission for one holder. `parameter` is a group's uuid, a role's id, an account id."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        PermissionScheme, on_delete=models.CASCADE, related_name="grants", db_index=False
    )
    permission = models.CharField(max_length=64)
    holder_type = models.CharField(max_length=32)
    parameter = models.CharField(max_length=255, null=True)

    class Meta:
        indexes = [models.Index(fields=["scheme", "permission"], name="tracker_grant_scheme")]


class ProjectRole(Record):
    """A role that each space fills by itself."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")


class RoleActor(Record):
    """Who fills a role in a space; without one, in spaces yet to be made."""

    id = models.BigIntegerField(primary_key=True)
    role = models.ForeignKey(ProjectRole, on_delete=models.CASCADE, related_name="actors")
    project = models.ForeignKey(
        "tracker.Project",
        on_delete=models.CASCADE,
        null=True,
        related_name="role_actors",
        db_index=False,
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="roles")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="roles")

    class Meta:
        indexes = [models.Index(fields=["project", "role"], name="tracker_roleactor_project")]


class NotificationScheme(Record):
    """Who is told of what in the spaces that use it."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_default = models.BooleanField(default=False)


class Notification(Record):
    """One kind of recipients of one event; `event` is the vendor's number (1: issue created)."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(
        NotificationScheme, on_delete=models.CASCADE, related_name="notifications", db_index=False
    )
    event = models.PositiveIntegerField()
    type = models.CharField(max_length=32)
    parameter = models.CharField(max_length=255, null=True)

    class Meta:
        indexes = [models.Index(fields=["scheme", "event"], name="tracker_notification_event")]


class SecurityScheme(Record):
    """The levels by which issues are hidden in the spaces that use it."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=60)
    description = models.TextField(default="")
    default_level = models.ForeignKey(
        "tracker.SecurityLevel", on_delete=models.SET_NULL, null=True, related_name="+"
    )


class SecurityLevel(Record):
    """A level: its members see the issues that have it."""

    id = models.BigIntegerField(primary_key=True)
    scheme = models.ForeignKey(SecurityScheme, on_delete=models.CASCADE, related_name="levels")
    name = models.CharField(max_length=60)
    description = models.TextField(default="")


class SecurityMember(Record):
    """A holder that sees the issues of a level."""

    id = models.BigIntegerField(primary_key=True)
    level = models.ForeignKey(SecurityLevel, on_delete=models.CASCADE, related_name="members")
    holder_type = models.CharField(max_length=32)
    parameter = models.CharField(max_length=255, null=True)
