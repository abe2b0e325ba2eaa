"""What customers, and those who pretend to be, make of what happens to their ticket."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from seeds.people.events import (
    ActName,
    Checked,
    Event,
    FactCame,
    Message,
    Mood,
    Spoke,
    StatusChanged,
    SurveyOffered,
    Timer,
    TimerFired,
)
from seeds.people.options import is_named
from seeds.people.persona import Knowledge, Persona
from seeds.people.questions import asked_for, by_precision, claims, may_tell, value_of
from seeds.people.satisfaction import DECLINED_AND_EXPLAINED
from seeds.people.state import ThreadState
from seeds.people.turn import (
    IMPATIENT,
    MENU,
    PROMISE_GRACE,
    SILENT_WHEN_CONTENT,
    TOO_OFTEN,
    UNDECIDED,
    Outcome,
    Turn,
)


def transition(persona: Persona, state: ThreadState, event: Event, facts: Knowledge) -> Outcome:
    """Return a customer's new state, what to do, and which times to set."""
    turn = Turn(persona, state, facts)
    handlers: dict[type, Callable[[Turn, Any], None]] = {
        Message: _hear,
        StatusChanged: _see_status,
        Checked: _find,
        FactCame: _notice,
        TimerFired: _lose_patience,
        Spoke: _spoken,
        SurveyOffered: _surveyed,
    }
    handlers[type(event)](turn, event)
    return turn.outcome()


# Reading


def _hear(turn: Turn, event: Message) -> None:
    """Read what the desk wrote."""
    if not event.public:
        return
    before = turn.state.mood
    fits = event.reading.language == turn.persona.language
    turn.set(
        mood="reading",
        replies=turn.state.replies + 1,
        tone_fit=turn.state.tone_fit + int(fits),
    )
    if _is_nuisance(turn, event):
        turn.set(mood=before, repeats=turn.state.repeats + 1)
        return
    turn.set(heard=(*turn.state.heard, event.digest))
    if turn.persona.kind == "impostor" and "identity" in event.reading.questions:
        _pretend(turn)
        return
    slots = event.reading.slots
    if before == "content":
        _hear_contentedly(turn, event)
    elif event.reading.causes and turn.facts.settles and turn.facts.accepts(event.reading.causes):
        _accept(turn, event)
    elif slots & claims(turn):
        _believe_for_now(turn, event)
    elif "refund_refused" in slots or event.reading.causes:
        _weigh(turn, event, before)
    elif "refund_promised" in slots:
        _rely(turn, event)
    else:
        turn.set(mood=_resumed(before))
    _answer(turn, event)
    if turn.state.mood in IMPATIENT:
        turn.wait_anew()


def _resumed(before: Mood) -> Mood:
    """Return the mood to go on in after a message that settles nothing."""
    return "waiting" if before == "reading" else before


def _hear_contentedly(turn: Turn, event: Message) -> None:
    """Take in what is said after all is well: at most, that it is told at last."""
    turn.set(mood="content")
    if turn.state.fixed >= 1.0 and _names_what_is_owed(turn, event):
        turn.set(told=1)


def _names_what_is_owed(turn: Turn, event: Message) -> bool:
    owed, facts, change = turn.facts.owed, event.reading.facts, turn.facts.change
    if change is not None:
        return is_named(change.names, event.said, facts) and is_named(
            change.value, event.said, facts
        )
    return owed is not None and (
        facts.names_sum(owed.amount, owed.currency) or owed.charge in facts.ids("charge")
    )


def _is_nuisance(turn: Turn, event: Message) -> bool:
    """Tell whether a message says nothing, says it again, or is meant for somebody else."""
    named = {*event.reading.facts.ids("charge"), *event.reading.facts.ids("order")}
    foreign = bool(turn.facts.ids) and bool(named) and not named & turn.facts.ids
    return foreign or event.digest in turn.state.heard or event.reading.is_filler


def _believe_for_now(turn: Turn, event: Message) -> None:
    """Take the desk's word that it is done, and look."""
    owed, sums = turn.facts.owed, event.reading.facts.money
    says_refund = "refund_done" in event.reading.slots
    named = _names_what_is_owed(turn, event)
    wrong_sum = (
        owed is not None
        and says_refund
        and bool(sums)
        and not event.reading.facts.names_sum(owed.amount, owed.currency)
    )
    if wrong_sum and "wrong_fact" in turn.persona.reopen:
        turn.set(mood="doubting", untruths=turn.state.untruths + 1)
        turn.do("dispute")
        return
    turn.set(
        answered_at=event.at,
        claimed=True,
        promised=False,
        tells=named or (owed is None and turn.facts.change is None and says_refund),
    )
    _look(turn)


def _look(turn: Turn) -> None:
    """Set out to check what was claimed."""
    if not turn.persona.checks:
        turn.set(mood="content", told=int(turn.state.tells))
        turn.stop_waiting()
        _be_content(turn, "thank")
        return
    turn.set(mood="trying", pending=tuple(check.name for check in turn.persona.checks), passed=())
    turn.stop_waiting()
    turn.timers += [Timer("check", check.delay, name=check.name) for check in turn.persona.checks]


