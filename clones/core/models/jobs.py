"""Timers: what is due when."""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class Job(AmbientRecord):
    """Work due at a time of the sandbox's clock.

    Jobs run in (`due`, `id`) order. A failing job is tried again by `clones.core.jobs.RETRY_AFTER`
    and then stays `failed`, with its last error.
    """

    id = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=80)
    payload = models.JSONField(default=dict)
    due = models.DateTimeField()
    state = models.CharField(
        max_length=8,
        choices=[(state, state) for state in ("pending", "done", "failed")],
        default="pending",
    )
    key = models.CharField(max_length=120, null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(null=True)
    cause = models.BigIntegerField(null=True)
    ran_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "core_job"
        indexes = [
            models.Index(fields=["state", "due", "id"], name="core_job_due"),
            models.Index(fields=["key"], name="core_job_key"),
        ]
