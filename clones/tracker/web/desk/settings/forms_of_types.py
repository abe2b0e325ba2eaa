"""One request type in the settings of a desk: what it says, its form, what customers read."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text, was_sent
from clones.tracker.domain import request_forms, request_types
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import RequestType, RequestTypeField, RequestTypeStatus, ServiceDesk
from clones.tracker.queries.desks import groups_of
from clones.tracker.queries.request_forms import addable_fields, fieldset_of_type
from clones.tracker.queries.slas import statuses_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.settings.access import (
    at,
    carry_out,
    form_of_desk_settings,
    page_of_desk_settings,
    settle,
    shown,
)
from clones.tracker.web.desk.settings.request_types import CURRENT, numbers, type_in
from clones.tracker.web.parts.asking import ask
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.settings.forms import FormPage, Input, chosen


@page_of_desk_settings
def type_page(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Show a request type, or take what its first form says."""
    row = type_in(who, desk, key)
    page = at(desk, f"{CURRENT}/{row.id}")

    def write(sent: PageForm) -> tuple[str, str]:
        request_types.change_request_type(
            row,
            actor=who.rights,
            name=sent.text("name"),
            description=sent.text("description"),
            help_text=sent.text("help"),
            groups=numbers(sent, "groups"),
        )
        return f"{row.name} updated", page

    def show(sheet: FormPage) -> HttpResponse:
        fresh = row if sheet.refusal is None else type_in(who, desk, key)
        return _page(request, who, desk, fresh, sheet)

    return ask(request, who, _sheet(row), write, show=show)


def _page(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, row: RequestType, sheet: FormPage
) -> HttpResponse:
    fields = fieldset_of_type(row).fields
    told = dict(RequestTypeStatus.objects.filter(request_type=row).values_list("status_id", "name"))
    context = {
        "sheet": sheet,
        "row": row,
        "address": at(desk, f"{CURRENT}/{row.id}"),
        "fields": [
            (field, fields[field.field].name if field.field in fields else field.field)
            for field in row.fields.order_by("position", "id")
        ],
        "others": [Choice(id, name) for id, name in addable_fields(row).items()],
        "statuses": [(one, told.get(one.id, one.name)) for one in statuses_of(desk.project)],
    }
    return shown(
        request, who, desk, "request_type", context,
        title=row.name, current=CURRENT, status=400 if sheet.is_refused else 200,
    )  # fmt: skip


def _sheet(row: RequestType) -> FormPage:
    groups = [(one.id, one.name) for one in groups_of(row.desk)]
    inputs = [
        Input("name", "Name", value=row.name, required=True),
        Input(
            "description",
            "Description",
            value=row.description,
            hint="Shown below the name in the portal.",
        ),
        Input(
            "help",
            "Help and instructions",
            shape="area",
            value=row.help_text,
            hint="Shown above the fields of the request form.",
        ),
        Input("groups", "Portal groups", shape="checks", choices=chosen(groups, row.groups)),
    ]
    home = at(row.desk, CURRENT)
    return FormPage(row.name, f"{home}/{row.id}", home, inputs)


def _field(row: RequestType, key: int) -> RequestTypeField:
    found = row.fields.filter(id=key).first()
    if found is None:
        raise NotFound("The field is not part of this request form.")
    found.request_type = row
    return found


@form_of_desk_settings
def add_field(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Add a field to the form of a request type."""
    row = type_in(who, desk, key)
    return carry_out(
        request,
        desk,
        lambda: request_forms.add_form_field(row, posted_text(request, "field"), actor=who.rights),
        f"{CURRENT}/{row.id}",
    )


@page_of_desk_settings
def edit_field(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int, field: int
) -> HttpResponse:
    """Show the form of a field of a form, or take what it says."""
    row = type_in(who, desk, key)
    found = _field(row, field)
    inputs = [
        Input("name", "Display name", value=found.display_name, required=True),
        Input("help", "Field help", value=found.help_text),
        Input("required", "Required", shape="check", value="on" if found.required else ""),
    ]
    page = f"{CURRENT}/{row.id}"
    sheet = FormPage(
        f"Edit {found.display_name or found.field}",
        at(desk, f"{page}/fields/{found.id}"),
        at(desk, page),
        inputs,
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: request_forms.change_form_field(
            found,
            actor=who.rights,
            name=sent.text("name"),
            help_text=sent.text("help"),
            required=sent.ticked("required"),
        ),
        current=CURRENT,
        leads=page,
    )


@form_of_desk_settings
def place_field(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int, field: int
) -> HttpResponse:
    """Let a field change places with its neighbour, or take it off the form."""
    row = type_in(who, desk, key)
    found, way = _field(row, field), posted_text(request, "way")

    def write() -> None:
        if way == "remove":
            request_forms.remove_form_field(found, actor=who.rights)
        else:
            request_forms.move_form_field(found, actor=who.rights, down=way == "down")

    return carry_out(request, desk, write, f"{CURRENT}/{row.id}")


@form_of_desk_settings
def name_statuses(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Take what customers are to read for statuses."""
    row = type_in(who, desk, key)
    names = {
        status.id: posted_text(request, f"status-{status.id}")
        for status in statuses_of(desk.project)
        if was_sent(request, f"status-{status.id}")
    }
    return carry_out(
        request,
        desk,
        lambda: request_forms.name_portal_statuses(row, names, actor=who.rights),
        f"{CURRENT}/{row.id}",
    )
