"""What the data plane's log says of a step's requests: failures of ours, and injected faults."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from clones.core.faults import PREFIX
from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, watching
from clones.core.tenancy.middleware import OUT_OF_TIME, WORKED_LONG
from clones.core.tenancy.overfull import TOO_MANY
from episodes.spaces import MetFault
from episodes.spaces.errors import HarnessFailure, HarnessKind
from episodes.spaces.names import path_name
from sandlot.service.errors import Busy

if TYPE_CHECKING:
    from episodes.context import EpisodeContext

HARNESS_KINDS: dict[str, HarnessKind] = {
    "harness_5xx": "harness_5xx",
    "harness_stale": "harness_stale",
    "reset": "harness_reset",
}
APPLIED = "_applied"
# What the log says of requests that are the cause themselves.
ASKED_TOO_MUCH: Final = frozenset({OUT_OF_TIME, TOO_MANY, WORKED_LONG})
# Seconds for which a request may have been under way before it was logged.
LONGEST: Final = 120.0
# Seconds after which a request is lost that is neither logged nor seen to work; between two looks.
UNHEARD: Final = 30.0
LOOK: Final = 0.1


def met_faults(entries: Iterable[LoggedRequest]) -> tuple[MetFault, ...]:
    """Return the injected faults among logged requests."""
    return tuple(
        MetFault(
            request=entry.id,
            kind=entry.fault.removeprefix(PREFIX).removesuffix(APPLIED),
            method=entry.method,
            path=entry.path,
            applied=entry.fault.endswith(APPLIED),
        )
        for entry in entries
        if entry.fault is not None and entry.fault.startswith(PREFIX)
    )


def check_requests(ground: EpisodeContext, *, since: float, looked: float) -> tuple[MetFault, ...]:
    """Fail a step if the data plane failed at a request of the episode; return the faults it met.

    Requests count whenever they came: an agent's own client, and pages by themselves, also send
    some between acts. `since` is when the step began: the faults are those that were met from then
    on. `looked` is when this was last asked: what had ended by then need not be looked at again.

    Raises:
        HarnessFailure: an answer was ours to be ashamed of: 5xx, stale, cut off by a reset; or what
            a request did could not be written down, so that nobody knows.
    """
    sandbox = ground.sandbox.id
    entries = server().requests.read(sandbox, since=max(ground.since, looked - LONGEST))
    for entry in entries:
        kind = HARNESS_KINDS.get(entry.fault or "")
        if kind is not None:
            detail = f"{entry.method} {entry.path} answered {entry.status}: {entry.fault}"
            raise HarnessFailure(kind, detail, request=request_name(entry))
    if server().requests.lost(sandbox) != ground.lost:
        raise HarnessFailure(
            "harness_unlogged", f"a request of {sandbox} could not be logged: is the disk full?"
        )
    return met_faults(entry for entry in entries if entry.at >= since)


def request_name(entry: LoggedRequest) -> str:
    """Return what a request has in common with others of its kind: its operation, or its path."""
    if entry.operation is not None:
        return f"{entry.clone} {entry.operation}"
    return f"{entry.clone} {entry.method} {path_name(entry.path)}"


def is_agents(row: SandboxRow, *, since: float) -> bool:
    """Tell whether it is no failure of ours that no answer came, or only one of the server's own.

    The log then has an injected fault in its place, or a request that asked for too much.
    """
    entries = server().requests.read(row.id, since=since - LONGEST)
    fresh = [entry for entry in entries if entry.at >= since]
    return any(fault.answered for fault in met_faults(fresh)) or any(
        entry.fault in ASKED_TOO_MUCH and entry.at + entry.milliseconds / 1000 >= since
        for entry in entries
    )


def is_agents_wait(row: SandboxRow, *, since: float, unheard: float = UNHEARD) -> bool:
    """Tell whether it is the agent's doing that an answer did not come in time.

    Nobody knows before the request is over: it is waited for until the log has it, for as long as
    a request may be under way, and while it works on. One of which there is no sign for `unheard`
    seconds is lost, or held up by others: that is ours.
    """
    began = signed = time.monotonic()
    while True:
        if is_agents(row, since=since):
            return True
        now = time.monotonic()
        if now - began > LONGEST:
            return watching.is_working(row.store, long=True)
        if watching.is_working(row.store):
            signed = now
        elif now - signed > unheard:
            return False
        time.sleep(LOOK)


def wait_for_work(row: SandboxRow) -> None:
    """Wait, for as long as one may be under way, till no request works on in a sandbox.

    What is done there meanwhile would fail for want of the store.
    """
    watching.wait_while_working(row.store, most=LONGEST)


def require_rest(row: SandboxRow, *, patience: float | None) -> None:
    """Wait as `wait_for_work` does, for as many seconds as somebody has patience for.

    Raises:
        Busy: that was not long enough; it says which request is waited for.
    """
    if patience is None:
        wait_for_work(row)
    elif not watching.wait_while_working(row.store, most=patience):
        asked = ", ".join(watching.requests_at_work(row.store)) or "a request"
        raise Busy(f"{asked} is under way in {row.id}: nothing was done; ask again, or wait longer")
