"""The facts of H11 a second time: plain loops over whole tables, and nothing of `arrange`.

What the records decide is found again in them. What only the customer knows is what the customer
has in mind.
"""

from __future__ import annotations

import re
from typing import Any, Final

from clones.helpdesk.models import Comment, Organization, Ticket, TicketField, User
from seeds.people.models import PersonState

OPEN: Final = ("new", "open", "pending", "hold")
CODE: Final = re.compile(r"KLW-\d+")
DAY: Final = re.compile(r"(\d\d)/(\d\d)/(\d{4})")
PHONE: Final = re.compile(r"\+[\d ]+\d")
SEATS: Final = ("studio_seat_1", "studio_seat_2")
ADDRESSES: Final = ("delivery_address", "invoice_address")
Place = dict[str, Any]


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    ticket = _ticket(goal)
    request = next(said for said in _all(Comment) if said.ticket_id == ticket.id)
    requester = next(user for user in _all(User) if user.id == ticket.requester_id)
    kind = _kind(request.body)
    pairs, decided = FINDERS[kind](request.body, requester)
    state = next(row for row in _all(PersonState) if row.thread == f"helpdesk.ticket:{ticket.id}")
    target = decided if decided is not None else _in_mind(state.knowledge, kind, pairs)
    places = []
    for number, (place, value) in enumerate(pairs):
        same = [other for other, _ in pairs].index(place)
        if same < number:
            continue
        chosen = pairs[target][0] == place
        places.append({**place, "value": pairs[target][1] if chosen else _held(place)})
        del value
    return {
        "kind": kind,
        "ambiguous": decided is None,
        "ticket": ticket.id,
        "request": request.id,
        "requester": requester.id,
        "slot": kind,
        "target": target,
        "record": [pairs[target][0]["table"], pairs[target][0]["key"]],
        "places": places,
    }


def _all(model: Any) -> list[Any]:
    """Return every row of a table, oldest first."""
    fields = {field.name for field in model._meta.fields}
    moment = "created_at" if "created_at" in fields else "id"
    rows = list(model.objects.all())
    rows.sort(key=lambda row: (getattr(row, moment), row.pk))
    return rows


def _ticket(goal: str) -> Ticket:
    """Return the newest ticket of somebody whom the goal names, or of their firm."""
    names = {user.id: user.name for user in _all(User)}
    firms = {firm.id: firm.name for firm in _all(Organization)}
    found: Ticket | None = None
    for ticket in _all(Ticket):
        who, firm = names[ticket.requester_id], firms.get(ticket.organization_id or 0)
        if ticket.status in OPEN and (who in goal or (firm is not None and firm in goal)):
            found = ticket
    if found is None:
        raise LookupError("the goal names nobody with an open ticket")
    return found


def _kind(text: str) -> str:
    words = text.lower()
    if "phone number" in words or "update the number" in words:
        return "contact"
    if "seats" in words:
        return "seat"
    if "boxes" in words:
        return "amount"
    if DAY.search(words):
        return "date"
    return "order" if "order" in words else "address"


def _in_mind(knowledge: dict[str, Any], slot: str, pairs: list[tuple[Place, str]]) -> int:
    """Return which of the options the customer means."""
    answer = knowledge["own"][slot]
    matching = [
        number for number, ways in enumerate(knowledge["options"][slot]) if _fits(answer, ways)
    ]
    if len(matching) != 1 or matching[0] >= len(pairs):
        raise LookupError(f"{answer} names no option")
    return matching[0]


def _fits(answer: str, ways: list[str]) -> bool:
    for way in ways:
        parts = way.split("-")
        iso = len(parts) == 3 and all(part.isdigit() for part in parts)
        if iso and answer.startswith(f"{int(parts[2])} ") and answer.endswith(parts[0]):
            return True
        if not iso and re.search(rf"(?<!\w){re.escape(way)}(?!\w)", answer):
            return True
    return False


def _held(place: Place) -> Any:
    model: Any = Ticket if place["table"] == "helpdesk_ticket" else User
    row = next(each for each in _all(model) if each.pk == place["key"])
    held = getattr(row, place["column"])
    return held if place["name"] is None else held.get(place["name"])


