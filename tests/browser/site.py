"""A small site on loopback, the same on every `*.localhost` host; `pages/` has its pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).parent / "pages"
(HTMX,) = Path("clones/core/static/vendor").glob("htmx-*/htmx.min.js")


@dataclass
class Site:
    """The site's port, and every request it answered as `host path`."""

    port: int
    requests: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)

    def origin(self, name: str = "app.sb") -> str:
        """Return the origin of a host."""
        return f"http://{name}.localhost:{self.port}"


@contextmanager
def serve() -> Iterator[Site]:
    """Serve the site for the length of a block."""
    server = Server(("127.0.0.1", 0), Handler)
    server.site = site = Site(server.server_port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.release.set()
        server.shutdown()
        server.server_close()
        thread.join()


class Server(ThreadingHTTPServer):
    """A server that knows its site."""

    daemon_threads = True
    site: Site


class Handler(BaseHTTPRequestHandler):
    """Answer with the page of the path."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        site = self.server.site
        host = (self.headers["Host"] or "").split(":")[0].removesuffix(".localhost")
        site.requests.append(f"{host} {self.path}")
        site.cookies.append(self.headers["Cookie"] or "")
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if path == "/away":
            self._send(302, b"", {"Location": f"http://outside.localhost:{site.port}/landed"})
        elif path == "/slow":
            threading.Event().wait(0.4)
            self._send(200, b"the answer", {"Content-Type": "text/plain"})
        elif path == "/never":
            site.release.wait(30)
            self._send(200, b"", {})
        elif path == "/echo":
            self._send(200, ("found " + query["q"][0]).encode(), {"Content-Type": "text/plain"})
        elif path == "/saved":
            words = ", ".join(f"{key}={value[0]}" for key, value in sorted(query.items()))
            self._page(f"<title>Saved</title><p>{words}</p>")
        elif path == "/htmx.js":
            self._send(200, HTMX.read_bytes(), {"Content-Type": "text/javascript"})
        elif path == "/report.csv":
            headers = {"Content-Type": "text/csv", "Content-Disposition": "attachment"}
            self._send(200, b"id,amount\n1,120.00\n", headers)
        elif (page := PAGES / f"{path[1:] or 'home'}.html").is_file():
            self._page(
                page.read_text()
                .replace("PORT", str(site.port))
                .replace("SANDBOX", host.partition(".")[2])
            )
        else:
            self._send(404, b"<title>Missing</title><p>no such page</p>")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""

    def _page(self, body: str) -> None:
        self._send(
            200, ("<!doctype html><meta charset=utf-8><link rel=icon href=data:,>" + body).encode()
        )

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
