"""What an organization begins with: its id, the statuses and stages that its settings list."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.rules.record_ids import long_id

# One organization: the number of a sandbox is not in its rows, so every sandbox has this one's.
ORGANIZATION_ID: Final = long_id("00D5g00000Kr3LQ")
INSTANCE: Final = "NA1"

# Label, chance of success in percent, code and label of the forecast category, closed, won.
STAGES: Final = (
    ("Prospecting", 10.0, "Pipeline", "Pipeline", False, False),
    ("Qualification", 10.0, "Pipeline", "Pipeline", False, False),
    ("Needs Analysis", 20.0, "Pipeline", "Pipeline", False, False),
    ("Value Proposition", 50.0, "Pipeline", "Pipeline", False, False),
    ("Id. Decision Makers", 60.0, "Pipeline", "Pipeline", False, False),
    ("Perception Analysis", 70.0, "Pipeline", "Pipeline", False, False),
    ("Proposal/Price Quote", 75.0, "Pipeline", "Pipeline", False, False),
    ("Negotiation/Review", 90.0, "Pipeline", "Pipeline", False, False),
    ("Closed Won", 100.0, "Closed", "Closed", True, True),
    ("Closed Lost", 0.0, "Omitted", "Omitted", True, False),
)
# Object of the settings, and for each value whether it is the default and what else it says.
STATUSES: Final[dict[str, tuple[tuple[str, bool, dict[str, Any]], ...]]] = {
    "CaseStatus": (
        ("New", True, {"IsClosed": False}),
        ("Working", False, {"IsClosed": False}),
        ("Escalated", False, {"IsClosed": False}),
        ("Closed", False, {"IsClosed": True}),
    ),
    "LeadStatus": (
        ("Open - Not Contacted", True, {"IsConverted": False}),
        ("Working - Contacted", False, {"IsConverted": False}),
        ("Closed - Converted", False, {"IsConverted": True}),
        ("Closed - Not Converted", False, {"IsConverted": False}),
    ),
    "TaskStatus": (
        ("Not Started", True, {"IsClosed": False}),
        ("In Progress", False, {"IsClosed": False}),
        ("Completed", False, {"IsClosed": True}),
        ("Waiting on someone else", False, {"IsClosed": False}),
        ("Deferred", False, {"IsClosed": False}),
    ),
    "TaskPriority": (
        ("High", False, {"IsHighPriority": True}),
        ("Normal", True, {"IsHighPriority": False}),
        ("Low", False, {"IsHighPriority": False}),
    ),
    "ContractStatus": (
        ("In Approval Process", False, {"StatusCode": "InApproval"}),
        ("Activated", False, {"StatusCode": "Activated"}),
        ("Draft", True, {"StatusCode": "Draft"}),
    ),
}
PROFILES: Final = ("System Administrator", "Standard User", "Read Only")
