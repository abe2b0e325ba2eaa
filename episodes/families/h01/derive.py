"""The facts of H01 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

from clones.helpdesk.models import Comment, Organization, Ticket, TicketField, TicketMetric, User

ASKS: Final = {
    "opened": "opened",
    "first public reply": "first_reply",
    "technician": "visit",
    "quoted": "quoted",
    "serial number": "serial",
    "assigned to": "assignee",
    "of pieces": "pieces",
    "many pieces": "pieces",
    "(CC)": "copied",
}
MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)
DAY: Final = re.compile(r"\b(\d{1,2}) ([A-Z][a-z]+) (\d{4})\b")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    fact = next((name for words, name in ASKS.items() if words in goal), None)
    if fact is None:
        raise LookupError("the goal asks for nothing known")
    ticket = _ticket(goal)
    said = [entry for entry in _all(Comment) if entry.ticket_id == ticket.id]
    return {
        "fact": fact,
        "ticket": ticket.id,
        "comments": [entry.id for entry in said],
        "answer": _answer(fact, ticket, said),
        "support": _support(fact, ticket, said),
    }


def _all(model: Any) -> list[Any]:
    rows = list(model.objects.all())
    rows.sort(key=lambda row: (getattr(row, "created_at", None) or row.pk, row.pk))
    return rows


def _ticket(goal: str) -> Ticket:
    """Return the one ticket that everything said in the goal fits.

    Raises:
        LookupError: none fits, or several do.
    """
    names = {user.id: user.name for user in User.objects.all()}
    firms = {firm.id: firm.name for firm in Organization.objects.all()}
    order = re.search(r"KL-\d+", goal)
    fitting = []
    for ticket in Ticket.objects.all():
        said = list(Comment.objects.filter(ticket=ticket))
        if order is not None:
            fits = any(order[0] in entry.body for entry in said)
        elif " answered" in goal and "ticket from" in goal:
            heard = {names[entry.author_id] for entry in said}
            firm = firms.get(ticket.organization_id or 0, "")
            answerers = [name for name in heard if f"that {name} answered" in goal]
            fits = bool(firm and f"from {firm} that" in goal and answerers)
        elif "sent us on" in goal:
            fits = f"that {names[ticket.requester_id]} sent us on {_day(ticket.created_at)}" in goal
        else:
            said_of = goal.partition(f"from {names[ticket.requester_id]} about ")[2]
            fits = _is_about(ticket, re.split(r"[,.;:?]| and ", said_of)[0])
        if fits:
            fitting.append(ticket)
    if len(fitting) != 1:
        raise LookupError(f"{len(fitting)} tickets are as the goal says")
    return fitting[0]


def _day(moment: datetime) -> str:
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def _is_about(ticket: Ticket, described: str) -> bool:
    """Tell whether nearly every longer word of the subject is in a description, in some form."""
    words = [word for word in re.findall(r"[a-z]+", ticket.subject.lower()) if len(word) > 3]
    missing = [word for word in words if word[:4] not in described.lower()]
    return bool(words) and len(missing) <= len(words) // 3 and not ticket.subject.startswith("Re:")


def _answer(fact: str, ticket: Ticket, said: list[Comment]) -> Any:
    texts = [entry.body for entry in said]
    if fact == "opened":
        return ticket.created_at.astimezone(UTC).isoformat()
    if fact == "first_reply":
        for entry in said:
            if entry.public and entry.author_id != ticket.requester_id:
                return int((entry.created_at - ticket.created_at).total_seconds() // 60)
    if fact == "visit":
        days = DAY.findall(texts[2])
        number, month, year = days[0]
        return f"{year}-{MONTHS.index(month) + 1:02d}-{int(number):02d}"
    if fact == "quoted":
        return round(float(re.findall(r"(\d+\.\d\d) [A-Z]{3}", texts[1])[0]) * 100)
    if fact == "pieces":
        return int(re.findall(r"(\d+) pieces", texts[0])[0])
    if fact == "serial":
        for field in TicketField.objects.all():
            if field.title == "Serial number":
                return ticket.custom_fields[str(field.id)]
    if fact == "assignee":
        return next(user.name for user in User.objects.all() if user.id == ticket.assignee_id)
    return sorted(user.email for user in User.objects.all() if user.id in ticket.email_cc_ids)


def _support(fact: str, ticket: Ticket, said: list[Comment]) -> list[list[list[str]]]:
    whole = ["helpdesk_ticket", str(ticket.id)]
    lines = [["helpdesk_comment", str(entry.id)] for entry in said]
    if fact in {"opened", "pieces"}:
        return [[whole], [lines[0]]]
    if fact == "first_reply":
        metric = next(entry for entry in TicketMetric.objects.all() if entry.ticket_id == ticket.id)
        measured = ["helpdesk_ticketmetric", str(metric.pk)]
        return [lines[:2], [whole, lines[1]], [measured]]
    if fact == "visit":
        return [[lines[2]]]
    return [[lines[1]]] if fact == "quoted" else [[whole]]
