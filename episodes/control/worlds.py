"""Routes of worlds."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from episodes.control.dependencies import HostOf
from episodes.worlds import WorldKey, world_cards, world_image

router = APIRouter(tags=["worlds"])


class BuildWorld(BaseModel):
    """Which world to build."""

    name: str = "kestrel"
    size: str = "tiny"
    seed: int = 1


@router.get("/worlds", summary="List the worlds this build can make")
def list_worlds() -> dict[str, Any]:
    """Return names, sizes and which images are built."""
    return world_cards()


@router.post("/worlds", summary="Build a world, or find it built")
def build(host: HostOf, body: BuildWorld | None = None) -> dict[str, Any]:
    """Return the manifest of the world's image."""
    body = body or BuildWorld()
    manifest = world_image(host.library, WorldKey(body.name, body.size, body.seed))
    return {"digest": manifest.digest, "bytes": manifest.bytes, "clock": manifest.clock}
