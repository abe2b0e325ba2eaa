"""What texts say: certified on phrasings that the lexicon was not made with."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Any

import pytest

from seeds.people.understanding import (
    LANGUAGES,
    QUESTIONS,
    SLOTS_FOR,
    claims_done,
    claims_refund,
    language_of,
    own_words,
    read,
)
from tests.people.corpora import KEPT, Phrasing, kept, listened_for, skeleton, training

RECALL = 0.98
FALSE_REVEAL = 0.005
CERTIFIED = sorted({*listened_for("customer"), *listened_for("desk")})


@pytest.fixture(scope="module")
def tally() -> dict[str, Counter[str]]:
    """Per slot: how often it was said, found, not said, and found all the same."""
    counts = {slot: Counter[str]() for slot in CERTIFIED}
    for phrasing in kept():
        found = read(phrasing.text, audience=phrasing.audience).slots
        for slot in listened_for(phrasing.audience):
            said = slot in phrasing.slots
            counts[slot]["said" if said else "unsaid"] += 1
            if slot in found:
                counts[slot]["found" if said else "false"] += 1
    return counts


def test_no_kept_phrasing_is_in_the_training_list() -> None:
    seen = {skeleton(phrasing.text) for phrasing in training()}
    assert [phrasing.text for phrasing in kept() if skeleton(phrasing.text) in seen] == []


@pytest.mark.parametrize("slot", CERTIFIED)
def test_each_slot_is_certified(tally: dict[str, Counter[str]], slot: str) -> None:
    count = tally[slot]
    assert count["said"] >= 50
    assert count["found"] / count["said"] >= RECALL
    assert count["false"] / count["unsaid"] <= FALSE_REVEAL


def test_each_slot_is_kept_in_every_language() -> None:
    said = Counter((slot, phrasing.language) for phrasing in kept() for slot in phrasing.slots)
    for slot in CERTIFIED:
        assert all(said[slot, language] >= 5 for language in LANGUAGES), slot


def test_questions_are_never_seen_where_none_is_asked(tally: dict[str, Counter[str]]) -> None:
    # What a person reveals hangs on these.
    asked = [tally[f"ask_{question}"] for question in QUESTIONS]
    false, unsaid = sum(count["false"] for count in asked), sum(count["unsaid"] for count in asked)
    assert false / unsaid <= FALSE_REVEAL


def test_the_training_list_is_understood() -> None:
    missed = [
        (slot, phrasing.text)
        for phrasing in training()
        for slot in phrasing.slots
        if slot not in read(phrasing.text, audience=phrasing.audience).slots
    ]
    assert missed == []


def test_denials_are_no_claims() -> None:
    denials = [phrasing for phrasing in training() if not phrasing.slots]
    assert len(denials) > 100
    assert [item.text for item in denials if claims_refund(item.text)] == []


def test_claims_are_true_ninety_nine_times_in_a_hundred() -> None:
    # Who says falsely that money went back is charged for it: precision counts above recall.
    said = [item for item in kept() if item.audience == "customer" and claims_refund(item.text)]
    true = [item for item in said if "refund_done" in item.slots]
    assert len(said) > 100
    assert len(true) / len(said) >= 0.99


MAILS = tomllib.loads((KEPT / "mails.toml").read_text(encoding="utf-8"))["mail"]


@pytest.mark.parametrize("mail", MAILS)
def test_whole_mails(mail: dict[str, Any]) -> None:
    assert read(mail["text"]).slots == set(mail["slots"])


def test_negations_conditions_and_questions_are_no_claims() -> None:
    for text in (
        "We have not refunded you.",
        "Once it has been refunded we will write to you.",
        "Has the payment been refunded?",
        "If the charge is refunded, your licence ends.",
        "It will be refunded.",
        "The refund was never made.",
        "The charge could be refunded.",
    ):
        assert not claims_refund(text), text
        assert not claims_done(text), text


def test_quoted_text_is_not_the_writers() -> None:
    text = (
        "Which card did you use?\n\nOn Mon, 4 May 2026 at 10:02, Ana wrote:\n> I was refunded $20."
    )
    assert own_words(text).strip() == "Which card did you use?"
    assert read(text).slots == {"ask_card"}
    assert read("> We refunded you.\nNothing was done.").slots == frozenset()


def test_facts_come_with_the_reading() -> None:
    reading = read("We refunded 1.299,00 € on ch_1Ab2Cd3Ef4Gh5Ij6Kl7Mn8Op.")
    assert reading.facts.names_sum(129900, "eur")
    assert reading.facts.ids("charge") == ("ch_1Ab2Cd3Ef4Gh5Ij6Kl7Mn8Op",)


def test_courtesies_are_no_questions() -> None:
    assert not read("Is there anything else I can help you with?").asks
    assert read("What do you mean by that?").asks
    assert read("What do you mean by that?").questions == ()


def test_the_audience_decides_what_is_listened_for() -> None:
    text = "Please approve the refund of $20.00 on ch_3Pq9ZkLmN0aBcDeFgHiJkLmN."
    assert "approval_request" in read(text, audience="desk").slots
    assert not read(text).slots & set(SLOTS_FOR["desk"])


@pytest.mark.parametrize("phrasing", [item for item in kept() if len(item.text.split()) > 7][::9])
def test_languages_are_told_apart(phrasing: Phrasing) -> None:
    assert language_of(phrasing.text) == phrasing.language


def test_long_texts_are_read_in_bounded_time() -> None:
    for hostile in ("refund " * 9000, "please which a " * 9000, "1.234," * 9000, "a" * 60000):
        read(hostile)
