"""What a careful agent understands of a request for a view."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

NAME: Final = re.compile(r'view (?:called |with the name )?"([^"]+)"')
COLUMNS: Final = re.compile(r"Columns from left to right: ([^.]+)\.")
ORDERED: Final = re.compile(
    r"Ordered by (\w+), (\w+?)ending, (?:not grouped|grouped by (\w+), (\w+?)ending)\."
)
TURN: Final = "at least one of"
STATUS: Final = (
    (re.compile(r"not solved yet|still to be solved"), "less_than", "Solved"),
    (re.compile(r"not closed yet|anything but closed"), "less_than", "Closed"),
    (re.compile(r"status (?:is )?Open"), "is", "Open"),
    (re.compile(r"status (?:is )?Pending"), "is", "Pending"),
    (re.compile(r"status (?:is )?On-hold"), "is", "On-hold"),
)
TESTS: Final = (
    ("Group", "is_not", re.compile(r"(?:not in|outside) the group ([^\n;.,()]+?)(?= \(|,)")),
    ("Group", "is", re.compile(r"(?<!not )in the group (.+?)(?=\n|;| and |,)")),
    ("Group", "is", re.compile(r"that ([A-Z][\w& ]*?) has as its group")),
    ("Type", "is", re.compile(r"(?:of the type|whose type is) (\w+)")),
    ("Assignee", "is", re.compile(r"(assigned to nobody|without an assignee)")),
    ("Tags", "not_includes", re.compile(r"(?:without|do not carry) the tag (\w+)")),
    ("Tags", "includes", re.compile(r"(?:with|that carry) the tag (\w+)")),
    ("Priority", "is", re.compile(r"(?:of the priority|whose priority is) (\w+)")),
    ("VIP", "is", re.compile(r"(ticked as VIP|VIP box is ticked)")),
    ("Category", "is", re.compile(r'(?:of the category|category says) "([^"]+)"')),
    ("Machine", "is", re.compile(r'(?:about the machine|machine is) "([^"]+)"')),
)
ACCESS: Final = re.compile(r"(?:Only (.+) should have it|share it with (.+) and nobody else)")
COLUMN_NAMES: Final = {
    "ID": "nice_id",
    "Subject": "subject",
    "Requester": "requester",
    "Assignee": "assignee",
    "Group": "group",
    "Organization": "organization",
    "Status": "status",
    "Priority": "priority",
    "Type": "type",
    "Requested": "created",
    "Updated": "updated",
}


class NotUnderstood(ValueError):
    """Raised when a request lacks what a view needs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One condition: field and value by their titles; `operator` by the product's own name."""

    side: str
    field: str
    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a view; columns and orders by their titles, `groups` empty for everybody."""

    name: str
    conditions: tuple[Asked, ...]
    columns: tuple[str, ...]
    sort_by: str
    sort_order: str
    group_by: str | None
    group_order: str | None
    groups: tuple[str, ...]


def read_request(text: str) -> Request:
    """Return what a request asks for.

    Raises:
        NotUnderstood: it lacks a name, columns, an order or conditions.
    """
    name, columns, order = NAME.search(text), COLUMNS.search(text), ORDERED.search(text)
    if name is None or columns is None or order is None or TURN not in text:
        raise NotUnderstood("a view needs a name, conditions, columns and an order")
    before, _, after = text[name.end() : columns.start()].partition(TURN)
    access = ACCESS.search(text)
    groups = (access.group(1) or access.group(2)) if access is not None else ""
    return Request(
        name=name.group(1),
        conditions=(*_conditions("all", before), *_conditions("any", after)),
        columns=tuple(columns.group(1).split(", ")),
        sort_by=order.group(1),
        sort_order=order.group(2),
        group_by=order.group(3),
        group_order=order.group(4),
        groups=tuple(re.split(r" and (?=[A-Z])", groups)) if groups else (),
    )


def _conditions(side: str, text: str) -> list[Asked]:
    found = [
        Asked(side, "Status", operator, value)
        for pattern, operator, value in STATUS
        if pattern.search(text)
    ]
    for field, operator, pattern in TESTS:
        found += [Asked(side, field, operator, told) for told in pattern.findall(text)]
    if not found:
        raise NotUnderstood(f"nothing is said of what {side} should hold")
    return found
