"""What the customer writes, and what stands on orders and profiles."""

from __future__ import annotations

from random import Random
from typing import Final

from episodes.families.h11.params import TONES, Kind, Params
from seeds.people.persona import Tone

SUBJECTS: Final[dict[Kind, tuple[str, ...]]] = {
    "order": ("Delivery address", "Other address for our order", "our order - new address"),
    "contact": ("New phone number", "phone number changed", "Please update a number"),
    "date": ("Moving our delivery", "Delivery date", "other day for the delivery"),
    "amount": ("Our order: number of boxes", "more wipes please", "Quantity on our order"),
    "seat": ("Studio seat", "New colleague, Studio seat", "seat for a new colleague"),
    "address": ("We have moved", "New address", "address change"),
}
OPENERS: Final[dict[Tone, tuple[str, ...]]] = {
    "warm": ("Hi there, hope you are all well!", "Hello lovely people,"),
    "plain": ("Hello,", "Hi,"),
    "terse": ("", "Hi."),
    "angry": (
        "Second time I try to get through to you.",
        "I hope this works better than last time.",
    ),
    "rambling": (
        "Hello, me again, it has been one of those weeks and I nearly forgot to write, but",
        "Good day, I was tidying up the office when I came across this, and so",
    ),
}
ASKS: Final[dict[Kind, tuple[str, ...]]] = {
    "order": (
        "please change the delivery address of our order. It should go to:\n{value}",
        "we need the order sent somewhere else. Please change its delivery address to:\n{value}",
    ),
    "contact": (
        "{given} has a new phone number: {value}. Please change it in your records.",
        "please update the number you have for {given} from our team. The new one is: {value}.",
    ),
    "date": (
        "please move the delivery of order {code} to {value}.",
        "can you put the delivery of order {code} on {value}? That suits us better.",
    ),
    "amount": (
        "please change order {code} to {value} boxes of lens wipes.",
        "we need {value} boxes of lens wipes on order {code}. Please change the quantity.",
    ),
    "seat": (
        "please give one of our two Studio seats to {value}, who starts with us on Monday.",
        "we have a new colleague, {value}, who starts soon. One of our two seats can go to them.",
    ),
    "address": (
        "we have moved. Please change the address you have for us to:\n{value}",
        "please change our address in your records. It is now:\n{value}",
    ),
}
CLOSERS: Final[dict[Tone, tuple[str, ...]]] = {
    "warm": ("Thank you so much!", "Many thanks in advance!"),
    "plain": ("Thank you.", "Thanks."),
    "terse": ("",),
    "angry": ("I expect this to be done properly.",),
    "rambling": ("Anyway, that is all, the kettle is on and the post is here.",),
}
ITEMS: Final = (
    "mirrors and a lens",
    "a CO2 tube",
    "an exhaust hose",
    "a honeycomb bed",
    "a chiller",
)


def subject(kind: Kind, chance: Random) -> str:
    """Return the subject line."""
    return chance.choice(SUBJECTS[kind])


def request(params: Params, values: dict[str, str], name: str, chance: Random) -> str:
    """Return the mail in which the customer asks for the change, in their tone."""
    tone = TONES[params.character]
    opener = chance.choice(OPENERS[tone])
    ask = chance.choice(ASKS[params.kind]).format(**values)
    closer = chance.choice(CLOSERS[tone])
    if tone == "rambling":
        first = f"{opener} {ask}"
    else:
        first = f"{opener}\n\n{ask[0].upper()}{ask[1:]}".strip()
    signed = name.split(maxsplit=1)[0] if tone in ("warm", "terse") else name
    return "\n\n".join(part for part in (first, closer, signed) if part)
