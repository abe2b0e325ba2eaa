"""One episode's browser context, from inside the event loop: look, act, and wait."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from playwright.async_api import Browser, BrowserContext, Error, Page
from playwright.async_api import TimeoutError as PageTimeout

from episodes.browser import action_executor, acts, aria
from episodes.browser.act_parts import Act
from episodes.browser.errors import (
    BadAct,
    BrowserError,
    BrowserLost,
    BrowserTimeout,
    NotAllowed,
    NotVisible,
    StaleRef,
)
from episodes.browser.observation import ActError, ActResult, Cookie, Observation, Settled, Tab
from episodes.browser.pointer_executor import open_list
from episodes.browser.settling import PAGE_SCRIPT, settle
from episodes.browser.tree import TreeOptions, render
from episodes.browser.walls import Refusal, Walls
from episodes.browser.watch import Watch, WatchMark

DETAIL = 1000.0
"""Milliseconds to wait for an element that the snapshot has just shown."""

UNREACHED = "This address could not be reached."

# Fields whose value the snapshot gives wrongly: editors (in part), and passwords (in clear).
# Most pages have none.
ODD_FIELDS = "() => document.querySelector('[contenteditable], [type=password]') !== null"
ODD_VALUE = r"""
element => element.isContentEditable ? element.innerText :
  element.type === 'password' ? '\u2022'.repeat(element.value.length) : null
"""
INTO_SIGHT = "element => element.scrollIntoView({block: 'center', behavior: 'instant'})"
FRAME_TITLE = "element => element.title || element.getAttribute('aria-label') || element.name"


# Pages keep it in their audits: it may not follow the installed browser's version.
USER_AGENT = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/140.0.0.0 Safari/537.36"
)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the driver waits, in seconds.

    Attributes:
        ready: for an element to become clickable.
        settle: for a page to come to rest after an act.
        load: for an address to answer.
        call: for anything at all; past it the browser is taken for hung.
    """

    ready: float = 2.0
    settle: float = 10.0
    load: float = 20.0
    call: float = 60.0


@dataclass(slots=True)
class View:
    """The page as an agent last saw it: its tab, its nodes by ref, and whether it acted since."""

    page: Page
    root: aria.Node
    refs: dict[str, aria.Node]
    acted: bool = False


