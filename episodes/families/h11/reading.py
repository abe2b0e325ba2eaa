"""What a careful agent makes of what it reads: what is wanted, what it may mean, what decides."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Final

Kind = str
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
REQUESTS: Final[tuple[tuple[Kind, str], ...]] = (
    ("date", r"delivery of order (?P<code>KLW-\d+) (?:to|on) (?P<value>\d\d/\d\d/\d{4})"),
    ("amount", r"change order (?P<code>KLW-\d+) to (?P<value>\d+) boxes"),
    ("amount", r"need (?P<value>\d+) boxes of [\w ]+ on order (?P<code>KLW-\d+)"),
    ("contact", r"(?P<given>[\w'-]+) has a new phone number: (?P<value>\+?[\d ]+\d)"),
    ("contact", r"number you have for (?P<given>[\w'-]+) .*?is: (?P<value>\+?[\d ]+\d)"),
    ("seat", r"Studio seats to (?P<value>[^,]+), who"),
    ("seat", r"new colleague, (?P<value>[^,]+), who"),
    ("order", r"delivery address of our order\. It should go to:\s+(?P<value>.+)"),
    ("order", r"change its delivery address to:\s+(?P<value>.+)"),
    ("address", r"address you have for us to:\s+(?P<value>.+)"),
    ("address", r"our address in your records\. It is now:\s+(?P<value>.+)"),
)
ORDER: Final = re.compile(r"Order (KLW-\d+)")
SEATS: Final = ("Studio seat 1", "Studio seat 2")
ADDRESSES: Final = ("Delivery address", "Invoice address")
BOXES: Final = (6, 12)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a request asks for: its kind, the value, and the order or given name it mentions."""

    kind: Kind
    value: str
    code: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """An order as the desk keeps it: the ticket's number, the order's, whether it has come."""

    ticket: int
    code: str
    delivered: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A contact of a firm."""

    key: int
    name: str
    notes: str


@dataclass(frozen=True, slots=True)
class Change:
    """What to write: the field's label on the record of a kind and key, and the value."""

    record: str
    key: int
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that the request may mean: how the customer would say it, and what follows."""

    ways: tuple[str, ...]
    change: Change
    told: str


@dataclass(frozen=True, slots=True)
class Case:
    """A request with what it may mean; `decided` is what the records say, None if nothing."""

    options: tuple[Option, ...]
    question: str
    decided: Option | None = None

    def meant(self, answer: str) -> Option | None:
        """Return the option that an answer names, None if it names none or several."""
        found = [
            option for option in self.options if any(has_words(answer, way) for way in option.ways)
        ]
        return found[0] if len(found) == 1 else None


@dataclass(slots=True)
class Known:
    """What an agent has read: the customer's orders, the notes on one, people, the profile."""

    requester: int = 0
    orders: list[Order] = field(default_factory=list)
    order_note: str = ""
    people: list[Person] = field(default_factory=list)
    notes: str = ""
    entries: dict[str, str] = field(default_factory=dict)


def has_words(text: str, way: str) -> bool:
    """Tell whether a text holds some words as such."""
    return re.search(rf"(?<!\w){re.escape(way)}(?!\w)", text, re.IGNORECASE) is not None


def wanted_of(text: str) -> Wanted:
    """Return what a request asks for.

    Raises:
        LookupError: it is none of the changes that customers ask for.
    """
    for kind, pattern in REQUESTS:
        found = re.search(pattern, text, re.IGNORECASE)
        if found is not None:
            held = {name: value.strip() for name, value in found.groupdict().items()}
            return Wanted(kind, **held)
    raise LookupError(f"no change is asked for: {text[:200]}")


def case_of(wanted: Wanted, known: Known) -> Case:
    """Return what a request may mean, and what decides it, from what was read."""
    return {
        "order": _orders,
        "contact": _contacts,
        "date": _dates,
        "amount": _amounts,
        "seat": _seats,
        "address": _addresses,
    }[wanted.kind](wanted, known)


def _case(options: list[Option], question: str, decided: list[Option]) -> Case:
    return Case(tuple(options), question, decided[0] if len(decided) == 1 else None)


