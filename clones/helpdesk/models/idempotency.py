"""Answers kept so that a ticket that is sent twice is made once."""

from __future__ import annotations

from clones.core.models import IdempotentAnswer


class IdempotencyKey(IdempotentAnswer):
    """The answer to the first request that carried a key, whoever of the account sent it."""
