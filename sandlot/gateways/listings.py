"""Splits and tasks of environments, as the protocols that have such lists ask for them."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandlot.gateways.bodies import first_problem, read_body
from sandlot.gateways.environments import Environments, TaskEnvironment
from sandlot.gateways.sessions import EpisodeSessions
from sandlot.service.errors import Invalid
from sandlot.service.protocol import Model

M = TypeVar("M", bound=Model)


class OfSplit(Model):
    """Which split is asked about."""

    split: str


class TaskAt(Model):
    """One task of a split, by its index."""

    split: str
    index: int


class TaskRange(Model):
    """Tasks of a split, as a slice of its list."""

    split: str
    start: int | None = None
    stop: int | None = None


class TaskListings:
    """What the routes of splits and tasks answer; each is named for its path."""

    def __init__(self, sessions: EpisodeSessions, environments: Environments) -> None:
        self._sessions = sessions
        self._environments = environments

    async def environment(self, request: Request) -> TaskEnvironment:
        """Return the environment that a path names, without a name that of every family.

        Raises:
            NotFound: there is none of that name.
        """
        name = request.path_params.get("environment")
        return await self._sessions.call(self._environments.get, name)

    async def splits(self, request: Request) -> Response:
        """Return the splits of an environment."""
        environment = await self.environment(request)
        return JSONResponse([{"name": name, "type": name} for name in environment.splits()])

    async def tasks(self, request: Request) -> Response:
        """Return every task of a split."""
        environment = await self.environment(request)
        asked = await read_model(request, OfSplit)
        return JSONResponse({"tasks": environment.tasks(asked.split), "env_name": environment.name})

    async def num_tasks(self, request: Request) -> Response:
        """Return how many tasks a split has."""
        environment = await self.environment(request)
        asked = await read_model(request, OfSplit)
        return JSONResponse({"num_tasks": environment.count(asked.split)})

    async def task(self, request: Request) -> Response:
        """Return a task of a split."""
        environment = await self.environment(request)
        asked = await read_model(request, TaskAt)
        found = environment.task(asked.split, asked.index)
        return JSONResponse({"task": found, "env_name": environment.name})

    async def task_range(self, request: Request) -> Response:
        """Return a slice of a split's tasks."""
        environment = await self.environment(request)
        asked = await read_model(request, TaskRange)
        found = environment.tasks(asked.split, asked.start, asked.stop)
        return JSONResponse({"tasks": found, "env_name": environment.name})


async def read_model(request: Request, form: type[M]) -> M:
    """Return a request's body in its form.

    Raises:
        Invalid: it does not fit.
        BodyTooLong: it has more bytes than are read.
    """
    try:
        return form.model_validate_json(await read_body(request))
    except ValidationError as error:
        raise Invalid(first_problem(error)) from error
