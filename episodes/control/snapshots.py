"""Routes of named snapshots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from episodes.control.dependencies import HostOf

router = APIRouter(tags=["snapshots"])


class CaptureSandbox(BaseModel):
    """Which sandbox to keep, and under what name."""

    sandbox: str
    name: str


@router.post("/snapshots", status_code=201, summary="Keep a sandbox's present under a name")
def capture(host: HostOf, body: CaptureSandbox) -> dict[str, Any]:
    """Return the snapshot's manifest."""
    return {"name": body.name, **asdict(host.sandboxes.capture(body.sandbox, body.name))}


@router.get("/snapshots", summary="List the named snapshots")
def list_all(host: HostOf) -> dict[str, Any]:
    """Return names and digests."""
    named = host.library.named()
    return {"snapshots": [{"name": name, "digest": digest} for name, digest in named.items()]}


@router.get("/snapshots/{name}", summary="Show a snapshot")
def show(host: HostOf, name: str) -> dict[str, Any]:
    """Return a snapshot's manifest."""
    return {"name": name, **asdict(host.library.get(name))}


@router.delete("/snapshots/{name}", status_code=204, summary="Forget a snapshot")
def delete(host: HostOf, name: str) -> None:
    """Remove the name, and the image when nothing needs it."""
    host.sandboxes.delete_snapshot(name)
