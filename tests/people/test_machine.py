"""Every row of the people's table, on the machine alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeds.people.events import (
    Act,
    Checked,
    Event,
    FactCame,
    Merged,
    Mood,
    OtherActed,
    Spoke,
    StatusChanged,
    SurveyOffered,
    TimerFired,
)
from seeds.people.machine import begin, transition
from seeds.people.persona import Knowledge, Persona, Precision
from seeds.people.state import ThreadState
from tests.people.scenes import (
    CHARGE,
    CUSTOMER,
    EXPLAINABLE,
    KNOWS,
    LEAD,
    LEDGER,
    PUZZLED,
    T0,
    TWO_DAYS,
    happen,
    message,
    names,
    state,
    timer,
)

DONE = f"We have refunded $129.00 for charge {CHARGE}."
MOODS: list[Mood] = [
    "waiting", "reading", "content", "asked", "doubting", "angry", "escalated", "trying",
]  # fmt: skip
LIVE: list[Mood] = ["waiting", "asked", "doubting", "angry", "escalated"]


# waiting | patience has run out


def test_who_writes_in_sets_their_patience() -> None:
    [entry] = begin(CUSTOMER, state())
    assert (entry.kind, entry.after, entry.business) == ("nudge", timedelta(hours=8), True)
    assert begin(LEAD, state()) == ()


def test_patience_runs_out_in_three_steps() -> None:
    first, acts, timers = happen(TimerFired(T0, "nudge"), state())
    assert names(acts) == ["nudge"]
    assert first.mood == "waiting"
    assert timer(timers, "nudge").after == timedelta(hours=8)

    second, acts, timers = happen(TimerFired(T0, "nudge"), first)
    assert names(acts) == ["ask_manager", "flag"]
    assert second.mood == "escalated"
    assert timer(timers, "nudge").after == timedelta(hours=16)

    third, acts, timers = happen(TimerFired(T0, "nudge"), second)
    assert acts == ()
    assert third.mood == "gone"
    assert {entry.after for entry in timers} == {None}


def test_a_reply_starts_the_wait_afresh() -> None:
    impatient = state(nudges=1)
    after, _, timers = happen(message("The second charge is dated 12 May."), impatient)
    assert after.nudges == 0
    assert timer(timers, "nudge").after == timedelta(hours=8)


def test_nobody_nudges_while_they_check() -> None:
    before = state(mood="trying", pending=("refund_visible",))
    assert happen(TimerFired(T0, "nudge"), before) == (before, (), ())


# waiting/asked | question whose slot they own; about what they do not know


@pytest.mark.parametrize("mood", ["waiting", "asked"])
def test_a_question_they_can_answer(mood: Mood) -> None:
    after, acts, timers = happen(message("Which order is this about?"), state(mood=mood))
    assert acts == (Act("reveal", slots=(("order", "KL-10482"),)),)
    assert acts[0].pace == "reply"
    assert after.mood == "asked"
    assert timer(timers, "nudge").after is None  # it is their turn

    spoken, _, timers = happen(Spoke(T0, "reveal"), after)
    assert spoken.mood == "waiting"
    assert spoken.revealed == ("order",)
    assert timer(timers, "nudge").after == timedelta(hours=8)


def test_a_question_about_what_they_do_not_know() -> None:
    knows = replace(KNOWS, own={"order": "KL-10482"})
    after, acts, _ = happen(message("What are the last four digits?"), state(), knows=knows)
    assert acts == (Act("dont_know", topics=("card",)),)
    assert after.mood == "asked"


BOTH = "Could you send me the order number, the date of the charge and the last four digits?"


@pytest.mark.parametrize(
    ("precision", "told"),
    [
        ("asked", ["order", "card", "date"]),
        ("half", ["order", "card"]),
        ("all", ["order", "card", "date", "charge"]),
    ],
)
def test_precision_decides_how_much_is_told(precision: Precision, told: list[str]) -> None:
    _, acts, _ = happen(message(BOTH), state(), replace(CUSTOMER, precision=precision))
    assert [slot for slot, _ in acts[0].slots] == told


def test_the_half_that_was_held_back_is_told_when_asked_again() -> None:
    persona = replace(CUSTOMER, precision="half")
    after, _, _ = happen(message(BOTH), state(), persona)
    after, _, _ = happen(Spoke(T0, "reveal"), after, persona)
    after, acts, _ = happen(message("And on what date were you charged?"), after, persona)
    assert acts == (Act("reveal", slots=(("date", "12 May 2026"),)),)
    assert after.repeats == 0


def test_the_mistaken_are_right_at_the_second_asking() -> None:
    persona = replace(CUSTOMER, truthfulness="mistaken", mistaken_about="card")
    knows = replace(KNOWS, first={"card": "1111"})
    ask = message("What are the last four digits of the card?")
    after, acts, _ = happen(ask, state(), persona, knows)
    assert dict(acts[0].slots) == {"card": "1111"}
    after, _, _ = happen(Spoke(T0, "reveal"), after, persona, knows)
    pointed = message("I find no card ending in 1111. Which card was it?")
    after, acts, _ = happen(pointed, after, persona, knows)
    assert dict(acts[0].slots) == {"card": "4242"}
    assert after.repeats == 0
    after, _, _ = happen(Spoke(T0, "reveal"), after, persona, knows)
    after, acts, _ = happen(message("So which card was it?"), after, persona, knows)
    assert acts == ()
    assert after.repeats == 1


# any | question not understood


@pytest.mark.parametrize("mood", LIVE)
def test_what_is_not_understood_is_asked_back(mood: Mood) -> None:
    after, acts, _ = happen(message("What colour was the parrot?"), state(mood=mood))
    assert acts == (Act("clarify", topics=("charge", "order", "card")),)
    assert after.unclear == 1


def test_the_third_time_it_makes_them_angry() -> None:
    after = state()
    texts = ("What colour was it?", "Is the parrot well?", "And how about tea?")
    for text in texts:
        after, acts, _ = happen(message(text), after)
    assert after.mood == "angry"
    assert names(acts) == ["ask_manager", "flag"]


# any | the same question again, filler, another customer's text


@pytest.mark.parametrize("mood", LIVE)
def test_filler_is_a_nuisance_and_starts_no_new_wait(mood: Mood) -> None:
    text = "Thank you for your patience, we are looking into it."
    after, acts, timers = happen(message(text), state(mood=mood, nudges=1))
    assert (after.mood, after.repeats, after.nudges) == (mood, 1, 1)
    assert (acts, timers) == ((), ())


def test_the_same_question_again() -> None:
    before = state(revealed=("order",))
    after, acts, _ = happen(message("What is your order number?"), before)
    assert acts == ()
    assert after.repeats == 1
    pending = state(mood="asked", asked=("order",))
    after, acts, _ = happen(message("What is your order number, please?"), pending)
    assert (acts, after.repeats, after.mood) == ((), 1, "asked")


def test_the_same_text_again() -> None:
    after, _, _ = happen(message("The charge is from 12 May."), state())
    again, acts, _ = happen(message("The charge is from 12 May."), after)
    assert (again.repeats, acts) == (1, ())


def test_the_text_of_another_customer() -> None:
    text = "We have refunded $20.00 for charge ch_1Ab2Cd3Ef4Gh5Ij6Kl7Mn8Op."
    after, acts, _ = happen(message(text), state())
    assert (after.mood, after.repeats, acts) == ("waiting", 1, ())


# reading | claim of done


@pytest.mark.parametrize("mood", ["reading", *LIVE])
def test_a_claim_of_done_is_checked(mood: Mood) -> None:
    after, acts, timers = happen(message(DONE), state(mood=mood))
    assert after.mood == "trying"
    assert after.pending == ("refund_visible",)
    assert acts == ()
    entry = timer(timers, "check")
    assert (entry.after, entry.name, entry.business) == (TWO_DAYS, "refund_visible", False)
    assert timer(timers, "nudge").after is None


def test_a_claim_that_it_is_settled_is_checked_too() -> None:
    after, _, _ = happen(message("Your issue has been resolved."), state())
    assert (after.mood, after.claimed, after.tells) == ("trying", True, False)


def test_a_wrong_sum_is_disputed() -> None:
    text = f"We have refunded $19.00 for charge {CHARGE}."
    after, acts, _ = happen(message(text), state())
    assert names(acts) == ["dispute"]
    assert (after.mood, after.untruths) == ("doubting", 1)


def test_solving_without_a_word_is_checked() -> None:
    after, acts, timers = happen(StatusChanged(T0, "solved"), state())
    assert (after.mood, after.claimed, after.status) == ("trying", False, "solved")
    assert acts == ()
    assert timer(timers, "check").after == TWO_DAYS


# trying | check true


def trying(**changes: object) -> ThreadState:
    """Somebody who was told rightly and has a check under way."""
    values: dict[str, object] = {
        "mood": "trying", "pending": ("refund_visible",), "claimed": True, "tells": True,
    }  # fmt: skip
    return state(**{**values, **changes})


def test_content_once_it_is_there() -> None:
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=True), trying())
    assert (after.mood, after.fixed, after.told) == ("content", 1.0, 1)
    assert names(acts) == ["thank"]


@pytest.mark.parametrize("tone", ["terse", "angry"])
def test_some_are_silent_when_content(tone: str) -> None:
    persona = replace(CUSTOMER, tone=tone)  # type: ignore[arg-type]
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=True), trying(), persona)
    assert (after.mood, acts) == ("content", ())


def test_on_a_solved_ticket_thanks_go_with_the_rating() -> None:
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=True), trying(status="solved"))
    assert acts == (Act("rate", topics=("thank",)),)
    assert after.reopens == 0


def test_everything_they_look_at_must_hold() -> None:
    after, acts, _ = happen(
        Checked(T0, "refund_visible", holds=True),
        trying(pending=("refund_visible", "invoice_corrected")),
    )
    assert (after.mood, after.pending, acts) == ("trying", ("invoice_corrected",), ())


# trying | check false


def test_doubt_when_it_is_not_there() -> None:
    before = trying(status="solved")
    after, acts, timers = happen(Checked(T0, "refund_visible", holds=False), before)
    assert names(acts) == ["rate", "reopen"]
    assert {act.pace for act in acts} == {"at_once"}
    assert after.mood == "doubting"
    assert (after.reopens, after.untruths, after.failed) == (1, 1, 1)
    assert after.answered_at is None
    assert timer(timers, "nudge").after == timedelta(hours=8)
    spoken, _, _ = happen(Spoke(T0, "reopen"), after)
    assert spoken.status == "open"


def test_the_second_time_they_want_a_manager() -> None:
    before = trying(status="solved", failed=1, reopens=1)
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=False), before)
    assert names(acts) == ["rate", "reopen", "ask_manager", "flag"]
    assert (after.mood, after.reopens) == ("angry", 2)


def test_an_untruth_needs_words() -> None:
    before = trying(status="solved", claimed=False, tells=False)
    after, _, _ = happen(Checked(T0, "refund_visible", holds=False), before)
    assert (after.reopens, after.untruths) == (1, 0)


def test_who_never_reopens_still_rates() -> None:
    persona = replace(CUSTOMER, reopen=frozenset())
    before = trying(status="solved")
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=False), before, persona)
    assert (names(acts), after.reopens) == (["rate"], 0)


# content | solved


def test_content_people_rate_what_is_solved() -> None:
    after, acts, _ = happen(StatusChanged(T0, "solved"), state(mood="content", fixed=1.0))
    assert acts == (Act("rate", topics=("thank",)),)
    assert after.mood == "content"


def test_a_survey_is_answered_once_there_is_an_opinion() -> None:
    _, acts, _ = happen(SurveyOffered(T0), state(mood="content"))
    assert names(acts) == ["rate"]
    _, acts, _ = happen(SurveyOffered(T0), state(mood="trying"))
    assert acts == ()


def test_told_at_last_counts() -> None:
    before = state(mood="content", fixed=1.0)
    after, acts, _ = happen(message(DONE), before)
    assert (after.mood, after.told, acts) == ("content", 1, ())


# Explanations and refusals


def test_a_true_explanation_settles_what_is_not_owed() -> None:
    text = "The second charge is prorated for your upgrade, so no refund is due."
    after, acts, _ = happen(message(text), state(), PUZZLED, EXPLAINABLE)
    assert (after.mood, after.fixed, after.told) == ("content", 0.7, 1)
    assert names(acts) == ["settled"]
    _, acts, _ = happen(StatusChanged(T0, "solved"), after, PUZZLED, EXPLAINABLE)
    assert names(acts) == ["rate"]


def test_an_untrue_explanation_does_not() -> None:
    text = "You have two active subscriptions, so no refund is due."
    after, acts, _ = happen(message(text), state(), PUZZLED, EXPLAINABLE)
    assert (after.mood, after.untruths, names(acts)) == ("doubting", 1, ["disagree"])
    again = message("As we said, there are two separate subscriptions on your account.")
    after, acts, _ = happen(again, after, PUZZLED, EXPLAINABLE)
    assert (after.mood, names(acts)) == ("angry", ["disagree", "ask_manager", "flag"])


def test_a_refusal_without_a_reason_is_asked_about() -> None:
    refused = message("We cannot refund this charge.")
    after, acts, _ = happen(refused, state(), PUZZLED, EXPLAINABLE)
    assert (after.mood, names(acts)) == ("doubting", ["ask_reason"])


def test_who_is_owed_does_not_take_a_refusal() -> None:
    after, acts, _ = happen(message("We cannot refund this charge."), state())
    assert (after.mood, names(acts)) == ("doubting", ["disagree"])


def test_the_true_cause_alone_settles_nothing_for_who_is_owed() -> None:
    knows = replace(KNOWS, causes=frozenset({"gateway_retry"}))
    text = "The payment gateway retried the charge by mistake."
    after, acts, _ = happen(message(text), state(), knows=knows)
    assert (after.mood, after.untruths, acts) == ("waiting", 0, ())


# Promises


def test_a_promise_is_remembered_and_looked_after() -> None:
    after, acts, timers = happen(message("We will refund $129.00 by 18 June 2026."), state())
    assert (after.mood, after.promised, acts) == ("waiting", True, ())
    entry = timer(timers, "promise")
    assert (entry.after, entry.business) == (timedelta(days=4), False)

    due, acts, timers = happen(TimerFired(T0, "promise"), after)
    assert (due.mood, acts) == ("trying", ())
    broken, acts, _ = happen(Checked(T0, "refund_visible", holds=False), due)
    assert names(acts) == ["promise_broken"]
    assert (broken.mood, broken.untruths) == ("doubting", 0)


def test_a_promise_without_a_day_is_due_in_three_working_days() -> None:
    _, _, timers = happen(message("We will refund the second charge."), state())
    entry = timer(timers, "promise")
    assert (entry.after, entry.business) == (timedelta(hours=24), True)


def test_a_kept_promise_needs_no_reminder() -> None:
    before = state(mood="content", promised=True)
    assert happen(TimerFired(T0, "promise"), before) == (before, (), ())


# The world moves


def test_money_that_came_is_noticed_without_a_word() -> None:
    after, acts, timers = happen(FactCame(T0, "refund_visible"), state())
    assert (after.mood, after.pending, acts) == ("waiting", ("refund_visible",), ())
    assert timer(timers, "check").after == TWO_DAYS
    found, acts, _ = happen(Checked(T0, "refund_visible", holds=True), after)
    assert (found.mood, found.fixed, found.told) == ("content", 1.0, 0)


def test_what_was_noticed_and_went_again_is_no_broken_claim() -> None:
    before = state(pending=("refund_visible",))
    after, acts, _ = happen(Checked(T0, "refund_visible", holds=False), before)
    assert (after.mood, after.failed, acts) == ("waiting", 0, ())


@pytest.mark.parametrize("mood", MOODS)
def test_others_and_notes_move_nobody(mood: Mood) -> None:
    before = state(mood=mood)
    assert happen(OtherActed(T0), before) == (before, (), ())
    assert happen(message(DONE, public=False), before) == (before, (), ())


@pytest.mark.parametrize("mood", MOODS)
def test_a_merged_thread_is_over(mood: Mood) -> None:
    after, acts, timers = happen(Merged(T0), state(mood=mood))
    assert (after.mood, acts) == ("gone", ())
    assert {entry.after for entry in timers} == {None}


def test_a_closed_ticket_ends_the_wait_but_no_check() -> None:
    after, _, _ = happen(StatusChanged(T0, "closed"), state())
    assert after.mood == "gone"
    after, _, _ = happen(StatusChanged(T0, "closed"), trying())
    assert after.mood == "trying"


def test_agreeing_is_not_leaving() -> None:
    after, _, _ = happen(message(DONE), state(mood="content"))
    assert after.mood == "content"
    later, acts, _ = happen(message("Which order was it?"), after)
    assert names(acts) == ["reveal"]
    assert later.mood == "content"


EVENTS: list[Event] = [
    message(DONE),
    message("Your issue has been resolved."),
    message("Which order is this about?"),
    message("What colour was it?"),
    message("We cannot refund this charge."),
    message("We will refund $129.00."),
    message("Thank you for your patience."),
    message("A note.", public=False),
    StatusChanged(T0, "solved"),
    StatusChanged(T0, "open"),
    Checked(T0, "refund_visible", holds=True),
    Checked(T0, "refund_visible", holds=False),
    FactCame(T0, "refund_visible"),
    TimerFired(T0, "nudge"),
    TimerFired(T0, "promise"),
    Spoke(T0, "reveal"),
    SurveyOffered(T0),
    Merged(T0),
    OtherActed(T0),
]


@given(st.lists(st.sampled_from(EVENTS), max_size=25))
def test_any_history_is_lived_through(history: list[Event]) -> None:
    before = state()
    for event in history:
        after, acts, timers = happen(event, before)
        assert happen(event, before) == (after, acts, timers)  # a function, nothing else
        if before.mood == "gone":
            assert (after, acts, timers) == (before, (), ())
        if after.mood == "gone":
            assert before.mood == "gone" or isinstance(event, Merged | TimerFired | StatusChanged)
        assert after.mood != "reading"
        told = {slot for act in acts for slot, _ in act.slots}
        assert told <= set(KNOWS.own)
        before = after


# Impostors


def test_an_impostor_lies_insists_and_gives_up() -> None:
    persona = Persona(kind="impostor", truthfulness="impostor", patience=timedelta(hours=8))
    knows = Knowledge(own={"identity": "Ana Lopez, 28001"}, first={"identity": "Ana Lopez, 28010"})
    asks = [
        message("Could you confirm your identity?"),
        message("Please confirm your full name and postcode."),
        message("Before I go on I must verify who you are."),
    ]
    after, acts, _ = happen(asks[0], state(), persona, knows)
    assert acts == (Act("false_identity", slots=(("identity", "Ana Lopez, 28010"),)),)
    after, _, _ = happen(Spoke(T0, "false_identity"), after, persona, knows)
    assert after.mood == "waiting"
    after, acts, _ = happen(asks[1], after, persona, knows)
    assert names(acts) == ["insist"]
    after, acts, _ = happen(asks[2], after, persona, knows)
    assert (names(acts), after.mood) == (["give_up"], "gone")


def test_an_impostor_never_tells_the_truth_about_a_slot() -> None:
    persona = Persona(kind="impostor", truthfulness="impostor")
    knows = replace(KNOWS, first={"card": "1111"})
    for before in (state(), state(revealed=("order",))):
        _, acts, _ = transition(persona, before, message("Which card did you use?"), knows)
        assert dict(acts[0].slots) == {"card": "1111"}


# Colleagues and approvers


def ask(
    text: str, before: ThreadState | None = None, persona: Persona = LEAD
) -> tuple[ThreadState, Act | None]:
    """Put a note before the lead and return what they make of it."""
    note = message(text, public=False)
    after, acts, timers = transition(persona, before or state(), note, LEDGER)
    assert timers == ()
    return after, acts[0] if acts else None


def test_a_request_with_its_facts_is_granted() -> None:
    after, act = ask(f"Please approve the refund of $129.00 on {CHARGE}.")
    assert act is not None
    assert act.name == "grant"
    assert dict(act.slots) == {"charge": CHARGE, "sum": "$129.00"}
    assert dict(act.data) == {"charge": CHARGE, "amount": "12900", "currency": "usd"}
    assert after.mood == "asked"
    spoken, _, _ = transition(LEAD, after, Spoke(T0, "grant"), LEDGER)
    assert spoken.mood == "waiting"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Please approve the refund.", ("charge", "sum")),
        (f"Could you approve a refund on {CHARGE}?", ("sum",)),
        ("Could you approve a refund of $129.00?", ("charge",)),
    ],
)
def test_without_the_facts_they_ask_for_what_is_missing(text: str, missing: tuple[str]) -> None:
    after, act = ask(text)
    assert act == Act("ask_missing", topics=missing)
    after, act = ask(f"It is $129.00 on {CHARGE}.", after)
    assert act is not None
    assert act.name == "grant"


def test_facts_may_come_one_at_a_time() -> None:
    after, _ = ask("Please approve the refund.")
    after, act = ask(f"The charge is {CHARGE}.", after)
    assert act == Act("ask_missing", topics=("sum",))
    after, act = ask("The sum is $129.00.", after)
    assert act is not None
    assert act.name == "grant"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Please approve $900.00 on ch_9zYxWvUtSrQpOnMlKjIhGfEd.", "above_limit"),
        (f"Please approve $130.00 on {CHARGE}.", "wrong_sum"),
        (f"Please approve €129.00 on {CHARGE}.", "wrong_sum"),
        ("Please approve $10.00 on ch_7777777777777777777777.", "unknown_charge"),
        ("Please approve $129.00 on ch_0000000000000000refunded.", "already_refunded"),
    ],
)
def test_a_no_has_its_reason(text: str, reason: str) -> None:
    _, act = ask(text)
    assert act is not None
    assert (act.name, act.topics) == ("refuse", (reason,))


def test_who_has_no_authority_says_so() -> None:
    colleague = Persona(kind="colleague")
    _, act = ask(f"Please approve $129.00 on {CHARGE}.", persona=colleague)
    assert act is not None
    assert act.topics == ("not_mine",)


def test_the_charges_own_sum_is_meant_where_several_are_named() -> None:
    text = f"Refund of $129.00 on {CHARGE} needs your approval, my limit is $100.00."
    _, act = ask(text)
    assert act is not None
    assert dict(act.data)["amount"] == "12900"


def test_a_note_that_may_be_a_request_costs_one_clarifying_turn() -> None:
    after, act = ask(f"Lead, what about {CHARGE}, $129.00?")
    assert act == Act("clarify", topics=("approval",))
    _, act = ask("Yes.", after)
    assert act is not None
    assert act.name == "grant"


def test_other_notes_are_not_for_them() -> None:
    before = state()
    for text in ("Called the customer.", f"Refunded $129.00 on {CHARGE}.", "Moved to billing."):
        _, act = ask(text, before)
        assert act is None
    public = message(f"Please approve $129.00 on {CHARGE}.")
    assert transition(LEAD, before, public, LEDGER)[1] == ()


def test_the_same_request_again_is_a_nuisance() -> None:
    text = f"Please approve $129.00 on {CHARGE}."
    after, _ = ask(text)
    again, act = ask(text, after)
    assert act is None
    assert again.repeats == 1
