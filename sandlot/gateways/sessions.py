"""Episodes that a gateway holds for its clients: by lease, so many at a time, one reward each.

All of it runs in the gateways' event loop; the service, which blocks, is called in threads.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sandlot.service import (
    Act,
    EpisodeService,
    EpisodeView,
    Observation,
    StartEpisode,
    StepResult,
)
from sandlot.service.errors import (
    AtCapacity,
    Conflict,
    EpisodeFailed,
    Gone,
    NotFound,
    ServiceError,
)

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Sessions that may hold an episode at a time, and for each of them those that hold none: that have
# not begun, or whose episode is over.
CAPACITY: Final = 256
WITHOUT_EPISODE: Final = 4
# Seconds after which a session of which nothing was heard is closed.
IDLE_SECONDS: Final = 15 * 60.0
# Threads in which episodes act, and those in which they begin: a world that is built first takes
# long, and acts never wait for it.
ACTING, STARTING = 64, 8
# Seconds that acts under way are waited for as the server ends.
DRAINING: Final = 20.0
# And those that their clients' leaving abandons.
ABANDONING: Final = 5.0
# So many ids of sessions that ended are known, to say that they were there.
REMEMBERED: Final = 10_000


class EpisodeFinished(Conflict):
    """Raised when an act comes after the episode has ended with a score."""


@dataclass(frozen=True, slots=True)
class SessionStep:
    """One step for a gateway's client. `reward` is R, and of the step that ended the episode only.

    `metadata` tells who trains how far the episode is and, once it is over, what R is made of.
    """

    observation: Observation
    done: bool
    reward: float | None
    metadata: dict[str, Any]


class EpisodeSession:
    """What one client plays. Its acts are taken one at a time, in the order in which they came."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.request: StartEpisode | None = None
        self.view: EpisodeView | None = None
        self.starting: asyncio.Task[EpisodeView] | None = None
        self.failure: ServiceError | None = None
        self.finished = False
        self.closed = False
        self.when_closed: Callable[[], None] | None = None  # of who has to know at once
        self.waiting = 0  # acts that are under way or in line
        self.turn = asyncio.Lock()
        self.heard = time.monotonic()

    @property
    def holds_episode(self) -> bool:
        """Whether an episode begins or runs for it."""
        begun = self.starting is not None and self.failure is None
        return begun and not self.finished and not self.closed

    def touch(self) -> None:
        """Renew its lease."""
        self.heard = time.monotonic()

    def check(self) -> None:
        """Refuse to go on once the session is closed, or the environment failed in it.

        Raises:
            Gone: it is.
        """
        if self.failure is not None:
            raise Gone(f"this session has ended: {self.failure}")
        if self.closed:
            raise Gone("this session is closed")


