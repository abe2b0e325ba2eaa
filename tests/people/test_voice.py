"""How people say things: in their tone and language, every value exactly once."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median

import pytest

from seeds.people.delays import SOONEST, reply_delay
from seeds.people.events import Act
from seeds.people.persona import TONES, Persona, Tone
from seeds.people.understanding import LANGUAGES, read
from seeds.people.voice import Unsayable, remark, render
from tests.people.scenes import CHARGE, LEAD

SHOWN = (("charge", CHARGE), ("sum", "$129.00"))
ACTS = [
    Act("nudge"),
    Act("ask_manager"),
    Act("reveal", slots=(("order", "KL-10482"), ("card", "4242"), ("date", "12 May 2026"))),
    Act("reveal", slots=(("charge", CHARGE), ("identity", "Ana Lopez, ana@lopez.example"))),
    Act("dont_know", topics=("card", "date")),
    Act("clarify", topics=("charge", "order", "card")),
    Act("clarify", topics=("approval",)),
    Act("thank"),
    Act("settled"),
    Act("reopen"),
    Act("dispute"),
    Act("disagree"),
    Act("ask_reason"),
    Act("promise_broken"),
    Act("grant", slots=SHOWN),
    *(
        Act("refuse", slots=SHOWN, topics=(reason,))
        for reason in ("above_limit", "unknown_charge", "wrong_sum", "already_refunded", "not_mine")
    ),
    Act("ask_missing", topics=("charge", "sum")),
    Act("false_identity", slots=(("identity", "Ana Lopez, 28010"),)),
    Act("insist"),
    Act("give_up"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tone", TONES)
def test_every_act_has_words_with_every_value_once(tone: Tone, language: str) -> None:
    persona = Persona(tone=tone, language=language, typo_rate=0.06)
    for act in ACTS:
        for seed in range(5):
            text = render(act, persona, Random(seed))
            assert text.strip()
            assert not re.search(r"[{}]", text)
            for _, value in act.slots:
                assert len(re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", text)) == 1


def test_words_are_a_function_of_the_draws() -> None:
    persona = Persona(tone="rambling", typo_rate=0.06)
    texts = [render(Act("reopen"), persona, Random(7)) for _ in range(2)]
    assert texts[0] == texts[1]
    assert len({render(Act("reopen"), persona, Random(seed)) for seed in range(20)}) > 5


def test_tones_differ() -> None:
    said = {tone: render(Act("reopen"), Persona(tone=tone), Random(1)) for tone in TONES}
    assert len(set(said.values())) == len(TONES)
    assert len(said["terse"]) < len(said["plain"]) < len(said["rambling"])


def test_an_unmet_customer_says_what_they_see() -> None:
    for tone in TONES:
        for seed in range(6):
            text = render(Act("reopen"), Persona(tone=tone), Random(seed))
            assert "both charges" in text.lower()


def test_slips_come_at_their_rate_and_never_in_values() -> None:
    act = Act("reveal", slots=(("identity", "Ana Lopez, Calle Mayor 12, 28013 Madrid"),))
    clean = [render(act, Persona(), Random(seed)) for seed in range(200)]
    slipped = [render(act, Persona(typo_rate=0.06), Random(seed)) for seed in range(200)]
    assert sum(a != b for a, b in zip(clean, slipped, strict=True)) > 20
    assert all("Ana Lopez, Calle Mayor 12, 28013 Madrid" in text for text in slipped)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_leads_word_is_understood(language: str) -> None:
    lead = replace(LEAD, language=language, typo_rate=0.06)
    for seed in range(6):
        for tone in ("plain", "terse", "warm"):
            persona = replace(lead, tone=tone)
            yes = render(Act("grant", slots=SHOWN), persona, Random(seed))
            assert "pprove" in yes
            assert "approval_yes" in read(yes, audience="desk").slots
            for reason in ("above_limit", "unknown_charge", "wrong_sum"):
                no = render(Act("refuse", slots=SHOWN, topics=(reason,)), persona, Random(seed))
                assert "approval_no" in read(no, audience="desk").slots
                assert "approval_yes" not in read(no, audience="desk").slots


def test_what_cannot_be_said_once_is_not_said() -> None:
    twice = Act("reveal", slots=(("order", "KL-1"), ("charge", "KL-1")))
    with pytest.raises(Unsayable):
        render(twice, Persona(), Random(1))


def test_ratings_carry_thanks_where_there_are_any() -> None:
    assert remark(Act("rate"), Persona(), Random(1)) is None
    words = remark(Act("rate", topics=("thank",)), Persona(tone="warm"), Random(1))
    assert words is not None
    assert "thank you" in words


# When they answer

NOON = datetime(2026, 6, 16, 12, 0, tzinfo=UTC)  # a Tuesday


def test_delays_have_their_median_and_are_never_nothing() -> None:
    hours = [
        reply_delay(NOON, timedelta(hours=3), "UTC", Random(seed)).total_seconds() / 3600
        for seed in range(400)
    ]
    assert 2.6 < median(hours) < 3.4
    assert min(hours) > 0
    assert reply_delay(NOON, timedelta(0), "UTC", Random(1)) == SOONEST


@pytest.mark.parametrize(
    "at", [NOON.replace(hour=3), NOON.replace(hour=23), NOON + timedelta(days=4)]
)
def test_nights_and_weekends_are_slower(at: datetime) -> None:
    slower = [
        reply_delay(at, timedelta(hours=3), "UTC", Random(seed))
        > reply_delay(NOON, timedelta(hours=3), "UTC", Random(seed))
        for seed in range(20)
    ]
    assert all(slower)


def test_the_night_is_that_of_their_zone() -> None:
    asleep = reply_delay(NOON, timedelta(hours=3), "Pacific/Auckland", Random(1))
    assert asleep > reply_delay(NOON, timedelta(hours=3), "UTC", Random(1))


def test_openers_vary() -> None:
    persona = Persona(tone="plain")
    openers = Counter(
        render(Act("nudge"), persona, Random(seed)).split("\n")[0] for seed in range(30)
    )
    assert len(openers) > 2
