"""Routes of named snapshots."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse
from pydantic import BaseModel
from starlette.background import BackgroundTask

from episodes.control.dependencies import HostOf
from episodes.control_plane import ControlPlane
from snapshots.errors import SnapshotError
from snapshots.manifest import Manifest
from snapshots.migration import migrate_snapshot
from snapshots.transfer import export_snapshot, import_snapshot

router = APIRouter(tags=["snapshots"])


class CaptureSandbox(BaseModel):
    """Which sandbox to keep, and under what name."""

    sandbox: str
    name: str


class MigrateSnapshot(BaseModel):
    """The name of the snapshot that is made."""

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


@router.post("/snapshots/{name}/migrate", status_code=201, summary="Bring it to this schema")
def migrate(host: HostOf, name: str, body: MigrateSnapshot) -> dict[str, Any]:
    """Return the manifest of the snapshot that was made of an older one."""
    manifest = migrate_snapshot(host.library, name, body.name)
    return {"name": body.name, **asdict(manifest)}


@router.get("/snapshots/{name}/file", summary="Export a snapshot as one file")
def export(host: HostOf, name: str) -> FileResponse:
    """Return the snapshot's rows as a file that another server can take in."""
    folder = Path(tempfile.mkdtemp(prefix="sandlot-export-"))
    target = folder / f"{name}.sandlot"
    try:
        export_snapshot(host.library, name, target)
    except BaseException:
        shutil.rmtree(folder)
        raise
    cleaning = BackgroundTask(shutil.rmtree, folder)
    return FileResponse(target, filename=target.name, background=cleaning)


@router.put("/snapshots/{name}/file", status_code=201, summary="Import a snapshot from a file")
async def take_in(host: HostOf, name: str, request: Request) -> dict[str, Any]:
    """Take in an exported file under a name and return its manifest."""
    # The folder may be anywhere, and the file is named in what is said of it.
    with tempfile.TemporaryDirectory(prefix="sandlot-import-") as folder:
        target = Path(folder) / "the file"
        with target.open("wb") as file:
            async for chunk in request.stream():
                file.write(chunk)
        manifest = await run_in_threadpool(_imported, host, target, name)
    return {"name": name, **asdict(manifest)}


def _imported(host: ControlPlane, file: Path, name: str) -> Manifest:
    try:
        return import_snapshot(host.library, file, name)
    except SnapshotError as error:
        raise type(error)(str(error).replace(str(file), file.name)) from error


@router.delete("/snapshots/{name}", status_code=204, summary="Forget a snapshot")
def delete(host: HostOf, name: str) -> None:
    """Remove the name, and the image when nothing needs it."""
    host.sandboxes.delete_snapshot(name)
