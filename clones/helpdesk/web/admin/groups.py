"""Admin Center's groups: the list, and the page of each with its members."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.sheets import Said
from clones.helpdesk.domain import group_members, organizations
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Group, GroupMembership, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, check, checks, line
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection, Link, Listing, ListItem

ACTIVE = "admin_groups"


@admin_page
def groups(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the groups, or those whose name holds a text."""
    working = Q(memberships__user__active=True)
    rows = Group.objects.filter(deleted=False).annotate(people=Count("memberships", working))
    if wanted := pages.search_text(request):
        rows = rows.filter(name__icontains=wanted)
    create = Link("Create group", reverse("helpdesk:admin_group_new"), "admin-create")
    listing = Listing(
        ACTIVE,
        "Groups",
        ("Name", "Description", "Members", "Default"),
        create=create,
        empty="No groups.",
    )
    return pages.show_list(request, agent, listing, rows.order_by("name", "id"), _line)


def _line(group: Any) -> ListItem:
    """Return a group's row; the list has counted its people."""
    return ListItem(
        reverse("helpdesk:admin_group", args=[group.id]),
        (group.name, group.description, str(group.people), "Default" if group.default else "-"),
    )


@admin_page
def group(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a group, or of a new one, or take it."""
    found = _group(key) if key is not None else None
    agents = User.objects.filter(role__in=("agent", "admin"), active=True).order_by("name", "id")
    members = GroupMembership.objects.filter(group=found).values_list("user", flat=True)

    def write(sent: PageForm) -> Said:
        changes = {
            "name": sent.text("name"),
            "description": sent.text("description"),
            "is_public": sent.ticked("is_public"),
        }
        if found is None:
            saved = organizations.create_group(actor=agent.user, changes=changes)
        else:
            saved = organizations.update_group(found, actor=agent.user, changes=changes)
        _set_members(saved, set(keys.numbers_in(sent.several("members"))), agent.user)
        return saved.name, reverse("helpdesk:admin_group", args=[saved.id])

    shown = found or Group(is_public=True)
    fields = (
        line("name", "Group name", shown.name, required=True),
        area("description", "Description", shown.description),
        check("is_public", "Public group", on=shown.is_public),
        checks("members", "Group members", members, agents.values_list("id", "name")),
    )
    form = Form(
        ACTIVE,
        found.name if found else "New group",
        reverse("helpdesk:admin_groups"),
        (FormSection("", fields),),
        delete_url=reverse("helpdesk:admin_group_delete", args=[found.id]) if found else None,
        submit_label="Save" if found else "Create group",
    )
    return pages.ask(request, agent, form, write, record=found)


@admin_page
def delete_group(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a group shall go, and let it go."""
    found = _group(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete group {found.name}",
        "Its tickets keep their history and lose their group.",
        reverse("helpdesk:admin_group", args=[key]),
        reverse("helpdesk:admin_groups"),
        found.name,
    )
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: organizations.delete_group(found, actor=agent.user),
    )


def _group(key: int) -> Group:
    found = Group.objects.filter(id=key, deleted=False).first()
    if found is None:
        raise RecordNotFound("group", key)
    return found


def _set_members(group: Group, wanted: set[int], actor: User) -> None:
    """Let those join and leave that the form says, each as the API would."""
    standing = {item.user_id: item for item in GroupMembership.objects.filter(group=group)}
    for key in sorted(wanted - standing.keys()):
        group_members.add_group_member(actor=actor, user_id=key, group_id=group.id)
    for key in sorted(standing.keys() - wanted):
        group_members.remove_group_member(standing[key], actor=actor)
