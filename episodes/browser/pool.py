"""One browser for many episodes, to be used from any thread.

Playwright's asynchronous interface runs in a thread of the pool's own, with its own event loop;
the classes here are the plain, blocking face of it. A browser that dies takes its episodes with it
(`BrowserLost`); the next `open` starts another.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from playwright.async_api import Browser, Error, Playwright

from episodes.browser.driver import Driver, Timeouts
from episodes.browser.errors import (
    BrowserError,
    BrowserFull,
    BrowserLost,
    BrowserMissing,
    BrowserTimeout,
)
from episodes.browser.finding import why_none
from episodes.browser.observation import (
    ActResult,
    Cookie,
    Dialog,
    Download,
    Observation,
    Settled,
)
from episodes.browser.starting import START_SECONDS, start_browser, start_driver
from episodes.browser.tree import TreeOptions, canonical
from episodes.browser.walls import Blocked, Refusal, Walls, flags

T = TypeVar("T")

CLOSE_SECONDS = 20.0


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="browser", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a coroutine there and return its result.

        Raises:
            BrowserTimeout: the loop or the browser did not answer in time.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except FutureTimeout:
            future.cancel()
            raise BrowserTimeout(f"the browser did not answer in {seconds:g} seconds") from None

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            rest = asyncio.all_tasks(self._loop)
            for task in rest:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        finally:
            self._loop.close()


class BrowserSession:
    """One episode's browser: look, act, replay. Made by `BrowserPool.open`."""

    def __init__(
        self,
        pool: BrowserPool,
        episode_id: str,
        driver: Driver,
        opened: Settled,
        *,
        pictures: bool,
        trees: bool,
    ) -> None:
        self.episode_id = episode_id
        self.opened = opened
        """How the first page came to rest."""
        self._pool = pool
        self._driver = driver
        self._pictures = pictures
        self._trees = trees
        self._ended = False

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins that can be reached, in the order they were given."""
        return self._driver.walls.origins

    @property
    def dialogs(self) -> tuple[Dialog, ...]:
        """Every dialog of the episode so far."""
        return tuple(self._driver.watch.dialogs)

    @property
    def downloads(self) -> tuple[Download, ...]:
        """Every download of the episode so far."""
        return tuple(self._driver.watch.downloads)

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        """Every refused request of the episode so far."""
        return tuple(self._driver.watch.blocked)

    def set_time(self, now: datetime) -> None:
        """Set the clock that pages see; do so before each act. `now` has a time zone.

        Raises:
            BrowserError: the browser failed.
        """
        if now.tzinfo is None:
            raise ValueError("the time needs a zone")
        self._pool.run(self._live().set_time(now))

    def observe(self, *, screenshot: bool | None = None, tree: bool | None = None) -> Observation:
        """Look at the active tab; refs of earlier observations are void once there are new ones.

        Args:
            screenshot: whether to take a picture (PNG); by default as the session was opened.
            tree: whether to read the tree, of which an empty one is told otherwise; likewise.

        Raises:
            BrowserError: the browser failed.
        """
        picture = self._pictures if screenshot is None else screenshot
        reads = self._trees if tree is None else tree
        return self._pool.run(self._live().observe(screenshot=picture, tree=reads))

    def point(self, ref: str) -> tuple[int, int]:
        """Return the middle of an element of the latest tree on the screen, scrolled into sight.

        Raises:
            BadAct: there is no such element, or it is nowhere on the screen.
            BrowserError: the browser failed.
        """
        return self._pool.run(self._live().point(ref))

    def perform(self, act: Mapping[str, Any]) -> ActResult:
        """Do an act, wait until the page is at rest, and say what became of it.

        What the agent did wrong is in the result's `error`.

        Raises:
            BrowserError: the browser failed; the episode cannot be scored.
        """
        return self._pool.run(self._live().perform(act))

    def replay(self, recorded: Mapping[str, Any]) -> ActResult:
        """Do a recorded act again, its element found by handle on the page as it is now.

        Raises:
            BrowserError: the browser failed.
        """
        return self.perform(recorded)

    def canonical(self, observation: Observation) -> str:
        """Return an observation as fingerprints compare it: no refs, no sandbox address."""
        place = self._driver.walls.place(observation.url)
        return f"{place}\n{observation.title}\n{canonical(observation.tree, self.origins)}"

    def close(self) -> None:
        """End the episode's browser context. Closing twice is no error."""
        if not self._ended:
            self._ended = True
            self._pool.release(self.episode_id, self._driver)

    def end(self) -> None:
        """Take note that the pool has closed."""
        self._ended = True

    def _live(self) -> Driver:
        if self._ended:
            raise BrowserLost("this browser session was closed")
        return self._driver


