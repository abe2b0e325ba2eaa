"""The control plane: create, reset, move clocks, run episodes. Agents never reach it."""

from __future__ import annotations

from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from episodes.control import episodes, problems, sandboxes, snapshots, workers, worlds
from episodes.control.admission import Admission
from episodes.control_plane import ControlPlane


def make_app(host: ControlPlane) -> FastAPI:
    """Return the control plane of a host as an ASGI application."""
    app = FastAPI(
        title="Sandlot control plane", version="1", docs_url=None, redoc_url=None, openapi_url=None
    )
    app.state.host = host
    app.add_middleware(Admission, token=host.token)
    problems.install(app)

    @app.get("/healthz", summary="Tell whether the server is up")
    def healthz() -> dict[str, Any]:
        return {"status": "ok", "sandboxes": len(host.sandboxes.all())}

    @app.get("/metrics", summary="Count what has happened")
    def metrics() -> Response:
        return Response(host.meters.text(host.sandboxes.pool), media_type=CONTENT_TYPE_LATEST)

    @app.get("/openapi.json", include_in_schema=False)
    def description() -> dict[str, Any]:
        return app.openapi()

    noted = [Depends(_note_call)]
    for module in (worlds, sandboxes, snapshots, episodes, workers):
        app.include_router(module.router, prefix="/v1", dependencies=noted)
    return app


def _note_call(request: Request) -> None:
    """Have it known that somebody still asks, and for which sandbox or episode."""
    host: ControlPlane = request.app.state.host
    host.caretaker.note_call()
    named = request.path_params
    if "episode" in named or "sandbox" in named:
        host.episodes.hear(named.get("episode"), named.get("sandbox"))
