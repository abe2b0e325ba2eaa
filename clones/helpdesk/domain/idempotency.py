"""Answers kept by key, for two hours of the sandbox's clock: the vendor's "Idempotency"."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from clones.core import idempotency
from clones.helpdesk.domain.errors import KeyMismatch
from clones.helpdesk.models import IdempotencyKey

KEPT_FOR: Final = timedelta(hours=2)


def find_answer(key: str, *, digest: str) -> IdempotencyKey | None:
    """Return the answer kept for a key, None when the key is new or was forgotten.

    Raises:
        KeyMismatch: the key came with other parameters first.
    """
    kept = idempotency.find_answer(IdempotencyKey, key, kept_for=KEPT_FOR)
    if kept is not None and kept.digest != digest:
        raise KeyMismatch(key)
    return kept


def keep_answer(key: str, *, path: str, digest: str, answer: str, request: str) -> None:
    """Keep the answer to the first request that carried a key and was not refused."""
    idempotency.keep_answer(
        IdempotencyKey, key, path=path, digest=digest, status=201, answer=answer, request=request
    )
