"""Mutants that write beside what was asked for: on a ticket that there is."""

from __future__ import annotations

import pytest

from episodes.certify.mutants import mutants_of
from episodes.certify.runs import Trial
from episodes.control_plane import ControlPlane
from episodes.tasks.acting import Mutant, RecordedAct
from episodes.tasks.catalogue import resolve
from episodes.tasks.mutating import BESIDE, placed, ticket_beside

NUMBERS = [3, 7, 20]


@pytest.mark.parametrize(("ticket", "beside"), [(21, 20), (20, 7), (8, 7), (3, 7), (1, 3)])
def test_the_nearest_before_is_taken_else_the_nearest_after(ticket: int, beside: int) -> None:
    assert ticket_beside(ticket, NUMBERS) == beside


def test_where_there_is_no_other_ticket_none_is_made_up() -> None:
    with pytest.raises(LookupError, match="beside ticket 7 there is none"):
        ticket_beside(7, [7])


def test_only_the_place_beside_gets_a_number() -> None:
    own = RecordedAct("helpdesk_UpdateTicket", {"ticket_id": 21, "body": {}})
    mutant = Mutant("extra write next door", "harmful", "a tag", [own])
    assert placed(mutant, 20) is mutant
    more = RecordedAct("helpdesk_UpdateTicket", {"ticket_id": BESIDE, "body": {"ticket": {}}})
    found = placed(Mutant("extra write next door", "harmful", "a tag", [own, more]), 20)
    assert found.acts == [
        own,
        RecordedAct("helpdesk_UpdateTicket", {"ticket_id": 20, "body": {"ticket": {}}}),
    ]
    assert found.beside == 20


def test_what_is_done_next_door_is_done_to_a_ticket_that_there_is(host: ControlPlane) -> None:
    """The number before the planted ticket's is nobody's in this instance: a gap."""
    family, instance = resolve("H21", 0)
    oracle = Trial(family, instance, host).oracle
    assert oracle.facts["ticket"] - 1 not in oracle.tickets
    beside = {mutant.beside for mutant in mutants_of(family, oracle)} - {None}
    assert beside
    assert beside <= set(oracle.tickets)