def _field(title: str) -> str:
    return str(next(entry.id for entry in _all(TicketField) if entry.title == title))


def _place(table: str, key: int, column: str, name: str | None) -> Place:
    return {"table": table, "key": key, "column": column, "name": name}


def _last_line(text: str, after: str) -> str:
    """Return the line after the one that ends in a word."""
    lines = text.splitlines()
    number = next(place for place, line in enumerate(lines) if line.rstrip().endswith(after))
    return lines[number + 1].strip()


def _orders_of(requester: User) -> list[Ticket]:
    return [
        ticket
        for ticket in _all(Ticket)
        if ticket.requester_id == requester.id and (ticket.subject or "").startswith("Order KLW-")
    ]


def _find_order(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    value, name = _last_line(text, ":"), _field("Delivery address")
    recent = _orders_of(requester)[-2:]
    pairs = [
        (_place("helpdesk_ticket", ticket.id, "custom_fields", name), value) for ticket in recent
    ]
    under_way = [number for number, ticket in enumerate(recent) if ticket.status in OPEN]
    return pairs, under_way[0] if len(under_way) == 1 else None


def _named(text: str, requester: User) -> tuple[Ticket, str]:
    """Return the order that a request names, and the first note on it."""
    match = CODE.search(text)
    if match is None:
        raise LookupError("the request names no order")
    order = next(ticket for ticket in _orders_of(requester) if match[0] in (ticket.subject or ""))
    return order, next(said.body for said in _all(Comment) if said.ticket_id == order.id)


def _find_date(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    order, note = _named(text, requester)
    match = DAY.search(text)
    if match is None:
        raise LookupError("the request names no day")
    one, other, year = match.groups()
    days = sorted((f"{year}-{one}-{other}", f"{year}-{other}-{one}"))
    place = _place("helpdesk_ticket", order.id, "custom_fields", _field("Delivery date"))
    decided = 0 if "goes out later" in note else 1 if "not sooner" in note else None
    return [(place, day) for day in days], decided


def _find_amount(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    order, note = _named(text, requester)
    match = re.search(r"(\d+) boxes", text)
    if match is None:
        raise LookupError("the request names no quantity")
    sizes = [int(size) for size in re.findall(r"boxes of (\d+)", note)]
    place = _place("helpdesk_ticket", order.id, "custom_fields", _field("Quantity"))
    pairs = [(place, str(int(match[1]) * size)) for size in (6, 12)]
    return pairs, (6, 12).index(sizes[0]) if len(sizes) == 1 else None


def _find_contact(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    match = PHONE.search(text)
    if match is None:
        raise LookupError("the request names no number")
    colleagues = [
        user
        for user in _all(User)
        if user.organization_id == requester.organization_id
        and user.id != requester.id
        and re.search(rf"(?<!\w){re.escape(user.name.split()[0])} |{re.escape(user.name)}", text)
    ]
    newest = sorted(colleagues, key=lambda user: user.id)
    pairs = [(_place("helpdesk_user", user.id, "phone", None), match[0]) for user in newest]
    there = [
        number for number, user in enumerate(newest) if "Left the firm" not in (user.notes or "")
    ]
    return pairs, there[0] if len(there) == 1 else None


def _find_seat(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    match = re.search(r"(?:seats to|colleague,) ([^,]+), who", text)
    if match is None:
        raise LookupError("the request names nobody for the seat")
    pairs = [(_place("helpdesk_user", requester.id, "user_fields", key), match[1]) for key in SEATS]
    for number, key in enumerate(SEATS):
        if f"{requester.user_fields[key]} left" in (requester.notes or ""):
            return pairs, number
    return pairs, None


def _find_address(text: str, requester: User) -> tuple[list[tuple[Place, str]], int | None]:
    value = _last_line(text, ":")
    pairs = [
        (_place("helpdesk_user", requester.id, "user_fields", key), value) for key in ADDRESSES
    ]
    kept = [number for number, key in enumerate(ADDRESSES) if requester.user_fields.get(key)]
    return pairs, kept[0] if len(kept) == 1 else None


FINDERS: Final = {
    "order": _find_order,
    "contact": _find_contact,
    "date": _find_date,
    "amount": _find_amount,
    "seat": _find_seat,
    "address": _find_address,
}
