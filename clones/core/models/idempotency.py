"""Answers kept so that a request sent twice is executed once."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class IdempotentAnswer(AmbientRecord):
    """The answer to the first request that carried a key.

    `digest` is of the request's parameters; `answer` is the body as it was sent.
    """

    key = models.CharField(primary_key=True, max_length=255)
    path = models.CharField(max_length=500)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    request = models.CharField(max_length=40)
    created = models.DateTimeField()

    class Meta(AmbientRecord.Meta):
        abstract = True
