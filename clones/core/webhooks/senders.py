"""Who sends what is owed: nobody, or a queue's workers. Settings name the one that does."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from clones.core.server import server
from clones.core.webhooks.hosts import HOSTS_FILE, Host, read_hosts
from clones.core.webhooks.messages import NoAnswer, Outcome, Outgoing

NOWHERE = "Webhooks go nowhere here: this server sends nothing to other hosts."


class Sender(Protocol):
    """How deliveries come to be sent.

    `refusal` is why none is, None where they are.
    """

    refusal: str | None

    def committed(self, sandbox: str, generation: int, delivery: str, number: int) -> None:
        """See to it that an attempt, now committed, is sent soon."""

    def ask(self, outgoing: Outgoing) -> Outcome:
        """Send a request at once, wait for the answer and return it. Nothing is kept of it."""


class Nowhere:
    """Send nothing: each attempt fails at once, and says why."""

    refusal: str | None = NOWHERE

    def committed(self, sandbox: str, generation: int, delivery: str, number: int) -> None:
        """Do nothing."""

    def ask(self, outgoing: Outgoing) -> Outcome:
        """Return that nothing was sent."""
        return NoAnswer(NOWHERE)


@cache
def sender() -> Sender:
    """Return the sender that the settings name."""
    found: Sender = import_string(settings.WEBHOOK_SENDER)()
    return found


def listed_hosts() -> tuple[Host, ...]:
    """Return the hosts that webhooks may reach: of the settings, else of the data directory.

    `sandlot serve` leaves its list in the data directory, for workers that others start.

    Raises:
        InvalidHosts: the list cannot be read.
    """
    text: str | None = settings.WEBHOOK_HOSTS
    if text is None:
        file = server().data / HOSTS_FILE
        text = file.read_text() if file.exists() else ""
    return read_hosts(text)