def _accept(turn: Turn, event: Message) -> None:
    """Accept a true explanation where nothing more is due."""
    turn.set(
        mood="content",
        fixed=DECLINED_AND_EXPLAINED,
        told=1,
        answered_at=event.at,
        pending=(),
        promised=False,
    )
    turn.timers += [Timer("check", None), Timer("promise", None)]
    turn.stop_waiting()
    _be_content(turn, "settled")


def _weigh(turn: Turn, event: Message, before: Mood) -> None:
    """Weigh an explanation or a refusal that does not settle the matter."""
    causes = event.reading.causes
    refused = "refund_refused" in event.reading.slots
    if causes and not turn.facts.accepts(causes):
        turn.set(untruths=turn.state.untruths + 1)
        _object(turn, "disagree", before)
    elif refused:
        _object(turn, "disagree" if causes or turn.facts.owed is not None else "ask_reason", before)
    else:
        turn.set(mood=_resumed(before))


def _object(turn: Turn, act: ActName, before: Mood) -> None:
    """Object to what was said; the second time, angrily."""
    if before in ("doubting", "angry", "escalated"):
        _turn_angry(turn, act)
        return
    turn.set(mood="doubting")
    if "wrong_fact" in turn.persona.reopen:
        turn.do(act)


def _rely(turn: Turn, event: Message) -> None:
    """Note a promise and when it is due."""
    turn.set(mood="waiting", promised=True)
    due = _day_promised(event)
    if due is None:
        turn.timers.append(Timer("promise", PROMISE_GRACE, business=True))
    else:
        turn.timers.append(Timer("promise", due - event.at + PROMISE_GRACE))


def _day_promised(event: Message) -> datetime | None:
    """Return the first day to come that a message names."""
    for mention in event.reading.facts.days:
        for year, month, day in sorted(mention.readings, key=str):
            try:
                due = event.at.replace(year=year or event.at.year, month=month, day=day)
            except ValueError:  # 29 February of another year
                continue
            if due >= event.at:
                return due
    return None


def _answer(turn: Turn, event: Message) -> None:
    """Answer the questions of a message, or say that it was not understood."""
    questions = asked_for(turn, event)
    if not questions:
        if event.reading.asks and not event.reading.slots:
            _not_understood(turn)
        return
    fresh: list[str] = []
    unknown: list[str] = []
    for slot in questions:
        if slot in turn.state.asked or not may_tell(turn, slot):
            turn.set(repeats=turn.state.repeats + 1)
        elif slot in turn.facts.own:
            fresh.append(slot)
            if slot in turn.facts.on_record:
                turn.set(repeats=turn.state.repeats + 1)
        else:
            unknown.append(slot)
    told = by_precision(turn, fresh)
    if told:
        turn.do("reveal", slots=tuple((slot, value_of(turn, slot)) for slot in told))
        corrected = tuple(slot for slot in told if slot in turn.state.revealed)
        turn.set(corrected=(*turn.state.corrected, *corrected))
    if unknown:
        turn.do("dont_know", topics=tuple(unknown))
    if told or unknown:
        turn.set(asked=(*turn.state.asked, *told, *unknown))
        if turn.state.mood in UNDECIDED:
            turn.set(mood="asked")
            turn.stop_waiting()


def _not_understood(turn: Turn) -> None:
    count = turn.state.unclear + 1
    turn.set(unclear=count)
    if count >= TOO_OFTEN:
        _turn_angry(turn, "ask_manager")
        return
    known = tuple(slot for slot in MENU if slot in turn.facts.own)[:3]
    turn.do("clarify", topics=known or MENU[:3])


def _pretend(turn: Turn) -> None:
    """Answer a question about identity as an impostor does: wrongly, again, no more."""
    count = turn.state.insisted + 1
    turn.set(insisted=count)
    if count == 1:
        claimed = turn.facts.first.get("identity") or turn.facts.own.get("identity", "")
        turn.do("false_identity", slots=(("identity", claimed),))
        turn.set(mood="asked")
        turn.stop_waiting()
    elif count == 2:
        turn.do("insist")
        turn.set(mood="asked")
        turn.stop_waiting()
    else:
        turn.do("give_up")
        turn.set(mood="gone")
        turn.timers += [Timer("nudge", None), Timer("promise", None), Timer("check", None)]


# Looking


def _find(turn: Turn, event: Checked) -> None:
    """Take in what a check says."""
    if event.name not in turn.state.pending:
        return
    left = tuple(name for name in turn.state.pending if name != event.name)
    if event.holds:
        turn.set(pending=left, passed=(*turn.state.passed, event.name))
        if not left:
            _is_fixed(turn)
        return
    if turn.state.mood != "trying":
        turn.set(pending=left)
        return
    turn.set(pending=())
    turn.timers.append(Timer("check", None))
    _is_not_fixed(turn)


def _is_fixed(turn: Turn) -> None:
    told = int(turn.state.claimed and turn.state.tells)
    turn.set(mood="content", fixed=1.0, told=told, promised=False)
    turn.stop_waiting()
    turn.timers.append(Timer("promise", None))
    _be_content(turn, "thank")


