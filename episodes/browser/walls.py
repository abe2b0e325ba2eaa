"""What a page can reach: this episode's origins and nothing else.

The wall is the browser's own proxy setting, one per context: what is not exactly one of the
origins is sent to a proxy that refuses. It holds where interception of requests does not: for
redirects, workers, preconnects and sockets. (Intercepted requests also lose the cache.) Sockets to
an episode's own origins are refused too: no clone has any.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit, urlunsplit

from episodes.browser.errors import BadAct, NotAllowed

DEFAULT_PORTS = {"http": 80, "https": 443}
HARMLESS_SCHEMES = frozenset({"about", "blob", "data", "chrome-error"})
PLACE = "origin:"


@dataclass(frozen=True, slots=True)
class Blocked:
    """A request that was refused: `kind` is Playwright's resource type, or `goto`."""

    url: str
    kind: str
    method: str


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address, the port left out where it is the default.

    Raises:
        ValueError: it has none.
    """
    parts = urlsplit(url)
    if not parts.scheme or not parts.hostname:
        raise ValueError(f"{url!r} has no origin")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = parts.port
    if port is None or port == DEFAULT_PORTS.get(parts.scheme):
        return f"{parts.scheme}://{host}"
    return f"{parts.scheme}://{host}:{port}"


class Walls:
    """The origins of one episode."""

    def __init__(self, origins: Iterable[str]) -> None:
        self.origins = tuple(origin_of(origin) for origin in origins)
        for origin in self.origins:
            if urlsplit(origin).scheme not in DEFAULT_PORTS:
                raise ValueError(f"{origin} is no web origin")

    def allows(self, url: str) -> bool:
        """Tell whether a page may ask for an address."""
        try:
            return urlsplit(url).scheme in HARMLESS_SCHEMES or origin_of(url) in self.origins
        except ValueError:
            return False

    def bypass(self) -> str:
        """Return the proxy exceptions: our origins exactly, and not even loopback besides."""
        rules = ["<-loopback>"]
        for origin in self.origins:
            parts = urlsplit(origin)
            port = "" if parts.port else f":{DEFAULT_PORTS[parts.scheme]}"
            rules.append(origin + port)
        return ",".join(rules)

    def resolve(self, url: str, base: str) -> str:
        """Return the absolute address that an agent's words mean.

        Args:
            url: absolute, relative to `base`, or recorded (`origin:N/path`).
            base: the present page.

        Raises:
            NotAllowed: it leads out.
            BadAct: it is no address.
        """
        try:
            absolute = self._from_place(url) if url.startswith(PLACE) else urljoin(base, url)
            parts = urlsplit(absolute)
            origin = origin_of(absolute)
        except ValueError:
            raise BadAct(f"{url[:200]!r} is no address that can be opened", "bad_url") from None
        if origin not in self.origins or parts.username is not None:
            raise NotAllowed(origin)
        return absolute

    def place(self, url: str) -> str:
        """Return an address as `origin:N/path`, the form that holds in every sandbox."""
        if not self.allows(url) or urlsplit(url).scheme in HARMLESS_SCHEMES:
            return url
        parts = urlsplit(url)
        rest = urlunsplit(("", "", parts.path or "/", parts.query, parts.fragment))
        return f"{PLACE}{self.origins.index(origin_of(url))}{rest}"

    def _from_place(self, place: str) -> str:
        number, slash, rest = place.removeprefix(PLACE).partition("/")
        if not number.isdecimal() or int(number) >= len(self.origins):
            raise ValueError(place)
        return self.origins[int(number)] + slash + rest


class Refusal:
    """An address of this machine where every connection is refused, as long as this is open.

    The port is bound and never listened on, so nobody else can come to listen there.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self.server = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()


def flags(domain: str, routes: Mapping[int, str], trusted_key: str | None = None) -> list[str]:
    """Return the switches the browser is started with.

    Args:
        domain: the domain sandboxes live under; no other name resolves.
        routes: by port, where names of that domain are reached; with none, as they resolve.
        trusted_key: the hash of a private authority's key, whose certificates count.
    """
    trust = [] if trusted_key is None else [f"--ignore-certificate-errors-spki-list={trusted_key}"]
    rules = [f"MAP *.{domain}:{port} {place}" for port, place in routes.items()]
    rules += ["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"]
    # An exclusion comes before every rule, so it cannot stand beside a route of the same name.
    rules += [] if routes else ["EXCLUDE localhost", f"EXCLUDE *.{domain}"]
    return [
        *trust,
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-breakpad",
        "--disable-domain-reliability",
        "--no-pings",
        "--dns-prefetch-disable",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        f"--host-resolver-rules={', '.join(rules)}",
        # The same picture on every machine.
        "--force-color-profile=srgb",
        "--font-render-hinting=none",
        "--disable-lcd-text",
        "--disable-skia-runtime-opts",
    ]
