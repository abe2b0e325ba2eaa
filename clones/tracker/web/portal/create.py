"""The form of a request: what its type asks for, with files, for oneself or a customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.attachments import Upload, are_enabled
from clones.tracker.domain.desk_files import keep_temporary_files
from clones.tracker.domain.errors import Forbidden
from clones.tracker.domain.requests import FILES, create_request, missing_fields
from clones.tracker.models import Issue, RequestType, RequestTypeField, ServiceDesk
from clones.tracker.queries.desks import (
    PortalRights,
    customers_of,
    find_request_type,
    groups_of,
    is_agent,
)
from clones.tracker.queries.fieldsets import Fieldset
from clones.tracker.queries.request_forms import fieldset_of_type
from clones.tracker.web.access import Visitor, page_of_anybody
from clones.tracker.web.desk.access import portal_address
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.parts.choices import Choice, Choices
from clones.tracker.web.parts.controls import (
    Control,
    Typed,
    control_of,
    is_controlled,
    payload,
    typed_of,
)
from clones.tracker.web.portal.access import desk_in, portal_page
from clones.tracker.web.shell import go

PEOPLE: Final = 500
NOT_ALLOWED: Final = "You do not have permission to create requests in this service desk."


@dataclass(frozen=True, slots=True)
class RequestForm:
    """The form of a request type: its fields, and what was typed into them."""

    row: RequestType
    fields: Sequence[RequestTypeField]
    fieldset: Fieldset
    typed: Typed

    def values(self) -> dict[str, Any]:
        """Return what was typed, as the domain takes it; files are left out."""
        found = {}
        for one in self.fields:
            field = self.fieldset.fields.get(one.field)
            if field is not None and one.field != FILES and is_controlled(field):
                found[one.field] = payload(field, self.typed)
        return found


@page_of_anybody
def create(
    request: SandboxRequest, who: Visitor, desk: int, key: int, group: int | None = None
) -> HttpResponse:
    """Show the form of a request type, or make the request."""
    found = desk_in(who, desk)
    row = find_request_type(who.rights, found, str(key))
    row.desk = found
    if not PortalRights(who.user).may("CREATE_ISSUES", found.project):
        raise Forbidden(NOT_ALLOWED)
    sightings.note(row, "detail")
    typed = typed_of(request) if request.method == "POST" else {}
    fields = [one for one in row.fields.order_by("position", "id") if one.visible]
    form = RequestForm(row, fields, fieldset_of_type(row), typed)
    if request.method != "POST":
        return _show(request, who, form, group)
    uploads = uploads_of(request)
    values: dict[str, Any] = form.values()
    missing = missing_fields(fields, {**values, **({FILES: ["one"]} if uploads else {})})
    if missing:
        said = {one.field: f"{one.display_name or one.field} is required." for one in missing}
        return _show(request, who, form, group, FormErrors((), said))
    made, refusal = attempt(lambda: _ask(found, form, values, uploads, who))
    if made is None:
        return _show(request, who, form, group, refusal)
    return go(portal_address(found, made.key), "Your request was sent")


def uploads_of(request: SandboxRequest) -> list[Upload]:
    """Return the files that a form sent."""
    return [
        Upload(str(file.name or ""), str(file.content_type or ""), file.read())
        for file in request.FILES.getlist("file")
    ]


def _ask(
    desk: ServiceDesk,
    form: RequestForm,
    values: Mapping[str, Any],
    uploads: Sequence[Upload],
    who: Visitor,
) -> Issue:
    sent = {name: value for name, value in values.items() if value not in (None, "", [])}
    if uploads:
        kept = keep_temporary_files(desk, uploads, actor=who.rights)
        sent[FILES] = [one.uuid for one in kept]
    customer = (form.typed.get("customer") or [""])[0]
    return create_request(
        form.row,
        sent,
        actor=who.rights,
        on_behalf_of=customer or None,
        channel="portal",
        version="either",
    )


def _show(
    request: SandboxRequest,
    who: Visitor,
    form: RequestForm,
    group: int | None,
    refusal: FormErrors | None = None,
) -> HttpResponse:
    said, row, desk = refusal or FormErrors(), form.row, form.row.desk
    controls = _controls(form, who, said)
    works = is_agent(who.rights, desk)
    heading = groups_of(desk).filter(id=group).first() if group is not None else None
    context = {
        "row": row,
        "controls": controls,
        "problems": said.beside([control.id for control in controls]),
        "address": portal_address(desk),
        "at": request.path,
        "heading": heading,
        "heading_address": "" if heading is None else portal_address(desk, f"group/{heading.id}"),
        "customers": _customers(form, desk, who) if works else (),
        "focus": next((one.id for one in controls if one.error), ""),
    }
    status = 200 if refusal is None else 422
    return portal_page(request, who, "create", context, title=row.name, desk=desk, status=status)


def _controls(form: RequestForm, who: Visitor, said: FormErrors) -> list[Control]:
    choices = Choices(form.fieldset, PortalRights(who.user))
    found = []
    for one in form.fields:
        error = said.fields.get(one.field, "")
        if one.field == FILES:
            if are_enabled():
                label = one.display_name or "Attachment"
                found.append(
                    Control(FILES, label, "files", one.required, error=error, hint=one.help_text)
                )
            continue
        field = form.fieldset.fields.get(one.field)
        if field is None or not is_controlled(field):
            continue
        control = control_of(field, form.typed, choices, error)
        label = one.display_name or field.name
        found.append(replace(control, label=label, required=one.required, hint=one.help_text))
    return found


def _customers(form: RequestForm, desk: ServiceDesk, who: Visitor) -> list[Choice]:
    """Return the customers for whom an agent can ask."""
    chosen = (form.typed.get("customer") or [""])[0]
    return [
        Choice(user.account_id, user.display_name, user.account_id == chosen)
        for user in customers_of(desk)[:PEOPLE]
        if user.id != who.user.id
    ]
