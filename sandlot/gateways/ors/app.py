"""The sixteen routes of Open Reward Standard, at an origin of their own.

Each route of an environment is there with its name before it, and bare for that of every family.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sandlot.gateways.environments import Environments, NoSplit, NoTask, TaskEnvironment
from sandlot.gateways.listings import TaskListings, read_model
from sandlot.gateways.offers import OfferedTools
from sandlot.gateways.ors.calls import CallStream, HeldCalls, call_tool
from sandlot.gateways.ors.groups import CandidateGroup, score_group
from sandlot.gateways.ors.wire import (
    CreateEpisode,
    ToolCall,
    event,
    listed_tools,
    prompt_blocks,
)
from sandlot.gateways.sessions import EpisodeSession, EpisodeSessions
from sandlot.service.errors import Conflict, Gone, Invalid, NotFound, ServiceError, Unavailable
from sandlot.spaces.wording import prompt_of

T = TypeVar("T")

# Seconds for which an answer waits for an episode to begin; then its client is told to ask again.
BEGINNING: Final = 25.0


class NoSessionId(Invalid):
    """Raised when a request does not say whose it is."""


class StillStarting(Unavailable):
    """Raised when an episode has not begun yet: ask again."""


class OrsRoutes:
    """What the routes answer; each is named for its path."""

    def __init__(self, sessions: EpisodeSessions, environments: Environments) -> None:
        self._sessions = sessions
        self._environments = environments
        self._listings = TaskListings(sessions, environments)
        self._tools = OfferedTools(sessions, environments)
        self._calls = HeldCalls(sessions)
        # Tasks of sessions whose environment is not known yet.
        self._asked = WeakKeyDictionary[EpisodeSession, CreateEpisode]()

    # Of the server

    async def health(self, request: Request) -> Response:
        """Tell that the server is up."""
        return JSONResponse({"status": "ok"})

    async def list_environments(self, request: Request) -> Response:
        """Return the environments' names."""
        return JSONResponse(await self._sessions.call(self._environments.names))

    # Of environments

    async def tools(self, request: Request) -> Response:
        """Return the tools of an environment's first task."""
        environment = await self._listings.environment(request)
        return JSONResponse(listed_tools(await self._tools.of(environment)))

    # Of sessions

    async def create_session(self, request: Request) -> Response:
        """Open a session: told in events to whoever takes them, else as JSON."""
        session = self._sessions.open()
        if "text/event-stream" not in request.headers.get("accept", ""):
            return JSONResponse({"sid": session.id})
        told = event("task_id", session.id) + event("end", "")
        return Response(told, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})

    async def create(self, request: Request) -> Response:
        """Let an episode begin in a session; the answer does not wait for it."""
        session = self._session(request)
        session.check()
        asked = await read_model(request, CreateEpisode)
        if asked.toolset_name is not None:
            raise Invalid("there are no toolsets: the tools follow from the environment's name")
        if session in self._asked:
            raise Conflict("this session has its task already: create another for the next")
        if asked.env_name is None and asked.task_spec is None:
            # Some clients name the environment in the paths only: the first of them tells it.
            await self._task_of(None, asked)
            self._asked[session] = asked
        else:
            await self._begin(session, asked.env_name, asked)
        return JSONResponse({"sid": session.id})

    async def _begin(self, session: EpisodeSession, name: str | None, asked: CreateEpisode) -> None:
        environment, task = await self._task_of(name, asked)
        self._sessions.begin(session, self._environments.request(environment, task))

    async def _task_of(
        self, name: str | None, asked: CreateEpisode
    ) -> tuple[TaskEnvironment, dict[str, Any]]:
        """Return what is to be played; with a task any environment will do, for it says all."""
        if asked.task_spec is not None:
            known = name is not None and await self._sessions.call(self._environments.has, name)
            environment = await self._sessions.call(self._environments.get, name if known else None)
            return environment, asked.task_spec
        environment = await self._sessions.call(self._environments.get, name)
        index = -1 if asked.index is None else asked.index
        return environment, environment.task(asked.split or "", index)

    async def ping(self, request: Request) -> Response:
        """Renew a session's lease."""
        await self._sessions.hear(self._session(request))
        return JSONResponse({"status": "ok"})

    async def delete(self, request: Request) -> Response:
        """End a session; one that is over stays so."""
        sid = _session_id(request)
        try:
            session = self._sessions.get(sid)
        except (Gone, NotFound):
            return JSONResponse({"sid": sid})
        await self._sessions.close(session)
        self._calls.forget()
        return JSONResponse({"sid": sid})

    async def prompt(self, request: Request) -> Response:
        """Return the task of a session in words."""
        return JSONResponse(prompt_blocks(await self._prompt(request)))

    async def messages(self, request: Request) -> Response:
        """Return the task of a session as a conversation of one message."""
        blocks = prompt_blocks(await self._prompt(request))
        return JSONResponse([{"role": "user", "blocks": blocks, "detail": None}])

    async def _prompt(self, request: Request) -> str:
        session = await self._begun(request)
        view = await _soon(self._sessions.started(session))
        return prompt_of(view.model_dump())

    async def task_tools(self, request: Request) -> Response:
        """Return all tools of a session's episode."""
        session = await self._begun(request)
        return JSONResponse(listed_tools(await _soon(self._sessions.tools(session))))

    async def call(self, request: Request) -> Response | ASGIApp:
        """Call a tool, or attach to a call that was made."""
        session = await self._begun(request)
        asked = await read_model(request, ToolCall)
        return self._stream(
            session, asked.task_id, partial(call_tool, self._sessions, session, asked)
        )

    async def score_group(self, request: Request) -> Response | ASGIApp:
        """Score attempts at the task of a session side by side, or attach to such a scoring."""
        session = await self._begun(request)
        asked = await read_model(request, CandidateGroup)
        asked.check()
        return self._stream(
            session, asked.task_id, partial(score_group, self._sessions, session, asked)
        )

    def _stream(
        self, session: EpisodeSession, task_id: str | None, asked: Callable[[], Awaitable[str]]
    ) -> Response | ASGIApp:
        if task_id is None:
            return CallStream(self._calls, self._calls.make(session, asked))
        held = self._calls.find(session, task_id)
        if held is None:
            told = event("error", "unknown task_id: its result is not kept, and it is not repeated")
            return Response(told, media_type="text/event-stream")
        return CallStream(self._calls, held)

    async def _begun(self, request: Request) -> EpisodeSession:
        session = self._session(request)
        session.check()
        name = request.path_params.get("environment")
        if name is not None:
            await self._sessions.call(self._environments.get, name)
        if session in self._asked:
            await self._begin(session, name, self._asked.pop(session))
        if session.request is None:
            raise NotFound("this session has no episode: POST /create first")
        return session

    def _session(self, request: Request) -> EpisodeSession:
        return self._sessions.get(_session_id(request))


