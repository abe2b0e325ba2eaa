"""What a careful agent understands of a request for a filter, and the query that it comes to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NAME: Final = re.compile(r'filter (?:called |with the name )?"([^"]+)"')
TURN: Final = "at least one of"
ACCESS: Final = re.compile(r'(?:Share it with|Only) the (group|space) "([^"]+)"')
# What ends the conditions: how it is shared, and that it should last.
END: Final = re.compile(r"Share it with|Only the|Everybody in|It has to|We will look|Please none")
CLAUSES: Final = (
    (r'in the space "([^"]+)" or "([^"]+)"', 'project in ("{0}", "{1}")'),
    (r'that belong to "([^"]+)" or to "([^"]+)"', 'project in ("{0}", "{1}")'),
    (r"not in a status of the category Done", "statusCategory != Done"),
    (r"status category is anything but Done", "statusCategory != Done"),
    (r"(?<!not )in a status of the category (To Do|In Progress|Done)", 'statusCategory = "{0}"'),
    (r"status category is (To Do|In Progress|Done)", 'statusCategory = "{0}"'),
    (r"without a resolution|have no resolution", "resolution is EMPTY"),
    (r'in the status "([^"]+)"', 'status was "{0}"'),
    (r'status is "([^"]+)" or was that', 'status was "{0}"'),
    (r"priority (?:somebody|of which was) changed (?:with)?in the last (\d+) days", "{changed}"),
    (r'once were, assigned to "([^"]+)"', 'assignee was "{0}"'),
    (r'assignee is "([^"]+)" or was that', 'assignee was "{0}"'),
    (r"assigned to nobody|without an assignee", "assignee is EMPTY"),
    (r"due within (\d+) days from today", 'due <= "{0}d"'),
    (r"due date no later than (\d+) days from today", 'due <= "{0}d"'),
    (r"fix version that is (?:not released yet|still unreleased)", "{unreleased}"),
    (r"(?:with|carry) the label (\S+?) or (\S+?)(?=[\s,.;]|$)", 'labels in ("{0}", "{1}")'),
    (r"(?:of the priority|whose priority is) (\w+) or (\w+)", "priority in ({0}, {1})"),
    (r"created (?:with)?in the last (\d+) days", 'created >= "-{0}d"'),
    (r"(?:of the type|whose work type is) (\w+)", "issuetype = {0}"),
    (r"in a sprint that is running|in an active sprint", "sprint in openSprints()"),
    (r'(?:of the component|whose component is) "([^"]+)"', 'component = "{0}"'),
    (r"without any component|have no component", "component is EMPTY"),
    (r"without any label|have no labels", "labels is EMPTY"),
)
# Clauses that hold no value in braces of their own.
SPELT: Final = {
    "{changed}": 'priority changed after "-{0}d"',
    "{unreleased}": "fixVersion in unreleasedVersions()",
}


class NotUnderstood(ValueError):
    """Raised when a request lacks what a filter needs."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a filter: clauses that all must hold, clauses of which one must.

    `share` is ("loggedin", ""), ("group", its name) or ("space", its name).
    """

    name: str
    every: tuple[str, ...]
    some: tuple[str, ...]
    share: tuple[str, str]

    @property
    def jql(self) -> str:
        """The query."""
        return " AND ".join([*self.every, f"({' OR '.join(self.some)})"])


def read_request(text: str) -> Request:
    """Return what a request asks for.

    Raises:
        NotUnderstood: it lacks a name or conditions.
    """
    flat = " ".join(text.split())
    name = NAME.search(flat)
    if name is None or TURN not in flat:
        raise NotUnderstood("a filter needs a name and conditions")
    rest = flat[name.end() :]
    ends = END.search(rest)
    before, _, after = rest[: ends.start() if ends else len(rest)].partition(TURN)
    access = ACCESS.search(rest)
    share = (access.group(1), access.group(2)) if access is not None else ("loggedin", "")
    return Request(name.group(1), clauses("all", before), clauses("any", after), share)


def clauses(side: str, text: str) -> tuple[str, ...]:
    """Return the clauses that a text comes to, in its order.

    Raises:
        NotUnderstood: it says nothing of what should hold.
    """
    found: list[tuple[int, str]] = []
    for pattern, clause in CLAUSES:
        for told in re.finditer(pattern, text):
            spelt = SPELT.get(clause, clause)
            found.append((told.start(), spelt.format(*told.groups())))
    if not found:
        raise NotUnderstood(f"nothing is said of what {side} should hold")
    return tuple(clause for _, clause in sorted(found))
