"""Celery over Redis: workers drain sandboxes, and beat sends again what was not drained.

A message says which sandbox and which generation of it, and holds nothing that matters: see
`clones.core.execution`. Run `celery -A clones.config.queue worker` and `... beat`.
"""

from __future__ import annotations

import logging
import os
from dataclasses import asdict
from typing import Any

import django
from celery import Celery
from celery.exceptions import TimeoutError as NoResult
from django.conf import settings
from kombu.exceptions import OperationalError

from clones.core.garbage import uncollected

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.stack")
with uncollected():
    django.setup(set_prefix=False)

from clones.core import execution
from clones.core.webhooks import delivering, wire
from clones.core.webhooks.messages import (
    NoAnswer,
    Outcome,
    Outgoing,
    outcome_of_json,
)
from clones.core.webhooks.senders import listed_hosts

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
# What is due for less has a message under way.
PATIENCE = 0.5
# How long somebody waits for a worker and the answer of a foreign host.
ASKING = wire.TIMEOUT + 3.0

app = Celery("sandlot")
app.conf.update(
    broker_url=settings.REDIS or "memory://",
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 5},
    task_ignore_result=True,
    # Of test requests only (`ask`), whose answers somebody waits for.
    result_backend=settings.REDIS or "cache+memory://",
    result_expires=60,
    task_store_errors_even_if_ignored=False,
    task_default_queue="sandlot",
    task_publish_retry=False,
    worker_prefetch_multiplier=4,
    worker_hijack_root_logger=False,
    beat_schedule={
        "sweep": {
            "task": "sandlot.sweep",
            "schedule": SWEEP_SECONDS,
            "options": {"expires": 2 * SWEEP_SECONDS},
        }
    },
)


@app.task(name="sandlot.drain")
def drain(sandbox: str, generation: int) -> None:
    """Run what is due in a sandbox, if it still has that generation."""
    execution.drain(sandbox, generation)


@app.task(name="sandlot.deliver")
def deliver(sandbox: str, generation: int, delivery: str, number: int) -> None:
    """Send an attempt of a webhook's delivery, if that is still to be done."""
    delivering.deliver(sandbox, generation, delivery, number)


@app.task(name="sandlot.ask", ignore_result=False)
def ask(request: dict[str, Any]) -> dict[str, Any]:
    """Send a test request of a webhook and return what came of it."""
    return asdict(wire.send(Outgoing.of_json(request), listed_hosts()))


@app.task(name="sandlot.sweep")
def sweep() -> None:
    """Send a drain for whatever is due and was not drained, and what webhooks still owe."""
    execution.sweep(drain.delay, older_than=PATIENCE)
    delivering.sweep(deliver.delay, older_than=PATIENCE)


class Queue:
    """Have a worker drain the sandbox."""

    sweeps = True

    def work_left(self, sandbox: str, generation: int) -> None:
        """Send a message; if the broker is away, beat sends one later."""
        try:
            drain.delay(sandbox, generation)
        except OperationalError as error:
            logger.warning("the broker is away, sandbox %s waits for beat: %s", sandbox, error)


class Deliveries:
    """Have a worker send what webhooks owe."""

    refusal: str | None = None

    def committed(self, sandbox: str, generation: int, delivery: str, number: int) -> None:
        """Send a message; if the broker is away, beat sends one later."""
        try:
            deliver.delay(sandbox, generation, delivery, number)
        except OperationalError as error:
            logger.warning("the broker is away, webhooks of %s wait for beat: %s", sandbox, error)

    def ask(self, outgoing: Outgoing) -> Outcome:
        """Have a worker send a request, and wait for what comes of it."""
        try:
            sent = ask.apply_async((outgoing.as_json(),), expires=ASKING)
            return outcome_of_json(sent.get(timeout=ASKING))
        except NoResult:
            return NoAnswer(f"No worker answered within {ASKING:g} seconds.", timed_out=True)
        except OperationalError as error:
            logger.warning("the broker is away, a test request was not sent: %s", error)
            return NoAnswer("Nothing can be sent at the moment.")