def _orders(wanted: Wanted, known: Known) -> Case:
    options = [
        Option(
            (order.code,),
            Change("ticket", order.ticket, "Delivery address", wanted.value),
            f"I have changed the delivery address of order {order.code}."
            f" It now says {wanted.value}.",
        )
        for order in known.orders
        if not order.delivered
    ]
    codes = " and ".join(option.ways[0] for option in options)
    question = f"We have two orders of yours on their way: {codes}. Which order do you mean?"
    return _case(options, question, options)


def _contacts(wanted: Wanted, known: Known) -> Case:
    people = [person for person in known.people if person.name.split()[0] == wanted.given]
    options = [
        Option(
            (person.name,),
            Change("user", person.key, "Phone", wanted.value),
            f"I have changed the phone number of {person.name}. It is now {wanted.value}.",
        )
        for person in people
    ]
    still = [
        option for option, person in zip(options, people, strict=True) if "Left" not in person.notes
    ]
    names = " and ".join(person.name for person in people)
    question = f"You have two colleagues of that name: {names}. Whose phone number should I change?"
    return _case(options, question, still)


def _order_named(wanted: Wanted, known: Known) -> Order:
    return next(order for order in known.orders if order.code == wanted.code)


def _dates(wanted: Wanted, known: Known) -> Case:
    one, other, year = (int(part) for part in wanted.value.split("/"))
    days = sorted((date(year, one, other), date(year, other, one)))
    order = _order_named(wanted, known)
    options = [
        Option(
            (in_words(day),),
            Change("ticket", order.ticket, "Delivery date", day.isoformat()),
            f"I have moved the delivery of order {order.code} to {in_words(day)}.",
        )
        for day in days
    ]
    until = re.search(r"until (\d+) (\w+) only", known.order_note)
    since = re.search(r"on (\d+) (\w+) at the earliest", known.order_note)
    decided = options[:1] if until else options[1:] if since else options
    question = f"Which date do you mean, {in_words(days[0])} or {in_words(days[1])}?"
    return _case(options, question, decided)


def in_words(day: date) -> str:
    """Return a day that can be read in one way only."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _amounts(wanted: Wanted, known: Known) -> Case:
    order = _order_named(wanted, known)
    sizes = [size for size in BOXES if re.search(rf"in boxes of {size}\b", known.order_note)]
    options = []
    for size in BOXES:
        pieces = str(int(wanted.value) * size)
        options.append(
            Option(
                (pieces,),
                Change("ticket", order.ticket, "Quantity", pieces),
                f"I have changed the quantity of order {order.code} to {pieces} pieces.",
            )
        )
    decided = [option for option, size in zip(options, BOXES, strict=True) if size in sizes]
    shown = " or ".join(option.ways[0] for option in options)
    question = f"There are boxes of 6 and of 12. How many pieces should it be, {shown}?"
    return _case(options, question, decided)


def _seats(wanted: Wanted, known: Known) -> Case:
    holders = [known.entries[label] for label in SEATS]
    options = [
        Option(
            (holder,),
            Change("user", known.requester, label, wanted.value),
            f"I have given the seat of {holder} to {wanted.value}.",
        )
        for label, holder in zip(SEATS, holders, strict=True)
    ]
    gone = [option for option in options if f"{option.ways[0]} left the firm" in known.notes]
    question = (
        f"Your two seats are in use by {holders[0]} and {holders[1]}."
        f" Whose seat should go to {wanted.value}?"
    )
    return _case(options, question, gone)


def _addresses(wanted: Wanted, known: Known) -> Case:
    options = [
        Option(
            (label.lower(),),
            Change("user", known.requester, label, wanted.value),
            f"I have changed your {label.lower()}. It now says {wanted.value}.",
        )
        for label in ADDRESSES
    ]
    kept = [
        option for option, label in zip(options, ADDRESSES, strict=True) if known.entries.get(label)
    ]
    question = (
        "We have a delivery address and an invoice address for you. Which address do you mean?"
    )
    return _case(options, question, kept)
