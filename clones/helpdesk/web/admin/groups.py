"""Admin Center's groups: the list, and the page of each with its members."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain import organizations
from clones.helpdesk.domain.errors import HelpdeskError, RecordInvalid, RecordNotFound
from clones.helpdesk.models import Group, GroupMembership, User
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, frame
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.paging import page_of
from clones.helpdesk.web.properties import Complaints, FieldView

ACTIVE = "admin_groups"


@admin_page
def groups(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the groups, or those whose name holds a text."""
    wanted = request.GET.get("q", "").strip()
    working = Q(memberships__user__active=True)
    found = Group.objects.filter(deleted=False).annotate(people=Count("memberships", working))
    if wanted:
        found = found.filter(name__icontains=wanted)
    shown = page_of(request, found.order_by("name", "id"))
    for group in shown.rows:
        sightings.note(group, "list")
    context = {"page": shown, "wanted": wanted}
    return frame.page(
        request, agent, "helpdesk/admin/groups.html", context, title="Groups", active=ACTIVE
    )


@admin_page
def new_group(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new group, or take it."""
    if request.method != "POST":
        return _form(request, agent, None, {"is_public": True})
    changes = _posted(request)
    try:
        with transaction.atomic():
            group = organizations.create_group(actor=agent.user, changes=changes)
            _set_members(group, _members_sent(request), agent.user)
    except (RecordInvalid, RecordNotFound) as error:
        return _refused(request, agent, None, changes, error)
    return shell.go(reverse("helpdesk:admin_group", args=[group.id]), "saved", group.name)


@admin_page
def group(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a group's form, or take it."""
    found = _group(key)
    if request.method != "POST":
        sightings.note(found, "detail")
        values = {name: getattr(found, name) for name in ("name", "description", "is_public")}
        return _form(request, agent, found, values)
    changes = _posted(request)
    try:
        with transaction.atomic():
            organizations.update_group(found, actor=agent.user, changes=changes)
            _set_members(found, _members_sent(request), agent.user)
    except (RecordInvalid, RecordNotFound) as error:
        return _refused(request, agent, _group(key), changes, error)
    return shell.go(reverse("helpdesk:admin_group", args=[key]), "saved", found.name)


@admin_page
def delete_group(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a group shall go, and let it go."""
    found = _group(key)
    said = ""
    if request.method == "POST":
        try:
            with transaction.atomic():
                organizations.delete_group(found, actor=agent.user)
        except HelpdeskError as error:
            said = str(error)
        else:
            return shell.go(reverse("helpdesk:admin_groups"), "removed", found.name)
    context = {
        "name": found.name,
        "said": said,
        "consequence": "Its tickets keep their history and lose their group.",
        "back": reverse("helpdesk:admin_group", args=[key]),
    }
    title = f"Delete group {found.name}"
    status = 422 if said else 200
    return frame.page(
        request,
        agent,
        "helpdesk/admin/confirm.html",
        context,
        title=title,
        active=ACTIVE,
        status=status,
    )


def _group(key: int) -> Group:
    found = Group.objects.filter(id=key, deleted=False).first()
    if found is None:
        raise RecordNotFound("group", key)
    return found


def _posted(request: SandboxRequest) -> dict[str, Any]:
    post = request.POST
    return {
        "name": post.get("name", ""),
        "description": post.get("description", ""),
        "is_public": post.get("is_public") == "true",
    }


def _members_sent(request: SandboxRequest) -> set[int]:
    return {int(text) for text in request.POST.getlist("members") if text.isdecimal()}


def _set_members(group: Group, wanted: set[int], actor: User) -> None:
    """Let those join and leave that the form says, each as the API would."""
    standing = {item.user_id: item for item in GroupMembership.objects.filter(group=group)}
    for key in sorted(wanted - standing.keys()):
        organizations.add_group_member(actor=actor, user_id=key, group_id=group.id)
    for key in sorted(standing.keys() - wanted):
        organizations.remove_group_member(standing[key], actor=actor)


def _refused(
    request: SandboxRequest,
    agent: Agent,
    found: Group | None,
    changes: dict[str, Any],
    error: HelpdeskError,
) -> HttpResponse:
    complaints = forms.complaints_of(error)
    members = _members_sent(request)
    return _form(request, agent, found, changes, complaints=complaints, members=members)


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: Group | None,
    values: dict[str, Any],
    *,
    complaints: Complaints | None = None,
    members: set[int] | None = None,
) -> HttpResponse:
    if members is None:
        standing = GroupMembership.objects.filter(group=found) if found else ()
        members = {item.user_id for item in standing}
    agents = User.objects.filter(role__in=("agent", "admin"), active=True).order_by("name", "id")
    people = [(item.id, item.name) for item in agents]
    fields: list[FieldView] = [
        forms.field("name", "Group name", values.get("name"), required=True, complaints=complaints),
        forms.field(
            "description",
            "Description",
            values.get("description"),
            kind="textarea",
            complaints=complaints,
        ),
        forms.field("is_public", "Public group", values.get("is_public"), kind="checkbox"),
        forms.select("members", "Group members", [str(key) for key in members], people, many=True),
    ]
    context = {
        "fields": fields,
        "complaints": complaints.texts if complaints else (),
        "back": reverse("helpdesk:admin_groups"),
        "delete_url": reverse("helpdesk:admin_group_delete", args=[found.id]) if found else None,
        "submit_label": "Save" if found else "Create group",
    }
    title = found.name if found else "New group"
    status = 422 if complaints else 200
    return frame.page(
        request,
        agent,
        "helpdesk/admin/form.html",
        context,
        title=title,
        active=ACTIVE,
        status=status,
    )
