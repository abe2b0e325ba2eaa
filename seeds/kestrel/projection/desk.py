"""The helpdesk's set-up: brand, fields, groups, staff."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clones.helpdesk import models as helpdesk
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.catalogue import ADDRESSES, COMPANY, FOUNDED, GROUPS, MACHINES, PRESENT, SUPPORT
from seeds.kestrel.story.model import Agent
from seeds.kestrel.story.topics import GENERAL, TOPICS

RESOLUTIONS = (
    ("res_answered", "Question answered"),
    ("res_fixed", "Fixed by customer with help"),
    ("res_replaced", "Part or machine replaced"),
    ("res_refunded", "Refunded"),
    ("res_no_reply", "No reply from customer"),
    ("res_known_bug", "Known bug"),
    ("res_duplicate_charge", "Duplicate charge"),
    ("res_two_cards", "Charged on two cards"),
    ("res_proration", "Upgrade proration"),
    ("res_two_subscriptions", "Two subscriptions"),
    ("res_already_refunded", "Already refunded"),
    ("res_currency", "Shown in two currencies"),
    ("res_other", "Other"),
)
LEAD = "Billing Team Lead"
STATUS_LABELS = (
    ("new", "New", "Open"),
    ("open", "Open", "Open"),
    ("pending", "Pending", "Awaiting your reply"),
    ("hold", "On-hold", "Open"),
    ("solved", "Solved", "Solved"),
)
# What customers write when they ask for help: as every account has it at first.
OF_REQUESTS = ("subject", "description")
SYSTEM_FIELDS = (
    ("subject", "Subject"),
    ("description", "Description"),
    ("status", "Status"),
    ("tickettype", "Type"),
    ("priority", "Priority"),
    ("group", "Group"),
    ("assignee", "Assignee"),
    ("custom_status", "Ticket status"),
)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What a field of the account's own takes, and the tag of a ticked box."""

    kind: str
    options: tuple[str, ...]
    tag: str | None


@dataclass(slots=True)
class DeskIds:
    """The identifiers of the set-up, by the story's own names; `specs` by field id."""

    brand: int = 0
    form: int = 0
    fields: dict[str, int] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)
    agents: dict[int, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    specs: dict[int, FieldSpec] = field(default_factory=dict)


def write_desk(writer: BulkWriter, ids: Identifiers, draws: Draws, staff: list[Agent]) -> DeskIds:
    """Write the set-up and return its identifiers."""
    desk = DeskIds()
    _brand(writer, ids, desk)
    _fields(writer, ids, desk)
    for position, (key, (name, description)) in enumerate(GROUPS.items()):
        at = FOUNDED + timedelta(days=20 * position, minutes=7 * position)
        desk.groups[key] = ids.stamp(helpdesk.Group, at)
        writer.add(
            helpdesk.Group,
            {
                "id": desk.groups[key],
                "name": name,
                "description": description,
                "default": key == "support",
                **_dated(at),
            },
        )
    for agent in staff:
        _agent(writer, ids, draws, desk, agent)
    return desk


def _dated(at: datetime, updated: datetime | None = None) -> dict[str, datetime]:
    return {"created_at": at, "updated_at": updated or at}


def _brand(writer: BulkWriter, ids: Identifiers, desk: DeskIds) -> None:
    desk.brand = ids.stamp(helpdesk.Brand, FOUNDED)
    writer.add(
        helpdesk.Brand,
        {
            "id": desk.brand,
            "name": COMPANY,
            "subdomain": "kestrel-laser",
            "default": True,
            "has_help_center": True,
            **_dated(FOUNDED),
        },
    )
    for index, (group, address) in enumerate(ADDRESSES.items()):
        at = FOUNDED + timedelta(days=index)
        writer.add(
            helpdesk.SupportAddress,
            {
                "id": ids.stamp(helpdesk.SupportAddress, at),
                "email": address,
                "name": COMPANY if address == SUPPORT else f"Kestrel {GROUPS[group][0]}",
                "brand_id": desk.brand,
                "default": address == SUPPORT,
                **_dated(at),
            },
        )
    for category, label, shown in STATUS_LABELS:
        desk.statuses[category] = ids.stamp(helpdesk.CustomStatus, FOUNDED)
        writer.add(
            helpdesk.CustomStatus,
            {
                "id": desk.statuses[category],
                "status_category": category,
                "agent_label": label,
                "end_user_label": shown,
                "default": True,
                **_dated(FOUNDED),
            },
        )
    desk.statuses["closed"] = desk.statuses["solved"]


def _options(pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"id": number, "name": name, "value": value, "default": False}
        for number, (value, name) in enumerate(pairs, start=4_200_000_000_001)
    ]


