"""How sellers get names wrong: short forms, letters changed over."""

from __future__ import annotations

from random import Random

NICKNAMES = {
    "Robert": "Bob",
    "William": "Bill",
    "Elizabeth": "Liz",
    "Katherine": "Kate",
    "Catherine": "Cathy",
    "Michael": "Mike",
    "Thomas": "Tom",
    "James": "Jim",
    "Richard": "Dick",
    "Alexander": "Alex",
    "Alexandra": "Alex",
    "Christopher": "Chris",
    "Christine": "Chris",
    "Matthew": "Matt",
    "Andrew": "Andy",
    "Daniel": "Dan",
    "David": "Dave",
    "Samuel": "Sam",
    "Samantha": "Sam",
    "Benjamin": "Ben",
    "Jennifer": "Jen",
    "Joseph": "Joe",
    "Nicholas": "Nick",
    "Stephen": "Steve",
    "Steven": "Steve",
    "Timothy": "Tim",
    "Anthony": "Tony",
    "Edward": "Ed",
    "Patricia": "Pat",
    "Patrick": "Pat",
    "Susan": "Sue",
    "Margaret": "Maggie",
    "Gregory": "Greg",
    "Johannes": "Hannes",
    "Maximilian": "Max",
}
SHORTEST = 4


def nickname(given: str | None) -> str | None:
    """Return what somebody is called for short: by use, or the beginning of the name."""
    if not given:
        return None
    return NICKNAMES.get(given) or (given[:3] if len(given) > SHORTEST else f"{given[0]}.")


def misspelt_name(rng: Random, name: str) -> str:
    """Return a name with two letters changed over, one doubled or one left out."""
    if len(name) < SHORTEST:
        return f"{name}{name[-1]}"
    place = rng.randrange(1, len(name) - 1)
    kind = rng.randrange(3)
    if kind == 0 and name[place] != name[place + 1]:
        return name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    if kind == 1:
        return name[:place] + name[place + 1 :]
    return name[: place + 1] + name[place:]


def misspelt_number(rng: Random, phone: str) -> str:
    """Return a number with two neighbouring digits changed over, or one lost."""
    places = [place for place, one in enumerate(phone) if one in "0123456789"]
    place = rng.choice(places[2:-1] or places)
    if rng.random() < 0.5 or phone[place + 1 : place + 2] in ("", phone[place]):
        return phone[:place] + phone[place + 1 :]
    return phone[:place] + phone[place + 1 : place + 2] + phone[place] + phone[place + 2 :]