class Driver:
    """A context with its tabs. Every method may raise `BrowserLost` or `BrowserTimeout`."""

    def __init__(
        self, context: BrowserContext, walls: Walls, limits: Timeouts, options: TreeOptions
    ) -> None:
        self.walls = walls
        self.watch = Watch(context, walls)
        self._context = context
        self._limits = limits
        self._options = options
        self._view: View | None = None
        self._seen = self.watch.mark()
        self._turn = asyncio.Lock()
        self._time: datetime | None = None
        self._listed: tuple[str, ...] = ()  # what the act at hand opens

    @classmethod
    async def start(
        cls,
        browser: Browser,
        refusal: Refusal,
        *,
        walls: Walls,
        limits: Timeouts,
        options: TreeOptions,
        viewport: tuple[int, int],
    ) -> Driver:
        """Make a context that reaches its own origins only, and speaks English in UTC."""
        context = await browser.new_context(
            viewport={"width": viewport[0], "height": viewport[1]},
            device_scale_factor=1,
            user_agent=USER_AGENT,
            locale="en-US",
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
            service_workers="block",
            permissions=[],
            accept_downloads=True,
            proxy={"server": refusal.server, "bypass": walls.bypass()},
        )
        return cls(context, walls, limits, options)

    async def prepare(self, cookies: tuple[Cookie, ...], now: datetime, start_url: str) -> Settled:
        """Set clock and cookies, then open the first page."""
        async with self._working():
            await self._context.clock.set_fixed_time(now)
            self._time = now
            await self._context.add_init_script(PAGE_SCRIPT)
            await self._context.add_cookies(
                [
                    {
                        "name": cookie.name,
                        "value": cookie.value,
                        "url": cookie.origin,
                        "httpOnly": cookie.http_only,
                        "sameSite": "Lax",
                    }
                    for cookie in cookies
                ]
            )
            since = self.watch.mark()
            page = await self._context.new_page()
            bench = self._bench(page, None, start_url, since)
            await action_executor.begin(start_url, bench)
            return await settle(self.watch, since, self._limits.settle)

    async def set_time(self, now: datetime) -> None:
        """Set the clock that pages see. It stands still until it is set again."""
        async with self._working():
            if now != self._time:
                await self._context.clock.set_fixed_time(now)
                self._time = now

    async def observe(self, *, screenshot: bool, tree: bool = True) -> Observation:
        """Look at the active tab: at its tree, its picture, or both."""
        async with self._working():
            page, root = self._active(), None
            if tree:
                page, root = await self._looked_at(page)
                refs = {node.ref: node for node in root.walk() if node.ref}
                self._view = View(page, root, refs)
            picture = None
            if screenshot:
                picture = await page.screenshot(animations="disabled", caret="hide")
            size = page.viewport_size
            viewport = (size["width"], size["height"]) if size else None
            tabs = await self._tabs()
            since, self._seen = self._seen, self.watch.mark()
            active = next(tab for tab in tabs if tab.active)
            return Observation(
                url=active.url,
                title=active.title,
                tree="" if root is None else render(root, self._options, viewport),
                tabs=tabs,
                screenshot=picture,
                dialogs=tuple(self.watch.dialogs[since.dialogs :]),
                downloads=tuple(self.watch.downloads[since.downloads :]),
                blocked=tuple(self.watch.blocked[since.blocked :]),
            )

    async def _looked_at(self, page: Page) -> tuple[Page, aria.Node]:
        """Return the active tab's page and its tree."""
        try:
            return page, await self._snapshot(page)
        except Error:
            if self._active() is page or not page.is_closed():
                raise
            page = self._active()  # the page closed its own window meanwhile
            return page, await self._snapshot(page)

    async def point(self, ref: str) -> tuple[int, int]:
        """Return the middle of an element on the screen, which is scrolled to where it is seen.

        Raises:
            BadAct: there is no such element, or it is nowhere on the screen.
        """
        async with self._working():
            page = self._active()
            await self._aimed(acts.Hover(ref=ref), page)
            element = page.locator(f"aria-ref={ref}")
            # (Playwright's own waits for a frame that is out of sight to be drawn.)
            await element.evaluate(INTO_SIGHT, timeout=self._limits.ready * 1000)
            box = await element.bounding_box(timeout=self._limits.ready * 1000)
            if box is None:
                raise NotVisible("the element is hidden")
            return int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)

    async def perform(self, data: Mapping[str, Any]) -> ActResult:
        """Do an act and wait until the page has come to rest."""
        clock = asyncio.get_running_loop().time
        began = clock()
        async with self._working():
            since = self.watch.mark()
            self._listed = ()
            record, error = await self._try(data, since)
            settled = await settle(self.watch, since, self._limits.settle)
            if self.watch.crashed:
                raise BrowserLost("the page's process died")
            if self.watch.active is None:
                await self._context.new_page()
        return ActResult(
            recorded=record,
            error=None if error is None else ActError(error.code, error.message),
            settled=settled,
            dialogs=tuple(self.watch.dialogs[since.dialogs :]),
            downloads=tuple(self.watch.downloads[since.downloads :]),
            blocked=tuple(self.watch.blocked[since.blocked :]),
            failures=tuple(self.watch.failures[since.failures :]),
            seconds=clock() - began,
            listed=self._listed,
        )

    async def close(self) -> None:
        """Close the context. Closing what is gone is no error."""
        with contextlib.suppress(Error):
            await self._context.close()

    async def _try(
        self, data: Mapping[str, Any], since: WatchMark
    ) -> tuple[dict[str, Any], BadAct | None]:
        record = {key: value for key, value in data.items() if key != "ref"}
        try:
            act = acts.read_act(data)
            record = acts.recorded(act, acts.asked(act))
            page = self._active()
            url = self._address(act, page)
            if url is not None:
                record = acts.recorded(act, None, self.walls.place(url))
            node = await self._aimed(act, page)
            element = None
            if node is not None and node.handle is not None:
                record = acts.recorded(act, node.handle.as_json())
                element = page.locator(f"aria-ref={node.ref}")
            self.watch.answer = act.answer
            await action_executor.do(act, self._bench(page, element, url, since))
            self._listed = await open_list(act, page)
        except BadAct as error:
            return record, error
        finally:
            self.watch.answer = False
            if self._view is not None:
                self._view.acted = True
        return record, None

    def _bench(
        self, page: Page, element: Any, url: str | None, since: WatchMark
    ) -> action_executor.Bench:
        limits = self._limits
        return action_executor.Bench(
            page, element, url, self.watch, since, limits.ready, limits.load
        )

    def _address(self, act: Act, page: Page) -> str | None:
        url = act.url if isinstance(act, acts.Goto | acts.Tab) else None
        if url is None:
            return None
        try:
            return self.walls.resolve(url, page.url)
        except NotAllowed:
            self.watch.refuse(url)
            raise

    async def _aimed(self, act: Act, page: Page) -> aria.Node | None:
        """Return the node that an act is aimed at, or None where it has no aim.

        Raises:
            StaleRef: nothing on the page answers to it.
            NotVisible: what answers to it cannot be reached.
            BadAct: several do.
        """
        if not isinstance(act, acts.OptionalAim):
            return None
        if act.ref is not None:
            view = self._view
            node = view.refs.get(act.ref) if view is not None and view.page is page else None
            if node is None:
                raise StaleRef(f"{act.ref} is not in the latest observation of this tab")
            return node
        if act.target is None:
            if isinstance(act, acts.Aim):
                raise StaleRef("this act was aimed at nothing that was there")
            return None
        node = await _still_seen(self._view, page, act.target)
        return node or find(await self._snapshot(page), act.target)

    async def _snapshot(self, page: Page) -> aria.Node:
        """Return the page's tree, its iframes by title and its editors with their text."""
        if page.url.startswith("chrome-error:"):
            return _unreached()
        boxes = self._options.viewport_only
        clock = asyncio.get_running_loop().time
        until = clock() + self._limits.load
        while True:
            try:
                text = await page.aria_snapshot(
                    mode="ai", boxes=boxes, timeout=self._limits.load * 1000
                )
                root = aria.parse(text)
                await asyncio.gather(_name_frames(page, root), _read_fields(page, root))
            except Error as error:
                # A navigation under way takes the document from under the question.
                if not _is_passing(error) or page.is_closed() or clock() > until:
                    raise
                await settle(self.watch, self.watch.mark(), self._limits.settle)
            else:
                aria.place(root)
                return root

    async def _tabs(self) -> tuple[Tab, ...]:
        pages = list(self.watch.pages)
        titles = await asyncio.gather(*(self._title(page) for page in pages))
        return tuple(
            Tab(index, title, self._url(page), page is self.watch.active)
            for index, (page, title) in enumerate(zip(pages, titles, strict=True))
        )

    async def _title(self, page: Page) -> str:
        if page.url.startswith("chrome-error:"):
            return ""
        try:
            return await page.title()
        except Error as error:
            if _is_passing(error):
                return ""
            raise

    def _url(self, page: Page) -> str:
        if page.url.startswith("chrome-error:"):
            return self.watch.unreached.get(page, page.url)
        return page.url

    def _active(self) -> Page:
        if self.watch.crashed or self.watch.active is None:
            raise BrowserLost("the page's process died")
        return self.watch.active

    @contextlib.asynccontextmanager
    async def _working(self) -> AsyncIterator[None]:
        """Take the session's turn, bound it in time, and say whose fault an error is."""
        try:
            async with asyncio.timeout(self._limits.call), self._turn:
                yield
        except TimeoutError as error:
            if self.watch.crashed:
                raise BrowserLost("the page's process died") from error
            raise BrowserTimeout(str(error) or "the browser does not answer") from error
        except Error as error:
            raise self._fault(error) from error

    def _fault(self, error: Error) -> BrowserError:
        first = str(error).partition("\n")[0]
        browser = self._context.browser
        closed = "closed" in first or "crashed" in first
        if self.watch.crashed or closed or browser is None or not browser.is_connected():
            return BrowserLost(first)
        return BrowserTimeout(first) if isinstance(error, PageTimeout) else BrowserError(first)


