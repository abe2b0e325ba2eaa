"""What the customer writes."""

from __future__ import annotations

from random import Random
from typing import Final

from clones.helpdesk.models import User
from episodes.families.h05.causes import Planted
from episodes.families.h05.params import Params, Tone

SUBJECTS: Final = (
    "Charged twice?",
    "Two payments on my card",
    "double payment",
    "You took my money two times",
    "Question about my card statement",
    "Billed twice for the same thing",
    "Duplicate charge",
    "Same amount twice on our statement",
)
OPENERS: Final[dict[Tone, tuple[str, ...]]] = {
    "warm": ("Hi there, hope you are all well!", "Hello lovely people,"),
    "plain": ("Hello,", "Hi,"),
    "terse": ("", "Hi."),
    "angry": ("This is really not on.", "What is going on over there?"),
    "rambling": (
        "Hello, me again, I was just going through the books, which my wife usually does, and",
        "Good day, so I finally sat down with the statements from the bank, and",
    ),
    "formal": ("Dear Sir or Madam,", "To whom it may concern,"),
}
CORES: Final = (
    "it looks like we were charged twice: {amount} on {day}, and then {amount} again.",
    "my card shows {amount} two times around {day}. I was charged twice, as far as I can see.",
    "there are two lines of {amount} on the statement from {day}. We were charged twice.",
    "I was charged twice on {day}, {amount} each time.",
)
ASKS: Final[dict[Tone, tuple[str, ...]]] = {
    "warm": ("Could you have a look when you get a moment? Thank you so much!",),
    "plain": ("Can you check and put it right?", "Please look into it."),
    "terse": ("Fix please.", "Pls check."),
    "angry": ("I want this sorted out today.", "Give it back. I will not ask twice."),
    "rambling": (
        "I may be wrong of course, it would not be the first time, but would you look into it?",
    ),
    "formal": ("I should be grateful if you would examine and correct this.",),
}


def subject(chance: Random) -> str:
    """Return the subject line."""
    return chance.choice(SUBJECTS)


def complaint(params: Params, planted: Planted, user: User, chance: Random) -> str:
    """Return the mail in which the customer complains, in their tone."""
    charge = planted.shown[0]
    total = f"{charge.amount / 100:,.2f} {charge.currency.upper()}"
    day = charge.created.strftime("%d %B").lstrip("0")
    opener = chance.choice(OPENERS[params.tone])
    core = chance.choice(CORES).format(amount=total, day=day)
    ask = chance.choice(ASKS[params.tone])
    first = (
        f"{opener} {core}".strip() if params.tone == "rambling" else f"{opener}\n\n{core}".strip()
    )
    name = user.name.split()[0] if params.tone in ("warm", "terse") else user.name
    return f"{first[0].upper()}{first[1:]} {ask}\n\n{name}"
