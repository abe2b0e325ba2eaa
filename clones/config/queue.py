"""Celery over Redis: workers drain sandboxes, and beat sends again what was not drained.

A message says which sandbox and which generation of it, and holds nothing that matters: see
`clones.core.execution`. Run `celery -A clones.config.queue worker` and `... beat`.
"""

from __future__ import annotations

import logging
import os

import django
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.stack")
django.setup(set_prefix=False)

from clones.core import execution  # noqa: E402 - needs Django set up
from clones.core.webhooks import delivering  # noqa: E402 - the same

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
# What is due for less has a message under way.
PATIENCE = 0.5

app = Celery("sandlot")
app.conf.update(
    broker_url=settings.REDIS or "memory://",
    broker_connection_retry_on_startup=True,
    broker_transport_options={"socket_timeout": 5, "socket_connect_timeout": 5},
    task_ignore_result=True,
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
