"""The control plane: create, reset, move clocks, run episodes. Agents never reach it."""

from __future__ import annotations

import hmac
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from episodes.control import episodes, problems, sandboxes, snapshots, workers, worlds
from episodes.host import Host


def make_app(host: Host) -> FastAPI:
    """Return the control plane of a host as an ASGI application."""
    app = FastAPI(title="Sandlot control plane", version="1", docs_url=None, redoc_url=None)
    app.state.host = host
    problems.install(app)

    @app.get("/healthz", summary="Tell whether the server is up")
    def healthz() -> dict[str, Any]:
        return {"status": "ok", "sandboxes": len(host.sandboxes.all())}

    @app.get("/metrics", summary="Count what has happened", dependencies=[Depends(_token)])
    def metrics() -> Response:
        return Response(host.meters.text(host.sandboxes.pool), media_type=CONTENT_TYPE_LATEST)

    guarded = [Depends(_authorised)]
    for module in (worlds, sandboxes, snapshots, episodes, workers):
        app.include_router(module.router, prefix="/v1", dependencies=guarded)
    return app


def _token(request: Request) -> None:
    host: Host = request.app.state.host
    sent = request.headers.get("authorization", "")
    if not hmac.compare_digest(sent.encode(), f"Bearer {host.token}".encode()):
        raise HTTPException(401, "send the token of DIR/control-token as a bearer token")


def _authorised(request: Request) -> None:
    _token(request)
    host: Host = request.app.state.host
    host.caretaker.note_call()
