"""A world is the same however many processes write it."""

from __future__ import annotations

import pytest

from clones.core.journal import content_digest, store_digest
from seeds.draw import Draws
from seeds.kestrel import build
from seeds.temporary import temporary_world


def test_a_world_is_the_same_however_many_write_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = []
    for cores in (1, 3):
        monkeypatch.setattr(build, "SHARED_FROM", 1)
        monkeypatch.setattr(build, "cores", lambda cores=cores: cores)
        with temporary_world("kestrel", "tiny", 11) as report:
            made.append((content_digest(), store_digest(), report))
    first, second = made
    assert first == second
    assert caplog.text.count("there is one core") == 1
    assert "lost" not in caplog.text


def test_shares_hold_whole_people_and_weigh_about_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SHARED_FROM", 1)
    monkeypatch.setattr(build, "cores", lambda: 2)
    tickets = build.tell(Draws("kestrel|1|tiny"), "train", "tiny").tickets
    share = build.shares(tickets)
    assert sorted(t.number for mine in share for t in mine) == [t.number for t in tickets]
    one, other = ({ticket.person for ticket in mine} for mine in share)
    assert not one & other
    weights = [sum(len(ticket.steps) for ticket in mine) for mine in share]
    assert max(weights) < 1.2 * min(weights)
