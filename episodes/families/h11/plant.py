"""What a request may mean, planted as it would have come about: orders, colleagues, a profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain import profile_fields, ticket_fields, ticket_forms
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.users import create_user, update_user
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Ticket, TicketField, TicketForm, User
from episodes.families.h11.params import Kind, Params
from episodes.families.h11.words import ITEMS
from seeds.pools import Half, pool

Place = dict[str, Any]
Row = tuple[str, int]

DELIVERY_ADDRESS: Final = "Delivery address"
DELIVERY_DATE: Final = "Delivery date"
QUANTITY: Final = "Quantity"
SEATS: Final = (("studio_seat_1", "Studio seat 1"), ("studio_seat_2", "Studio seat 2"))
ADDRESSES: Final = (
    ("delivery_address", "Delivery address"),
    ("invoice_address", "Invoice address"),
)
PARTS: Final = ("street", "city")
BOXES: Final = (6, 12)
# What can be read day first or month first, and is to come either way.
MONTHS: Final = ((7, 8), (7, 9), (8, 9), (7, 10), (8, 10), (9, 10))


@dataclass(frozen=True, slots=True)
class PlantedOption:
    """One thing that the request may mean.

    `ways` are how it may be named, `answer` is how the customer names it; `place` is what would
    change, and `value` what it would then hold.
    """

    ways: tuple[str, ...]
    answer: str
    place: Place
    value: str


@dataclass(slots=True)
class Planted:
    """What was planted: both options, what stands in the places now, and what decides, if it does.

    `values` fill the request; `wrong` is an answer that fits neither option; `codes` are the
    customer's orders; `deciding` are the rows from which `decided` follows.
    """

    options: list[PlantedOption]
    values: dict[str, str]
    wrong: str
    decided: int
    deciding: list[Row]
    standing: list[Place]
    codes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlantingContext:
    """What a planter works with."""

    params: Params
    requester: User
    admin: User
    clerk: User
    chance: Random
    before: datetime
    half: Half

    def name(self, *, given: str = "") -> str:
        """Return the name of somebody whom the world does not know yet."""
        known = set(User.objects.values_list("name", flat=True))
        while True:
            first = given or self.chance.choice(pool(self.half, "given_en"))
            found = f"{first} {self.chance.choice(pool(self.half, 'family_en'))}"
            if found not in known and " " not in first:
                return found

    def address(self) -> str:
        """Return an address: house, street, town."""
        house = self.chance.randrange(2, 190)
        street, town = (self.chance.choice(pool(self.half, f"{part}_en")) for part in PARTS)
        return f"{house} {street}, {town}"

    def days_ago(self, low: int, high: int) -> datetime:
        """Return a moment some days before the request."""
        minutes = self.chance.randrange(0, 600)
        return self.before - timedelta(days=self.chance.randrange(low, high), minutes=minutes)


def plant(ground: PlantingContext) -> Planted:
    """Plant what the instance's request may mean."""
    with act(actor="world", label="records"):
        return PLANTERS[ground.params.kind](ground)


# Orders


def _field(ground: PlantingContext, kind: str, title: str, at: datetime) -> int:
    """Give orders a field, on the form that tickets have."""
    with clock.at(at):
        made = ticket_fields.create_field(
            actor=ground.admin, changes={"type": kind, "title": title}
        )
        form = TicketForm.objects.filter(default=True).order_by("id").first()
        if form is not None:
            named = [*form.ticket_field_ids, made.id]
            ticket_forms.update_form(form, actor=ground.admin, changes={"ticket_field_ids": named})
    return made.id


def _codes(chance: Random, count: int) -> list[str]:
    """Return order numbers that are not easily taken for one another."""
    found: list[str] = []
    while len(found) < count:
        number = chance.randrange(20_000, 98_000)
        if all(abs(number - int(other[4:])) > 400 for other in found):
            found.append(f"KLW-{number}")
    return found


def _near(code: str, codes: list[str]) -> str:
    """Return an order number with two digits changed about, none of the given ones."""
    digits = code[4:]
    for place in (3, 2, 1, 0):
        turned = [*digits]
        turned[place], turned[place + 1] = turned[place + 1], turned[place]
        found = f"KLW-{''.join(turned)}"
        if found not in codes:
            return found
    return f"KLW-{(int(digits) + 37) % 90_000 + 10_000}"