def find(root: aria.Node, target: acts.Target) -> aria.Node:
    """Return the node that a handle names.

    Raises:
        StaleRef: none does.
        NotVisible: the one that does cannot be reached.
        BadAct: several do, and the handle does not say which.
    """
    found = [
        node
        for node in root.walk()
        if node.handle is not None
        and (node.handle.role, node.handle.name) == (target.role, target.name[: aria.LABEL_LENGTH])
        and target.frame in {None, node.handle.frame}
        and target.ordinal in {None, node.handle.ordinal}
    ]
    words = f"{target.role} {target.name!r}"
    if not found:
        raise StaleRef(f"there is no {words} on the page")
    reachable = [node for node in found if node.ref is not None]
    if not reachable:
        raise NotVisible(f"the {words} is hidden or covered")
    if len(reachable) > 1:
        raise BadAct(f"there are {len(reachable)} {words}: say which", "ambiguous")
    return reachable[0]


async def _still_seen(view: View | None, page: Page, target: acts.Target) -> aria.Node | None:
    """Return the node that a handle names in the latest observation, if nobody acted since.

    An act by ref is aimed by that observation too. None where it does not tell.
    """
    if view is None or view.page is not page or view.acted:
        return None
    try:
        node = find(view.root, target)
    except BadAct:
        return None
    there = await page.locator(f"aria-ref={node.ref}").count()
    return node if there else None


