"""The tools that an environment offers, for whoever asks before there is an episode."""

from __future__ import annotations

import asyncio
from typing import Any

from sandlot.gateways.environments import Environments, TaskEnvironment
from sandlot.gateways.sessions import EpisodeSessions
from sandlot.service.splits import WORLDS


class OfferedTools:
    """Tools by environment: those of its first task.

    They are an episode's own, so one is begun for it the first time, and abandoned at once.
    """

    def __init__(self, sessions: EpisodeSessions, environments: Environments) -> None:
        self._sessions = sessions
        self._environments = environments
        self._known: dict[str, asyncio.Task[list[dict[str, Any]]]] = {}

    async def of(self, environment: TaskEnvironment) -> list[dict[str, Any]]:
        """Return an environment's tools: name, description, input_schema.

        Raises:
            ServiceError: the episode could not begin; the next who asks tries again.
        """
        known = self._known.get(environment.name)
        if known is None or (known.done() and (known.cancelled() or known.exception())):
            known = self._sessions.spawn(self._ask(environment))
            self._known[environment.name] = known
        return await asyncio.shield(known)

    async def _ask(self, environment: TaskEnvironment) -> list[dict[str, Any]]:
        first = environment.task(next(iter(WORLDS)), 0)
        session = self._sessions.open()
        try:
            self._sessions.begin(session, self._environments.request(environment, first))
            return await self._sessions.tools(session)
        finally:
            await self._sessions.close(session)
