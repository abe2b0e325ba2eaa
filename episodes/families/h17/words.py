"""How colleagues put it when they ask for a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

TITLES: Final = {
    "nice_id": "ID",
    "subject": "Subject",
    "requester": "Requester",
    "assignee": "Assignee",
    "group": "Group",
    "organization": "Organization",
    "status": "Status",
    "priority": "Priority",
    "type": "Type",
    "created": "Requested",
    "updated": "Updated",
}
STATES: Final = {
    "unsolved": (
        "not solved yet (New, Open, Pending or On-hold)",
        "still to be solved, that is New, Open, Pending or On-hold",
    ),
    "unclosed": (
        "not closed yet, solved ones included",
        "anything but closed, so with the solved ones",
    ),
    "open": ("in the status Open", "whose status is Open"),
    "pending": ("in the status Pending", "whose status is Pending"),
    "hold": ("in the status On-hold", "whose status is On-hold"),
}
PHRASES: Final = {
    ("group", "one_of"): ("in the group {0}", "that {0} has as its group"),
    ("group", "none_of"): (
        "not in the group {0} (those without a group count too)",
        "outside the group {0}, also if they have no group at all",
    ),
    ("type", "one_of"): ("of the type {0}", "whose type is {0}"),
    ("assignee", "one_of"): ("assigned to nobody", "without an assignee"),
    ("tags", "untagged"): ("without the tag {0}", "that do not carry the tag {0}"),
    ("tags", "tagged"): ("with the tag {0}", "that carry the tag {0}"),
    ("priority", "one_of"): ("of the priority {0}", "whose priority is {0}"),
    ("VIP", "one_of"): ("ticked as VIP", "where the VIP box is ticked"),
    ("Category", "one_of"): ('of the category "{0}"', 'where the category says "{0}"'),
    ("Machine", "one_of"): ('about the machine "{0}"', 'where the machine is "{0}"'),
}
ACCESS: Final = {
    "everyone": ("Everybody on the team should have it.", "Please share it with all agents."),
    "group": ("Only {0} should have it.", "Please share it with {0} and nobody else."),
    "groups": (
        "Only {0} and {1} should have it.",
        "Please share it with {0} and {1} and nobody else.",
    ),
}
SUBJECTS: Final = (
    "A view for us",
    "Could we get a view please",
    "view wanted",
    "List of tickets for the morning round",
    "Another view, if that is possible",
    "Request: new view",
)
NAMES: Final = (
    ("Morning", "round"),
    ("Second", "look"),
    ("Watch", "list"),
    ("Do", "first"),
    ("Not", "forgotten"),
    ("Needs", "a hand"),
    ("Weekly", "sweep"),
    ("Short", "list"),
    ("Stand-up", "board"),
    ("Left", "over"),
)
OPENINGS: Final = ("Hi,", "Hello both,", "Hey,", "Good morning,", "hi there,")
STYLES: Final = ("listed", "prose", "terse")


def view_name(chance: Random, group: str) -> str:
    """Return a name for a view of a group's."""
    first, second = chance.choice(NAMES)
    return f"{first} {second}, {group}" if chance.random() < 0.5 else f"{group}: {first} {second}"


def phrase(condition: Mapping[str, Any], chance: Random) -> str:
    """Return one condition in words."""
    if condition["field"] == "status":
        return str(chance.choice(STATES[condition["words"][0]]))
    ways = PHRASES[condition["about"], condition["test"]]
    return str(chance.choice(ways)).format(*condition["words"])


def request(wish: Mapping[str, Any], sharing: str, chance: Random) -> str:
    """Return the body of the request."""
    every = [phrase(each, chance) for each in wish["conditions"] if each["side"] == "all"]
    some = [phrase(each, chance) for each in wish["conditions"] if each["side"] == "any"]
    style = chance.choice(STYLES)
    parts = [chance.choice(OPENINGS), *_conditions(style, wish["name"], every, some)]
    parts += [_output(wish), chance.choice(ACCESS[sharing]).format(*wish["group_names"])]
    parts.append(chance.choice(("Thanks!", "Thank you", "Cheers", "That would help us a lot.")))
    return "\n\n".join(parts)


def _conditions(style: str, name: str, every: Sequence[str], some: Sequence[str]) -> list[str]:
    if style == "listed":
        return [
            f'please make us a view called "{name}".',
            "It should show tickets that are all of this:\n"
            + "\n".join(f"- {each}" for each in every),
            "and besides at least one of this:\n" + "\n".join(f"- {each}" for each in some),
        ]
    if style == "prose":
        return [
            f'we would like a view with the name "{name}". What we need in it are tickets '
            + " and ".join(every)
            + ", but of those just the ones for which at least one of the following is true: "
            + ", or ".join(some)
            + "."
        ]
    return [
        f'view "{name}" please.',
        "must: " + "; ".join(every),
        "and at least one of: " + "; ".join(some),
    ]


def _output(wish: Mapping[str, Any]) -> str:
    columns = ", ".join(TITLES[name] for name in wish["columns"])
    ways = {"asc": "ascending", "desc": "descending"}
    order = f"Ordered by {TITLES[wish['sort_by']]}, {ways[wish['sort_order']]}"
    grouping = "not grouped"
    if wish["group_by"]:
        grouping = f"grouped by {TITLES[wish['group_by']]}, {ways[wish['group_order']]}"
    return f"Columns from left to right: {columns}. {order}, {grouping}."