def _be_content(turn: Turn, thanks: ActName) -> None:
    """Thank, by tone; on a solved ticket the thanks go with the rating, so it stays solved."""
    silent = turn.persona.tone in SILENT_WHEN_CONTENT
    if turn.state.is_solved:
        turn.do("rate", topics=() if silent else (thanks,))
    elif not silent:
        turn.do(thanks)


def _is_not_fixed(turn: Turn) -> None:
    """Reopen with what they see; the second time, angrily."""
    solved = turn.state.is_solved
    broken_promise = turn.state.promised and not turn.state.claimed
    rule = "silence" if broken_promise else "failed_check"
    reopens = rule in turn.persona.reopen
    turn.set(
        failed=turn.state.failed + 1,
        untruths=turn.state.untruths + int(turn.state.claimed),
        reopens=turn.state.reopens + int(solved and reopens),
        answered_at=None,
        claimed=False,
        tells=False,
        promised=False,
        mood="doubting",
    )
    if solved:
        turn.do("rate", pace="at_once")
    act: ActName = "promise_broken" if broken_promise else "reopen"
    if turn.state.failed > 1:
        _turn_angry(turn, act if reopens else "ask_manager", pace="at_once")
    elif reopens:
        turn.do(act, pace="at_once")
    turn.wait_anew()


def _turn_angry(turn: Turn, act: ActName, **details: Any) -> None:
    turn.set(mood="angry")
    turn.do(act, **details)
    if act != "ask_manager":
        turn.do("ask_manager", **details)
    _flag(turn)


def _flag(turn: Turn) -> None:
    if not turn.state.flagged:
        turn.set(flagged=True)
        turn.do("flag", pace="at_once")


def _notice(turn: Turn, event: FactCame) -> None:
    """Notice, in due course, that something came true that nobody may have told them."""
    for check in turn.persona.checks:
        quiet = turn.state.mood in UNDECIDED and check.name not in turn.state.pending
        if check.name == event.name and quiet:
            missing = [other.name for other in turn.persona.checks if other.name != check.name]
            unseen = [name for name in missing if name not in turn.state.passed]
            turn.set(pending=(check.name, *unseen))
            turn.timers.append(Timer("check", check.delay, name=check.name))


# Waiting


def _see_status(turn: Turn, event: StatusChanged) -> None:
    """See the ticket move."""
    turn.set(status=event.status)
    if event.status == "closed":
        if turn.state.mood not in ("content", "trying"):
            turn.set(mood="gone")
            turn.timers += [Timer("nudge", None), Timer("promise", None), Timer("check", None)]
        return
    if event.status != "solved":
        return
    if turn.state.mood == "content":
        _be_content(turn, "thank" if turn.state.fixed >= 1.0 else "settled")
    elif turn.state.mood in UNDECIDED:
        _doubt_silent_solve(turn)


def _doubt_silent_solve(turn: Turn) -> None:
    """Look for oneself when a ticket is solved without a word that would settle it."""
    turn.set(claimed=False, tells=False)
    if turn.persona.checks:
        _look(turn)
    elif turn.facts.settles or turn.facts.owed is not None:
        turn.set(reopens=turn.state.reopens + 1, mood="doubting")
        turn.do("rate")
        turn.do("reopen")
        turn.wait_anew()
    else:
        turn.set(mood="content")
        turn.stop_waiting()
        turn.do("rate")


def _lose_patience(turn: Turn, event: TimerFired) -> None:
    """Nudge at τ, ask for a manager at 2τ, leave at 4τ; ask about a promise when it is due."""
    if event.kind == "promise":
        if turn.state.promised and turn.state.mood in UNDECIDED:
            _look(turn)
        return
    if turn.state.mood not in IMPATIENT:
        return
    count = turn.state.nudges + 1
    turn.set(nudges=count)
    patience = turn.persona.patience
    if count == 1:
        turn.do("nudge", pace="at_once")
        turn.timers.append(Timer("nudge", patience, business=True))
    elif count == 2:
        turn.set(mood="escalated")
        turn.do("ask_manager", pace="at_once")
        _flag(turn)
        turn.timers.append(Timer("nudge", patience * 2, business=True))
    else:
        turn.set(mood="gone")
        turn.timers += [Timer("promise", None), Timer("check", None)]


def _spoken(turn: Turn, event: Spoke) -> None:
    """Wait for the desk again after having answered; a word on a solved ticket reopens it."""
    if event.act not in ("rate", "flag") and turn.state.status == "solved":
        turn.set(status="open")
    if event.act in ("reveal", "dont_know"):
        turn.set(revealed=tuple(dict.fromkeys((*turn.state.revealed, *turn.state.asked))), asked=())
    answered = event.act in ("reveal", "dont_know", "false_identity", "insist")
    if answered and turn.state.mood == "asked":
        turn.set(mood="waiting")
        turn.wait_anew()


def _surveyed(turn: Turn, event: SurveyOffered) -> None:
    """Answer a survey once there is an opinion."""
    if turn.state.mood in ("content", "doubting", "angry", "escalated"):
        turn.do("rate")