async def _name_frames(page: Page, root: aria.Node) -> None:
    async def name(node: aria.Node) -> None:
        element = await page.locator(f"aria-ref={node.ref}").element_handle(timeout=DETAIL)
        node.name = aria.collapse(await element.evaluate(FRAME_TITLE))
        frame = await element.content_frame()
        if frame is not None and frame.url.startswith("chrome-error:"):
            node.children = _unreached().children

    frames = [node for node in root.walk() if node.role == "iframe" and node.ref]
    await asyncio.gather(*(_or_gone(name(node)) for node in frames))


async def _read_fields(page: Page, root: aria.Node) -> None:
    fields = [node for node in root.walk() if node.role == "textbox" and node.ref]
    if not fields:
        return
    if not any(await asyncio.gather(*(frame.evaluate(ODD_FIELDS) for frame in page.frames))):
        return

    async def read(node: aria.Node) -> None:
        element = page.locator(f"aria-ref={node.ref}")
        text = await element.evaluate(ODD_VALUE, timeout=DETAIL)
        if text is not None:
            node.text, node.children = aria.collapse(text), []

    await asyncio.gather(*(_or_gone(read(node)) for node in fields))


async def _or_gone(look: Coroutine[Any, Any, None]) -> None:
    """Look closer at an element, which may have gone since the snapshot."""
    with contextlib.suppress(PageTimeout):
        await look


def _unreached() -> aria.Node:
    root = aria.Node("document", children=[aria.Node("text", text=UNREACHED)])
    aria.place(root)
    return root


def _is_passing(error: Error) -> bool:
    words = ("context was destroyed", "navigat", "detached", "not attached", "Unable to adopt")
    return any(word in str(error) for word in words)
