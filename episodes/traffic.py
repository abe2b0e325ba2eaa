"""What the data plane's log says of a step's requests: failures of ours, and injected faults."""

from __future__ import annotations

from collections.abc import Iterable

from clones.core.faults import PREFIX
from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from episodes.spaces import MetFault
from episodes.spaces.errors import HarnessFailure, HarnessKind

HARNESS_KINDS: dict[str, HarnessKind] = {
    "harness_5xx": "harness_5xx",
    "harness_stale": "harness_stale",
    "reset": "harness_reset",
}
APPLIED = "_applied"


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


def check_requests(sandbox: str, *, since: float) -> tuple[MetFault, ...]:
    """Fail a step if the data plane failed at a request of it; return the faults it met.

    Raises:
        HarnessFailure: an answer was ours to be ashamed of: 5xx, stale, cut off by a reset.
    """
    entries = server().requests.read(sandbox, since=since)
    for entry in entries:
        kind = HARNESS_KINDS.get(entry.fault or "")
        if kind is not None:
            detail = f"{entry.method} {entry.path} answered {entry.status}: {entry.fault}"
            raise HarnessFailure(kind, detail)
    return met_faults(entries)


def is_injected(sandbox: str, *, since: float) -> bool:
    """Tell whether the log has an injected fault in place of an answer."""
    return any(fault.answered for fault in met_faults(server().requests.read(sandbox, since=since)))
