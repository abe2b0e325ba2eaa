"""Answers kept by key, so that a request sent twice is executed once, by the sandbox's clock."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from clones.core import clock
from clones.core.models import IdempotentAnswer

Kept = TypeVar("Kept", bound=IdempotentAnswer)


def digest_of(body: BaseModel) -> str:
    """Return the digest of a request's parameters: the same for the same ones in any order."""
    text = json.dumps(body.model_dump(mode="json"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def find_answer(model: type[Kept], key: str, *, kept_for: timedelta) -> Kept | None:
    """Return the answer kept for a key, None when the key is new or was forgotten."""
    kept = cast("Kept | None", model._default_manager.filter(key=key).first())
    return None if kept is None or kept.created + kept_for <= clock.now() else kept


def keep_answer(model: type[Kept], key: str, **answer: Any) -> None:
    """Keep the answer to the first request that carried a key: its columns but the time."""
    model._default_manager.update_or_create(key=key, defaults={**answer, "created": clock.now()})