def _order(
    ground: PlantingContext,
    code: str,
    at: datetime,
    *,
    entries: dict[int, str],
    note: str = "Waiting for dispatch.",
    requester: User | None = None,
    delivered: datetime | None = None,
) -> Ticket:
    """Enter an order as the desk keeps them: a ticket of the customer's, open till delivered."""
    number_field = TicketField.objects.get(title="Order number").id
    fields = {str(number_field): code, **{str(key): value for key, value in entries.items()}}
    with clock.at(at):
        audit = create_ticket(
            actor=ground.clerk,
            changes={
                "subject": f"Order {code}: {ground.chance.choice(ITEMS)}",
                "type": "task",
                "status": "open",
                "assignee_id": ground.clerk.id,
                "custom_fields": fields,
            },
            comment=NewComment(body=note, public=False),
            via=Via("web"),
            requester=requester or ground.requester,
        )
    ticket = Ticket.objects.get(id=audit.ticket_id)
    if delivered is not None:
        said = f"Delivered on {delivered.day} {delivered:%B}, signed for at the door."
        with clock.at(delivered):
            update_ticket(
                ticket,
                actor=ground.clerk,
                changes={"status": "solved"},
                comment=NewComment(body=said, public=False),
                via=Via("web"),
            )
    return ticket


def _entry(ticket: Ticket, key: int) -> Place:
    return {
        "table": "helpdesk_ticket",
        "key": ticket.id,
        "column": "custom_fields",
        "name": str(key),
    }


def _code_ways(code: str) -> tuple[str, ...]:
    return (code, code[4:])


def _orders(ground: PlantingContext) -> Planted:
    """Two orders are on their way, or one of them has come; an older one came long ago."""
    chance, decided = ground.chance, ground.chance.randrange(2)
    key = _field(ground, "text", DELIVERY_ADDRESS, ground.days_ago(200, 300))
    codes = _codes(chance, 4)
    old, new = ground.address(), ground.address()
    early = ground.days_ago(60, 90)
    _order(ground, codes[2], early, entries={key: old}, delivered=early + timedelta(days=12))
    _order(
        ground,
        codes[3],
        ground.days_ago(9, 14),
        entries={key: ground.address()},
        requester=_other(ground),
    )
    tickets = []
    for place in (0, 1):
        at = ground.days_ago(16 - 7 * place, 20 - 7 * place)
        arrived = (
            at + timedelta(days=6) if not ground.params.ambiguous and place != decided else None
        )
        tickets.append(_order(ground, codes[place], at, entries={key: old}, delivered=arrived))
    options = [
        PlantedOption(_code_ways(code), code, _entry(ticket, key), new)
        for code, ticket in zip(codes, tickets, strict=False)
    ]
    return Planted(
        options=options,
        values={"value": new},
        wrong=_near(codes[chance.randrange(2)], codes),
        decided=decided,
        deciding=[("helpdesk_ticket", tickets[1 - decided].id)],
        standing=[{**option.place, "value": old} for option in options],
        codes=codes[:3],
    )


def _other(ground: PlantingContext) -> User:
    """Return another customer, who has an order too."""
    found = User.objects.filter(role="end-user", active=True, suspended=False)
    others = list(found.exclude(id=ground.requester.id).order_by("id")[:40])
    return ground.chance.choice(others)


def _dates(ground: PlantingContext) -> Planted:
    """The day can be read in two ways; a note on the order may rule one of them out."""
    chance, decided = ground.chance, ground.chance.randrange(2)
    key = _field(ground, "date", DELIVERY_DATE, ground.days_ago(200, 300))
    codes = _codes(chance, 2)
    sooner, later = chance.choice(MONTHS)
    year = ground.before.year
    days = [date(year, sooner, later), date(year, later, sooner)]
    if chance.random() < 0.5:
        written = f"{later:02d}/{sooner:02d}/{year}"
    else:
        written = f"{sooner:02d}/{later:02d}/{year}"
    between = days[0] + (days[1] - days[0]) / 2
    shown = f"{between.day} {between:%B}"
    note = "Packed, and waiting for a day that suits the customer."
    if not ground.params.ambiguous:
        note = (
            f"The carrier comes to that region until {shown} only, nothing goes out later."
            if decided == 0
            else f"The machine leaves the works on {shown} at the earliest, not sooner."
        )
    standing = date(year, 6, chance.randrange(22, 30)).isoformat()
    early = ground.days_ago(60, 90)
    _order(
        ground,
        codes[1],
        early,
        entries={key: f"{early + timedelta(days=12):%Y-%m-%d}"},
        delivered=early + timedelta(days=12),
    )
    ticket = _order(ground, codes[0], ground.days_ago(6, 12), entries={key: standing}, note=note)
    place = _entry(ticket, key)
    other = days[1] + timedelta(days=chance.choice((9, 10, 11)))
    return Planted(
        options=[
            PlantedOption((day.isoformat(),), f"{day.day} {day:%B %Y}", place, day.isoformat())
            for day in days
        ],
        values={"value": written, "code": codes[0]},
        wrong=f"{other.day} {other:%B %Y}",
        decided=decided,
        deciding=[("helpdesk_ticket", ticket.id)],
        standing=[{**place, "value": standing}],
        codes=codes,
    )


