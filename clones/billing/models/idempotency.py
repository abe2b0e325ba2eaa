"""Answers kept so that a request sent twice is executed once."""

from __future__ import annotations

from clones.core.models import IdempotentAnswer


class IdempotencyKey(IdempotentAnswer):
    """The answer to the first request that carried a key."""