def _session_id(request: Request) -> str:
    found = request.headers.get("x-session-id", "").strip()
    if not found:
        raise NoSessionId("send the session's id as X-Session-ID")
    return found


async def _soon(wanted: Awaitable[T]) -> T:
    """Wait for something of an episode that may be beginning, but not for ever.

    Raises:
        StillStarting: it has not begun in time; it goes on.
    """
    try:
        return await asyncio.wait_for(wanted, BEGINNING)
    except TimeoutError:
        raise StillStarting("the episode is still starting: ask again") from None


# What clients of the standard go by.
STATUS: Final[dict[type[Exception], int]] = {
    NoSessionId: 400,
    NoSplit: 400,
    NoTask: 400,
    Conflict: 400,
}


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, ServiceError) else 500
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), status)
    headers = {}
    if isinstance(error, StillStarting):
        headers = {"X-Backend-State": "starting", "Retry-After": "2"}
    elif status == 503:
        headers = {"Retry-After": "10"}
    return JSONResponse({"detail": str(error)}, status_code=status, headers=headers)


def make_ors(sessions: EpisodeSessions, environments: Environments) -> ASGIApp:
    """Return the application of an origin that speaks Open Reward Standard."""
    routes = OrsRoutes(sessions, environments)
    listings = TaskListings(sessions, environments)
    fixed = [
        ("GET", "/health", routes.health),
        ("GET", "/list_environments", routes.list_environments),
        ("POST", "/create_session", routes.create_session),
        ("POST", "/create", routes.create),
        ("POST", "/ping", routes.ping),
        ("POST", "/delete", routes.delete),
        ("POST", "/delete_session", routes.delete),
    ]
    named = [
        ("GET", "/tools", routes.tools),
        ("GET", "/splits", listings.splits),
        ("POST", "/tasks", listings.tasks),
        ("POST", "/num_tasks", listings.num_tasks),
        ("POST", "/task", listings.task),
        ("POST", "/task_range", listings.task_range),
        ("GET", "/prompt", routes.prompt),
        ("GET", "/messages", routes.messages),
        ("GET", "/task_tools", routes.task_tools),
        ("POST", "/call", routes.call),
        ("POST", "/score_group", routes.score_group),
    ]
    both = [
        *fixed,
        *named,
        *((method, "/{environment}" + path, answer) for method, path, answer in named),
    ]
    return Starlette(
        routes=[Route(path, answer, methods=[method]) for method, path, answer in both],
        exception_handlers={ServiceError: _refused},
    )
