"""Model Context Protocol over HTTP, without sessions: which episode is meant, the address says.

Both eras of the protocol are answered: that of 2026-07-28, and those before, which begin with a
handshake. No answer has a reward in it.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sandlot.gateways.bodies import BodyTooLong, read_body
from sandlot.gateways.mcp.tokens import EpisodeTokens
from sandlot.gateways.mcp.wire import (
    FAILED,
    NO_METHOD,
    NO_PARAMS,
    NO_REQUEST,
    content_of,
    error_of,
    listed_tool,
    problem_of,
    result_of,
)
from sandlot.gateways.origins import OriginGuard
from sandlot.gateways.sessions import EpisodeSessions
from sandlot.service import Act
from sandlot.service.errors import (
    Conflict,
    EpisodeFailed,
    Gone,
    Invalid,
    ServiceError,
)
from sandlot.spaces.wording import prompt_of

MODERN: Final = "2026-07-28"
# Those that begin with a handshake, the newest first.
LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

STAMP: Final = "io.modelcontextprotocol/serverInfo"


class NoMethod(Invalid):
    """Raised when a request asks for what is not offered."""


class McpRoutes:
    """What is answered at an episode's address."""

    def __init__(self, sessions: EpisodeSessions, tokens: EpisodeTokens) -> None:
        self._sessions = sessions
        self._service = sessions.service
        self._tokens = tokens

    async def post(self, request: Request) -> Response:
        """Answer one message."""
        try:
            episode = self._tokens.episode(request.path_params["token"])
            message = _message(await read_body(request))
        except ServiceError as error:
            bad = isinstance(error, Invalid) and not isinstance(error, BodyTooLong)
            status = 400 if bad else error.status
            return _refused(None, NO_REQUEST if bad else FAILED, str(error), status=status)
        await self._sessions.call(self._service.hear, episode)
        if "id" not in message:
            return Response(status_code=202)  # a notification
        return await self._answer(episode, message)

    async def _answer(self, episode: str, message: dict[str, Any]) -> Response:
        id, params = message["id"], message.get("params") or {}
        try:
            result = await self._result(episode, message["method"], params)
        except NoMethod as error:
            return _refused(id, NO_METHOD, str(error), status=404 if _is_modern(params) else 200)
        except Invalid as error:
            return _refused(id, NO_PARAMS, str(error))
        except EpisodeFailed as error:
            return _refused(id, FAILED, str(error))
        except (Conflict, Gone) as error:
            return _refused(id, FAILED, str(error), status=410)
        except ServiceError as error:
            return _refused(id, FAILED, str(error), status=error.status)
        if _is_modern(params):
            result = {**result, "resultType": "complete"}
        return JSONResponse(result_of(id, result))

    async def _result(self, episode: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in LEGACY else LEGACY[0],
                "serverInfo": _server(),
                **await self._offer(episode),
            }
        if method == "server/discover":
            return {
                "supportedVersions": [MODERN, *LEGACY],
                "_meta": {STAMP: _server()},
                **await self._offer(episode),
                **_uncached(),
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            tools = await self._sessions.call(self._service.tools, episode)
            return {"tools": list(map(listed_tool, tools)), **_uncached()}
        if method == "tools/call":
            return await self._call(episode, params)
        raise NoMethod(f"there is no method {method}: this server has tools only")

    async def _offer(self, episode: str) -> dict[str, Any]:
        view = await self._sessions.call(self._service.view, episode)
        return {"capabilities": {"tools": {}}, "instructions": prompt_of(view.model_dump())}

    async def _call(self, episode: str, params: dict[str, Any]) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(given, dict):
            raise Invalid("tools/call takes a name and arguments, which are an object")
        act = Act(tool=name, arguments=given)
        result = await self._sessions.act_in(episode, act)
        if result.status == "harness_error":
            raise EpisodeFailed(f"the environment failed: episode {episode} has ended")
        return {
            "content": content_of(result.observation),
            "isError": result.observation.kind == "error",
        }


def _server() -> dict[str, str]:
    return {"name": "sandlot", "version": version("sandlot")}


def _uncached() -> dict[str, Any]:
    """Return what tells a client to ask again each time: the answer is this episode's alone."""
    return {"ttlMs": 0, "cacheScope": "private"}


def _is_modern(params: dict[str, Any]) -> bool:
    meta = params.get("_meta")
    return isinstance(meta, dict) and "io.modelcontextprotocol/protocolVersion" in meta


def _message(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Invalid("the body is no JSON") from error
    problem = problem_of(found)
    if problem is not None:
        raise Invalid(problem)
    if not isinstance(found.get("params") or {}, dict):
        raise Invalid("params are an object")
    request: dict[str, Any] = found
    return request


def _refused(id: Any, code: int, message: str, *, status: int = 200) -> Response:
    return JSONResponse(error_of(id, code, message), status_code=status)


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


def make_mcp(sessions: EpisodeSessions, tokens: EpisodeTokens) -> ASGIApp:
    """Return the application that has each episode at `/mcp/<token>`."""
    routes = McpRoutes(sessions, tokens)
    return OriginGuard(
        Starlette(
            routes=[
                Route("/health", _health),
                Route("/mcp/{token}", routes.post, methods=["POST"]),
            ]
        )
    )
