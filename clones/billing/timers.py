"""What billing does by itself when its time comes. Importing this registers the handlers."""

from __future__ import annotations

from typing import Any

from clones.billing.domain.subscriptions import END, end_subscription
from clones.billing.models import Subscription
from clones.core import jobs


@jobs.handles(END)
def end_due_subscription(payload: dict[str, Any]) -> None:
    """End a subscription whose last period is over, unless it was resumed or ended meanwhile."""
    found = Subscription.objects.filter(pk=payload["subscription"], cancel_at_period_end=True)
    subscription = found.exclude(status="canceled").first()
    if subscription is not None:
        end_subscription(subscription, actor="job")
