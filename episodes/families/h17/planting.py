"""Tickets around the edges of a wish: what each is like, and how it comes into the helpdesk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Group, GroupMembership, Ticket, TicketField, User
from episodes.families.h17.wishes import Drawer

SAID: Final = (
    ("Beam drifts after an hour", "The cut is fine in the morning and off by noon, every day."),
    ("question about the filter", "How often does the exhaust filter need changing?"),
    ("Re: my order", "The parcel says delivered, but there is nothing here."),
    ("cannot sign in", "Since this morning the app asks for my password again and again."),
    ("Belt squeaks", "Y axis squeaks when it goes back fast. Video follows."),
    ("invoice copy pls", "could you send the last invoice again, our accountant lost it"),
    ("Lens scratched", "The spare lens had a scratch out of the box."),
    ("Export to SVG", "Lines come out doubled when I export from the new version."),
    ("Kamera geht nicht", "Das Kamerabild bleibt schwarz, seit wir umgezogen sind."),
    ("water chiller alarm", "It beeps every 10 min, temp shows 31."),
    ("Dealer price list", "Which list is valid for this quarter?"),
    ("honeycomb bed", "is the big bed compatible w/ ours? we got the older frame"),
)
LISTED: Final = 6


def drawer_of(wish: Mapping[str, Any]) -> Drawer:
    """Return what draws tickets around a wish in the bound sandbox."""
    conditions = wish["conditions"]
    groups = Group.objects.filter(deleted=False).order_by("id").values_list("id", flat=True)
    assignees = User.objects.filter(role="agent", active=True, suspended=False).order_by("id")
    options = {}
    for each in conditions:
        if each["field"].isdigit():
            field = TicketField.objects.get(id=int(each["field"]))
            known = [one["value"] for one in field.options] or ["true"]
            wanted = [value for value in known if value not in each["values"]][:LISTED]
            options[each["field"]] = [*each["values"], *wanted, ""]
    tags = [tag for each in conditions if each["about"] == "tags" for tag in each["values"]]
    return Drawer(
        conditions,
        groups=[str(key) for key in groups],
        assignees=[str(key) for key in assignees.values_list("id", flat=True)],
        options=options,
        tags=[*tags, "firmware", "dealer"],
    )


def plant(
    wish: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], chance: Random, *, before: datetime
) -> list[int]:
    """Bring tickets that are being worked on to where rows say, as agents file them.

    Return their numbers. Only what the wish asks about is changed.
    """
    asked = {each["field"] for each in wish["conditions"]}
    quiet = Ticket.objects.filter(deleted_at=None, updated_at__lt=before - timedelta(minutes=30))
    alive = list(quiet.exclude(status="closed").order_by("id"))
    chance.shuffle(alive)
    writer, made = _writer(), []
    for row, ticket in zip(rows, alive, strict=False):
        status = "open" if row["status"] == "new" and ticket.status != "new" else row["status"]
        changes = _changes({**row, "status": status}, chance, asked)
        if "tags" in changes:
            known = {tag for each in wish["conditions"] for tag in each["values"]}
            kept = [tag for tag in ticket.tags if tag not in known]
            changes["tags"] = sorted({*kept, *changes["tags"]})
        if changes["status"] == "solved" and ticket.status != "solved":
            changes["status"] = "pending"  # of the solved there are enough
        at = _between(ticket.updated_at, before, chance)
        with clock.at(at), act(actor="world", label="filing"):
            update_ticket(ticket, actor=writer, changes=changes, via=Via("web"))
        made.append(ticket.id)
    return made


def _between(start: datetime, end: datetime, chance: Random) -> datetime:
    """Return a moment between two that are half an hour apart at least."""
    return start + timedelta(minutes=chance.randrange(1, int((end - start).total_seconds() // 60)))


def enter(rows: Iterable[Mapping[str, Any]], chance: Random) -> None:
    """Make tickets by what rows say, now, as agents note down calls."""
    askers = list(
        User.objects.filter(role="end-user", active=True, suspended=False).order_by("id")[:400]
    )
    writer = _writer()
    for row in rows:
        subject, body = chance.choice(SAID)
        changes = _changes(row, chance, None)
        with act(actor="world", label="ticket"):
            create_ticket(
                actor=writer,
                changes={
                    "subject": subject,
                    **{name: value for name, value in changes.items() if value is not None},
                },
                comment=NewComment(body=body, public=False),
                via=Via("web"),
                requester=chance.choice(askers),
            )


def _writer() -> User:
    """Return an agent who may file tickets of every group."""
    return User.objects.filter(role__in=("agent", "admin"), active=True, suspended=False).earliest(
        "role", "id"
    )


def _changes(
    row: Mapping[str, Any], chance: Random, asked: Collection[str] | None
) -> dict[str, Any]:
    """Return a row as changes of a ticket; of the fields in `asked` only, if there are any."""
    group = int(row["group"]) if row["group"] else None
    assignee = int(row["assignee"]) if row["assignee"] else None
    if assignee is not None and group is not None:
        assignee = chance.choice(_members(group)) if assignee not in _members(group) else assignee
    fields = {
        key: True if value == "true" else value for key, value in row["fields"].items() if value
    }
    found = {
        "status": row["status"],
        "priority": row["priority"] or None,
        "type": row["type"] or None,
        "group_id": group,
        "assignee_id": assignee,
        "tags": sorted({*row["tags"], *_field_tags(fields)}),
        "custom_fields": fields,
    }
    if asked is None:
        return found
    names = {"group": "group_id", "assignee": "assignee_id"}
    wanted = {names.get(name, name) for name in asked} | {"custom_fields"}
    return {name: value for name, value in found.items() if name in wanted}


def _field_tags(fields: Mapping[str, Any]) -> list[str]:
    """Return the tags that go with values of fields: who sets all tags names these, too."""
    known = {str(field.id): field for field in TicketField.objects.filter(id__in=list(fields))}
    return [known[key].tag or "" if value is True else value for key, value in fields.items()]


def _members(group: int) -> list[int]:
    """Return the agents of a group who can be given tickets."""
    return list(
        GroupMembership.objects.filter(group_id=group, user__active=True, user__suspended=False)
        .order_by("id")
        .values_list("user_id", flat=True)
    )


def row_of(ticket: Ticket) -> dict[str, Any]:
    """Return a ticket as wishes look at it."""
    return {
        "status": ticket.status,
        "priority": ticket.priority or "",
        "type": ticket.type or "",
        "group": str(ticket.group_id or ""),
        "assignee": str(ticket.assignee_id or ""),
        "tags": ticket.tags,
        "fields": {key: _plain(value) for key, value in ticket.custom_fields.items()},
    }


def _plain(value: Any) -> str:
    if value is None or value is False:
        return ""
    return "true" if value is True else str(value)
