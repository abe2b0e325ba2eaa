"""What working on a ticket changes: the allowances that families share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from episodes.tasks.footprint import Allow

TICKET_COLUMNS: Final = frozenset(
    {
        "status",
        "priority",
        "type",
        "assignee_id",
        "group_id",
        "tags",
        "custom_fields",
        "custom_status_id",
        "updated_at",
        "is_public",
        "solved_at",
        "follower_ids",
        "email_cc_ids",
        "satisfaction_offered_at",
        "sla_policy_id",
    }
)


def working_on(tickets: Iterable[int]) -> tuple[Allow, ...]:
    """Allow what answering, filing and closing these tickets changes: fields and new comments."""
    numbers = sorted(tickets)
    fields = Allow(
        "helpdesk_ticket",
        frozenset({"update"}),
        keys=frozenset(numbers),
        columns=TICKET_COLUMNS,
    )
    comments = [
        Allow("helpdesk_comment", frozenset({"insert"}), where={"ticket_id": ticket})
        for ticket in numbers
    ]
    return (fields, *comments)
