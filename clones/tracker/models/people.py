"""Users, groups, the organizations of service desks, and properties of anything."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class User(Record):
    """Somebody with an account on the site: a person, an app, or a customer of a service desk."""

    TYPES = ("atlassian", "app", "customer")

    id = models.BigIntegerField(primary_key=True)
    account_id = models.CharField(max_length=128, unique=True)
    account_type = models.CharField(max_length=10, choices=[(kind, kind) for kind in TYPES])
    email = models.CharField(max_length=254, null=True)
    display_name = models.CharField(max_length=255)
    active = models.BooleanField(default=True)
    time_zone = models.CharField(max_length=64, default="America/New_York")
    locale = models.CharField(max_length=16, default="en_US")
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["email"], name="tracker_user_email"),
            models.Index(fields=["display_name", "id"], name="tracker_user_name"),
        ]


class Group(Record):
    """A group of users; `uuid` is its id in the API."""

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    name = models.CharField(max_length=255, unique=True)


class GroupMember(Record):
    """A user's place in a group."""

    id = models.BigIntegerField(primary_key=True)
    group = models.ForeignKey(
        Group, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "user"], name="tracker_groupmember_once")
        ]


class Organization(Record):
    """A firm whose people are customers of service desks."""

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    name = models.CharField(max_length=200)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["name", "id"], name="tracker_organization_name")]


class OrganizationMember(Record):
    """A customer's place in an organization."""

    id = models.BigIntegerField(primary_key=True)
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="organizations")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "user"], name="tracker_orgmember_once")
        ]


class EntityProperty(Record):
    """What an integration keeps with a thing, under a key.

    `kind` is issue, project, user, comment, worklog, issuetype, dashboarditem, board, sprint,
    workflow or workflowtransition; `entity` the thing's id as the API has it.
    """

    id = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=20)
    entity = models.CharField(max_length=128)
    key = models.CharField(max_length=255)
    value = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "entity", "key"], name="tracker_property_once")
        ]
        indexes = [models.Index(fields=["kind", "key", "entity"], name="tracker_property_key")]


class Preference(Record):
    """A preference of a user, under the vendor's key; columns of their lists too."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="preferences", db_index=False
    )
    key = models.CharField(max_length=255)
    value = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="tracker_preference_once")
        ]
