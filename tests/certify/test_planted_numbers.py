"""Who remembers what an instance planted knows no number of another, nor when people answer.

Before a merge that is looked at for some families, and for all in `make test-everything`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
from clones.tracker.models import Issue
from episodes.control_plane import ControlPlane
from episodes.start import Prepared, prepare
from episodes.tasks.catalogue import known_families
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family
from snapshots.sandboxes import BASE

INSTANCES: Final = 8
AT_MOST: Final = 3  # in so many of them one number may stand at the same place
FAMILIES: Final = known_families()
# Looked at before every merge; all others are in `make test-everything`.
ALWAYS: Final = ("H05", "H11", "T08", "X02")
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
    """Return what names the tickets and issues that the arrangement made: numbers, ids, keys."""
    rows = journal().rows(server().registry.marks(sandbox)[BASE])
    made = [(row.table.name, row.key) for row in rows if row.operation == "insert"]
    tickets = {str(key) for name, key in made if name == "helpdesk_ticket"}
    issues = Issue.objects.filter(id__in=[key for name, key in made if name == "tracker_issue"])
    named = issues.order_by("id").values_list("id", "key")
    return tickets | {str(name) for names in named for name in names}


def places_of(facts: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield where in the facts of a grader something stands, and what."""
    if isinstance(facts, dict):
        for count, (name, value) in enumerate(facts.items()):
            is_name = str(name).isidentifier()
            if not is_name:
                yield f"{place} key {count}", str(name)
            yield from places_of(value, f"{place}.{name if is_name else count}")
    elif isinstance(facts, list | tuple | set | frozenset):
        for count, value in enumerate(facts if isinstance(facts, list | tuple) else sorted(facts)):
            yield from places_of(value, f"{place}.{count}")
    elif isinstance(facts, int | str) and not isinstance(facts, bool):
        yield place, str(facts)


def places_of_work(found: Sequence[tuple[Mapping[str, str], set[str]]]) -> dict[str, list[str]]:
    """Return what stands where planted work does, in most of the instances that have the place."""
    at: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for facts, planted in found:
        for place, value in facts.items():
            at[place].append((value, value in planted))
    return {
        place: [value for value, is_work in values if is_work]
        for place, values in at.items()
        if 2 * sum(is_work for _, is_work in values) > len(values)
    }


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "family",
    [
        pytest.param(family, marks=() if family.id in ALWAYS else pytest.mark.everything)
        for family in FAMILIES
    ],
    ids=lambda family: family.id,
)
def test_no_number_of_planted_work_is_that_of_many_instances(
    family: Family, host: ControlPlane
) -> None:
    found, plants = [], False
    for number in range(INSTANCES):
        with arranged(family, number, host) as prepared:
            planted = planted_work(prepared.sandbox)
            plants = plants or bool(planted)
            found.append((dict(places_of(prepared.arranged.facts)), planted))
    work = places_of_work(found)
    assert bool(work) is plants, "its facts name what it plants"
    often = {
        (place, value): count
        for place, values in work.items()
        for value, count in Counter(values).items()
        if count > AT_MOST
    }
    assert often == {}


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
