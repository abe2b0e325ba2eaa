"""Tools of a session by JSON-RPC, as OpenEnv's clients ask for them. No answer has a reward."""

from __future__ import annotations

from typing import Any

from sandlot.gateways.environments import TaskEnvironment
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
from sandlot.gateways.offers import OfferedTools
from sandlot.gateways.sessions import EpisodeSession, EpisodeSessions
from sandlot.service.errors import Conflict, Gone, Invalid, NotFound, ServiceError


class SessionMcp:
    """What is answered: sessions are made and closed, tools listed and called."""

    def __init__(self, sessions: EpisodeSessions, tools: OfferedTools) -> None:
        self._sessions = sessions
        self._tools = tools

    async def answer(
        self,
        message: Any,
        session: EpisodeSession | None = None,
        environment: TaskEnvironment | None = None,
    ) -> dict[str, Any]:
        """Answer a message, of a `session` or of none; tools of none are those of `environment`."""
        problem = problem_of(message)
        if problem is not None:
            return error_of(None, NO_REQUEST, problem)
        id, params = message.get("id"), message.get("params") or {}
        if not isinstance(params, dict):
            return error_of(id, NO_PARAMS, "params are an object")
        try:
            asked = params.get("session_id")
            if session is None and isinstance(asked, str):
                session = self._sessions.get(asked)
            found = await self._result(message["method"], params, session, environment)
        except (Invalid, NotFound) as error:
            return error_of(id, NO_PARAMS, str(error))
        except ServiceError as error:
            return error_of(id, FAILED, str(error))
        if found is None:
            told = f"there is no method {message['method']}: this environment has tools only"
            return error_of(id, NO_METHOD, told)
        return result_of(id, found)

    async def _result(
        self,
        method: str,
        params: dict[str, Any],
        session: EpisodeSession | None,
        environment: TaskEnvironment | None,
    ) -> dict[str, Any] | None:
        match method:
            case "openenv/session/create":
                return {"session_id": (session or self._sessions.open()).id}
            case "openenv/session/close":
                return await self._close(params, session)
            case "tools/list":
                return {"tools": list(map(listed_tool, await self._listed(session, environment)))}
            case "tools/call":
                return await self._call(params, session)
        return None

    async def _close(
        self, params: dict[str, Any], session: EpisodeSession | None
    ) -> dict[str, Any]:
        if session is None:
            raise Invalid("give the session_id that openenv/session/create returned")
        await self._sessions.close(session)
        return {"session_id": session.id, "closed": True}

    async def _listed(
        self, session: EpisodeSession | None, environment: TaskEnvironment | None
    ) -> list[dict[str, Any]]:
        if session is not None and session.starting is not None:
            return await self._sessions.tools(session)
        if environment is None:
            raise Conflict("there is no episode yet: send a reset first")
        return await self._tools.of(environment)

    async def _call(self, params: dict[str, Any], session: EpisodeSession | None) -> dict[str, Any]:
        name, given = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(given, dict):
            raise Invalid("tools/call takes a name and arguments, which are an object")
        if session is None or session.starting is None:
            raise Conflict("there is no episode yet: send a reset over the WebSocket first")
        if session.closed:
            raise Gone("this session is closed")
        step = await self._sessions.act(session, name, given)
        return {
            "content": content_of(step.observation),
            "isError": step.observation.kind == "error",
        }
