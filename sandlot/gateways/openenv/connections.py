"""Episodes over WebSockets: one session for each connection, and nothing left of it afterwards."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandlot.gateways.bodies import first_problem
from sandlot.gateways.environments import Environments, TaskEnvironment
from sandlot.gateways.openenv.mcp import SessionMcp
from sandlot.gateways.openenv.wire import (
    EpisodeState,
    Frame,
    ResetOptions,
    ToolAction,
    UnknownType,
    error_frame,
    read_frame,
    reset_frame,
    state_frame,
    step_frame,
)
from sandlot.gateways.sessions import EpisodeSession, EpisodeSessions
from sandlot.service.errors import (
    AtCapacity,
    Conflict,
    EpisodeFailed,
    Gone,
    Invalid,
    ServiceError,
)

logger = logging.getLogger(__name__)

# Frames of a client that may wait for their turn; what comes beyond them is not read yet.
IN_LINE: Final = 64
# Seconds within which a client has to take an answer.
SENDING: Final = 60.0


class EpisodePlay:
    """What may be asked in a session of an environment: reset, step, state."""

    def __init__(self, sessions: EpisodeSessions, environments: Environments) -> None:
        self._sessions = sessions
        self._environments = environments
        # The ids that clients gave the episodes of their sessions.
        self._called = WeakKeyDictionary[EpisodeSession, str]()

    async def reset(
        self, session: EpisodeSession, environment: TaskEnvironment, asked: dict[str, Any]
    ) -> Frame:
        """Begin an episode in a session that has none.

        Raises:
            Invalid: there is no such task.
            ServiceError: the episode could not begin.
        """
        options = _read_options(asked)
        task = _task_of(environment, options)
        request = await self._sessions.call(self._environments.request, environment, task)
        self._sessions.begin(session, request)
        if options.episode_id is not None:
            self._called[session] = options.episode_id
        view = await self._sessions.started(session)
        return reset_frame(view, await self._sessions.tools(session))

    async def step(self, session: EpisodeSession, asked: dict[str, Any]) -> Frame:
        """Take one step.

        Raises:
            Invalid: the action is none.
            ServiceError: as for acts.
        """
        try:
            action = ToolAction.model_validate(asked)
        except ValidationError as error:
            raise Invalid(first_problem(error)) from error
        if session.starting is None:
            session.check()
            raise Conflict("there is no episode yet: send a reset first")
        return step_frame(await self._sessions.act(session, action.tool, action.arguments))

    async def state(self, session: EpisodeSession) -> EpisodeState:
        """Return how far the episode of a session is, and renew its lease.

        Raises:
            Gone: the session has ended.
        """
        await self._sessions.hear(session)
        if session.starting is None:
            return EpisodeState()
        begun = await self._sessions.started(session)
        view = await self._sessions.call(self._sessions.service.view, begun.id)
        return EpisodeState(
            episode_id=self._called.get(session, view.id),
            step_count=view.steps,
            episode=view.id,
            task=view.task,
            status=view.status,
            max_steps=view.max_steps,
        )


def _read_options(asked: dict[str, Any]) -> ResetOptions:
    try:
        return ResetOptions.model_validate(asked)
    except ValidationError as error:
        raise Invalid(first_problem(error)) from error


def _task_of(environment: TaskEnvironment, options: ResetOptions) -> dict[str, Any]:
    """Return the task that a reset names: by itself, by its index, by a seed, else one by chance.

    Raises:
        Invalid: it names a task twice.
        NoSplit, NoTask: there is none like it.
    """
    rest = dict(options.model_extra or {})
    if "task" in rest:
        if options.split is not None or options.index is not None:
            raise Invalid("name a task either by itself or by split and index")
        return rest if options.seed is None else {**rest, "seed": options.seed}
    split = options.split or environment.splits()[0]
    index, count = options.index, environment.count(split)
    if index is None:
        index = secrets.randbelow(count) if options.seed is None else options.seed % count
    return {**environment.task(split, index), **rest}


class EnvironmentSocket:
    """One WebSocket: its frames are answered in turn, and its session ends with it.

    `environment` finds what is played. A client that names a session, which it made by
    `openenv/session/create`, plays in that one: it outlives the connection, by its lease.
    """

    def __init__(
        self,
        socket: WebSocket,
        environment: Callable[[], TaskEnvironment],
        sessions: EpisodeSessions,
        play: EpisodePlay,
        mcp: SessionMcp,
    ) -> None:
        self._socket = socket
        self._find = environment
        self._environment: TaskEnvironment | None = None
        self._sessions = sessions
        self._play = play
        self._mcp = mcp
        self._session: EpisodeSession | None = None
        self._owns = False
        self._inbox = asyncio.Queue[str | None](IN_LINE)
        self._over = asyncio.Event()
        self._left = False

    async def serve(self) -> None:
        """Answer until the client leaves, or its session ends."""
        await self._socket.accept()
        try:
            # Clients wait ten seconds for the handshake, and their first may have to load families.
            self._environment = await self._sessions.call(self._find)
            session = self._session = self._take_session()
        except ServiceError as error:
            known = isinstance(error, (AtCapacity, Gone))
            await self._send(error_frame(error, None if known else "SESSION_ERROR"))
            await self._hang_up()
            return
        session.when_closed = self._over.set
        reading = asyncio.create_task(self._read())
        try:
            await self._answer_all()
        finally:
            reading.cancel()
            if self._owns:
                await self._sessions.close(self._session)
            await self._hang_up()

    def _named(self) -> str | None:
        return self._socket.query_params.get("session_id")

    def _take_session(self) -> EpisodeSession:
        named = self._named()
        if named is not None:
            return self._sessions.get(named)
        self._owns = True
        return self._sessions.open()

    async def _read(self) -> None:
        """Read ahead: who leaves is heard of at once, and signs of life are not held up."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            await self._inbox.put(message.get("text"))
        self._left = True
        if self._owns and self._session is not None:
            await self._sessions.close(self._session)
        self._over.set()

    async def _answer_all(self) -> None:
        over = asyncio.create_task(self._over.wait())
        try:
            while True:
                taking = asyncio.create_task(self._inbox.get())
                await asyncio.wait({taking, over}, return_when=asyncio.FIRST_COMPLETED)
                if over.done():
                    taking.cancel()
                    break
                # The end of the server waits for it, its sending included.
                if not await asyncio.shield(self._sessions.spawn(self._take(taking.result()))):
                    break
        finally:
            over.cancel()
        if not self._left and self._session is not None and self._session.closed:
            gone = Gone("this session has ended: it was closed, or nothing was heard of it")
            await self._send(error_frame(gone))

    async def _take(self, text: str | None) -> bool:
        """Answer a frame; tell whether another may follow."""
        try:
            frame = await self._answer(text)
        except ServiceError as error:
            frame = error_frame(error)
        except Exception as error:  # the boundary: a bug of ours has no number either
            logger.exception("a frame could not be answered")
            frame = error_frame(EpisodeFailed(f"the environment failed: {type(error).__name__}"))
            if self._session is not None:
                await self._sessions.close(self._session)
        if frame is None:
            return False
        await self._send(frame)
        return True

    async def _answer(self, text: str | None) -> Frame | None:
        session = self._session
        assert session is not None  # noqa: S101 - frames are read once there is one
        frame = read_frame(text)
        session.touch()
        kind, data = frame.get("type"), frame.get("data", {})
        if kind == "close":
            return None
        if not isinstance(data, dict):
            raise Invalid("data is an object")
        match kind:
            case "reset":
                return await self._reset(data)
            case "step":
                return await self._play.step(session, data)
            case "state":
                return state_frame(await self._play.state(session))
            case "mcp":
                return {"type": "mcp", "data": await self._mcp.answer(data, session)}
        raise UnknownType(f"there is no type {kind!r}: send reset, step, state, mcp or close")

    async def _reset(self, data: dict[str, Any]) -> Frame:
        session, environment = self._session, self._environment
        assert session is not None  # noqa: S101 - as above
        assert environment is not None  # noqa: S101 - as above
        if session.request is not None:
            session.when_closed = None
            session = self._session = await self._sessions.renew(session)
            session.when_closed = self._over.set
        try:
            return await self._play.reset(session, environment, data)
        except ServiceError as error:
            if session.failure is None:
                raise
            return error_frame(error, "FACTORY_ERROR")

    async def _send(self, frame: Frame) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(SENDING):
                await self._socket.send_text(json.dumps(frame, separators=(",", ":")))

    async def _hang_up(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(SENDING):
                await self._socket.close()
