"""What starts, pauses and stops the clock of an SLA: the words of conditions.

`start` and `stop` conditions happen at a moment; `pause` conditions are states that last. A
condition that names a status ends with its id: `Entered Status: 10001`, `Status: 10001`.
"""

from __future__ import annotations

from typing import Final

ISSUE_CREATED: Final = "Issue Created"
COMMENT_FOR_CUSTOMERS: Final = "Comment: For Customers"
COMMENT_BY_CUSTOMER: Final = "Comment: By Customer"
RESOLUTION_SET: Final = "Resolution: Set"
RESOLUTION_CLEARED: Final = "Resolution: Cleared"
ASSIGNEE_SET: Final = "Assignee: From Unassigned"
ASSIGNEE_CLEARED: Final = "Assignee: To Unassigned"
ASSIGNEE_CHANGED: Final = "Assignee: Changed"
DUE_DATE_SET: Final = "Due Date: Set"
DUE_DATE_CLEARED: Final = "Due Date: Cleared"

NOT_ASSIGNED: Final = "Assignee: Not Set"
NOT_RESOLVED: Final = "Resolution: Not Set"
HAS_RESOLUTION: Final = "Resolution: Present"

# What people read of those without a status: what happens, and the states that last.
NAMES: Final = {
    word: word
    for word in (
        ISSUE_CREATED,
        COMMENT_FOR_CUSTOMERS,
        COMMENT_BY_CUSTOMER,
        ASSIGNEE_SET,
        ASSIGNEE_CLEARED,
        ASSIGNEE_CHANGED,
        DUE_DATE_SET,
        DUE_DATE_CLEARED,
        RESOLUTION_SET,
        RESOLUTION_CLEARED,
    )
}
STATES: Final = {word: word for word in (NOT_ASSIGNED, NOT_RESOLVED, HAS_RESOLUTION)}


def entered(status: int) -> str:
    """Return the condition that a request comes into a status."""
    return f"Entered Status: {status}"


def left(status: int) -> str:
    """Return the condition that a request leaves a status."""
    return f"Left Status: {status}"


def in_status(status: int) -> str:
    """Return the state of being in a status."""
    return f"Status: {status}"


def state(*, status: int, has_assignee: bool, has_resolution: bool) -> frozenset[str]:
    """Return the states that a request is in, of those by which clocks are paused."""
    found = {in_status(status), HAS_RESOLUTION if has_resolution else NOT_RESOLVED}
    if not has_assignee:
        found.add(NOT_ASSIGNED)
    return frozenset(found)


def of_change(field: str, old: str | None, new: str | None) -> frozenset[str]:
    """Return what happens when a field changes; `field` is its id, `old` and `new` are ids."""
    if old == new:
        return frozenset()
    if field == "status" and old and new:
        return frozenset({left(int(old)), entered(int(new))})
    if field == "resolution":
        return frozenset({RESOLUTION_SET if new else RESOLUTION_CLEARED})
    if field == "duedate":
        return frozenset({DUE_DATE_SET if new else DUE_DATE_CLEARED})
    if field == "assignee":
        found = {ASSIGNEE_CHANGED}
        if not old:
            found.add(ASSIGNEE_SET)
        if not new:
            found.add(ASSIGNEE_CLEARED)
        return frozenset(found)
    return frozenset()