class EpisodeSessions:
    """The sessions of all gateways of a server.

    `capacity` of them may hold an episode at a time; one of which nothing is heard for
    `idle_seconds` is closed and its episode abandoned.
    """

    def __init__(
        self,
        service: EpisodeService,
        *,
        capacity: int = CAPACITY,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.service = service
        self.capacity = capacity
        self.idle_seconds = idle_seconds
        self._sessions: dict[str, EpisodeSession] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._acting = ThreadPoolExecutor(ACTING, thread_name_prefix="gateway-act")
        self._starting = ThreadPoolExecutor(STARTING, thread_name_prefix="gateway-start")
        self._tasks = set[asyncio.Task[Any]]()
        self._draining = False

    # Sessions

    def open(self, id: str | None = None) -> EpisodeSession:
        """Return a new session, which holds no episode yet; without an `id` it gets one.

        Raises:
            AtCapacity: there are too many, or the server ends.
        """
        self._check_open()
        if len(self._sessions) >= self.capacity * (1 + WITHOUT_EPISODE):
            raise AtCapacity(f"{len(self._sessions)} sessions are open: delete those that are over")
        session = EpisodeSession(id or secrets.token_urlsafe(24))
        self._sessions[session.id] = session
        return session

    async def renew(self, session: EpisodeSession) -> EpisodeSession:
        """End a session and return a new one of its id, for the next episode.

        Raises:
            AtCapacity: the server ends.
        """
        await self.close(session)
        found = self.open(session.id)
        self._ended.pop(session.id, None)
        return found

    def get(self, id: str) -> EpisodeSession:
        """Return a session by its id and renew its lease.

        Raises:
            Gone: it has ended.
            NotFound: there was none of that id.
        """
        found = self._sessions.get(id)
        if found is None:
            if id in self._ended:
                raise Gone("this session has ended: it was deleted, or nothing was heard of it")
            raise NotFound("there is no session of that id: create one first")
        found.touch()
        return found

    def begin(self, session: EpisodeSession, request: StartEpisode) -> None:
        """Let an episode begin in a session. It goes on in the background.

        Raises:
            Conflict: the session has one.
            AtCapacity: as many hold one as may.
        """
        self._check_open()
        if session.request is not None:
            raise Conflict("this session has its episode already: create another for the next")
        held = sum(each.holds_episode for each in self._sessions.values())
        if held >= self.capacity:
            raise AtCapacity(
                f"{held} episodes are under way, and no more may be: end one, or raise"
                " --gateway-sessions"
            )
        session.request = request
        session.starting = self.spawn(self._start(session, request))

    def _check_open(self) -> None:
        if self._draining:
            raise AtCapacity("the server ends: no session begins any more")

    async def _start(self, session: EpisodeSession, request: StartEpisode) -> EpisodeView:
        try:
            view = await self._blocking(self._starting, self.service.start, request)
        except Exception as error:  # whatever it is, who waits for it has to know
            session.failure = _as_service_error(error)
            raise session.failure from error
        session.view = view
        if session.closed:
            await self._abandon(view.id)
            session.check()
        return view

    async def started(self, session: EpisodeSession) -> EpisodeView:
        """Return a session's episode as it began, once it has.

        Raises:
            Conflict: none was asked for.
            Gone: the session has ended, or its episode could not begin.
        """
        session.check()
        if session.starting is None:
            raise Conflict("this session has no episode: create one first")
        try:
            view = await asyncio.shield(session.starting)
        except ServiceError:
            session.check()
            raise
        session.check()
        return view

    async def hear(self, session: EpisodeSession) -> None:
        """Renew the lease of a session and of its episode.

        Raises:
            Gone: the session has ended.
        """
        session.check()
        session.touch()
        if session.view is not None and not session.finished:
            await self._blocking(self._acting, self.service.hear, session.view.id)

    # Acts

    async def act(
        self, session: EpisodeSession, tool: str, arguments: dict[str, Any]
    ) -> SessionStep:
        """Take one step, after those that came before.

        Once it has begun it goes on, whoever waits for it.

        Raises:
            EpisodeFinished: the episode has ended with a score.
            EpisodeFailed: it ends by a failure of ours: there is no number, and no further act.
            Gone: the session has ended.
        """
        act = Act(tool=tool, arguments=arguments)
        if self._draining:
            raise Gone("the server ends: nothing more is done")
        return await asyncio.shield(self.spawn(self._in_turn(session, act)))

    async def _in_turn(self, session: EpisodeSession, act: Act) -> SessionStep:
        session.waiting += 1
        try:
            async with session.turn:
                view = await self.started(session)
                if session.finished:
                    raise EpisodeFinished("the episode is over: nothing more can be done in it")
                return await self._step(session, view.id, act)
        finally:
            session.waiting -= 1
            session.touch()

    async def _step(self, session: EpisodeSession, episode: str, act: Act) -> SessionStep:
        try:
            result = await self.act_in(episode, act)
            if not result.done:
                return SessionStep(result.observation, False, None, _facts(episode, result))
            view = await self._blocking(self._acting, self.service.view, episode)
        except Conflict as over:  # it was ended elsewhere: by its lease, or by the control plane
            session.failure = Gone(str(over))
            raise session.failure from over
        except ServiceError as error:
            session.failure = error
            raise
        if view.reward is None:
            session.failure = EpisodeFailed(_told(view))
            raise session.failure
        session.finished = True
        return SessionStep(
            result.observation, True, view.reward, {**_facts(episode, result), **_score(view)}
        )

    async def act_in(self, episode: str, act: Act) -> StepResult:
        """Take one step in an episode, whoever holds it.

        Raises:
            Conflict: it is over.
            EpisodeFailed: the act failed by a bug of ours, and the episode is abandoned.
        """
        try:
            return await self._blocking(self._acting, self.service.act, episode, act)
        except (Conflict, NotFound):
            raise
        except Exception as error:
            await self._abandon(episode)
            raise EpisodeFailed(str(_as_service_error(error))) from error

    async def observe(self, session: EpisodeSession) -> Observation:
        """Return what the agent of a session sees, without a step.

        Raises:
            Gone, Conflict: as for acts.
        """
        view = await self.started(session)
        return await self._blocking(self._acting, self.service.observe, view.id)

    async def tools(self, session: EpisodeSession) -> list[dict[str, Any]]:
        """Return the tools of a session's episode.

        Raises:
            Gone, Conflict: as for acts.
        """
        view = await self.started(session)
        return await self._blocking(self._acting, self.service.tools, view.id)

    # The end

    async def close(self, session: EpisodeSession) -> None:
        """End a session; an episode that runs in it is abandoned."""
        if session.closed:
            return
        held = session.holds_episode
        session.closed = True
        self._sessions.pop(session.id, None)
        self._ended[session.id] = None
        while len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        if session.when_closed is not None:
            session.when_closed()
        if held and session.view is not None:
            # Whoever waits for it may itself be cut off.
            await asyncio.shield(self.spawn(self._abandon(session.view.id)))

    async def _abandon(self, episode: str) -> None:
        try:
            await self._blocking(self._acting, self.service.abandon, episode)
        except Exception:  # the boundary of a clean-up: what is left ends by its own lease
            logger.exception("episode %s could not be abandoned", episode)

    async def end_idle(self) -> None:
        """Close the sessions of which nothing was heard for too long."""
        for session in list(self._sessions.values()):
            alone = time.monotonic() - session.heard
            if alone > self.idle_seconds and not session.waiting:
                logger.warning("session closed: nothing heard for %.0f s", alone)
                await self.close(session)

    async def reap(self) -> None:
        """Close idle sessions until cancelled."""
        while True:
            await asyncio.sleep(min(5.0, self.idle_seconds / 4))
            await self.end_idle()

    async def settle(self) -> None:
        """Refuse new sessions and acts, and wait for those that are under way."""
        self._draining = True
        await self._wait(DRAINING)

    async def drain(self) -> None:
        """Refuse new sessions, wait for acts that are under way, and close all sessions."""
        await self.settle()
        await asyncio.gather(*map(self.close, list(self._sessions.values())))
        await self._wait(ABANDONING)
        self._acting.shutdown(wait=False, cancel_futures=True)
        self._starting.shutdown(wait=False, cancel_futures=True)

    # Threads and tasks

    async def _wait(self, seconds: float) -> None:
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=seconds)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let something go on whoever waits for it; what comes of it is kept by the task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # it was told to whoever waited, if anybody did

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call a function of the service, which blocks, in a thread."""
        return await self._blocking(self._acting, function, *arguments)

    async def _blocking(
        self, threads: ThreadPoolExecutor, function: Callable[..., T], *arguments: Any
    ) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, function, *arguments)


def _facts(episode: str, result: StepResult) -> dict[str, Any]:
    return {"episode": episode, "step": result.step, "status": result.status}


def _score(view: EpisodeView) -> dict[str, Any]:
    return {
        "terminated": view.status == "completed",
        "truncated": view.status == "truncated",
        "success": view.success,
        "clean": view.clean,
        "components": view.components,
        "phases": [phase.model_dump(mode="json") for phase in view.phases],
    }


def _told(view: EpisodeView) -> str:
    kind = (view.error or {}).get("type", view.status)
    return f"the environment failed ({kind}): episode {view.id} has no number"


def _as_service_error(error: Exception) -> ServiceError:
    if isinstance(error, ServiceError):
        return error
    logger.error("a gateway's call failed", exc_info=error)
    return EpisodeFailed(f"the environment failed: {type(error).__name__}")
