"""Sending one attempt: read what it is, send it with nothing open, record what came of it.

A message only says where to look. Whoever sends an attempt holds it in the registry for as long as
an answer may take; if they die it is sent again, with the same identifiers: at least once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from clones.core import clock, execution
from clones.core.journal import act
from clones.core.models import Delivery
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.webhooks import wire
from clones.core.webhooks.deliverers import deliverer_of
from clones.core.webhooks.messages import Header, NoAnswer, Outcome, Outgoing
from clones.core.webhooks.outbox import Shown, record
from clones.core.webhooks.senders import listed_hosts

# Longer than an answer may take: what is held longer was left by somebody who died.
HOLD = wire.TIMEOUT + 3.0
HIDDEN = "[hidden]"

Send = Callable[[str, int, str, int], object]


@dataclass(frozen=True, slots=True)
class _Ready:
    """An attempt as it is to be sent; `outgoing` is None if its webhook is gone."""

    outgoing: Outgoing | None
    started: datetime


def deliver(sandbox: str, generation: int, delivery: str, number: int) -> None:
    """Send one attempt of a delivery, unless it was sent, is being sent, or was undone."""
    registry = server().registry
    row = registry.find(sandbox)
    if row is None or row.generation != generation or row.state != "live":
        registry.forget_delivery(sandbox, generation, delivery, number)
        return
    now = time.time()
    if not registry.hold_delivery(sandbox, generation, delivery, number, now=now, until=now + HOLD):
        return
    ready = None
    with _writing(row) as stands:
        found = _pending(delivery, number) if stands else None
        if found is not None:
            ready = _ready(found, sandbox)
    if ready is not None:
        outcome = _send(ready)
        with _writing(row) as stands:
            found = _pending(delivery, number) if stands else None
            left = found is not None and _record(row, found, ready, outcome)
        if left:
            execution.work_left(row)
    registry.forget_delivery(sandbox, generation, delivery, number)


def sweep(send: Send, *, older_than: float = 0.0) -> int:
    """Send a message for each attempt that nobody has sent for so many seconds; return how many.

    The next one is sent no sooner than a host may take: while workers wait for slow hosts, messages
    do not pile up.
    """
    now = time.time()
    registry = server().registry
    found = registry.deliveries_before(now - older_than, now=now)
    for note in found:
        send(*note)
        registry.put_off_delivery(*note, to=now + HOLD)
    return len(found)


@contextmanager
def _writing(row: SandboxRow) -> Iterator[bool]:
    """Work in a sandbox alone for a short transaction; tell whether its generation stands."""
    with server().stores.bind(row.store, row.id), unit_of_work("write"):
        # A reset takes the same lock before it raises the generation. For the first of the two
        # the lock says besides that the write which noted the attempt has committed, or never will.
        yield server().registry.generation(row.id) == (row.generation, False)


def _pending(delivery: str, number: int) -> Delivery | None:
    rows = Delivery.objects.filter(id=delivery, attempts=number - 1, status=Delivery.PENDING)
    return rows.first()


def _ready(delivery: Delivery, sandbox: str) -> _Ready:
    moment = clock.now()
    added = deliverer_of(delivery.clone).headers(delivery, sandbox, moment)
    if added is None:
        return _Ready(None, moment)
    kept = tuple(Header(name, value) for name, value in delivery.headers)
    outgoing = Outgoing(
        delivery.method, delivery.url, (*kept, *added), delivery.body.encode("utf-8")
    )
    return _Ready(outgoing, moment)


def _send(ready: _Ready) -> Outcome:
    if ready.outgoing is None:
        return NoAnswer("The webhook was deleted: nothing was sent.")
    return wire.send(ready.outgoing, listed_hosts())


def _record(row: SandboxRow, delivery: Delivery, ready: _Ready, outcome: Outcome) -> bool:
    """Write what came of an attempt; tell whether it left something due."""
    label = f"{delivery.method} {delivery.url}"[:200]
    with act(actor=f"{delivery.clone}.webhook:{delivery.webhook}", label=label, tick=False):
        headers = _shown(ready.outgoing) if ready.outgoing is not None else delivery.headers
        record(delivery, outcome, headers=headers, started=ready.started)
    return execution.note_due(row)


def _shown(outgoing: Outgoing) -> Shown:
    return [[header.name, HIDDEN if header.secret else header.value] for header in outgoing.headers]
