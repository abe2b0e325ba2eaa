"""How colleagues put it when they ask for a filter: sentences drawn from the conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

STATES: Final = {
    "open": (
        "not in a status of the category Done",
        "whose status category is anything but Done",
    ),
    "todo": ("in a status of the category To Do", "whose status category is To Do"),
    "doing": ("in a status of the category In Progress", "whose status category is In Progress"),
    "unresolved": ("without a resolution", "that have no resolution"),
    "done": ("in a status of the category Done", "whose status category is Done"),
}
PHRASES: Final = {
    ("space", "one_of"): ('in the space "{0}" or "{1}"', 'that belong to "{0}" or to "{1}"'),
    ("status", "was"): (
        'that are, or once were, in the status "{0}"',
        'whose status is "{0}" or was that at some time',
    ),
    ("priority", "changed"): (
        "whose priority somebody changed within the last {0} days",
        "the priority of which was changed in the last {0} days",
    ),
    ("assignee", "was"): (
        'that are, or once were, assigned to "{0}"',
        'whose assignee is "{0}" or was that at some time',
    ),
    ("assignee", "blank"): ("assigned to nobody", "without an assignee"),
    ("due", "due"): (
        "due within {0} days from today, or overdue",
        "with a due date no later than {0} days from today",
    ),
    ("unreleased", "filled"): (
        "with a fix version that is not released yet",
        "planned for a fix version that is still unreleased",
    ),
    ("labels", "some_of"): ("with the label {0} or {1}", "that carry the label {0} or {1}"),
    ("priority", "one_of"): ("of the priority {0} or {1}", "whose priority is {0} or {1}"),
    ("created", "since"): (
        "created within the last {0} days",
        "that were created in the last {0} days",
    ),
    ("type", "one_of"): ("of the type {0}", "whose work type is {0}"),
    ("sprints", "filled"): ("in a sprint that is running", "that are in an active sprint"),
    ("components", "some_of"): ('of the component "{0}"', 'whose component is "{0}"'),
    ("components", "blank"): ("without any component", "that have no component"),
    ("labels", "blank"): ("without any label", "that have no labels"),
}
ACCESS: Final = {
    "everyone": (
        "Share it with everybody who can log in.",
        "Everybody in the organization should be able to use it.",
    ),
    "group": (
        'Share it with the group "{0}" and nobody else.',
        'Only the group "{0}" should be able to use it.',
    ),
    "space": (
        'Share it with the space "{0}" and nobody else.',
        'Only the space "{0}" should be able to use it.',
    ),
}
LASTING: Final = (
    "It has to stay right by itself: days count from whenever somebody opens it.",
    "We will look at it every week, so days are counted back from the moment one looks.",
    "Please none that is right today only: days are meant from the day one opens it.",
)
SUBJECTS: Final = (
    "A filter for our weekly round",
    "Filter wanted",
    "Could we get a saved search please",
    "List of work items for the Thursday meeting",
    "Need a shared filter",
    "Request: new filter",
)
NAMES: Final = (
    "Weekly round",
    "Second look",
    "Watch list",
    "Not forgotten",
    "Needs a hand",
    "Left over",
    "Thursday list",
    "Before the demo",
    "Loose ends",
    "Short list",
)
OPENINGS: Final = ("Hi,", "Hello,", "Hey,", "Good morning,", "hi there,")
CLOSINGS: Final = ("Thanks!", "Thank you", "Cheers", "That would help us a lot.")
STYLES: Final = ("listed", "prose", "terse")


def filter_name(chance: Random, team: str) -> str:
    """Return a name for a filter of a team's."""
    name = chance.choice(NAMES)
    return f"{name}, {team}" if chance.random() < 0.5 else f"{team}: {name}"


def phrase(condition: Mapping[str, Any], chance: Random) -> str:
    """Return one condition in words."""
    state = condition.get("state")
    ways = STATES[state] if state else PHRASES[condition["about"], condition["test"]]
    return str(chance.choice(ways)).format(*condition["words"])


def request(wish: Mapping[str, Any], sharing: str, chance: Random) -> str:
    """Return the description of the request."""
    every = [phrase(each, chance) for each in wish["conditions"] if each["side"] == "all"]
    some = [phrase(each, chance) for each in wish["conditions"] if each["side"] == "any"]
    style = chance.choice(STYLES)
    access = chance.choice(ACCESS[sharing]).format(wish["share_name"])
    parts = [chance.choice(OPENINGS), *_conditions(style, wish["name"], every, some)]
    parts += [chance.choice(LASTING), access, chance.choice(CLOSINGS)]
    return "\n\n".join(parts)


def _conditions(style: str, name: str, every: Sequence[str], some: Sequence[str]) -> list[str]:
    if style == "listed":
        return [
            f'please save us a filter called "{name}".',
            "It should find work items that are all of this:",
            "\n".join(f"- {each}" for each in every),
            "and besides at least one of this:",
            "\n".join(f"- {each}" for each in some),
        ]
    if style == "prose":
        return [
            f'we would like a filter with the name "{name}". What we need in it are work items '
            + ", ".join(every)
            + ", but of those just the ones for which at least one of the following is true: "
            + ", or ".join(some)
            + "."
        ]
    return [
        f'filter "{name}" please.',
        "must: " + "; ".join(every),
        "and at least one of: " + "; ".join(some),
    ]
