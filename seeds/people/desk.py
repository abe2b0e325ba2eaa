"""What colleagues and approvers make of what they are asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clones.billing.rules.money import format_money
from seeds.people.events import Act, Event, Message, Spoke, Timer
from seeds.people.extraction import Money
from seeds.people.persona import ChargeFact, Knowledge, Persona
from seeds.people.state import ThreadState

Outcome = tuple[ThreadState, tuple[Act, ...], tuple[Timer, ...]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an approver is asked, as far as it is known: sum in minor units of `currency`."""

    charge: str = ""
    amount: int | None = None
    currency: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """What has to be known before a decision."""
        lacks = [("charge", not self.charge), ("sum", self.amount is None)]
        return tuple(name for name, absent in lacks if absent)


def transition(persona: Persona, state: ThreadState, event: Event, facts: Knowledge) -> Outcome:
    """Return a colleague's new state and what to do: they decide once they have the facts."""
    if isinstance(event, Spoke):
        return replace(state, mood="waiting"), (), ()
    if not isinstance(event, Message) or event.public:
        return state, (), ()
    if event.digest in state.heard:
        return replace(state, repeats=state.repeats + 1), (), ()
    reading = event.reading
    noted = _merged(_kept(state), event, facts)
    open_question = bool(state.wanted)
    supplies = bool(reading.facts.ids("charge")) or bool(reading.facts.money)
    may_ask = "hint_request" in reading.slots and bool(reading.facts.ids("charge"))
    state = replace(state, heard=(*state.heard, event.digest))
    if "approval_request" in reading.slots:
        return _decide(persona, state, noted, facts)
    if open_question and (supplies or "approval_yes" in reading.slots):
        return _decide(persona, state, noted, facts)
    if may_ask:
        # It speaks of a charge and perhaps asks something: one clarifying turn.
        kept = replace(state, mood="asked", wanted=_wanted_text(noted))
        return kept, (Act("clarify", topics=("approval",)),), ()
    return state, (), ()


def _decide(persona: Persona, state: ThreadState, wanted: Wanted, facts: Knowledge) -> Outcome:
    """Say yes or no, or ask for what is missing."""
    if wanted.missing:
        kept = replace(state, mood="asked", wanted=_wanted_text(wanted))
        return kept, (Act("ask_missing", topics=wanted.missing),), ()
    answered = replace(state, mood="asked", wanted=())
    charge = facts.charges.get(wanted.charge)
    reason = _objection(persona, wanted, charge)
    amount = wanted.amount or 0
    currency = wanted.currency or (charge.currency if charge is not None else "usd")
    shown = (("charge", wanted.charge), ("sum", format_money(amount, currency)))
    data = (("charge", wanted.charge), ("amount", str(amount)), ("currency", currency))
    if reason is None:
        return answered, (Act("grant", slots=shown, data=data),), ()
    return answered, (Act("refuse", slots=shown, topics=(reason,), data=data),), ()


def _objection(persona: Persona, wanted: Wanted, charge: ChargeFact | None) -> str | None:
    """Return why the answer is no, None if it is yes."""
    amount = wanted.amount or 0
    if persona.authority.kind == "none":
        return "not_mine"
    if charge is None:
        return "unknown_charge"
    if wanted.currency and wanted.currency != charge.currency:
        return "wrong_sum"
    if charge.refunded >= charge.amount:
        return "already_refunded"
    if amount > charge.amount - charge.refunded:
        return "wrong_sum"
    if not persona.authority.covers(amount):
        return "above_limit"
    return None


def _merged(kept: Wanted, event: Message, facts: Knowledge) -> Wanted:
    """Return what is asked, with what this message adds."""
    charges = event.reading.facts.ids("charge")
    charge = charges[0] if len(charges) == 1 else "" if charges else kept.charge
    fact = facts.charges.get(charge)
    named = _sum_meant(event.reading.facts.money, fact)
    if named is None:
        return Wanted(charge, kept.amount, kept.currency)
    currency = fact.currency if fact is not None else ""
    if named.currencies and currency not in named.currencies:
        currency = min(named.currencies)
    return Wanted(charge, named.minor, currency)


def _sum_meant(sums: tuple[Money, ...], charge: ChargeFact | None) -> Money | None:
    """Return the sum a note means: the charge's own if it is named, else the only one."""
    if charge is not None:
        for money in sums:
            if money.matches(charge.amount, charge.currency):
                return money
    distinct = {(money.minor, money.currencies) for money in sums}
    return sums[0] if len(distinct) == 1 else None


def _wanted_text(wanted: Wanted) -> tuple[str, ...]:
    amount = "" if wanted.amount is None else str(wanted.amount)
    return (wanted.charge, amount, wanted.currency)


def _kept(state: ThreadState) -> Wanted:
    if not state.wanted:
        return Wanted()
    charge, amount, currency = state.wanted
    return Wanted(charge, int(amount) if amount else None, currency)
