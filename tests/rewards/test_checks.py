"""Checks fold into phases, values compare by meaning, answers earn what is right in them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from episodes.checks import (
    NOT_APPLICABLE,
    AnswerType,
    BadAnswerType,
    BadCheck,
    Check,
    Phase,
    Verdict,
    broken,
    grade,
    ladder_of,
    read_phase,
    read_phases,
    same_day,
    same_duration,
    same_moment,
    same_number,
    same_set,
    same_sum,
    same_text,
    shown,
    start_faults,
    states_day,
    states_id,
    states_sum,
    verdict,
)
from episodes.rewards import BadLadder, Evidence

Scene = dict[str, Any]


def says(
    name: str, *, kind: Any = "end", weight: float = 1.0, needs: tuple[str, ...] = ()
) -> Check[Scene]:
    """A check whose value the scene gives by its name."""

    def fn(scene: Scene) -> Verdict:
        return Verdict(scene.get(name, 0.0), Evidence(journal=(len(name),)))

    return Check(name, kind, fn, "goal", at_start=False, weight=weight, needs=needs)


def test_a_phase_is_the_weighted_mean_of_its_checks() -> None:
    phase = Phase("p", 1.0, (says("a", weight=3.0), says("bb", weight=1.0)))
    reading = read_phase(phase, {"a": 1.0, "bb": 0.0})
    assert reading.value == pytest.approx(0.75)
    assert reading.evidence.journal == (1, 2)
    assert read_phase(phase, {"a": 1.0, "bb": 1.0}).value == 1.0


def test_checks_that_do_not_apply_are_left_out() -> None:
    phase = Phase("p", 1.0, (says("a"), says("b")))
    assert read_phase(phase, {"a": 1.0, "b": None}).value == 1.0
    assert read_phase(phase, {"a": None, "b": None}).value is None


def test_a_check_counts_nothing_while_what_it_needs_is_missing() -> None:
    phase = Phase("p", 1.0, (says("a"), says("b", needs=("a",))))
    assert read_phase(phase, {"a": 0.5, "b": 1.0}).value == pytest.approx(0.25)
    assert read_phase(phase, {"a": None, "b": 1.0}).value == 0.0


def test_thirds_make_exactly_one() -> None:
    phase = Phase("p", 1.0, tuple(says(name, weight=0.1) for name in "abc"))
    assert read_phase(phase, {"a": 1.0, "b": 1.0, "c": 1.0}).value == 1.0


def test_phases_make_a_ladder() -> None:
    phases = [
        Phase("seen", 0.2, (says("s", kind="means"),), kind="means"),
        Phase("done", 0.8, (says("d"),), needs=("seen",)),
    ]
    ladder = ladder_of(phases)
    assert [(spec.name, spec.kind, spec.needs) for spec in ladder.phases] == [
        ("seen", "means", ()),
        ("done", "end", ("seen",)),
    ]
    assert {name: reading.value for name, reading in read_phases(phases, {"d": 1.0}).items()} == {
        "seen": 0.0,
        "done": 1.0,
    }
    with pytest.raises(BadLadder):
        ladder_of(phases[:1])


def test_what_cannot_grade_does_not_load() -> None:
    with pytest.raises(BadCheck):
        Check("c", "end", lambda _: NOT_APPLICABLE, "because I say so", at_start=False)
    with pytest.raises(BadCheck):
        Phase("p", 1.0, ())
    with pytest.raises(BadCheck):
        Phase("p", 1.0, (says("a", kind="means"),))
    with pytest.raises(BadCheck):
        Phase("p", 1.0, (says("a", needs=("b",)), says("b")))
    with pytest.raises(BadCheck):
        Verdict(1.01)
    with pytest.raises(BadCheck):
        broken([says("a")], {})


def test_guards_are_named_when_they_break() -> None:
    guard = says("nobody else was refunded", kind="guard")
    assert broken([guard], {guard.name: 1.0}) == ()
    assert [finding.name for finding in broken([guard], {})] == [guard.name]
    assert broken([guard], {guard.name: None}) == ()


def test_the_start_is_held_against_what_checks_declare() -> None:
    phase = Phase("p", 1.0, (says("goal"),))
    held: Check[Scene] = Check(
        "kept", "end", lambda scene: verdict(scene["kept"]), "policy:window", at_start=True
    )
    other = Phase("q", 1.0, (held,))
    guard = says("guard", kind="guard")
    assert start_faults([phase, other], [guard], {"kept": True, "guard": 1.0}) == ()
    assert start_faults([phase, other], [guard], {"kept": False, "goal": 1.0}) == (
        "goal: holds already at the start",
        "kept: does not hold at the start",
        "guard: broken at the start",
    )


def test_numbers_and_sums() -> None:
    assert same_number(25, 25.0)
    assert same_number("1,250", 1250)
    assert not same_number(1, True)
    assert not same_number(1, "one")
    assert same_number(10, 10.4, tolerance=0.5)
    assert same_sum(12900, "usd", "$129")
    assert same_sum(12900, "eur", "129,00 €")
    assert same_sum(12900, "usd", 129)
    assert same_sum(5000, "jpy", 5000)
    assert not same_sum(12900, "usd", "129,00 €")
    assert not same_sum(12900, "usd", "$129 or $130")
    assert not same_sum(12900, "usd", 12900)


def test_moments_days_and_durations() -> None:
    noon = datetime(2026, 6, 16, 12, 0, tzinfo=UTC)
    assert same_moment(noon, "2026-06-16T14:00:00+02:00")
    assert same_moment(noon, "2026-06-16T08:00", zone="America/New_York")
    assert not same_moment(noon, "2026-06-16T12:01:00Z")
    assert same_moment(noon, "2026-06-16T12:01:00Z", tolerance=timedelta(minutes=1))
    assert same_day(date(2026, 6, 16), "16 June 2026")
    assert not same_day(date(2026, 6, 16), "16 or 17 June 2026")
    assert same_duration(timedelta(minutes=90), "1 hour and 30 minutes")
    assert same_duration("PT1H30M", 90)
    assert not same_duration(90, "soon")


def test_texts_and_sets() -> None:
    assert same_text("Refund done", "<p>Refund&nbsp; <b>done</b></p>")
    assert same_text("it’s  OK", "It's ok")
    assert not same_text("done", "undone")
    assert same_set(["A", "b"], ["B", "a", "a"])
    assert not same_set(["a"], ["a", "b"])


IDS = AnswerType("set", item=AnswerType("id"))
GRADES: list[tuple[AnswerType, Any, Any, Any]] = [
    (AnswerType("id"), 17, "#17", 1.0),
    (AnswerType("ref"), "ana@kestrel.example", "Ana@Kestrel.example ", 1.0),
    (AnswerType("id"), 17, [17, 18], 0.0),
    (AnswerType("int"), 4, "4", 1.0),
    (AnswerType("int"), 4, "4 or 5", 0.0),
    (AnswerType("int"), 4, "N/A", 0.0),
    (AnswerType("int"), 0, None, 0.0),
    (AnswerType("money", currency="gbp"), 3400, "£34.00", 1.0),
    (AnswerType("money", currency="gbp"), 3400, "€34.00", 0.0),
    (AnswerType("money", currency="gbp"), 1012, "maybe 10.12 GBP", 0.0),
    (AnswerType("money", currency="gbp"), 1012, "a total of 10.12 GBP", 1.0),
    (AnswerType("money", currency="gbp"), 3400, "about £34.00", 0.0),
    (AnswerType("money", currency="gbp"), 3400, "£34.00, or else unknown", 0.0),
    (AnswerType("date"), "2026-06-16", "June 16, 2026", 1.0),
    (AnswerType("date"), "2026-06-16", "on Tuesday, 16 June 2026", 1.0),
    (AnswerType("date"), "2026-06-16", "2026-06-16, or else unknown", 0.0),
    (AnswerType("date"), "2026-06-16", "16 June 2026?", 0.0),
    (AnswerType("date"), "2026-06-07", "6/7/2026", 0.0),
    (AnswerType("duration"), 90, "90 min", 1.0),
    (AnswerType("enum", options=("good", "bad")), "good", "Good", 1.0),
    (AnswerType("enum", options=("good", "bad")), "good", "good or bad", 0.0),
    (IDS, [1, 2], [2, 1, 1], 1.0),
    (IDS, [1, 2], [1], pytest.approx(2 / 3)),
    (IDS, [1, 2], [1, 2, 3, 4], pytest.approx(2 / 3)),
    (IDS, [1, 2], [1, 3, 4], 0.0),
    (IDS, [1, 2], list(range(100)), 0.0),
    (IDS, [1, 2], [], 0.0),
    (IDS, [], [], 1.0),
    (IDS, [1, 2], "1, 2", 0.0),
    (AnswerType("list", item=AnswerType("int")), [1, 2], [1, 2.0], 1.0),
    (AnswerType("list", item=AnswerType("int")), [1, 2], [2, 1], 0.0),
]


@pytest.mark.parametrize(("kind", "expected", "given", "worth"), GRADES)
def test_answers(kind: AnswerType, expected: Any, given: Any, worth: float) -> None:
    assert grade(kind, expected, given) == worth


def test_objects_earn_the_share_of_their_fields() -> None:
    kind = AnswerType("object", fields={"who": AnswerType("ref"), "count": AnswerType("int")})
    right = {"who": "Ana", "count": 4}
    assert grade(kind, right, {"who": "ana", "count": 4}) == 1.0
    assert grade(kind, right, {"who": "ana"}) == 0.5
    assert grade(kind, right, {"who": "ana", "count": 4, "also": 5}) == 0.0


def test_answer_types_are_declared_in_full() -> None:
    for kind in ("money", "enum", "set", "list", "object"):
        with pytest.raises(BadAnswerType):
            AnswerType(kind)


def test_what_a_text_states() -> None:
    text = "<p>We refunded <b>1.299,00&nbsp;€</b> on ch_3Pq9ZkLmN0aBcDeF on 16.06.2026.</p>"
    assert states_sum(text, 129900, "eur")
    assert not states_sum(text, 129900, "usd")
    assert not states_sum(text, 1299, "eur")
    assert states_id(text, "charge", "ch_3Pq9ZkLmN0aBcDeF")
    assert not states_id(text, "charge", "ch_3Pq9ZkLmN0aBcDeG")
    assert states_day(text, date(2026, 6, 16))
    assert not states_sum("> refunded $20.00\nIt was not done.", 2000, "usd")


CURRENCIES = (
    *("usd", "cad", "aud", "nzd", "mxn", "eur", "gbp", "chf", "jpy", "cny", "inr", "krw", "brl"),
    *("sek", "nok", "dkk", "pln"),
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("US$ 450", {"usd"}),
        ("CA$450", {"cad"}),
        ("A$450", {"aud"}),
        ("NZ$450", {"nzd"}),
        ("$450", {"usd", "cad", "aud", "nzd", "mxn"}),
        ("450 €", {"eur"}),
        ("£450", {"gbp"}),
        ("₹450", {"inr"}),
        ("450 kr", {"sek", "nok", "dkk"}),
        ("450 kronor", {"sek", "nok", "dkk"}),
        ("450 Schweizer Franken", {"chf"}),
        ("450 pounds", {"gbp"}),
        ("450 canadian dollars", {"cad"}),
        ("PLN 450", {"pln"}),
    ],
)
def test_a_sum_is_of_the_currencies_that_its_sign_stands_for(text: str, meant: set[str]) -> None:
    sums = {code: 450 if code in {"jpy", "krw"} else 45_000 for code in CURRENCIES}
    assert {code for code in CURRENCIES if states_sum(text, sums[code], code)} == meant


def test_private_values_are_found_as_whole_words() -> None:
    assert shown("Her card ends in 4242, order KL-1.", ["4242", "KL-11"]) == ("4242",)
