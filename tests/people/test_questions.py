"""Somebody who asked for a change: which of two they mean, and whether it is made."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from seeds.people.events import Act, Checked, Message, Spoke, StatusChanged
from seeds.people.machine import transition
from seeds.people.models import PersonState
from seeds.people.options import is_named, named_options
from seeds.people.persona import Change, Knowledge, Persona, WorldCheck
from seeds.people.predicates import same_entry
from seeds.people.state import ThreadState
from seeds.people.store import knowledge_json, knowledge_of
from seeds.people.understanding import LANGUAGES, read
from seeds.people.voice import remark, render
from tests.people.scenes import T0

ASKER = Persona(
    patience=timedelta(hours=8),
    checks=(WorldCheck("record_holds", {"places": []}, timedelta(hours=1)),),
    zone="UTC",
)
KNOWS = Knowledge(
    own={"order": "KLW-48213"},
    first={"order": "KLW-48231"},
    ids=frozenset({"KLW-48213", "KLW-51007", "KLW-48231"}),
    options={"order": (("KLW-48213", "48213"), ("KLW-51007", "51007"))},
    change=Change(("KLW-48213",), ("14 Mill Lane, Greyham",)),
)


def message_of(text: str) -> Message:
    return Message(T0, read(text), text, said=text)


def hear(
    text: str,
    *,
    persona: Persona = ASKER,
    state: ThreadState | None = None,
    knows: Knowledge = KNOWS,
) -> tuple[ThreadState, list[Act]]:
    state, acts, _ = transition(persona, state or ThreadState(wrote_at=T0), message_of(text), knows)
    return state, list(acts)


@pytest.mark.parametrize(
    "text",
    [
        "Which order do you mean?",
        "I see KLW-48213 and KLW-51007 here. Please let me know which one it is.",
        "Is it KLW-51007?",
        "Do you mean 48213 or 51007?",
    ],
)
def test_whoever_is_asked_which_they_mean_says_it(text: str) -> None:
    _, acts = hear(text)
    assert [(act.name, act.slots) for act in acts] == [("reveal", (("order", "KLW-48213"),))]


def test_to_name_the_orders_is_not_to_ask() -> None:
    _, acts = hear("I have changed KLW-48213 and left KLW-51007. Let me know which you like.")
    assert "reveal" not in {act.name for act in acts}


def test_a_question_that_names_nothing_costs_a_turn() -> None:
    _, acts = hear("Could you be more specific?")
    assert [act.name for act in acts] == ["clarify"]


def test_the_same_question_again_is_a_bother() -> None:
    state, _ = hear("Which order do you mean?")
    state, _, _ = transition(ASKER, state, Spoke(T0, "reveal"), KNOWS)
    state, acts = hear("Sorry, which order was it?", state=state)
    assert state.repeats == 1
    assert acts == []


def test_what_is_on_record_is_answered_and_a_bother() -> None:
    state, acts = hear(
        "Which order do you mean?", knows=replace(KNOWS, on_record=frozenset({"order"}))
    )
    assert [act.name for act in acts] == ["reveal"]
    assert state.repeats == 1


def test_who_is_mistaken_says_it_right_when_asked_again() -> None:
    mistaken = replace(ASKER, truthfulness="mistaken", mistaken_about="order")
    state, acts = hear("Which order do you mean?", persona=mistaken)
    assert acts[0].slots == (("order", "KLW-48231"),)
    state, _, _ = transition(mistaken, state, Spoke(T0, "reveal"), KNOWS)
    _, acts = hear(
        "I find no KLW-48231. Which order is it, KLW-48213 or KLW-51007?",
        persona=mistaken,
        state=state,
    )
    assert acts[0].slots == (("order", "KLW-48213"),)


def test_what_is_claimed_is_looked_at_and_told_if_named() -> None:
    state, _ = hear("I have changed the address of KLW-48213 to 14 Mill Lane, Greyham.")
    assert (state.mood, state.tells) == ("trying", True)
    state, acts, _ = transition(ASKER, state, Checked(T0, "record_holds", holds=True), KNOWS)
    assert (state.mood, state.fixed, state.told) == ("content", 1.0, 1)
    assert [act.name for act in acts] == ["thank"]
    other, _ = hear("I have changed the address of KLW-51007 to 14 Mill Lane, Greyham.")
    assert (other.mood, other.tells) == ("trying", False)


def test_who_was_told_wrong_comes_back() -> None:
    state, _ = hear("I have changed the address of KLW-48213 to 14 Mill Lane, Greyham.")
    state, _, _ = transition(ASKER, state, StatusChanged(T0, "solved"), KNOWS)
    state, acts, _ = transition(ASKER, state, Checked(T0, "record_holds", holds=False), KNOWS)
    assert (state.mood, state.reopens, state.untruths) == ("doubting", 1, 1)
    text = render(next(act for act in acts if act.name == "reopen"), ASKER, Random(1))
    assert "charge" not in text


def test_a_change_is_no_news_to_who_waits_for_money() -> None:
    state, _ = hear("I have changed the address on your profile.", knows=Knowledge())
    assert state.mood == "waiting"


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_changes_speak_of_no_money(language: str) -> None:
    persona = replace(ASKER, language=language)
    matter = (("matter", "change"),)
    for name in ("thank", "reopen", "disagree", "ask_reason", "dispute"):
        changed = render(Act(name, data=matter), persona, Random(3))
        assert changed != render(Act(name), persona, Random(3))
    assert remark(Act("rate", topics=("thank",), data=matter), persona, Random(3))


def test_what_somebody_knows_is_kept_whole() -> None:
    knows = replace(KNOWS, on_record=frozenset({"order"}))
    assert knowledge_of(PersonState(knowledge=knowledge_json(knows))) == knows


def test_options_are_named_by_words_and_days() -> None:
    reading = read("Shall we say 07/08/2026?")
    days = (("2026-07-08",), ("2026-08-07",), ("2026-08-09",))
    assert named_options(days, "Shall we say 07/08/2026?", reading.facts) == (0, 1)
    assert is_named(("seat 1",), "It is Seat  1.", reading.facts)
    assert not is_named(("12",), "It is 112.", reading.facts)


def test_entries_are_compared_by_what_they_say() -> None:
    assert same_entry("+44 20 7946 0123", "+442079460123")
    assert same_entry(" 14 Mill Lane, Greyham", "14 mill lane,  greyham")
    assert same_entry(36, "36")
    assert not same_entry("36", "360")
    assert not same_entry(None, "x")