def _amounts(ground: PlantingContext) -> Planted:
    """The quantity is kept in pieces, asked for in boxes, and boxes may be of two sizes."""
    chance, decided = ground.chance, ground.chance.randrange(2)
    key = _field(ground, "integer", QUANTITY, ground.days_ago(200, 300))
    codes = _codes(chance, 2)
    boxes = chance.choice((3, 4, 5, 7, 8, 9))
    note = "Lens wipes: in boxes of 6 and in boxes of 12. Quantity is entered in pieces."
    if not ground.params.ambiguous:
        note = (
            f"Lens wipes: in boxes of {BOXES[decided]}, no other box is made any more."
            " Quantity is entered in pieces."
        )
    standing = str(chance.choice((1, 2)) * 6)
    early = ground.days_ago(60, 90)
    _order(ground, codes[1], early, entries={key: "12"}, delivered=early + timedelta(days=9))
    ticket = _order(ground, codes[0], ground.days_ago(6, 12), entries={key: standing}, note=note)
    place = _entry(ticket, key)
    return Planted(
        options=[
            PlantedOption(
                (str(boxes * size), f"boxes of {size}", f"box of {size}", f"{size} per box"),
                str(boxes * size),
                place,
                str(boxes * size),
            )
            for size in BOXES
        ],
        values={"value": str(boxes), "code": codes[0]},
        wrong=str(boxes * 9 + 1),
        decided=decided,
        deciding=[("helpdesk_ticket", ticket.id)],
        standing=[{**place, "value": standing}],
        codes=codes,
    )


# People and profiles


def _contacts(ground: PlantingContext) -> Planted:
    """Two colleagues have one given name, or one of them has left; a namesake works elsewhere."""
    chance, decided = ground.chance, ground.chance.randrange(2)
    taken = _given_names(ground.requester)
    first = ground.name()
    while first.split()[0] in taken:
        first = ground.name()
    given = first.split()[0]
    names = [first]
    while len(names) < 4:
        other = ground.name(given=given)
        if other not in names:
            names.append(other)
    domain = str(ground.requester.email).partition("@")[2]
    users = [
        _colleague(ground, name, domain, ground.requester.organization_id) for name in names[:2]
    ]
    _colleague(ground, names[2], "workshopmail.example", None)
    users.sort(key=lambda user: user.id)
    if not ground.params.ambiguous:
        left = ground.days_ago(20, 60)
        notes = f"Left the firm on {left.day} {left:%B}. No longer a contact."
        with clock.at(ground.days_ago(3, 15)):
            update_user(users[1 - decided], actor=ground.clerk, changes={"notes": notes})
    value = _phone(chance)
    options = [
        PlantedOption(
            (user.name, user.name.split()[-1]),
            user.name,
            {"table": "helpdesk_user", "key": user.id, "column": "phone", "name": None},
            value,
        )
        for user in users
    ]
    return Planted(
        options=options,
        values={"value": value, "given": given},
        wrong=names[3],
        decided=decided,
        deciding=[("helpdesk_user", users[1 - decided].id)],
        standing=[
            {**option.place, "value": user.phone}
            for option, user in zip(options, users, strict=True)
        ],
    )


def _phone(chance: Random) -> str:
    return f"+44 20 7946 0{chance.randrange(100, 1000)}"


def _given_names(user: User) -> set[str]:
    """Return the given names in a customer's firm."""
    colleagues = User.objects.filter(organization=user.organization)
    return {name.split()[0] for name in colleagues.values_list("name", flat=True) if name}


