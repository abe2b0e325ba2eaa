"""Listen to one browser context: its traffic, dialogs, downloads and tabs.

An exception in a listener would end the connection to the browser, so none may leave one.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import (
    BrowserContext,
    Error,
    Page,
    Request,
    WebSocket,
)
from playwright.async_api import (
    Dialog as PageDialog,
)
from playwright.async_api import (
    Download as PageDownload,
)

from episodes.browser.observation import Dialog, Download, Failure
from episodes.browser.walls import Blocked, Walls

ENDLESS = frozenset({"eventsource", "websocket", "media"})
"""Kinds of request that an act never waits for."""

ABORTED = "net::ERR_ABORTED"
URL_LENGTH = 2_000
MESSAGE_LENGTH = 4_000
RECORDS = 10_000
DOWNLOAD_BYTES = 50_000_000
"""What is kept of an episode's downloads, all together."""


@dataclass(frozen=True, slots=True)
class WatchMark:
    """A moment, as positions in the records of a `Watch`."""

    request: int
    dialogs: int
    downloads: int
    blocked: int
    failures: int


class Watch:
    """What a context did, in order, and what it is still waiting for."""

    def __init__(self, context: BrowserContext, walls: Walls) -> None:
        self.dialogs: list[Dialog] = []
        self.downloads: list[Download] = []
        self.blocked: list[Blocked] = []
        self.failures: list[Failure] = []
        self.pages: list[Page] = []
        self.active: Page | None = None
        self.crashed = False
        self.answer: bool | str = False
        self.unreached: dict[Page, str] = {}
        self._walls = walls
        self._requests = 0
        self._in_flight: dict[Request, int] = {}
        self._saving: dict[PageDownload, int] = {}
        self._kept = 0
        self._moved = asyncio.Event()
        context.on("page", self._page_opened)
        context.on("request", self._request_started)
        context.on("requestfinished", self._request_ended)
        context.on("requestfailed", self._request_failed)
        context.on("dialog", self._dialog_opened)

    def mark(self) -> WatchMark:
        """Return this moment."""
        return WatchMark(
            self._requests,
            len(self.dialogs),
            len(self.downloads),
            len(self.blocked),
            len(self.failures),
        )

    def waiting_for(self, since: WatchMark) -> list[str]:
        """Return what began after a moment and is not over: requests and downloads."""
        requests = [
            f"{request.method} {request.url[:200]}"
            for request, number in self._in_flight.items()
            if number > since.request and not _is_gone(request)
        ]
        return requests + [f"download {saving.url[:200]}" for saving in self._saving]

    def moved(self) -> Awaitable[bool]:
        """Return what ends when a request, a download or a tab begins or ends, from now on."""
        self._moved.clear()
        return self._moved.wait()

    def activate(self, page: Page) -> None:
        """Make a tab the active one."""
        self.active = page
        self._moved.set()

    def _page_opened(self, page: Page) -> None:
        self.pages.append(page)
        self.active = page
        page.on("close", self._page_closed)
        page.on("crash", lambda _: self._page_crashed())
        page.on("download", self._download_started)
        page.on("websocket", self._socket_opened)
        self._moved.set()

    def _page_closed(self, page: Page) -> None:
        at = self.pages.index(page)
        del self.pages[at]
        self.unreached.pop(page, None)
        if self.active is page:
            self.active = self.pages[min(at, len(self.pages)) - 1] if self.pages else None
        self._moved.set()

    def _page_crashed(self) -> None:
        self.crashed = True
        self._moved.set()

    def _request_started(self, request: Request) -> None:
        if not self._walls.allows(request.url):
            self._block(request.url, request.resource_type, request.method)
        if request.resource_type in ENDLESS:
            return
        self._requests += 1
        self._in_flight[request] = self._requests
        self._moved.set()

    def _request_ended(self, request: Request) -> None:
        self._in_flight.pop(request, None)
        if request.is_navigation_request() and (page := _page_of(request)) is not None:
            self.unreached.pop(page, None)
        self._moved.set()

    def _request_failed(self, request: Request) -> None:
        self._in_flight.pop(request, None)
        problem = request.failure or ""
        if problem != ABORTED:
            if self._walls.allows(request.url) and len(self.failures) < RECORDS:
                self.failures.append(Failure(request.url[:URL_LENGTH], problem))
            if request.is_navigation_request() and (page := _page_of(request)) is not None:
                self.unreached[page] = request.url
        self._moved.set()

    def _socket_opened(self, websocket: WebSocket) -> None:
        self._block(websocket.url, "websocket", "GET")

    def _block(self, url: str, kind: str, method: str) -> None:
        if len(self.blocked) < RECORDS:
            self.blocked.append(Blocked(url[:URL_LENGTH], kind, method))

    def refuse(self, url: str) -> None:
        """Record that the agent itself asked to leave."""
        self._block(url, "goto", "GET")

    async def _dialog_opened(self, dialog: PageDialog) -> None:
        accepted = self.answer is not False
        self.dialogs.append(Dialog(dialog.type, dialog.message[:MESSAGE_LENGTH], accepted))
        with contextlib.suppress(Error):  # the page may be gone
            if accepted:
                await dialog.accept(self.answer if isinstance(self.answer, str) else None)
            else:
                await dialog.dismiss()

    async def _download_started(self, download: PageDownload) -> None:
        self._saving[download] = 1
        try:
            self.downloads.append(await self._save(download))
        finally:
            self._saving.pop(download, None)
            self._moved.set()

    async def _save(self, download: PageDownload) -> Download:
        name, url = download.suggested_filename, download.url[:URL_LENGTH]
        try:
            path = await download.path()
            size, digest, content = await asyncio.to_thread(
                _read, Path(path), DOWNLOAD_BYTES - self._kept
            )
            await download.delete()
        except (Error, OSError) as error:
            return Download(name, url, 0, "", None, str(error).partition("\n")[0])
        if content is None:
            return Download(name, url, size, digest, None, "too big to keep")
        self._kept += size
        return Download(name, url, size, digest, content)


def _read(path: Path, limit: int) -> tuple[int, str, bytes | None]:
    size = path.stat().st_size
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return size, digest, path.read_bytes() if size <= limit else None


def _is_gone(request: Request) -> bool:
    """Tell whether nobody waits for a request any more: its frame or tab is closed."""
    try:
        frame = request.frame
    except Error:  # the first request of a tab, whose frame is not there yet
        return False
    return frame.is_detached() or frame.page.is_closed()


def _page_of(request: Request) -> Page | None:
    """Return the tab whose own address a request was for, or None."""
    try:
        frame = request.frame
    except Error:
        return None
    return frame.page if frame.parent_frame is None else None
