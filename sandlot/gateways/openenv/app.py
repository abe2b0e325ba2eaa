"""The routes of OpenEnv, below the name of each environment.

Episodes are played over the WebSocket; HTTP tells what there is to play.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.metadata import version
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from sandlot.gateways.bodies import read_body
from sandlot.gateways.environments import WHOLE, Environments, NoSplit, NoTask, TaskEnvironment
from sandlot.gateways.listings import TaskListings
from sandlot.gateways.mcp.wire import NO_JSON, error_of
from sandlot.gateways.offers import OfferedTools
from sandlot.gateways.openenv.connections import EnvironmentSocket, EpisodePlay
from sandlot.gateways.openenv.mcp import SessionMcp
from sandlot.gateways.openenv.wire import EpisodeState, schemas
from sandlot.gateways.sessions import EpisodeSessions
from sandlot.service.errors import NotFound, Refused, ServiceError

Answer = Callable[[Request], Awaitable[Response]]

# The version of OpenEnv's HTTP contract that the routes are of.
CONTRACT: Final = "1.0.0"


class OpenEnvRoutes:
    """What the routes answer; each is named for its path."""

    def __init__(self, sessions: EpisodeSessions, environments: Environments) -> None:
        self._sessions = sessions
        self._environments = environments
        self._mcp = SessionMcp(sessions, OfferedTools(sessions, environments))
        self._play = EpisodePlay(sessions, environments)
        self._listings = TaskListings(sessions, environments)

    async def ws(self, socket: WebSocket) -> None:
        """Play, an episode after the other."""
        named = partial(self._environments.get, socket.path_params["environment"])
        await EnvironmentSocket(socket, named, self._sessions, self._play, self._mcp).serve()

    async def health(self, request: Request) -> Response:
        """Tell that the server is up."""
        return JSONResponse({"status": "healthy"})

    async def metadata(self, request: Request) -> Response:
        """Return what the environment is."""
        environment = await self._listings.environment(request)
        return JSONResponse(
            {
                "name": environment.name,
                "description": _description(environment),
                "version": version("sandlot"),
            }
        )

    async def schema(self, request: Request) -> Response:
        """Return the schemas of actions, observations and states."""
        await self._listings.environment(request)
        return JSONResponse(schemas())

    async def state(self, request: Request) -> Response:
        """Return how far the episode of the session `session_id` is; without one there is none."""
        await self._listings.environment(request)
        named = request.query_params.get("session_id")
        if named is None:
            return JSONResponse(EpisodeState().model_dump(mode="json"))
        found = await self._play.state(self._sessions.get(named))
        return JSONResponse(found.model_dump(mode="json"))

    async def reset(self, request: Request) -> Response:
        """Refuse: an episode lasts as long as its WebSocket."""
        raise await self._refusal(request)

    async def step(self, request: Request) -> Response:
        """Refuse: an episode lasts as long as its WebSocket."""
        raise await self._refusal(request)

    async def _refusal(self, request: Request) -> Refused:
        environment = await self._listings.environment(request)
        return Refused(
            "an episode lives on a WebSocket and ends with it, so a request by itself has none:"
            f" connect to /openenv/{environment.name}/ws and send reset and step there"
        )

    async def mcp(self, request: Request) -> Response:
        """Answer a message of JSON-RPC."""
        environment = await self._listings.environment(request)
        try:
            message = json.loads(await read_body(request))
        except (ValueError, RecursionError):
            return JSONResponse(error_of(None, NO_JSON, "the body is no JSON"))
        return JSONResponse(await self._mcp.answer(message, environment=environment))

    async def list_environments(self, request: Request) -> Response:
        """Return the environment's name, as a list."""
        return JSONResponse([(await self._listings.environment(request)).name])

    async def openapi(self, request: Request) -> Response:
        """Return the description of the routes."""
        environment = await self._listings.environment(request)
        info = {"title": environment.name, "version": CONTRACT}
        return JSONResponse({"openapi": "3.1.0", "info": info, "paths": self._paths(environment)})

    def _paths(self, environment: TaskEnvironment) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for method, path, answer in self.routes():
            told = {"summary": _summary(answer), "responses": {"200": {"description": "Done."}}}
            found.setdefault(path.replace("{name}", environment.name), {})[method.lower()] = told
        return found

    def routes(self) -> list[tuple[str, str, Answer]]:
        """Return the routes of an environment: method, path, what answers."""
        of_tasks = [
            ("GET", "splits", self._listings.splits),
            ("POST", "tasks", self._listings.tasks),
            ("POST", "num_tasks", self._listings.num_tasks),
            ("POST", "task", self._listings.task),
            ("POST", "task_range", self._listings.task_range),
        ]
        return [
            ("GET", "/health", self.health),
            ("GET", "/metadata", self.metadata),
            ("GET", "/schema", self.schema),
            ("GET", "/state", self.state),
            ("POST", "/reset", self.reset),
            ("POST", "/step", self.step),
            ("POST", "/mcp", self.mcp),
            ("GET", "/openapi.json", self.openapi),
            ("GET", "/list_environments", self.list_environments),
            *((method, f"/{{name}}/{path}", answer) for method, path, answer in of_tasks),
        ]


def _description(environment: TaskEnvironment) -> str:
    how = f"in the space {environment.space}"
    if environment.surface is not None:
        how = f"by the tools of the surface {environment.surface}"
    if environment.name.partition("-")[0] == WHOLE:
        count = len(environment.families)
        return f"Tasks of {count} families in a company's business software, played {how}."
    (family,) = environment.families
    return f"{family['id']}: {family['title']}. Played {how}."


def _summary(answer: Answer) -> str:
    return (answer.__doc__ or "").partition("\n")[0].rstrip(".")


def _of_its_own(answer: Answer) -> Answer:
    """Let through who names the environment a second time, and nobody who names another."""

    async def checked(request: Request) -> Response:
        name = request.path_params.get("name")
        if name is not None and name.lower() != request.path_params["environment"].lower():
            raise NotFound(f"there is no environment {name!r} at this address")
        return await answer(request)

    return checked


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, ServiceError) else 500
    if isinstance(error, (NoSplit, NoTask)):
        status = 400
    return JSONResponse({"detail": str(error)}, status_code=status)


def make_openenv(sessions: EpisodeSessions, environments: Environments) -> ASGIApp:
    """Return the application that has each environment at `/<name>`."""
    routes = OpenEnvRoutes(sessions, environments)
    return Starlette(
        routes=[
            WebSocketRoute("/{environment}/ws", routes.ws),
            *(
                Route("/{environment}" + path, _of_its_own(answer), methods=[method])
                for method, path, answer in routes.routes()
            ),
        ],
        exception_handlers={ServiceError: _refused},
    )
