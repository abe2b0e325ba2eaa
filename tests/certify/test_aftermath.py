"""What people make of the work after its end is read, and leaves nothing behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import pytest

from clones.core import clock
from clones.core.journal import journal, store_digest
from clones.core.models import Delivery
from clones.core.server import server
from clones.core.webhooks import outbox
from episodes.certify.playing import LocalSpace, started
from episodes.context import EpisodeContext
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.post_episode import SPAN, aftermath
from tests.certify.conftest import PLAIN, instance

RECEIVER: Final = "http://receiver.example/hook"


@dataclass
class RecordingSender:
    """A sender that sends nothing, and knows what was committed."""

    refusal: str | None = None
    committed_of: list[str] = field(default_factory=list)

    def committed(self, sandbox: str, _generation: int, _delivery: str, _number: int) -> None:
        """Note whose delivery it is."""
        self.committed_of.append(sandbox)


class TurnedAway(Exception):
    """Raised in the middle of a block."""


@pytest.fixture
def held(host: ControlPlane) -> Iterator[LocalSpace]:
    with started(host, FAMILY, instance(PLAIN)) as space:
        yield space


def _left(ground: EpisodeContext) -> tuple[str, int, str]:
    """Return all rows of a sandbox, where its journal ends and what its clock shows."""
    with ground.bound("read"):
        return store_digest(), journal().position(), clock.now().isoformat()


def _notes(ground: EpisodeContext) -> int:
    """Return how many deliveries of a sandbox wait to be sent."""
    waiting = server().registry.deliveries_before(time.time() + 1.0, now=time.time() + 1.0)
    return sum(sandbox == ground.sandbox.id for sandbox, *_ in waiting)


def test_a_sandbox_is_as_it_was_before_the_aftermath(held: LocalSpace) -> None:
    before = _left(held.ground)
    first = aftermath(held.ground)
    assert _left(held.ground) == before
    assert first.people
    assert aftermath(held.ground) == first


def test_people_have_three_days_in_it(held: LocalSpace) -> None:
    with held.ground.bound("read"):
        begun = clock.now()

    def days(_facts: object) -> float:
        return (clock.now() - begun) / SPAN

    ground = replace(held.ground, family=replace(FAMILY, sla=days))
    assert aftermath(ground).parts.sla == 1.0


def test_what_is_undone_is_sent_to_nobody(
    held: LocalSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender = RecordingSender()
    monkeypatch.setattr(outbox, "sender", lambda: sender)
    with held.ground.undone():
        status = owe_one().status
    assert (status, sender.committed_of, _notes(held.ground)) == (Delivery.FAILED, [], 0)
    with held.ground.bound("read"):
        assert not Delivery.objects.filter(webhook="7").exists()
    with held.ground.bound("write"):
        owe_one()
    assert sender.committed_of == [held.ground.sandbox.id]
    assert _notes(held.ground) == 1


def test_a_block_that_fails_is_undone_as_well(held: LocalSpace) -> None:
    before = _left(held.ground)

    def fail() -> None:
        with held.ground.undone():
            owe_one()
            raise TurnedAway

    with pytest.raises(TurnedAway):
        fail()
    assert _left(held.ground) == before


def owe_one() -> Delivery:
    """Owe a receiver something."""
    return outbox.owe(
        clone="helpdesk",
        webhook="7",
        event="ticket",
        method="POST",
        url=RECEIVER,
        headers=[],
        body="{}",
    )
