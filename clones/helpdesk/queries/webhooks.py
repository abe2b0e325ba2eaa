"""Reads of webhooks, their invocations and attempts."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from clones.core import clock
from clones.core.models import Delivery, DeliveryAttempt
from clones.helpdesk import queries
from clones.helpdesk.models import Webhook

KEPT = timedelta(days=7)


def webhook(key: str) -> Webhook:
    """Return a webhook.

    Raises:
        RecordNotFound: there is none of that id.
    """
    return queries.one(Webhook.objects.filter(id=key), "webhook", key)


def invocations_of(
    found: Webhook,
    *,
    status: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
) -> QuerySet[Delivery]:
    """Return a webhook's invocations of the last week that were attempted."""
    rows = Delivery.objects.filter(
        clone="helpdesk", webhook=found.id, attempts__gt=0, created_at__gte=clock.now() - KEPT
    )
    if status is not None:
        rows = rows.filter(status=status)
    if start is not None:
        rows = rows.filter(completed_at__gte=start)
    if end is not None:
        rows = rows.filter(completed_at__lte=end)
    return rows


def attempts_of(found: Webhook, invocation: str) -> QuerySet[DeliveryAttempt]:
    """Return the attempts of a webhook's invocation.

    Raises:
        RecordNotFound: the webhook has no such invocation.
    """
    rows = Delivery.objects.filter(clone="helpdesk", webhook=found.id, id=invocation)
    delivery = queries.one(rows, "invocation", invocation)
    return DeliveryAttempt.objects.filter(delivery=delivery)
