"""What a careful agent understands of a routing guide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

GROUP: Final = re.compile(r"go to the group ([^.]+)\.")
TURN: Final = "at least one of this"
EXTRAS: Final = (
    ("priority", re.compile(r"[Pp]riority (?:becomes )?(Low|Normal|High|Urgent)\.")),
    ("type", re.compile(r"type (?:becomes )?(Question|Incident|Problem|Task)\.")),
    ("tag", re.compile(r"[Tt]he tag (\w+) (?:besides|is added)\.")),
)
YIELDS: Final = re.compile(
    r'Where the trigger "([^"]+)" applies too, the group is the one|'
    r'The trigger "([^"]+)" keeps its say'
)
BEATS: Final = re.compile(
    r'Where the trigger "([^"]+)" applies too, this guide|It beats the trigger "([^"]+)"'
)
TESTS: Final = (
    ("Channel", "is", re.compile(r"by (email)|channel is Email")),
    ("Channel", "is", re.compile(r"channel Web|channel is Web")),
    ("Received at", "is", re.compile(r"(?:to the address|received at) (\S+@\S+)")),
    ("Current user", "is", re.compile(r"customer wrote it|by an end user")),
    (
        "Subject text",
        "includes",
        re.compile(r'subject has the word "(\w+)"|word "(\w+)" stands in the subject'),
    ),
    (
        "Subject text",
        "not_includes",
        re.compile(
            r'subject does not have the word "(\w+)"|word "(\w+)" does not stand in the subject'
        ),
    ),
    (
        "Subject text",
        "includes_string",
        re.compile(r'subject has the letters "(\w+)"|letters "(\w+)" stand somewhere'),
    ),
    (
        "Description",
        "includes",
        re.compile(r'description has the word "(\w+)"|word "(\w+)" stands in the description'),
    ),
)


class NotUnderstood(ValueError):
    """Raised when a guide lacks what a trigger needs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition: the field by its title, `operator` by the product's own name."""

    side: str
    field: str
    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A routing guide; `extras` are (what, value), `first` and `beaten` titles of triggers."""

    group: str
    conditions: tuple[Asked, ...]
    extras: tuple[tuple[str, str], ...]
    first: str | None
    beaten: str | None


def read_guide(text: str) -> Guide:
    """Return what a guide asks for.

    Raises:
        NotUnderstood: it names no group, or a condition that is not understood.
    """
    group = GROUP.search(text)
    if group is None:
        raise NotUnderstood("a guide names a group")
    rules, _, _ = text.partition("For example")
    before, _, after = rules.partition(TURN)
    conditions = [_condition("all", line) for line in _lines(before)]
    conditions += [_condition("any", line) for line in _lines(after)]
    extras = [(name, found.group(1)) for name, what in EXTRAS if (found := what.search(rules))]
    return Guide(
        group.group(1),
        tuple(conditions),
        tuple(extras),
        _title(YIELDS, rules),
        _title(BEATS, rules),
    )


def _lines(text: str) -> list[str]:
    """Return what stands behind dashes, whether each has a line of its own or not."""
    return re.split(r"(?:^|\s)- ", text)[1:]


def _condition(side: str, line: str) -> Asked:
    for field, operator, pattern in TESTS:
        found = pattern.search(line)
        if found is not None:
            told = next((part for part in found.groups() if part), None)
            value = told or ("Web" if "Web" in line else "(end user)")
            if field == "Channel":
                value = "Web" if "Web" in line else "Email"
            return Asked(side, field, operator, value)
    raise NotUnderstood(f"what does {line!r} ask for?")


def _title(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return next((part for part in found.groups() if part), None) if found is not None else None
