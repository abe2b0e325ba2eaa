"""The gateways of a server: their applications, and the sessions that they share."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self

from starlette.types import ASGIApp

from sandlot.gateways.environments import Environments
from sandlot.gateways.mcp.app import make_mcp
from sandlot.gateways.mcp.tokens import EpisodeTokens
from sandlot.gateways.openenv import make_openenv
from sandlot.gateways.ors import make_ors
from sandlot.gateways.sessions import CAPACITY, IDLE_SECONDS, EpisodeSessions
from sandlot.service import EpisodeService


class Gateways:
    """The applications of one server, for as long as the block in an event loop lasts.

    `ors` needs an origin of its own, `openenv` the path `/openenv`; `mcp` opens episodes by tokens
    that `secret` signs. `capacity` sessions may hold an episode at a time, and one of which nothing
    is heard for `idle_seconds` ends. At the end of the block acts that are under way are waited
    for, and every session is closed.
    """

    def __init__(
        self,
        service: EpisodeService,
        *,
        secret: str,
        capacity: int = CAPACITY,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.sessions = EpisodeSessions(service, capacity=capacity, idle_seconds=idle_seconds)
        environments = Environments(service)
        self.ors: ASGIApp = make_ors(self.sessions, environments)
        self.openenv: ASGIApp = make_openenv(self.sessions, environments)
        self.mcp: ASGIApp = make_mcp(self.sessions, EpisodeTokens(secret))
        self._reaper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._reaper = asyncio.create_task(self.sessions.reap())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._reaper is not None:
            self._reaper.cancel()
            with suppress(asyncio.CancelledError):
                await self._reaper
        await self.sessions.drain()
