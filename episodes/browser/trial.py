"""Try a browser as episodes use it: `python -m episodes.browser.trial PROGRAM`.

It opens a page on a server of its own, through Playwright's driver, looks at its tree and takes its
picture. It ends with 0, or with 1 and one line that says what went wrong. Set-up does this once.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from episodes.browser.errors import BrowserError
from episodes.browser.observation import Observation
from episodes.browser.pool import BrowserPool
from episodes.browser.starting import REMEDY

WORDS = "A page of the trial"
PAGES = {
    "/words": f"<!doctype html><title>Trial</title><h1>{WORDS}</h1>",
    "/empty": "<!doctype html><title>Trial</title><h1></h1>",
}
NOW = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
NO_FONTS = "the browser has no font to draw letters with"


class BrowserUnfit(Exception):
    """Raised when the browser is of no use. Its text is one line."""


def try_browser(program: Path) -> None:
    """Open a page with letters and one without, look at them and take their pictures.

    Raises:
        BrowserError: the browser, or Playwright's driver, does not start or does not answer.
        BrowserUnfit: what the browser shows is not the page.
    """
    with _site() as origin, BrowserPool(program) as pool:
        words, empty = _look(pool, origin, "/words"), _look(pool, origin, "/empty")
    if WORDS not in words.tree:
        raise BrowserUnfit("the browser does not show a page's words")
    # Without any font letters leave no trace: agents that look at pictures would see none.
    if words.screenshot == empty.screenshot:
        raise BrowserUnfit(NO_FONTS)


def main(arguments: list[str]) -> int:
    """Try the browser that is named."""
    try:
        try_browser(Path(arguments[0]))
    except (BrowserError, BrowserUnfit) as error:
        # Set-up reads this, and it is set-up that says what to do.
        print(str(error).removesuffix(f": {REMEDY}"))  # noqa: T201 - the result
        return 1
    return 0


def _look(pool: BrowserPool, origin: str, path: str) -> Observation:
    session = pool.open(path, origins=[origin], start_url=origin + path, now=NOW, screenshots=True)
    try:
        return session.observe()
    finally:
        session.close()


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the standard server's log off the terminal."""


@contextmanager
def _site() -> Iterator[str]:
    """Serve the pages at a name as sandboxes have; yield the origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://trial.localhost:{server.server_port}"
        finally:
            server.shutdown()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
