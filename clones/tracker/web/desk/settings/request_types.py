"""Request types in the settings of a desk: under their headings, new ones, their order and end."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain import request_groups, request_types
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Request, RequestType, RequestTypeGroup, ServiceDesk
from clones.tracker.queries.desks import find_request_type, groups_of, in_group
from clones.tracker.queries.kinds import types_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.settings.access import (
    at,
    carry_out,
    form_of_desk_settings,
    page_of_desk_settings,
    settle,
    shown,
)
from clones.tracker.web.settings.access import done
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of

CURRENT: Final = "request-types"
TITLE: Final = "Request types"
GONE: Final = "The portal group does not exist."


def type_in(who: Visitor, desk: ServiceDesk, key: int) -> RequestType:
    """Return a request type of a desk.

    Raises:
        NotFound: there is none.
    """
    found = find_request_type(who.rights, desk, str(key))
    found.desk = desk
    return found


@page_of_desk_settings
def type_list(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the request types of a desk under their headings, and those that no portal shows."""
    rows = list(
        RequestType.objects.filter(desk=desk)
        .select_related("issue_type")
        .order_by("position", "id")
    )
    groups = list(groups_of(desk))
    placed = [(group, [row for row in rows if _stands(row, group)]) for group in groups]
    hidden = [row for row in rows if not any(_stands(row, group) for group in groups)]
    context = {"placed": placed, "hidden": hidden, "home": at(desk, CURRENT)}
    return shown(request, who, desk, "request_types", context, title=TITLE, current=CURRENT)


def _stands(row: RequestType, group: RequestTypeGroup) -> bool:
    return str(group.id) in map(str, row.groups)


@page_of_desk_settings
def new_type(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of a new request type, or make it."""
    kinds = [(kind.id, kind.name) for kind in types_of(desk.project) if kind.hierarchy_level == 0]
    groups = [(row.id, row.name) for row in groups_of(desk)]
    inputs = [
        Input("name", "Name", required=True),
        Input(
            "type",
            "Work type",
            shape="select",
            choices=chosen(kinds, ()),
            required=True,
        ),
        Input("description", "Description"),
        Input(
            "groups",
            "Portal groups",
            shape="checks",
            choices=chosen(groups, ()),
            hint="Without a group, customers do not see it in the portal.",
        ),
    ]
    sheet = FormPage(
        "Create request type", at(desk, f"{CURRENT}/new"), at(desk, CURRENT), inputs, "Create"
    )

    def write(sent: PageForm) -> None:
        made = request_types.create_request_type(
            desk,
            actor=who.rights,
            name=sent.text("name"),
            issue_type=sent.text("type"),
            description=sent.text("description"),
        )
        request_types.change_request_type(
            made,
            actor=who.rights,
            name=made.name,
            description=made.description,
            groups=numbers(sent, "groups"),
        )

    return settle(request, who, desk, sheet, write, current=CURRENT, flag="Request type created")


def numbers(sent: PageForm, name: str) -> list[int]:
    """Return the whole numbers that a form sent by a name."""
    found = (number_of(text) for text in sent.several(name))
    return [one for one in found if one is not None]


@form_of_desk_settings
def move_type(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Let a request type change places with its neighbour."""
    row = type_in(who, desk, key)
    down, group = posted_text(request, "way") == "down", number_of(posted_text(request, "group"))
    return carry_out(
        request,
        desk,
        lambda: request_types.move_request_type(row, actor=who.rights, down=down, group=group),
        CURRENT,
    )


@page_of_desk_settings
def delete_type(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Ask whether a request type is to be deleted; then delete it."""
    row = type_in(who, desk, key)
    count = Request.objects.filter(request_type=row).count()
    many = f" {count} requests of it are no longer shown in the portal." if count else ""
    sheet = FormPage(
        f"Delete {row.name}?",
        at(desk, f"{CURRENT}/{row.id}/delete"),
        at(desk, CURRENT),
        button="Delete",
        said=f"Customers can no longer raise this request.{many}",
        danger=True,
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda _sent: request_types.delete_request_type(row, actor=who.rights),
        current=CURRENT,
        flag=f"{row.name} deleted",
    )


def _group(desk: ServiceDesk, key: int) -> RequestTypeGroup:
    found = groups_of(desk).filter(id=key).first()
    if found is None:
        raise NotFound(GONE)
    found.desk = desk
    return found


@page_of_desk_settings
def new_group(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of a new heading of the portal, or make it."""
    action = at(desk, "request-type-groups/new")
    sheet = _name_sheet("Create portal group", action, desk, "", "Create")
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: request_groups.create_group(desk, sent.text("name"), actor=who.rights),
        current=CURRENT,
    )


@page_of_desk_settings
def rename_group(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Show the form of a heading's name, or take another."""
    group = _group(desk, key)
    action = at(desk, f"request-type-groups/{group.id}")
    sheet = _name_sheet("Rename portal group", action, desk, group.name, "Save")
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: request_groups.rename_group(group, sent.text("name"), actor=who.rights),
        current=CURRENT,
    )


def _name_sheet(heading: str, action: str, desk: ServiceDesk, name: str, button: str) -> FormPage:
    inputs = [Input("name", "Name", value=name, required=True)]
    return FormPage(heading, action, at(desk, CURRENT), inputs, button)


@form_of_desk_settings
def move_group(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Let a heading change places with its neighbour."""
    group = _group(desk, key)
    request_groups.move_group(group, actor=who.rights, down=posted_text(request, "way") == "down")
    return done(request, desk.project, CURRENT)


@page_of_desk_settings
def delete_group(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Ask whether a heading is to be deleted; then delete it."""
    group = _group(desk, key)
    count = in_group(RequestType.objects.filter(desk=desk), group.id).count()
    said = f"{count} request types stand in it. Those in no other group are no longer shown."
    sheet = FormPage(
        f"Delete {group.name}?",
        at(desk, f"request-type-groups/{group.id}/delete"),
        at(desk, CURRENT),
        button="Delete",
        said=said if count else "No request type stands in it.",
        danger=True,
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda _sent: request_groups.delete_group(group, actor=who.rights),
        current=CURRENT,
    )
