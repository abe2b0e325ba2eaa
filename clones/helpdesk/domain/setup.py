"""A fresh account: what every desk has before anybody writes to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.db import models

from clones.core import clock, ids
from clones.helpdesk.domain import automations, people
from clones.helpdesk.domain.help_center import install_help_center
from clones.helpdesk.models import (
    Automation,
    Brand,
    CustomRole,
    CustomStatus,
    Group,
    Macro,
    SupportAddress,
    TicketField,
    TicketForm,
    Trigger,
    TriggerCategory,
    User,
    View,
)

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Installed:
    """The records of a fresh account that others build on."""

    owner: User
    group: Group
    brand: Brand
    form: TicketForm
    category: TriggerCategory
    fields: dict[str, TicketField]


def install_defaults(
    *, name: str, subdomain: str, owner_name: str, owner_email: str, support_email: str
) -> Installed:
    """Make the account `name`: fields, form, statuses, brand, group, roles, rules, views, macros.

    Also who reads and edits articles. Everything carries the clock's time. The owner is an admin
    in the group Support; nobody can sign in until `accounts.open_account`. The hourly automations
    are set to run from now on.
    """
    brand = _make(Brand, name=name, subdomain=subdomain, default=True)
    _make(SupportAddress, email=support_email, name=name, brand=brand, default=True)
    for entry in _defaults()["statuses"]:
        _make(CustomStatus, **entry, default=True)
    for entry in _defaults()["roles"]:
        _make(CustomRole, **entry, configuration=rights_of(admin=entry["role_type"] == 4))
    fields = _fields()
    form = _make(
        TicketForm,
        name="Default Ticket Form",
        display_name="Default Ticket Form",
        position=1,
        default=True,
        ticket_field_ids=[field.id for field in fields.values()],
    )
    group = _make(Group, name="Support", default=True)
    owner = _owner(owner_name, owner_email, group)
    category = _make(TriggerCategory, name="Notifications", position=1)
    for position, entry in enumerate(_defaults()["triggers"], 1):
        _make(Trigger, **entry, category=category, position=position)
    for position, entry in enumerate(_defaults()["automations"], 1):
        _make(Automation, **entry, position=position, default=True)
    for entry in _defaults()["views"]:
        _make(View, **entry)
    for entry in _defaults()["macros"]:
        _make(Macro, **entry)
    automations.start_sweeps()
    install_help_center()
    return Installed(owner, group, brand, form, category, fields)


def _owner(name: str, email: str, group: Group) -> User:
    owner = people.add_user(name=name, email=email, role="admin", verified=True)
    owner.custom_role = CustomRole.objects.filter(role_type=4).order_by("id").first()
    owner.default_group = group
    owner.save(update_fields=["custom_role", "default_group"])
    people.join_group(owner, group, default=True)
    return owner


def _fields() -> dict[str, TicketField]:
    made: dict[str, TicketField] = {}
    for position, entry in enumerate(_defaults()["fields"]):
        given = {"description": entry["title"], **entry}
        made[entry["type"]] = _make(
            TicketField, **given, title_in_portal=entry["title"], position=position
        )
    return made


def _make(model: type[Row], **values: Any) -> Row:
    now = clock.now()
    row = model(**{"id": ids.next_stamp(model), "created_at": now, "updated_at": now, **values})
    row.save(force_insert=True)
    return row


def rights_of(*, admin: bool) -> dict[str, Any]:
    """Return what a role may do that says nothing else, under the vendor's names."""
    full = "full" if admin else "readonly"
    flags = dict.fromkeys(_ADMIN_RIGHTS, admin)
    return {
        **flags,
        "chat_access": True,
        "end_user_list_access": "full",
        "forum_access_restricted_content": False,
        "light_agent": False,
        "moderate_forums": False,
        "side_conversation_create": True,
        "ticket_access": "all",
        "ticket_comment_access": "public",
        "ticket_tag_editing": True,
        "twitter_search_access": False,
        "voice_access": True,
        "group_access": True,
        "organization_notes_editing": True,
        "assign_tickets_to_any_group": True,
        "end_user_profile_access": "full",
        "explore_access": full,
        "forum_access": full,
        "macro_access": "full" if admin else "manage-personal",
        "report_access": full,
        "ticket_editing": True,
        "ticket_merge": True,
        "user_view_access": full,
        "view_access": "full" if admin else "manage-personal",
        "voice_dashboard_access": admin,
        "ticket_redaction": admin,
        "manage_roles": "all" if admin else "none",
    }


_ADMIN_RIGHTS = (
    "manage_business_rules",
    "manage_dynamic_content",
    "manage_extensions_and_channels",
    "manage_facebook",
    "ticket_deletion",
    "view_deleted_tickets",
    "organization_editing",
    "manage_automations",
    "manage_contextual_workspaces",
    "manage_organization_fields",
    "manage_skills",
    "manage_slas",
    "manage_ticket_fields",
    "manage_ticket_forms",
    "manage_user_fields",
    "manage_groups",
    "manage_group_memberships",
    "manage_organizations",
    "manage_suspended_tickets",
    "manage_triggers",
)


@cache
def _defaults() -> dict[str, list[dict[str, Any]]]:
    """Return the data file: read once, it is part of the program."""
    found: dict[str, list[dict[str, Any]]] = json.loads(
        (Path(__file__).parents[1] / "defaults.json").read_text()
    )
    return found