class BrowserPool:
    """A browser, started when first needed, with one context per episode.

    Args:
        executable: the browser's program (see `find_browser`), or None: then `open` says so.
        domain: the domain under which sandboxes live; no other name resolves.
        routes: by port, where names of that domain are reached, as `host:port`.
        authority: the certificate of a private authority to trust.
        max_contexts: how many episodes may be open at once (70 to 80 MB each).
        limits: how long to wait for what.
    """

    def __init__(
        self,
        executable: Path | None,
        *,
        domain: str = "localhost",
        routes: Mapping[int, str] | None = None,
        authority: Path | None = None,
        max_contexts: int = 64,
        limits: Timeouts | None = None,
    ) -> None:
        self._executable = executable
        self._domain = domain
        self._routes = dict(routes or {})
        self._authority = authority
        self._max_contexts = max_contexts
        self._limits = limits or Timeouts()
        self._guard = threading.Lock()
        self._loop: _Loop | None = None
        self._starting: asyncio.Lock | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._refusal: Refusal | None = None
        self._sessions: dict[str, BrowserSession | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the browser, unless it runs: `open` does so itself.

        Raises:
            BrowserMissing: there is no browser, or Playwright's driver does not start.
            BrowserError: the browser does not start. The text is one line.
        """
        self.run(self._running(), START_SECONDS + self._limits.call)

    def open(
        self,
        episode_id: str,
        *,
        origins: Sequence[str],
        cookies: Sequence[Cookie] = (),
        start_url: str,
        now: datetime,
        viewport: tuple[int, int] = (1280, 720),
        screenshots: bool = False,
        trees: bool = True,
        tree: TreeOptions | None = None,
    ) -> BrowserSession:
        """Open an episode's browser on its first page.

        Args:
            episode_id: names the session; one at a time.
            origins: what its pages can reach, as `scheme://host:port`; nothing else can be.
            cookies: what it is signed in with.
            start_url: the first page, on one of the origins.
            now: the sandbox's time, with a zone.
            viewport: width and height in CSS pixels.
            screenshots: whether observations have pictures.
            trees: whether they have trees.
            tree: how much of a page observations show.

        Raises:
            BrowserMissing: there is no browser, or Playwright's driver does not start.
            BrowserFull: as many episodes as allowed are open.
            BrowserError: the browser failed.
            ValueError: the first page is on none of the origins, or a name is taken.
        """
        walls = Walls(origins)
        if not walls.allows(start_url) or now.tzinfo is None:
            raise ValueError("the start page must be on one of the origins, the time have a zone")
        self._reserve(episode_id)
        try:
            driver, opened = self.run(
                self._open(
                    walls,
                    cookies=tuple(cookies),
                    start_url=start_url,
                    now=now,
                    viewport=viewport,
                    options=tree or TreeOptions(),
                ),
                START_SECONDS + self._limits.call,
            )
        except BaseException:
            with self._guard:
                self._sessions.pop(episode_id, None)
            raise
        session = BrowserSession(
            self, episode_id, driver, opened, pictures=screenshots, trees=trees
        )
        with self._guard:
            self._sessions[episode_id] = session
        return session

    def wait_longer(self, limits: Timeouts) -> None:
        """Let the episodes that are opened from now on wait by other limits."""
        self._limits = limits

    def sessions(self) -> tuple[str, ...]:
        """Return the ids of the open episodes."""
        with self._guard:
            return tuple(self._sessions)

    def release(self, episode_id: str, driver: Driver) -> None:
        """Close an episode's context and free its place; the session's own way out."""
        try:
            with contextlib.suppress(BrowserTimeout):
                self.run(driver.close(), CLOSE_SECONDS)
        finally:
            with self._guard:
                self._sessions.pop(episode_id, None)

    def process_id(self) -> int | None:
        """Return the browser's process id, or None when none runs.

        Raises:
            BrowserError: the browser failed.
        """
        if self._browser is None or not self._browser.is_connected():
            return None
        return self.run(self._process_id(self._browser))

    def close(self) -> None:
        """Close every episode, the browser and the pool's thread. It may be used again."""
        with self._guard:
            loop, self._loop = self._loop, None
            for session in self._sessions.values():
                if session is not None:
                    session.end()
            self._sessions.clear()
            self._starting = None
        if loop is None:
            return
        with contextlib.suppress(BrowserTimeout):
            loop.call(self._stop(), CLOSE_SECONDS)
        loop.close()

    def run(self, work: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """Run a coroutine on the pool's event loop; the sessions' own way in.

        Raises:
            BrowserTimeout: no answer in time.
        """
        with self._guard:
            if self._loop is None:
                self._loop = _Loop()
            loop = self._loop
        # The driver bounds its own calls; this is for an event loop that itself hangs.
        return loop.call(work, seconds if seconds is not None else self._limits.call + 10)

    def _reserve(self, episode_id: str) -> None:
        with self._guard:
            if episode_id in self._sessions:
                raise ValueError(f"episode {episode_id} has a browser already")
            if len(self._sessions) >= self._max_contexts:
                raise BrowserFull(f"{self._max_contexts} episodes have a browser already")
            self._sessions[episode_id] = None

    async def _open(
        self,
        walls: Walls,
        *,
        cookies: tuple[Cookie, ...],
        start_url: str,
        now: datetime,
        viewport: tuple[int, int],
        options: TreeOptions,
    ) -> tuple[Driver, Settled]:
        try:
            driver = await self._driver(walls, options, viewport)
        except BrowserLost:
            # The browser died and this is the first to notice.
            driver = await self._driver(walls, options, viewport)
        try:
            return driver, await driver.prepare(cookies, now, start_url)
        except BaseException:
            await driver.close()
            raise

    async def _driver(
        self, walls: Walls, options: TreeOptions, viewport: tuple[int, int]
    ) -> Driver:
        browser, refusal = await self._running()
        try:
            return await Driver.start(
                browser,
                refusal,
                walls=walls,
                limits=self._limits,
                options=options,
                viewport=viewport,
            )
        except Error as error:
            said = str(error).partition("\n")[0]
            if "closed" not in said:
                raise BrowserTimeout(said) from error
            # The driver's own process may die without a word of it from the browser object.
            if self._browser is browser:
                self._browser = None
            raise BrowserLost(said) from error

    async def _running(self) -> tuple[Browser, Refusal]:
        """Return the browser, started anew when there is none or it died."""
        if self._starting is None:
            self._starting = asyncio.Lock()
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self._stop()
                await self._start()
            if self._browser is None or self._refusal is None:
                raise BrowserLost("the browser ended as it started")
            return self._browser, self._refusal

    async def _start(self) -> None:
        if self._executable is None:
            raise BrowserMissing(why_none())
        self._refusal = Refusal()
        try:
            self._playwright = await start_driver()
            switches = flags(self._domain, self._routes, self._trusted_key())
            self._browser = await start_browser(self._playwright, self._executable, switches)
        except BrowserError:
            await self._stop()
            raise

    def _trusted_key(self) -> str | None:
        if self._authority is None:
            return None
        from clones.config.authority import key_hash  # noqa: PLC0415 - an extra

        return key_hash(self._authority)

    async def _stop(self) -> None:
        browser, self._browser = self._browser, None
        driver, self._playwright = self._playwright, None
        refusal, self._refusal = self._refusal, None
        ends = [] if browser is None else [browser.close()]
        ends += [] if driver is None else [driver.stop()]
        for end in ends:
            # What is half dead may fail, or never answer.
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(end, CLOSE_SECONDS / 4)
        if refusal is not None:
            refusal.close()

    async def _process_id(self, browser: Browser) -> int | None:
        session = await browser.new_browser_cdp_session()
        try:
            answer = await session.send("SystemInfo.getProcessInfo")
        finally:
            await session.detach()
        browsers = [one["id"] for one in answer["processInfo"] if one["type"] == "browser"]
        return browsers[0] if browsers else None
