"""Admin Center's groups: the list, and the page of each with its members."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain import group_members, organizations
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Group, GroupMembership, User
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part, Question
from clones.helpdesk.web.properties import Complaints

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


def _line(group: Any) -> Line:
    """Return a group's row; the list has counted its people."""
    return Line(
        reverse("helpdesk:admin_group", args=[group.id]),
        (group.name, group.description, str(group.people), "Default" if group.default else "-"),
    )


@admin_page
def new_group(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new group, or take it."""
    if request.method != "POST":
        return _form(request, agent, None, {"is_public": True, "members": []})
    sent = _sent(request)
    made, complaints = pages.attempt(lambda: _create(sent, agent.user))
    if made is None:
        return _form(request, agent, None, sent, complaints)
    return shell.go(reverse("helpdesk:admin_group", args=[made.id]), "saved", made.name)


@admin_page
def group(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a group's form, or take it."""
    found = _group(key)
    if request.method != "POST":
        sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    sent = _sent(request)
    done, complaints = pages.attempt(lambda: _change(found, sent, agent.user))
    if done is None:
        return _form(request, agent, _group(key), sent, complaints)
    return shell.go(reverse("helpdesk:admin_group", args=[key]), "saved", done.name)


@admin_page
def delete_group(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a group shall go, and let it go."""
    found = _group(key)
    question = Question(
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


def _values(found: Group) -> dict[str, Any]:
    members = GroupMembership.objects.filter(group=found).values_list("user", flat=True)
    plain = {name: getattr(found, name) for name in ("name", "description", "is_public")}
    return {**plain, "members": sorted(members)}


def _sent(request: SandboxRequest) -> dict[str, Any]:
    post = request.POST
    return {
        "name": post.get("name", ""),
        "description": post.get("description", ""),
        "is_public": post.get("is_public") == "true",
        "members": keys.numbers(post, "members"),
    }


def _create(sent: dict[str, Any], actor: User) -> Group:
    made = organizations.create_group(actor=actor, changes=_changes(sent))
    _set_members(made, set(sent["members"]), actor)
    return made


def _change(found: Group, sent: dict[str, Any], actor: User) -> Group:
    organizations.update_group(found, actor=actor, changes=_changes(sent))
    _set_members(found, set(sent["members"]), actor)
    return found


def _changes(sent: dict[str, Any]) -> dict[str, Any]:
    return {name: sent[name] for name in ("name", "description", "is_public")}


def _set_members(group: Group, wanted: set[int], actor: User) -> None:
    """Let those join and leave that the form says, each as the API would."""
    standing = {item.user_id: item for item in GroupMembership.objects.filter(group=group)}
    for key in sorted(wanted - standing.keys()):
        group_members.add_group_member(actor=actor, user_id=key, group_id=group.id)
    for key in sorted(standing.keys() - wanted):
        group_members.remove_group_member(standing[key], actor=actor)


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: Group | None,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    agents = User.objects.filter(role__in=("agent", "admin"), active=True).order_by("name", "id")
    people = [(item.id, item.name) for item in agents]
    chosen = keys.ids_as_text(values["members"])
    fields = (
        forms.field("name", "Group name", values.get("name"), required=True, complaints=complaints),
        forms.field(
            "description",
            "Description",
            values.get("description"),
            kind="textarea",
            complaints=complaints,
        ),
        forms.field("is_public", "Public group", values.get("is_public"), kind="checkbox"),
        forms.select("members", "Group members", chosen, people, many=True),
    )
    form = Form(
        ACTIVE,
        found.name if found else "New group",
        reverse("helpdesk:admin_groups"),
        (Part("", fields),),
        delete_url=reverse("helpdesk:admin_group_delete", args=[found.id]) if found else None,
        submit_label="Save" if found else "Create group",
    )
    return pages.show_form(request, agent, form, complaints)