def _fields(writer: BulkWriter, ids: Identifiers, desk: DeskIds) -> None:
    """Write the system's fields and the account's own, some of which nobody fills in."""
    categories = [(topic.key, topic.label) for topic in TOPICS] + [GENERAL]
    machines = [(f"machine_{m.code.lower()}", m.name) for m in MACHINES]
    own: tuple[tuple[str, str, str, list[tuple[str, str]]], ...] = (
        ("category", "tagger", "Category", sorted(categories, key=lambda pair: pair[1])),
        ("machine", "tagger", "Machine", machines),
        ("serial", "text", "Serial number", []),
        ("order", "text", "Order number", []),
        ("version", "text", "Studio version", []),
        ("resolution", "tagger", "Resolution reason", list(RESOLUTIONS)),
        ("charge", "text", "Charge or invoice", []),
        ("key", "text", "Engineering key", []),
        ("vip", "checkbox", "VIP", []),
        ("dealer", "text", "Bought from dealer", []),
    )
    for position, (kind, title) in enumerate(SYSTEM_FIELDS):
        writer.add(
            helpdesk.TicketField,
            {
                "id": ids.stamp(helpdesk.TicketField, FOUNDED),
                "type": kind,
                "title": title,
                "title_in_portal": title,
                "position": position,
                "required": kind in ("subject", "description", "assignee"),
                "visible_in_portal": kind in OF_REQUESTS,
                "editable_in_portal": kind in OF_REQUESTS,
                "required_in_portal": kind in OF_REQUESTS,
                "removable": False,
                **_dated(FOUNDED),
            },
        )
    for position, (key, kind, title, options) in enumerate(own, start=len(SYSTEM_FIELDS)):
        at = FOUNDED + timedelta(days=30 + 90 * (position - len(SYSTEM_FIELDS)))
        desk.fields[key] = ids.stamp(helpdesk.TicketField, at)
        tag = "vip" if key == "vip" else None
        values = tuple(value for value, _ in options)
        desk.specs[desk.fields[key]] = FieldSpec(kind, values, tag)
        writer.add(
            helpdesk.TicketField,
            {
                "id": desk.fields[key],
                "type": kind,
                "title": title,
                "title_in_portal": title,
                "position": position,
                "options": _options(options),
                "tag": tag,
                **_dated(at),
            },
        )
    _form(writer, ids, desk)


def _form(writer: BulkWriter, ids: Identifiers, desk: DeskIds) -> None:
    """Write the one form, which has every field."""
    desk.form = ids.stamp(helpdesk.TicketForm, FOUNDED)
    numbers = sorted(ids.taken(helpdesk.TicketField))
    writer.add(
        helpdesk.TicketForm,
        {
            "id": desk.form,
            "name": "Default Ticket Form",
            "display_name": "Default Ticket Form",
            "default": True,
            "ticket_field_ids": numbers,
            **_dated(FOUNDED),
        },
    )


def _agent(writer: BulkWriter, ids: Identifiers, draws: Draws, desk: DeskIds, agent: Agent) -> None:
    number = ids.stamp(helpdesk.User, agent.since)
    desk.agents[agent.index] = number
    rng = draws.rng("agent-row", agent.index)
    first = agent.given
    closing = rng.choice(("Kind regards", "Best regards", "Best", "Many thanks", "All the best"))
    zone = (
        ("Mountain Time (US & Canada)", "America/Denver")
        if agent.region == "us"
        else ("London", "Europe/London")
    )
    writer.add(
        helpdesk.User,
        {
            "id": number,
            "name": agent.name,
            "email": agent.email,
            "role": agent.role,
            "verified": True,
            "active": agent.left_at is None,
            "suspended": agent.left_at is not None,
            "default_group_id": desk.groups[agent.groups[0]],
            "time_zone": zone[0],
            "iana_time_zone": zone[1],
            "signature": f"{closing},\n{first}\n{agent.title}, {COMPANY}",
            "moderator": agent.role == "admin",
            "notes": "Team lead: billing lead, approves refunds above the desk's own limits."
            if agent.title == LEAD
            else None,
            "last_login_at": agent.left_at or PRESENT - timedelta(minutes=rng.randrange(3, 900)),
            "alias": f"{first} ({agent.title})" if rng.random() < 0.3 else None,
            **_dated(agent.since, agent.left_at or agent.since),
        },
    )
    _identity(writer, ids, number, agent.email, agent.since)
    for position, key in enumerate(agent.groups):
        at = agent.since + timedelta(minutes=position)
        writer.add(
            helpdesk.GroupMembership,
            {
                "id": ids.stamp(helpdesk.GroupMembership, at),
                "user_id": number,
                "group_id": desk.groups[key],
                "default": position == 0,
                **_dated(at),
            },
        )


def _identity(
    writer: BulkWriter,
    ids: Identifiers,
    user: int,
    value: str,
    at: datetime,
    *,
    primary: bool = True,
) -> None:
    writer.add(
        helpdesk.Identity,
        {
            "id": ids.stamp(helpdesk.Identity, at),
            "user_id": user,
            "type": "email",
            "value": value,
            "primary": primary,
            "verified": primary,
            **_dated(at),
        },
    )
