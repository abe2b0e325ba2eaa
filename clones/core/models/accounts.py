"""Who may sign in to which clone, and with what."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class Account(AmbientRecord):
    """A sign-in of one clone; `subject` is the primary key of the clone's own user row.

    `password` is a hash with a derived salt, set only when somebody chose a password; the passwords
    that a sandbox hands out are credentials (see `clones.core.accounts.secrets`).
    """

    id = models.BigIntegerField(primary_key=True)
    clone = models.CharField(max_length=16)
    subject = models.CharField(max_length=40)
    login = models.CharField(max_length=254)
    role = models.CharField(max_length=20)
    listed = models.BooleanField(default=False)
    active = models.BooleanField(default=True)
    password = models.CharField(max_length=200, null=True)
    last_seen_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "core_account"
        constraints = [
            models.UniqueConstraint(fields=["clone", "login"], name="core_account_login"),
            models.UniqueConstraint(fields=["clone", "subject"], name="core_account_subject"),
        ]


class Credential(AmbientRecord):
    """A secret that proves an account. The secret itself is derived, never stored."""

    id = models.BigIntegerField(primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="credentials")
    kind = models.CharField(
        max_length=16,
        choices=[(kind, kind) for kind in ("password", "api_token", "oauth_token", "secret_key")],
    )
    active = models.BooleanField(default=True)
    description = models.CharField(max_length=200, default="")
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "core_credential"


class Session(AmbientRecord):
    """A browser signed in to a clone."""

    id = models.BigIntegerField(primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="sessions")
    created_at = models.DateTimeField()
    authenticated_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "core_session"
