"""What the browser gives back: observations, results of acts, and the small records in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from episodes.browser.walls import Blocked


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie that an episode starts with, for one of its origins."""

    name: str
    value: str
    origin: str
    http_only: bool = True


@dataclass(frozen=True, slots=True)
class Tab:
    """An open tab. A window that a page opens is a tab too."""

    index: int
    title: str
    url: str
    active: bool


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that came up. `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a page handed out. `content` is None where it failed or was too big to keep."""

    name: str
    url: str
    size: int
    sha256: str
    content: bytes | None = field(repr=False)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request to one of our own origins that got no answer: the server's matter or a fault's."""

    url: str
    problem: str


@dataclass(frozen=True, slots=True)
class Settled:
    """How a page came to rest after an act.

    Attributes:
        ok: whether it did, within the limit.
        seconds: how long that took.
        waiting: what it still waited for when the limit passed.
    """

    ok: bool
    seconds: float
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActError:
    """Why an act could not be done, for the agent. `code` is stable."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Observation:
    """The active tab as the agent sees it, and what happened since the last observation."""

    url: str
    title: str
    tree: str
    tabs: tuple[Tab, ...]
    screenshot: bytes | None = field(repr=False)
    dialogs: tuple[Dialog, ...]
    downloads: tuple[Download, ...]
    blocked: tuple[Blocked, ...]


@dataclass(frozen=True, slots=True)
class ActResult:
    """What became of an act.

    Attributes:
        recorded: the act as trajectories keep it; `BrowserSession.replay` takes it.
        error: None when the act was done.
        settled: how the page came to rest afterwards, whether or not the act was done.
        seconds: all of it.
        listed: the choices of a drop-down list that the act opened. The browser draws it over the
            page, where no picture shows it.
    """

    recorded: dict[str, Any]
    error: ActError | None
    settled: Settled
    dialogs: tuple[Dialog, ...]
    downloads: tuple[Download, ...]
    blocked: tuple[Blocked, ...]
    failures: tuple[Failure, ...]
    seconds: float
    listed: tuple[str, ...] = ()