def _colleague(ground: PlantingContext, name: str, domain: str, organization: int | None) -> User:
    """Enter somebody as a contact of a firm."""
    local = name.lower().replace(" ", ".").replace("'", "")
    changes: dict[str, Any] = {
        "name": name,
        "email": f"{local}@{domain}",
        "organization_id": organization,
        "phone": _phone(ground.chance),
        "verified": True,
    }
    with clock.at(ground.days_ago(90, 400)):
        return create_user(actor=ground.admin, changes=changes)


def _profile(
    ground: PlantingContext, titles: tuple[tuple[str, str], ...], values: dict[str, Any]
) -> None:
    """Give profiles fields, fill them in for the customer, and for somebody else too."""
    with clock.at(ground.days_ago(200, 300)):
        for key, title in titles:
            profile_fields.create_field(
                "user", actor=ground.admin, changes={"key": key, "title": title, "type": "text"}
            )
    with clock.at(ground.days_ago(40, 120)):
        update_user(ground.requester, actor=ground.clerk, changes=values)
        theirs = {key: _unlike(ground, key) for key, _ in titles}
        update_user(_other(ground), actor=ground.clerk, changes={"user_fields": theirs})


def _unlike(ground: PlantingContext, key: str) -> str:
    return ground.name() if "seat" in key else ground.address()


def _owned(ground: PlantingContext, key: str) -> Place:
    return {
        "table": "helpdesk_user",
        "key": ground.requester.id,
        "column": "user_fields",
        "name": key,
    }


def _seats(ground: PlantingContext) -> Planted:
    """Both seats are in use, or the holder of one has left."""
    decided = ground.chance.randrange(2)
    holders: list[str] = []
    while len(holders) < 4:
        found = ground.name()
        if all(found.split()[-1] not in other for other in (*holders, ground.requester.name)):
            holders.append(found)
    value, wrong = holders.pop(), holders.pop()
    standing = {key: holder for (key, _), holder in zip(SEATS, holders, strict=True)}
    notes = "Two Studio seats in the contract, each in somebody's name."
    if not ground.params.ambiguous:
        left = ground.days_ago(20, 60)
        notes += f" {holders[decided]} left the firm on {left.day} {left:%B}."
    _profile(ground, SEATS, {"user_fields": standing, "notes": notes})
    return Planted(
        options=[
            PlantedOption(
                (holders[place], holders[place].split()[-1], SEATS[place][1], f"seat {place + 1}"),
                holders[place],
                _owned(ground, SEATS[place][0]),
                value,
            )
            for place in (0, 1)
        ],
        values={"value": value},
        wrong=wrong,
        decided=decided,
        deciding=[("helpdesk_user", ground.requester.id)],
        standing=[{**_owned(ground, key), "value": held} for key, held in standing.items()],
    )


def _addresses(ground: PlantingContext) -> Planted:
    """There is an address for deliveries and one for invoices, or only one of them."""
    chance, decided = ground.chance, ground.chance.randrange(2)
    standing: dict[str, str | None] = {key: ground.address() for key, _ in ADDRESSES}
    if not ground.params.ambiguous:
        standing[ADDRESSES[1 - decided][0]] = None
    kept = {key: value for key, value in standing.items() if value is not None}
    details = f"Until {ground.before.year - chance.randrange(2, 5)}: {ground.address()}"
    _profile(ground, ADDRESSES, {"user_fields": kept, "details": details})
    value = ground.address()
    ways = (
        ("delivery address", "shipping address", "delivery one"),
        ("invoice address", "billing address", "invoicing address", "invoice one"),
    )
    return Planted(
        options=[
            PlantedOption(
                ways[place], f"the {ways[place][0]}", _owned(ground, ADDRESSES[place][0]), value
            )
            for place in (0, 1)
        ],
        values={"value": value},
        wrong="the warehouse address",
        decided=decided,
        deciding=[("helpdesk_user", ground.requester.id)],
        standing=[{**_owned(ground, key), "value": held} for key, held in standing.items()],
    )


PLANTERS: Final[dict[Kind, Callable[[PlantingContext], Planted]]] = {
    "order": _orders,
    "contact": _contacts,
    "date": _dates,
    "amount": _amounts,
    "seat": _seats,
    "address": _addresses,
}
