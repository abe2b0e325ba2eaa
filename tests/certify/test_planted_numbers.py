"""Who remembers what an instance planted knows no number of another, nor when people answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from clones.core import clock, jobs
from clones.core.journal import act, journal
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Comment, Ticket, User
from episodes.control_plane import ControlPlane
from episodes.start import Prepared, prepare
from episodes.tasks.catalogue import known_families
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from snapshots.sandboxes import BASE

INSTANCES: Final = 8
AT_MOST: Final = 2  # in so many of them may one number stand at the same place
FAMILIES: Final = known_families()
# Those in which people answer by mail, to whom one question is put.
ANSWERED: Final = ("H05", "H11")
QUESTION: Final = "Could you tell me the date and the order number, please?"
PATIENCE: Final = timedelta(days=3)


@contextmanager
def arranged(family: Family, number: int, host: ControlPlane) -> Iterator[Prepared]:
    """Arrange an instance in the tiny world and bind its sandbox for writing."""
    instance = InstanceId(family.id, family.version, family.world, "tiny", 1, number)
    prepared = prepare(host, family, instance)
    row = server().registry.get(prepared.sandbox)
    try:
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            yield prepared
    finally:
        host.sandboxes.delete(prepared.sandbox)


def planted_work(sandbox: str) -> set[str]:
    """Return the numbers of the tickets and the ids of the issues that the arrangement made."""
    rows = journal().rows(server().registry.marks(sandbox)[BASE])
    tables = {"helpdesk_ticket", "tracker_issue"}
    return {str(row.key) for row in rows if row.operation == "insert" and row.table.name in tables}


def places_of(facts: Any, planted: set[str], place: str = "") -> Iterator[tuple[str, str]]:
    """Yield where in the facts of a grader planted numbers stand, and these."""
    if isinstance(facts, dict):
        for count, (name, value) in enumerate(facts.items()):
            if str(name) in planted:
                yield f"{place} key {count}", str(name)
                yield from places_of(value, planted, f"{place}.{count}")
            else:
                yield from places_of(value, planted, f"{place}.{name}")
    elif isinstance(facts, (list, tuple, set, frozenset)):
        for count, value in enumerate(
            sorted(facts) if isinstance(facts, (set, frozenset)) else facts
        ):
            yield from places_of(value, planted, f"{place}.{count}")
    elif not isinstance(facts, bool) and str(facts) in planted:
        yield place, str(facts)


def too_often(found: Iterable[tuple[str, str]], most: int) -> dict[tuple[str, str], int]:
    """Return what stands at one place more often than it may, and how often."""
    return {what: count for what, count in Counter(found).items() if count > most}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
def test_no_number_of_planted_work_comes_again(family: Family, host: ControlPlane) -> None:
    found: list[tuple[str, str]] = []
    for number in range(INSTANCES):
        with arranged(family, number, host) as prepared:
            planted = planted_work(prepared.sandbox)
            found += places_of(prepared.arranged.facts, planted)
    assert too_often(found, AT_MOST) == {}


def test_most_families_name_the_work_that_they_plant(host: ControlPlane) -> None:
    """The sweep looks somewhere: facts name the tickets and issues that are worked on."""
    silent = []
    for family in FAMILIES:
        with arranged(family, 0, host) as prepared:
            planted = planted_work(prepared.sandbox)
            if planted and not list(places_of(prepared.arranged.facts, planted)):
                silent.append(family.id)
    assert silent == []


def first_reply(prepared: Prepared) -> datetime | None:
    """Ask the requester of the instance's ticket something and return when they answer."""
    ticket = Ticket.objects.get(id=prepared.arranged.facts["ticket"])
    agent = User.objects.filter(role="agent", active=True).order_by("id")[0]
    with act(actor=f"helpdesk.user:{agent.id}", label="question"):
        asked = update_ticket(
            ticket, actor=agent, changes={}, comment=NewComment(QUESTION), via=Via("web")
        )
    jobs.advance(clock.now() + PATIENCE)
    answers = Comment.objects.filter(ticket=ticket, created_at__gt=asked.created_at)
    answer = answers.exclude(author=agent).order_by("created_at", "id").first()
    return None if answer is None else answer.created_at


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ANSWERED)
def test_people_answer_at_no_time_twice(name: str, host: ControlPlane) -> None:
    family = next(one for one in FAMILIES if one.id == name)
    came: dict[datetime, list[int]] = defaultdict(list)
    for number in range(INSTANCES):
        with arranged(family, number, host) as prepared:
            answered = first_reply(prepared)
        if answered is not None:
            came[answered.replace(microsecond=0)].append(number)
    assert [numbers for numbers in came.values() if len(numbers) > 1] == []
    assert len(came) >= INSTANCES // 2


@pytest.mark.slow
def test_instances_begin_at_times_of_their_own(host: ControlPlane) -> None:
    family = next(one for one in FAMILIES if one.id == "H05")
    begun = set()
    for number in range(INSTANCES):
        with arranged(family, number, host):
            begun.add(clock.now())
    assert len(begun) > INSTANCES - AT_MOST
