"""The queue with kinds of jobs that leave traces: what a test's worker is started with."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from clones.config.queue import app
from clones.core import jobs
from clones.core.clock import now
from clones.core.models import Blob, RandomStream

__all__ = ["app"]


@jobs.handles("stack.trace")
def trace(payload: dict[str, Any]) -> None:
    """Leave a row named as the payload says; leaving it twice would fail."""
    Blob.objects.create(sha256=str(payload["name"]), data=str(now()).encode())


@jobs.handles("stack.follow")
def follow(payload: dict[str, Any]) -> None:
    """Write down in which order jobs ran."""
    row, _ = RandomStream.objects.get_or_create(name="order", defaults={"drawn": 0})
    RandomStream.objects.filter(name="order").update(drawn=row.drawn * 10 + int(payload["digit"]))


@jobs.handles("stack.slow")
def slow(payload: dict[str, Any]) -> None:
    """Leave a row, then say so and stay, for as long as a file stands."""
    trace(payload)
    held = Path(str(payload["file"]))
    if held.exists():
        held.with_suffix(".pid").write_text(str(os.getpid()))
        while held.exists():
            time.sleep(0.01)
