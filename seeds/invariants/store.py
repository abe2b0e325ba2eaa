"""The store as a whole: times and identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.apps import apps
from django.db import models
from django.db.models import Max

from clones.billing import models as billing
from clones.core import clock, ids
from clones.core.models import IdSequence
from clones.helpdesk import models as helpdesk


def times() -> Iterator[str]:
    """Check that nothing lies after the present."""
    present = clock.now()
    for model in (
        helpdesk.Ticket,
        helpdesk.Audit,
        helpdesk.User,
        billing.Charge,
        billing.Refund,
        billing.Subscription,
    ):
        field = "created" if model._meta.app_label == "billing" else "created_at"
        latest: datetime | None = model._default_manager.aggregate(last=Max(field))["last"]
        if latest is not None and latest > present:
            yield f"{model._meta.label} has a row of {latest}, after the present"


def sequences() -> Iterator[str]:
    """Check that no identifier lies beyond its counter."""
    last = dict(IdSequence.objects.values_list("name", "last"))
    for app in ("helpdesk", "mail", "core"):
        for model in apps.get_app_config(app).get_models():
            key = model._meta.pk
            if not isinstance(key, models.BigIntegerField) or model is helpdesk.Ticket:
                continue
            highest = model._default_manager.aggregate(top=Max("pk"))["top"]
            if (
                highest is not None
                and highest > ids.STRIDE
                and highest > last.get(f"{app}.stamp", 0)
            ):
                yield f"{model._meta.label}: id {highest} lies beyond the counter"
    highest = helpdesk.Ticket.objects.aggregate(top=Max("pk"))["top"] or 0
    if highest > last.get("helpdesk.ticket.serial", 0):
        yield "ticket numbers lie beyond the counter"
