"""What a new service desk has: headings, request types with forms, queues, SLAs, hours.

Names are the vendor's where its templates are known, what they say is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.setup.fields import APPROVERS
from clones.tracker.rules.desk import conditions

HOUR: Final = 3_600_000
SLA_TYPE: Final = "com.atlassian.servicedesk:sd-sla-field"
APPROVALS: Final = "Approvals"
APPROVALS_TYPE: Final = "com.atlassian.servicedesk.approvals-plugin:sd-approvals"
CALENDAR: Final = "Sample 9-5 Calendar"
HOURS: Final = {
    day: [["09:00", "17:00"]] for day in ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY")
}
GROUPS: Final = ("Common Requests", "Logins and Accounts", "Computers", "Applications")
FIRST_RESPONSE: Final = "Time to first response"
RESOLUTION: Final = "Time to resolution"


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form: its id, and what it is called there."""

    field: str
    label: str
    required: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class RequestTypeTemplate:
    """A request type: the names of types of issues that it may stand for, the first best."""

    name: str
    about: str
    kinds: tuple[str, ...]
    groups: tuple[int, ...]
    fields: tuple[FormField, ...]
    icon: int


_SUMMARY: Final = FormField("summary", "Summary", required=True)
_DETAILS: Final = FormField("description", "Description")
_FILES: Final = FormField("attachment", "Attachment")
_URGENCY: Final = FormField("priority", "Priority")
_SERVICE: Final = ("[System] Service request", "Service Request", "Service request", "Task")
_APPROVED: Final = (
    "[System] Service request with approvals",
    "Service Request with Approvals",
    "Service request with approvals",
    *_SERVICE,
)
_INCIDENT: Final = ("[System] Incident", "Incident", "Bug", *_SERVICE)
_CHANGE: Final = ("[System] Change", "Change", *_APPROVED)

REQUEST_TYPES: Final = (
    RequestTypeTemplate(
        "Get IT help",
        "Ask for help with anything that has no form of its own.",
        _SERVICE,
        (0,),
        (
            FormField("summary", "What can we help you with?", required=True),
            FormField("description", "Tell us more"),
            _URGENCY,
            _FILES,
        ),
        10600,
    ),
    RequestTypeTemplate(
        "Report a system problem",
        "Tell us what is broken, so that we can mend it.",
        _INCIDENT,
        (0, 3),
        (
            FormField("summary", "What is wrong?", required=True),
            FormField("description", "What happens, and since when?", required=True),
            _URGENCY,
            _FILES,
        ),
        10601,
    ),
    RequestTypeTemplate(
        "Request a new account",
        "Ask for an account in a system.",
        _SERVICE,
        (1,),
        (
            FormField("summary", "Which account do you need?", required=True),
            FormField("description", "Who is it for, and why?"),
            FormField("duedate", "Needed by"),
        ),
        10602,
    ),
    RequestTypeTemplate(
        "Fix an account problem",
        "Cannot sign in, or see less than you should? Say so here.",
        _SERVICE,
        (0, 1),
        (_SUMMARY, _DETAILS, _FILES),
        10603,
    ),
    RequestTypeTemplate(
        "Request new hardware",
        "Ask for a computer, a screen or a phone. Somebody has to approve it.",
        _APPROVED,
        (2,),
        (
            FormField("summary", "What do you need?", required=True),
            FormField("description", "Why do you need this?", required=True),
            FormField(f"customfield_{APPROVERS}", "Approver", about="Who answers for the cost."),
            FormField("duedate", "Needed by"),
            _FILES,
        ),
        10604,
    ),
    RequestTypeTemplate(
        "Request new software",
        "Ask for a program or a licence.",
        _SERVICE,
        (3,),
        (
            FormField("summary", "What software do you need?", required=True),
            FormField("description", "Why do you need this?"),
        ),
        10605,
    ),
)
# Under no heading: agents make them, customers do not see them.
AGENT_TYPES: Final = (
    RequestTypeTemplate(
        "Emailed request", "A request that came by mail.", _SERVICE, (), (_SUMMARY, _DETAILS), 10606
    ),
)

# What customers read where it is not the status's own name.
PORTAL_STATUSES: Final = {
    "Work in progress": "In progress",
    "In Progress": "In progress",
    "Waiting for support": "Waiting for support",
    "Escalated": "Waiting for support",
    "Pending": "Waiting for support",
    "Open": "Waiting for support",
    "Under investigation": "In progress",
    "Under review": "In progress",
    "Completed": "Resolved",
    "Done": "Resolved",
}

# Names of the transitions that customers may take.
FOR_CUSTOMERS: Final = (
    "Respond to support",
    "Escalate",
    "Resolve this issue",
    "Cancel request",
    "Withdraw",
    "Resolve",
    "Cancel",
)
_COLUMNS: Final = (
    "issuetype",
    "issuekey",
    "summary",
    "reporter",
    "assignee",
    "status",
    "priority",
    "created",
    RESOLUTION,
)
# Name, query within the space; `{order}` is by the time that is left.
QUEUES: Final = (
    ("All open", "resolution = Unresolved {order}"),
    ("Unassigned issues", "assignee is EMPTY AND resolution = Unresolved {order}"),
    ("Assigned to me", "assignee = currentUser() AND resolution = Unresolved {order}"),
    ("Waiting on me", 'assignee = currentUser() AND status = "Waiting for support" {order}'),
    ("Waiting for customer", 'status = "Waiting for customer" {order}'),
    ("Recently resolved", "resolutiondate >= -1w ORDER BY resolutiondate DESC"),
)
QUEUE_COLUMNS: Final = _COLUMNS
ORDER: Final = f'ORDER BY "{RESOLUTION}" ASC'


@dataclass(frozen=True, slots=True)
class SlaSetup:
    """An SLA; goals are the query of those they are for, and milliseconds.

    `pause` and `stop` may name statuses; those that a desk has not are left out.
    """

    name: str
    start: tuple[str, ...]
    pause: tuple[str, ...]
    stop: tuple[str, ...]
    goals: tuple[tuple[str, int], ...]


SLAS: Final = (
    SlaSetup(
        FIRST_RESPONSE,
        (conditions.ISSUE_CREATED,),
        (),
        (conditions.COMMENT_FOR_CUSTOMERS, conditions.RESOLUTION_SET),
        (
            ("priority = Highest", 2 * HOUR),
            ("priority = High", 4 * HOUR),
            ("", 8 * HOUR),
        ),
    ),
    SlaSetup(
        RESOLUTION,
        (conditions.ISSUE_CREATED, conditions.RESOLUTION_CLEARED),
        ("Waiting for customer", "Waiting for approval"),
        (conditions.RESOLUTION_SET,),
        (
            ("priority = Highest", 4 * HOUR),
            ("priority = High", 8 * HOUR),
            ("priority = Medium", 16 * HOUR),
            ("", 24 * HOUR),
        ),
    ),
)
