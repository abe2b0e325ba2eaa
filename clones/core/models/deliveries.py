"""What a clone has to send to foreign hosts, and what came of it.

Ambient, for what a foreign host answers must not enter fingerprints.
"""

from __future__ import annotations

from django.db import models

from clones.core.models.records import AmbientRecord


class Delivery(AmbientRecord):
    """One request that a clone's webhook owes its endpoint, as it was when the write made it.

    `pending` is to be sent at once, `waiting` at the time of its timer; the other two are its end.
    `headers` is [[name, value], ...] without credentials and signature, which are made at sending.
    """

    PENDING, WAITING, SUCCESS, FAILED = "pending", "waiting", "success", "failed"

    id = models.CharField(primary_key=True, max_length=26)
    clone = models.CharField(max_length=20)
    webhook = models.CharField(max_length=40)
    event = models.CharField(max_length=120)
    method = models.CharField(max_length=8)
    url = models.TextField()
    headers = models.JSONField(default=list)
    body = models.TextField(default="")
    status = models.CharField(
        max_length=8,
        choices=[(state, state) for state in (PENDING, WAITING, SUCCESS, FAILED)],
        default=PENDING,
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    response_status = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    cause = models.BigIntegerField(null=True)

    class Meta:
        db_table = "core_delivery"
        indexes = [
            models.Index(fields=["clone", "webhook", "id"], name="core_delivery_webhook"),
            models.Index(fields=["status", "id"], name="core_delivery_status"),
        ]


class DeliveryAttempt(AmbientRecord):
    """One attempt to send a delivery: what went out and what came back.

    `reason` says why nothing came back. Header lists are [[name, value], ...].
    """

    id = models.CharField(primary_key=True, max_length=26)
    delivery = models.ForeignKey(
        Delivery, on_delete=models.CASCADE, related_name="sent", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8)
    reason = models.TextField(null=True)
    request_headers = models.JSONField(default=list)
    request_body = models.TextField(default="")
    response_status = models.PositiveSmallIntegerField(null=True)
    response_headers = models.JSONField(default=list)
    response_body = models.TextField(null=True)
    started_at = models.DateTimeField()
    completed_at = models.DateTimeField()

    class Meta:
        db_table = "core_deliveryattempt"
        constraints = [
            models.UniqueConstraint(fields=["delivery", "number"], name="core_attempt_once")
        ]
