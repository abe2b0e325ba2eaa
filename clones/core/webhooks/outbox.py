"""What clones owe to foreign hosts: written with what led to it, sent after it is committed."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from django.db import transaction

from clones.core import clock, ids, jobs
from clones.core.journal.acts import current as current_act
from clones.core.models import Delivery, DeliveryAttempt
from clones.core.server import server
from clones.core.tenancy.context import current
from clones.core.webhooks.deliverers import deliverer_of
from clones.core.webhooks.messages import Answer, NoAnswer, Outcome
from clones.core.webhooks.senders import sender

RETRY = "core.webhooks.retry"
BACK_DATED = "It was owed before the sandbox's present: nothing was sent."
Shown = list[list[str]]


def owe(
    *,
    clone: str,
    webhook: str,
    event: str,
    method: str,
    url: str,
    headers: Shown,
    body: str,
) -> Delivery:
    """Write a request that a webhook owes its endpoint. It is sent once this is committed.

    `headers` are those without credentials and signature.
    """
    act = current_act()
    delivery = Delivery.objects.create(
        id=ids.next_ulid(Delivery),
        clone=clone,
        webhook=webhook,
        event=event,
        method=method,
        url=url,
        headers=headers,
        body=body,
        status=Delivery.PENDING,
        created_at=clock.now(),
        cause=act.id if act is not None else None,
    )
    _see_to(delivery)
    return delivery


def note_pending(sandbox: str, generation: int) -> None:
    """Note what the bound sandbox still has to send: a rewind and a fork bring it back."""
    rows = Delivery.objects.filter(status=Delivery.PENDING).order_by("id")
    for key, attempts in rows.values_list("id", "attempts"):
        server().registry.note_delivery(sandbox, generation, key, attempts + 1, time.time())


def record(
    delivery: Delivery, outcome: Outcome, *, headers: Shown, started: datetime
) -> DeliveryAttempt:
    """Write what came of an attempt, and set the timer of the next one if there is one."""
    number = delivery.attempts + 1
    answered = outcome if isinstance(outcome, Answer) else None
    attempt = DeliveryAttempt(
        id=ids.ulid_text(started, f"{delivery.id}|{number}"),
        delivery=delivery,
        number=number,
        status=Delivery.SUCCESS if outcome.is_success else Delivery.FAILED,
        reason=outcome.reason if isinstance(outcome, NoAnswer) else None,
        request_headers=headers,
        request_body=delivery.body,
        response_status=outcome.status,
        response_headers=[list(pair) for pair in answered.headers] if answered else [],
        response_body=answered.body if answered is not None else None,
        started_at=started,
        completed_at=clock.now(),
    )
    attempt.save(force_insert=True)
    way = deliverer_of(delivery.clone)
    after = None if outcome.is_success else way.again_after(number, outcome)
    delivery.attempts = number
    delivery.response_status = attempt.response_status
    delivery.completed_at = attempt.completed_at
    if after is None:
        delivery.status = attempt.status
    else:
        delivery.status = Delivery.WAITING
        jobs.enqueue(
            RETRY, due=clock.now() + after, payload={"delivery": delivery.id}, key=delivery.id
        )
    delivery.save()
    return attempt


@jobs.handles(RETRY)
def retry(payload: dict[str, Any]) -> None:
    """Send a delivery again whose time has come."""
    found = Delivery.objects.filter(id=payload["delivery"], status=Delivery.WAITING).first()
    if found is not None:
        found.status = Delivery.PENDING
        found.save()
        _see_to(found)


def _see_to(delivery: Delivery) -> None:
    """Have a pending delivery sent after the commit; where nothing is sent, it has failed."""
    refusal = BACK_DATED if clock.is_back_dated() else sender().refusal
    sandbox = current().sandbox
    found = server().registry.generation(sandbox) if sandbox is not None else None
    if refusal is None and (sandbox is None or found is None):
        refusal = "This store is no sandbox's: nothing was sent."
    if refusal is not None or sandbox is None or found is None:
        record(
            delivery,
            NoAnswer(refusal or ""),
            headers=delivery.headers,
            started=clock.now(),
        )
        return
    generation, number = found[0], delivery.attempts + 1
    # Before the commit, as the notes of jobs are: a process that dies leaves it to the sweep.
    server().registry.note_delivery(sandbox, generation, delivery.id, number, time.time())
    transaction.on_commit(lambda: sender().committed(sandbox, generation, delivery.id, number))
