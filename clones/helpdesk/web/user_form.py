"""The properties of a user as their page shows them, and what of them an agent changed."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.urls import reverse

from clones.helpdesk.models import CustomRole, GroupMembership, User
from clones.helpdesk.rules import zones
from clones.helpdesk.rules.locales import LOCALES
from clones.helpdesk.web import labels
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.lookups import organization_named
from clones.helpdesk.web.profile_form import (
    FieldMaker,
    ProfileForm,
    changed_values,
    custom_values,
    posted_form,
)
from clones.helpdesk.web.properties import FieldView

OWNER = "user"
PLAIN = ("name", "alias", "phone", "external_id", "details", "notes", "signature")
CHOSEN = ("role", "locale", "time_zone", "ticket_restriction")
RESTRICTIONS = {
    "": "All tickets",
    "groups": "Tickets in their groups",
    "organization": "Tickets of their organization",
    "assigned": "Tickets assigned to them",
}
END_USER_ACCESS = {
    "requested": "Their own tickets",
    "organization": "Tickets of their organization",
}


def may_edit(agent: User, user: User) -> bool:
    """Tell whether an agent may change a user: customers and themselves, admins everybody."""
    return user.active and (agent.role == "admin" or not user.is_agent or user.id == agent.id)


def user_values(user: User) -> Values:
    """Return what the form shows of a user as it stands."""
    values: Values = {name: getattr(user, name) or "" for name in (*PLAIN, *CHOSEN)}
    values["organization"] = user.organization.name if user.organization else ""
    values["organization_id"] = str(user.organization_id or "")
    values["tags"] = " ".join(user.tags)
    values["custom_role_id"] = str(user.custom_role_id or "")
    values["default_group_id"] = str(user.default_group_id or "")
    return {**values, **custom_values(user.user_fields, OWNER)}


def standing_form(user: User) -> ProfileForm:
    """Return the form of a user as it stands."""
    values = user_values(user)
    return ProfileForm(values, values)


def user_fields(user: User, agent: User, form: ProfileForm) -> list[FieldView]:
    """Return the fields of a user's form, in the page's order."""
    make, off = FieldMaker(OWNER, form), not may_edit(agent, user)
    languages = {item.code: item.name for item in LOCALES}
    return [
        make.text("name", "Name", disabled=off, required=True),
        *_fields_of_staff(user, agent, make, disabled=off),
        make.text("phone", "Phone", disabled=off),
        make.text(
            "organization",
            "Organization",
            disabled=off,
            kind="lookup",
            suggest=reverse("helpdesk:suggest_organizations"),
            placeholder="search organizations",
        ),
        make.choice("locale", "Language", languages, disabled=off),
        make.choice("time_zone", "Time zone", _zone_names(), disabled=off),
        make.text(
            "tags",
            "Tags",
            disabled=off,
            kind="tokens",
            suggest=reverse("helpdesk:suggest_tags"),
        ),
        make.text("external_id", "External ID", disabled=off),
        make.text("details", "Details", disabled=off, kind="textarea"),
        make.text("notes", "Notes", disabled=off, kind="textarea"),
        *make.custom(disabled=off or _cannot_fill(agent)),
    ]


def _cannot_fill(agent: User) -> bool:
    return agent.role == "agent" and bool(agent.ticket_restriction)


def _fields_of_staff(
    user: User, agent: User, make: FieldMaker, *, disabled: bool
) -> list[FieldView]:
    """Return the role and what goes with it; only admins change it, and nobody their own role."""
    off = disabled or agent.role != "admin"
    rank = make.choice("role", "Role", labels.ROLE_LABELS, disabled=off or user.id == agent.id)
    if not user.is_agent:
        access = make.choice("ticket_restriction", "Access", END_USER_ACCESS, disabled=off)
        return [rank, access]
    fields = [rank]
    if user.role == "agent":
        fields.append(make.choice("custom_role_id", "Agent role", _roles(), disabled=off))
        fields.append(make.choice("ticket_restriction", "Access", RESTRICTIONS, disabled=off))
    groups = GroupMembership.objects.filter(user=user).select_related("group")
    names = {str(place.group_id): place.group.name for place in groups.order_by("group__name")}
    if names:
        fields.append(make.choice("default_group_id", "Default group", names, disabled=off))
    fields.append(make.text("alias", "Alias", disabled=disabled))
    fields.append(make.text("signature", "Signature", disabled=disabled, kind="textarea"))
    return fields


def _roles() -> dict[str, str]:
    rows = CustomRole.objects.exclude(role_type=4).order_by("name", "id")
    return {str(role.id): role.name for role in rows}


def _zone_names() -> dict[str, str]:
    return {name: name for name in sorted(zones.all_names())}


def posted_user(post: QueryDict, user: User, agent: User) -> tuple[ProfileForm, list[FieldView]]:
    """Return the form as it was sent, and the fields that it has."""
    fields = user_fields(user, agent, standing_form(user))
    form = posted_form(post, user_values(user), fields)
    return form, user_fields(user, agent, form)


def user_changes(form: ProfileForm) -> dict[str, Any]:
    """Return what a form changes, under the domain's names."""
    changed, custom = changed_values(form, OWNER)
    found: dict[str, Any] = {
        name: changed[name] if name == "name" else changed[name] or None
        for name in (*PLAIN, *CHOSEN, "custom_role_id", "default_group_id")
        if name in changed
    }
    if {"organization", "organization_id"} & set(changed):
        text = str(form.values["organization"])
        named = organization_named(text, str(form.values["organization_id"]))
        if text and named is None:
            found["organization"] = {"name": text}
        else:
            found["organization_id"] = named.id if named is not None else None
    if "tags" in changed:
        found["tags"] = changed["tags"]
    if custom:
        found["user_fields"] = custom
    return found
