"""How a routing guide puts it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

SOURCES: Final = {
    "mail": ("it came in by email", "its channel is Email"),
    "web": ("it came in by the channel Web", "its channel is Web"),
    "repairs": ("it was sent to the address {0}", "it was received at {0}"),
    "orders": ("it was sent to the address {0}", "it was received at {0}"),
    "customer": ("a customer wrote it, not one of us", "it was written by an end user"),
}
PHRASES: Final = {
    ("subject", "word"): (
        'the subject has the word "{0}"',
        'the word "{0}" stands in the subject',
    ),
    ("first", "word"): (
        'the description has the word "{0}"',
        'the word "{0}" stands in the description',
    ),
    ("subject", "part"): (
        'the subject has the letters "{0}", also inside other words',
        'the letters "{0}" stand somewhere in the subject, inside words too',
    ),
    ("subject", "lacks"): (
        'the subject does not have the word "{0}"',
        'the word "{0}" does not stand in the subject',
    ),
}
EXTRAS: Final = {
    "priority": ("They get the priority {0}.", "Their priority becomes {0}."),
    "type": ("They get the type {0}.", "Their type becomes {0}."),
    "tag": ("They get the tag {0} besides.", "The tag {0} is added."),
}
YIELDS: Final = (
    'Where the trigger "{0}" applies too, the group is the one that it sets.',
    'The trigger "{0}" keeps its say about the group where both apply.',
)
OVERRULES: Final = (
    'Where the trigger "{0}" applies too, this guide has its way: the group is {1}.',
    'It beats the trigger "{0}": where both apply, the group is {1}.',
)
TOPICS: Final = (
    "laser tubes",
    "dealer visits",
    "cloud storage",
    "spare lenses",
    "training days",
    "firmware",
    "fume filters",
    "engraving quality",
)
WORDS: Final = (
    "tube",
    "lens",
    "mirror",
    "filter",
    "nozzle",
    "chiller",
    "firmware",
    "backup",
    "training",
    "visit",
    "engrave",
    "camera",
    "sensor",
    "belt",
    "license",
    "upload",
)


def phrase(condition: Mapping[str, Any], chance: Random) -> str:
    """Return one condition in words."""
    if condition["field"] == "source":
        ways = SOURCES[str(condition["value"])]
        return chance.choice(ways).format(condition.get("address") or "")
    ways = PHRASES[condition["field"], condition["test"]]
    return chance.choice(ways).format(condition["value"])


def guide(plan: Mapping[str, Any], examples: list[tuple[str, str]], chance: Random) -> str:
    """Return the guide's text; `examples` are what came in, and where it should have gone."""
    every = [phrase(each, chance) for each in plan["conditions"] if each["side"] == "all"]
    some = [phrase(each, chance) for each in plan["conditions"] if each["side"] == "any"]
    parts = [
        f"New tickets about {plan['topic']} go to the group {plan['group_name']}.",
        "A new ticket is one of them when all of this is true:\n"
        + "\n".join(f"- {each}" for each in every),
    ]
    if some:
        lines = "\n".join(f"- {each}" for each in some)
        parts.append(f"and besides at least one of this:\n{lines}")
    for name, value in plan["extra_words"]:
        parts.append(chance.choice(EXTRAS[name]).format(value))
    if plan["beaten_title"]:
        parts.append(chance.choice(OVERRULES).format(plan["beaten_title"], plan["group_name"]))
    if plan["first_title"]:
        parts.append(chance.choice(YIELDS).format(plan["first_title"]))
    parts.append("Everything else is routed as before. Updates of tickets change nothing.")
    parts.append("For example:\n" + "\n".join(f"* {told} -> {where}" for told, where in examples))
    return "\n\n".join(parts)
