"""Programs that may act for people, and what each of their tokens may do."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.helpdesk.models.people import User


class OAuthClient(Record):
    """A program. Its secret is made from `secret_revision`, and stored nowhere."""

    KINDS = ("public", "confidential")

    id = models.BigIntegerField(primary_key=True)
    identifier = models.CharField(max_length=255, unique=True)
    name = models.CharField(max_length=255)
    description = models.TextField(null=True)
    company = models.CharField(max_length=255, null=True)
    kind = models.CharField(
        max_length=12, choices=[(kind, kind) for kind in KINDS], default="confidential"
    )
    redirect_uris = models.JSONField(default=list)
    secret_revision = models.PositiveIntegerField(default=1)
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class OAuthToken(Record):
    """What a bearer token may do. `id` is its credential's, which proves whose it is."""

    id = models.BigIntegerField(primary_key=True)
    client = models.ForeignKey(OAuthClient, on_delete=models.CASCADE, related_name="tokens")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="oauth_tokens")
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
