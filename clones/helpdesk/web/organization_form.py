"""The properties of an organization as its page shows them, and what of them an agent changed."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.urls import reverse

from clones.helpdesk.models import Group, Organization, User
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.profile_form import (
    FieldMaker,
    ProfileForm,
    changed_values,
    custom_values,
    posted_form,
)
from clones.helpdesk.web.properties import EMPTY, FieldView

OWNER = "organization"
TEXTS = ("name", "external_id", "details", "notes")
FLAGS = {
    "shared_tickets": "Users can view all of the organization's tickets",
    "shared_comments": "Users can comment on all of the organization's tickets",
}


def organization_values(organization: Organization | None) -> Values:
    """Return what the form shows of an organization as it stands, or of one to be made."""
    if organization is None:
        found: Values = dict.fromkeys((*TEXTS, *FLAGS, "domain_names", "tags", "group_id"), "")
        return {**found, **custom_values({}, OWNER)}
    values: Values = {name: getattr(organization, name) or "" for name in TEXTS}
    values.update({name: "true" if getattr(organization, name) else "" for name in FLAGS})
    values["domain_names"] = " ".join(organization.domain_names)
    values["tags"] = " ".join(organization.tags)
    values["group_id"] = str(organization.group_id or "")
    return {**values, **custom_values(organization.organization_fields, OWNER)}


def standing_form(organization: Organization | None) -> ProfileForm:
    """Return the form of an organization as it stands."""
    values = organization_values(organization)
    return ProfileForm(values, values)


def organization_fields(agent: User, form: ProfileForm) -> list[FieldView]:
    """Return the fields of an organization's form; agents change its notes and tags only."""
    make, off = FieldMaker(OWNER, form), agent.role != "admin"
    return [
        make.text("name", "Name", disabled=off, required=True),
        make.text("domain_names", "Domains", disabled=off, kind="tokens"),
        make.choice("group_id", "Group", {"": EMPTY, **_groups()}, disabled=off),
        *(make.flag(name, label, disabled=off) for name, label in FLAGS.items()),
        make.text("tags", "Tags", kind="tokens", suggest=reverse("helpdesk:suggest_tags")),
        make.text("external_id", "External ID", disabled=off),
        make.text("details", "Details", disabled=off, kind="textarea"),
        make.text("notes", "Notes", kind="textarea"),
        *make.custom(disabled=off),
    ]


def _groups() -> dict[str, str]:
    rows = Group.objects.filter(deleted=False).order_by("name", "id")
    return {str(group.id): group.name for group in rows}


def posted_organization(
    post: QueryDict, organization: Organization | None, agent: User
) -> tuple[ProfileForm, list[FieldView]]:
    """Return the form as it was sent, and the fields that it has."""
    fields = organization_fields(agent, standing_form(organization))
    form = posted_form(post, organization_values(organization), fields)
    return form, organization_fields(agent, form)


def organization_changes(form: ProfileForm) -> dict[str, Any]:
    """Return what a form changes, under the domain's names."""
    changed, custom = changed_values(form, OWNER)
    found: dict[str, Any] = {
        name: changed[name] if name == "name" else changed[name] or None
        for name in (*TEXTS, "group_id")
        if name in changed
    }
    found.update({name: changed[name] == "true" for name in FLAGS if name in changed})
    found.update({name: changed[name] for name in ("domain_names", "tags") if name in changed})
    if custom:
        found["organization_fields"] = custom
    return found
