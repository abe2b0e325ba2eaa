"""The workflows of the vendor's templates in short: their steps, from status to status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.setup.fields import RESOLVE_SCREEN, WORKFLOW_SCREEN

RESOLVED: Final = "Done"
UNWANTED: Final = "Won't Do"
KEEP: Final = "="  # the resolution stays what it is


@dataclass(frozen=True, slots=True)
class TransitionStep:
    """A transition in short: `sources` are names of statuses, none: from everywhere.

    `resolution` is the name of the resolution that it sets, "" clears it, `KEEP` keeps it.
    `permission` is who may take it: a permission, `assignee`, or `nobody` but rules and the API.
    """

    number: int
    name: str
    target: str
    sources: tuple[str, ...] = ()
    resolution: str = KEEP
    screen: str = ""
    permission: str = ""
    place: int = 0


_OPEN: Final = ("Open", "In Progress", "Reopened")
CLASSIC_STEPS: Final = (
    TransitionStep(
        4, "Start Progress", "In Progress", ("Open", "Reopened"), "", "", "assignee", 20
    ),
    TransitionStep(301, "Stop Progress", "Open", ("In Progress",), "", "", "assignee", 20),
    TransitionStep(
        5, "Resolve Issue", "Resolved", _OPEN, KEEP, RESOLVE_SCREEN, "RESOLVE_ISSUES", 40
    ),
    TransitionStep(2, "Close Issue", "Closed", _OPEN, KEEP, RESOLVE_SCREEN, "CLOSE_ISSUES", 60),
    TransitionStep(
        701, "Close Issue", "Closed", ("Resolved",), KEEP, WORKFLOW_SCREEN, "CLOSE_ISSUES", 60
    ),
    TransitionStep(
        3,
        "Reopen Issue",
        "Reopened",
        ("Resolved", "Closed"),
        "",
        WORKFLOW_SCREEN,
        "RESOLVE_ISSUES",
        80,
    ),
)
BUSINESS_STEPS: Final = (
    TransitionStep(11, "Start progress", "In Progress", ("To Do",), ""),
    TransitionStep(21, "Done", "Done", ("To Do", "In Progress"), RESOLVED),
    TransitionStep(31, "Stop Progress", "To Do", ("In Progress",), ""),
    TransitionStep(41, "Reopen", "To Do", ("Done",), ""),
    TransitionStep(51, "Reopen and start progress", "In Progress", ("Done",), ""),
)
SUPPORT, CUSTOMER = "Waiting for support", "Waiting for customer"
_ACTIVE: Final = (SUPPORT, CUSTOMER, "Pending", "In Progress", "Escalated")
REQUEST_STEPS: Final = (
    TransitionStep(
        11, "Respond to customer", CUSTOMER, (SUPPORT, "Pending", "In Progress", "Escalated")
    ),
    TransitionStep(21, "Respond to support", SUPPORT, (CUSTOMER,)),
    TransitionStep(31, "In progress", "In Progress", (SUPPORT, CUSTOMER, "Pending", "Escalated")),
    TransitionStep(41, "Pending", "Pending", (SUPPORT, "In Progress", "Escalated")),
    TransitionStep(51, "Escalate", "Escalated", (SUPPORT, "In Progress")),
    TransitionStep(61, "Back to support", SUPPORT, ("Pending", "In Progress", "Escalated")),
    TransitionStep(71, "Resolve this issue", "Resolved", _ACTIVE, KEEP, RESOLVE_SCREEN),
    TransitionStep(81, "Cancel request", "Canceled", _ACTIVE, UNWANTED),
    TransitionStep(91, "Reopen", SUPPORT, ("Resolved", "Closed", "Canceled"), ""),
    TransitionStep(101, "Close", "Closed", ("Resolved",)),
)
APPROVAL_STEPS: Final = (
    TransitionStep(111, "Approved", SUPPORT, ("Waiting for approval",), permission="nobody"),
    TransitionStep(
        121, "Declined", "Closed", ("Waiting for approval",), UNWANTED, permission="nobody"
    ),
    TransitionStep(131, "Withdraw", "Canceled", ("Waiting for approval",), UNWANTED),
)
INCIDENT_STEPS: Final = (
    TransitionStep(11, "Investigate", "In Progress", ("Open", "Pending")),
    TransitionStep(21, "Pending", "Pending", ("Open", "In Progress")),
    TransitionStep(31, "Escalate", "Escalated", ("Open", "In Progress")),
    TransitionStep(41, "Back to in progress", "In Progress", ("Escalated",)),
    TransitionStep(
        51,
        "Resolve",
        "Resolved",
        ("Open", "In Progress", "Pending", "Escalated"),
        KEEP,
        RESOLVE_SCREEN,
    ),
    TransitionStep(
        61, "Cancel", "Canceled", ("Open", "In Progress", "Pending", "Escalated"), UNWANTED
    ),
    TransitionStep(71, "Close", "Closed", ("Resolved",)),
    TransitionStep(81, "Reopen", "Open", ("Resolved", "Closed", "Canceled"), ""),
)
# The statuses of a board's columns, from the left.
SIMPLE: Final = ("To Do", "In Progress", "Done")
KANBAN: Final = ("Backlog", "Selected for Development", "In Progress", "Done")
NEW: Final = {"Backlog": "new", "Selected for Development": "new"}
