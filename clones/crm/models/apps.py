"""What connected apps have beside their keys."""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord


class AppCertificate(AmbientRecord):
    """The certificate by which assertions of an app are checked, by the number of the app."""

    id = models.BigIntegerField(primary_key=True)
    pem = models.TextField()
    updated_at = models.DateTimeField()
