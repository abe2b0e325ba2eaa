"""What working on a ticket changes: the allowances that families share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clones.helpdesk.models import TicketField
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
        "sla_policy_id",
    }
)
# Fields that take one or several of given values.
CHOSEN: Final = ("tagger", "multiselect", "checkbox")


def working_on(tickets: Iterable[int]) -> tuple[Allow, ...]:
    """Allow what answering, filing and closing these tickets changes: fields and new comments.

    Of the account's own fields it is those in which something is chosen; texts in them, and people
    in copy, are for goals that ask for it.
    """
    numbers = sorted(tickets)
    chosen = TicketField.objects.filter(type__in=CHOSEN).order_by("id")
    keys = frozenset(str(key) for key in chosen.values_list("id", flat=True))
    fields = Allow(
        "helpdesk_ticket",
        frozenset({"update"}),
        keys=frozenset(numbers),
        columns=TICKET_COLUMNS,
        parts=(("custom_fields", keys),),
    )
    comments = [
        Allow("helpdesk_comment", frozenset({"insert"}), where={"ticket_id": ticket})
        for ticket in numbers
    ]
    return (fields, *comments)
