"""Routes of the data plane's workers, for whoever runs them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from episodes.control.dependencies import HostOf
from episodes.worker_loss import lose_worker

router = APIRouter(tags=["workers"])


@router.post("/workers/{worker}/lost", summary="Say that a worker died")
def lost(host: HostOf, worker: int) -> dict[str, Any]:
    """Return the episodes that ended with it, and the sandboxes that go on."""
    found = lose_worker(host, worker)
    return {
        "worker": found.worker,
        "lost": [{"sandbox": sandbox, "episode": episode} for sandbox, episode in found.lost],
        "kept": list(found.kept),
    }
