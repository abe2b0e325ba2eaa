"""Answers kept by key, for a day of the sandbox's clock."""

from __future__ import annotations

from datetime import timedelta

from clones.billing.errors import KeyOfOtherEndpoint, KeyReused
from clones.billing.models import IdempotencyKey
from clones.core import idempotency

KEPT_FOR = timedelta(hours=24)


def find_answer(key: str, *, path: str, digest: str) -> IdempotencyKey | None:
    """Return the answer kept for a key, None when the key is new or was forgotten.

    Raises:
        KeyOfOtherEndpoint: the key came to another address first.
        KeyReused: the key came with other parameters first.
    """
    kept = idempotency.find_answer(IdempotencyKey, key, kept_for=KEPT_FOR)
    if kept is None:
        return None
    if kept.path != path:
        raise KeyOfOtherEndpoint(key, path, kept.path)
    if kept.digest != digest:
        raise KeyReused(key)
    return kept


def keep_answer(
    key: str, *, path: str, digest: str, status: int, answer: str, request: str
) -> None:
    """Keep the answer to the first request that carried a key."""
    idempotency.keep_answer(
        IdempotencyKey,
        key,
        path=path,
        digest=digest,
        status=status,
        answer=answer,
        request=request,
    )
