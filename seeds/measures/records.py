"""Measures of the desk's records: fields that nobody uses, people who are there twice, mess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from clones.helpdesk.models import TicketField, User
from seeds.measures.tickets import StoreFacts


def record_properties(desk: StoreFacts, ledger: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the properties of records by name; `ledger` holds what is true of the mess."""
    twins = [entry for entry in ledger if entry["kind"] == "duplicate_user"]
    fields = TicketField.objects.filter(removable=True).values_list("id", flat=True)
    dead = [
        is_dead([c.row["custom_fields"].get(str(key)) for c in desk.customers]) for key in fields
    ]
    return {
        "30 found by exact mail": _found_by_mail(twins),
        "33 dead fields": sum(dead) / len(dead),
        "40 kinds of contradiction": len({entry["kind"] for entry in ledger}),
    }


def is_dead(values: Sequence[Any]) -> bool:
    """Tell whether over 99 in 100 of a field's values are one and the same, or none."""
    counts = Counter("" if value in (None, "", [], False) else str(value) for value in values)
    return max(counts.values()) > 0.99 * len(values)


def _found_by_mail(twins: Sequence[dict[str, Any]]) -> float:
    """Return the share of second accounts that have the address of the first."""
    people = User.objects.filter(role="end-user").values_list("id", "email")
    mails = {str(key): (email or "").lower() for key, email in people}
    same = [mails.get(str(entry["old"])) == mails.get(str(entry["new"])) for entry in twins]
    return sum(same) / max(len(same), 1)
