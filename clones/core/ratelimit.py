"""API requests per account and minute, on the sandbox's clock. Off unless the sandbox says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from clones.core import clock
from clones.core.models.state import RateBucket, SandboxState
from clones.core.state import State

WINDOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Rate:
    """An account's standing: `remaining` after the request at hand, `reset` in whole seconds."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool


def rate_of(account: int, state: State) -> Rate | None:
    """Return an account's standing for the request at hand, or None when there is no limit."""
    limit = state.rate_limit
    if limit is None:
        return None
    now = clock.now()
    bucket = RateBucket.objects.filter(account=account).first()
    if bucket is None or now >= bucket.started + WINDOW:
        return Rate(limit, max(limit - 1, 0), int(WINDOW.total_seconds()), exceeded=limit < 1)
    left = bucket.started + WINDOW - now
    remaining = limit - bucket.used - 1
    return Rate(limit, max(remaining, 0), max(1, round(left.total_seconds())), remaining < 0)


def count(account: int) -> None:
    """Count one request. The caller holds a write transaction."""
    now = clock.now()
    bucket = RateBucket.objects.filter(account=account).first()
    if bucket is None:
        RateBucket.objects.create(account=account, started=now, used=1)
    elif now >= bucket.started + WINDOW:
        RateBucket.objects.filter(account=account).update(started=now, used=1)
    else:
        RateBucket.objects.filter(account=account).update(used=bucket.used + 1)


def set_limit(limit: int | None) -> None:
    """Set how many API requests an account may make in a minute; None switches limits off.

    Raises:
        ValueError: the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise ValueError("a rate limit is 1 or more requests a minute, or none at all")
    SandboxState.objects.filter(id=1).update(rate_limit=limit)
