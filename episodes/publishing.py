"""One sandbox on ports of its own, one for each clone: the front opens what the registry says.

Ports stay with a sandbox over resets, replaced stores and restarts of the server, until it is taken
off them or deleted.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from clones.core.server import server
from clones.core.tenancy.origins import STATUS, PortTaken
from clones.core.vendors import clones
from sandlot.service.errors import Conflict, Unavailable

FIRST = 8900
LAST = 65535
PATIENCE = 10.0
PAUSE = 0.02


class NotOpened(Conflict):
    """Raised when the front cannot listen on a port."""


class Publisher:
    """Put sandboxes on ports and take them off, one at a time."""

    def __init__(self) -> None:
        self._changing = threading.Lock()

    def publish(self, sandbox: str, *, first: int | None = None) -> dict[str, int]:
        """Publish a sandbox, the first clone on `first` and the next beside it; return the ports.

        Without `first` the lowest free ports from 8900 on are taken. Publishing again changes
        nothing.

        Raises:
            UnknownSandbox: there is none of that id.
            Conflict: a port is taken, or the sandbox is published on others.
            Unavailable: the data plane does not open ports just now.
        """
        registry = server().registry
        registry.get(sandbox)
        names = [clone.name for clone in clones()]
        with self._changing:
            present = registry.origins(sandbox)
            if present:
                if first is not None and min(present.values()) != first:
                    raise Conflict(f"{sandbox} is published already: unpublish it to choose ports")
                return present
            if first is not None:
                wanted = dict(zip(names, range(first, first + len(names)), strict=True))
                if max(wanted.values()) > LAST:
                    raise Conflict(f"there are no {len(names)} ports from {first} on")
                return _open(sandbox, wanted)
            for wanted in _free(names):
                try:
                    return _open(sandbox, wanted)
                except NotOpened:
                    continue
        raise Conflict("there are no free ports: unpublish other sandboxes")

    def unpublish(self, sandbox: str) -> None:
        """Take a sandbox off its ports; those who are connected there are cut off.

        Raises:
            UnknownSandbox: there is none of that id.
            Unavailable: the data plane does not close ports just now.
        """
        registry = server().registry
        registry.get(sandbox)
        with self._changing:
            _close(sandbox)


def _free(names: list[str]) -> Iterator[dict[str, int]]:
    """Yield ports beside each other that nothing is published on, lowest first."""
    taken = {origin.port for origin in server().registry.all_origins()}
    for first in range(FIRST, LAST - len(names) + 2, len(names)):
        ports = range(first, first + len(names))
        if taken.isdisjoint(ports):
            yield dict(zip(names, ports, strict=True))


def _open(sandbox: str, wanted: Mapping[str, int]) -> dict[str, int]:
    registry = server().registry
    try:
        registry.add_origins(sandbox, wanted)
    except PortTaken as error:
        raise Conflict(f"{error}: choose another") from error
    try:
        _wait(lambda: all(port in _listening(sandbox) for port in wanted.values()), "open")
    except BaseException:
        registry.drop_origins(sandbox)
        raise
    for port, problem in _listening(sandbox).items():
        if problem is not None:
            _close(sandbox)
            raise NotOpened(f"port {port} cannot be opened: {problem}")
    return dict(wanted)


def _close(sandbox: str) -> None:
    server().registry.drop_origins(sandbox)
    _wait(lambda: not _listening(sandbox), "close")


def _wait(done: Callable[[], bool], verb: str) -> None:
    """Wait for the front to have done something."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise Unavailable(f"the front does not {verb} the ports: see logs/front.log")
        time.sleep(PAUSE)


def _listening(sandbox: str) -> dict[int, str | None]:
    """Return the ports of a sandbox that the front has seen to, with what hinders it there."""
    try:
        status = json.loads((server().data / STATUS).read_text())
    except FileNotFoundError:
        return {}
    return {
        int(port): found["problem"] for port, found in status.items() if found["sandbox"] == sandbox
    }
