"""What somebody is owed, and whether they got it.

An obligation is a fact of the form {"id", "kind", "ticket", ...}: `ticket` is what points to it,
the rest is what its kind reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Sum

from clones.billing.models import Refund
from clones.helpdesk.models import AuditEvent, Comment, Ticket
from episodes.tasks.spec import Facts
from episodes.tasks.telling import is_fit, names_code
from seeds.people.predicates import record_holds

Obligation = Mapping[str, Any]

# What a custom field holds that nobody filled in.
EMPTY: Final[tuple[Any, ...]] = (None, "", False, [])


def unmet_obligations(facts: Facts) -> frozenset[str]:
    """Return the ids of the obligations that the bound sandbox does not meet."""
    return frozenset(
        obligation["id"] for obligation in facts["obligations"] if not is_met(obligation)
    )


def is_met(obligation: Obligation) -> bool:
    """Tell whether what is owed has been given."""
    return KINDS[obligation["kind"]](obligation)


def refunded(charge: str) -> int:
    """Return the minor units that went back on a charge."""
    found = Refund.objects.filter(charge_id=charge).exclude(status__in=("failed", "canceled"))
    return int(found.aggregate(total=Sum("amount"))["total"] or 0)


def _is_refunded(obligation: Obligation) -> bool:
    """Tell whether the refunds of the `charge` sum to the `amount`."""
    return refunded(obligation["charge"]) == int(obligation["amount"])


def _is_explained(obligation: Obligation) -> bool:
    """Tell whether the ticket's `field` holds the `value`; `charges` are what it explains."""
    fields = Ticket.objects.values_list("custom_fields", flat=True).get(id=obligation["ticket"])
    return str(fields.get(str(obligation["field"]))) == str(obligation["value"])


def is_filed(ticket: Ticket, expected: Mapping[str, Any]) -> bool:
    """Tell whether a ticket has exactly this `group`, `priority`, `type`, `fields` and `tags`.

    `fields` are its custom fields that hold something, by id in text.
    """
    fields = {name: value for name, value in ticket.custom_fields.items() if value not in EMPTY}
    return (
        ticket.group_id == expected["group"]
        and ticket.priority == expected["priority"]
        and ticket.type == expected["type"]
        and fields == expected["fields"]
        and set(ticket.tags) == set(expected["tags"])
    )


def is_waiting(ticket: Ticket) -> bool:
    """Tell whether a ticket is still for somebody to take up."""
    return ticket.status in ("new", "open") and ticket.deleted_at is None


def _is_routed(obligation: Obligation) -> bool:
    """Tell whether the ticket is filed as it is to be, and still to be worked on."""
    ticket = Ticket.objects.get(id=obligation["ticket"])
    return is_waiting(ticket) and is_filed(ticket, obligation)


def _is_changed(obligation: Obligation) -> bool:
    """Tell whether each of the `places` holds what it should, changed or left alone."""
    return record_holds({"places": obligation["places"]})


def merged_into(ticket: int) -> int | None:
    """Return the ticket in whose favour a merge closed this one, None if none did.

    That is told by the audit which closed it: tags and states anybody can set.
    """
    events = AuditEvent.objects.select_related("audit").filter(
        audit__ticket=ticket, audit__via__source__rel="merge", type="Change"
    )
    for event in events.order_by("-id"):
        if event.body.get("field_name") == "status" and event.body.get("value") == "closed":
            target = event.audit.via["source"]["from"].get("ticket_id")
            return None if target is None else int(target)
    return None


def _is_merged(obligation: Obligation) -> bool:
    """Tell whether the `ticket` was closed by a merge into the `target`."""
    return merged_into(int(obligation["ticket"])) == int(obligation["target"])


def was_recovered(mail: Mapping[str, Any]) -> bool:
    """Tell whether held mail of this `subject`, `content` and `ticket` became part of a ticket."""
    return bool(_recovered(mail))


def is_let_in(mail: Mapping[str, Any]) -> bool:
    """Tell whether held mail became a ticket of its sender's, or their comment on the `ticket`.

    `email` is the sender's address.
    """
    return any(
        (comment.author.email if mail["ticket"] is not None else comment.ticket.requester.email)
        == mail["email"]
        for comment in _recovered(mail)
    )


def _recovered(mail: Mapping[str, Any]) -> list[Comment]:
    """Return the comments that recovering made of a mail: their audits say so."""
    noted = AuditEvent.objects.filter(type="SuspendedTicketRecovery").values("audit_id")
    found = Comment.objects.filter(audit__in=noted, body=mail["content"].strip())
    if mail["ticket"] is not None:
        found = found.filter(ticket_id=mail["ticket"])
    else:
        found = found.filter(ticket__subject=mail["subject"].strip())
    return list(found.select_related("author", "ticket__requester").order_by("id"))


def _is_answered(obligation: Obligation) -> bool:
    """Tell whether an agent's public reply gives what the ticket asks, as it `tells`."""
    said = Comment.objects.filter(ticket=obligation["ticket"], public=True).order_by("id")
    texts = said.exclude(author__role="end-user").values_list("body", flat=True)
    return any(is_fit(text, obligation["tells"], obligation["wrong"]) for text in texts)


def _is_handed_over(obligation: Obligation) -> bool:
    """Tell whether the ticket waits for its `group`, with a note that gives the `serial`."""
    ticket = Ticket.objects.get(id=obligation["ticket"])
    notes = Comment.objects.filter(ticket=ticket, public=False).order_by("id")
    named = any(
        names_code(text, obligation["serial"]) for text in notes.values_list("body", flat=True)
    )
    return is_waiting(ticket) and ticket.group_id == obligation["group"] and named


KINDS: Final[Mapping[str, Callable[[Obligation], bool]]] = {
    "refund": _is_refunded,
    "explained": _is_explained,
    "routed": _is_routed,
    "changed": _is_changed,
    "merged": _is_merged,
    "let_in": is_let_in,
    "answered": _is_answered,
    "handed_over": _is_handed_over,
}
