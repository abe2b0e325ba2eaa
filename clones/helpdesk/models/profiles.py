"""Fields of people's profiles, and who wants to hear of which organization."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.people import Organization, User


class ProfileField(Record):
    """A field of users or of organizations; values lie on their records, under the field's key.

    `owner` says whose. `options` is a list of {id, name, value}.
    """

    OWNERS = ("user", "organization")

    id = models.BigIntegerField(primary_key=True)
    owner = models.CharField(max_length=12, choices=[(owner, owner) for owner in OWNERS])
    key = models.CharField(max_length=255)
    type = models.CharField(max_length=20)
    title = models.CharField(max_length=255)
    description = models.TextField(default="")
    position = models.PositiveIntegerField(default=0)
    active = models.BooleanField(default=True)
    system = models.BooleanField(default=False)
    regexp_for_validation = models.CharField(max_length=1024, null=True)
    tag = models.CharField(max_length=255, null=True)
    options = models.JSONField(default=list)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "key"], name="helpdesk_profilefield_key")
        ]


class OrganizationSubscription(Record):
    """A user's wish to hear of an organization's tickets."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        related_name="organization_subscriptions",
        db_index=False,
    )
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="subscriptions"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "organization"], name="helpdesk_subscription_once"
            )
        ]
