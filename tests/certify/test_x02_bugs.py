"""X02: every variant is reached, and notes and mails are read as they were meant."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from episodes.families.x02 import words
from episodes.families.x02.params import (
    CATEGORIES,
    EFFECTS,
    PRIORITIES,
    PROMISES,
    Category,
    Fact,
    Params,
    params_of,
    structural_variants,
)
from episodes.families.x02.reading import Known, Note, note_of, plan, report_of
from episodes.families.x02.stating import leads_to, states, states_any, working_days
from episodes.tasks.instances import InstanceId

COMPONENTS: dict[Category, str] = {
    "saving": "Import",
    "display": "Account & licensing",
    "speed": "Job planner",
    "access": "Editor",
}
HELD: dict[Fact, str] = {
    "code": "BPX1234",
    "version": "5.3",
    "serial": "MR45-2412-0831",
    "system": "Windows 11 23H2",
    "file": "sign-oak-07.svg",
}


def numbered(number: int) -> Params:
    return params_of(InstanceId("X02", 1, "kestrel", "tiny", 1, number))


def note(params: Params) -> Note:
    return note_of(words.note_text(params, "Kestrel Studio", COMPONENTS, PROMISES[0]))


def test_the_instances_reach_all_160_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(160)]
    assert len(set(structural_variants())) == 160
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert (one.kind, one.demand) != (other.kind, other.demand)


def test_in_half_of_the_variants_a_bug_is_to_be_raised() -> None:
    assert sum(params.raises for params in structural_variants()) == 80


def test_every_note_is_read_as_it_was_meant() -> None:
    for params in structural_variants():
        found = note(params)
        assert found.space == "Kestrel Studio"
        assert found.demanded == [words.FACT_WORDS[fact] for fact in params.facts]
        assert found.components == {words.ABOUT[name]: COMPONENTS[name] for name in CATEGORIES}
        assert found.days == dict(zip(PRIORITIES, PROMISES[0], strict=True))
        for effect in EFFECTS:
            assert found.priorities[words.EFFECT_WORDS[effect]] == params.priority(effect)
            assert params.priority(effect) != "Medium"


def test_the_note_that_was_replaced_is_none() -> None:
    with pytest.raises(LookupError):
        note_of(words.old_note_text("Firmware"))


@pytest.mark.parametrize(("right", "wrong"), [("5.3", "5.2"), ("R26-05", "R26-04")])
def test_every_mail_gives_its_facts_and_what_was_said_last_counts(right: str, wrong: str) -> None:
    held = {**HELD, "version": wrong}
    for seed, (fault, effect) in enumerate(product(words.FAULTS, EFFECTS)):
        chance = Random(seed)
        first = words.mail(fault, held, effect, "Ann Example", chance)
        later = words.correction(right, wrong, "Ann Example", chance)
        for mails, version in (([first], wrong), ([first, later], right)):
            found = report_of(mails)
            wanted = {**HELD, "version": version}
            assert found.facts == {words.FACT_WORDS[name]: wanted[name] for name in wanted}
            assert found.about == words.ABOUT[fault.category], fault.title
            assert found.effect == words.EFFECT_WORDS[effect], fault.title
            assert fault.text.startswith(found.text)


def test_what_is_open_is_joined_and_what_is_done_is_raised_anew() -> None:
    rules = note(structural_variants()[0])
    mail = words.mail(words.FAULTS[0], HELD, "lost", "Ann Example", Random(1))
    told = report_of([mail])
    fresh = plan(rules, told, None)
    assert (fresh.joined, fresh.priority, fresh.version) == (None, "Highest", None)
    assert fresh.summary.startswith("BPX1234: ")
    done = plan(rules, told, Known("STU-4", done=True, priority="Low", version="5.1"))
    assert (done.joined, done.priority, done.version) == (None, "Highest", None)
    joined = plan(rules, told, Known("STU-5", done=False, priority="Low", version="5.4"))
    assert (joined.joined, joined.days, joined.version) == ("STU-5", PROMISES[0][3], "5.4")
    assert states(joined.answer, "5.4")
    assert working_days(joined.answer) == {joined.days}


@pytest.mark.parametrize(
    ("text", "value", "named"),
    [
        ("Version: 5.2", "5.2", True),
        ("It is 5.2.", "5.2", True),
        ("It is 5.2.1", "5.2", False),
        ("It is 15.2", "5.2", False),
        ("(BPX1234)", "BPX1234", True),
        ("bpx1234: broken", "BPX1234", True),
        ("BPX12345", "BPX1234", False),
        ("Windows 11 (23H2)", "Windows 11 23H2", True),
        ("Windows 10 23H2", "Windows 11 23H2", False),
        ("STU-121", "STU-12", False),
        ("see STU-12.", "STU-12", True),
        ("sign-oak-07.svg", "oak-07.svg", False),
        ("> Version: 5.2", "5.2", False),
    ],
)
def test_a_value_is_named_by_itself_or_not_at_all(text: str, value: str, named: bool) -> None:
    assert states(text, value) is named
    assert states_any(text, ["nothing", value]) is named


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("within 3 working days", {3}),
        ("within three business days", {3}),
        ("a 10-working-day wait", {10}),
        ("3 or 5 days", set()),
        ("2 working days, at most 15 working days", {2, 15}),
        ("in version 1.3 working", set()),
    ],
)
def test_working_days_are_read_in_figures_and_words(text: str, days: set[int]) -> None:
    assert working_days(text) == days


DESK = "http://helpdesk.sb-abcdefghij.localhost:8800"


@pytest.mark.parametrize(
    ("url", "leads"),
    [
        (f"{DESK}/agent/tickets/12", True),
        (f"{DESK}/agent/tickets/12/?from=bug#top", True),
        (f"{DESK}/api/v2/tickets/12.json", True),
        (f"{DESK}/hc/en-us/requests/12", True),
        ("http://127.0.0.1:9001/agent/tickets/12", True),
        (f"{DESK}/agent/tickets/121", False),
        (f"{DESK}/agent/tickets/1/2", False),
        (f"{DESK}/agent/tickets?after=/tickets/12", False),
        (f"{DESK}/agent/dashboard#/tickets/12", False),
        (DESK.replace("helpdesk", "tracker") + "/agent/tickets/12", False),
        ("https://example.com/agent/tickets/12", False),
        ("http://[/agent/tickets/12", False),
        ("/agent/tickets/12", False),
    ],
)
def test_a_link_leads_to_the_ticket_at_the_desk_or_not_at_all(url: str, leads: bool) -> None:
    assert leads_to(url, 12) is leads
