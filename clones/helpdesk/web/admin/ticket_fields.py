"""Admin Center's ticket fields: the list in its order, and the editor of each kind."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_fields as domain
from clones.helpdesk.models import TicketField
from clones.helpdesk.rules.system_fields import BY_TYPE
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, forms, keys, pages, row_tables
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.properties import FormErrors

ACTIVE = "admin_ticket_fields"
TYPES = {
    "text": "Text",
    "textarea": "Multi-line",
    "checkbox": "Checkbox",
    "date": "Date",
    "integer": "Numeric",
    "decimal": "Decimal",
    "regexp": "Regex",
    "partialcreditcard": "Credit card",
    "multiselect": "Multi-select",
    "tagger": "Drop-down",
}
SYSTEM_TYPES = {"description": "Description", **{key: own.title for key, own in BY_TYPE.items()}}
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
TEXTS = ("title", "agent_description", "title_in_portal", "description")
FLAGS = {
    "required": "Required to solve a ticket",
    "visible_in_portal": "Customers can view",
    "editable_in_portal": "Customers can edit",
    "required_in_portal": "Required to submit a request",
}


@admin_page
def fields(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the ticket fields in their order."""
    state = keys.filter_of(request, "status", "Status", STATES)
    kind = keys.filter_of(request, "type", "Type", [("", "Any type"), *TYPES.items()])
    rows = TicketField.objects.all()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(title__icontains=text)
    if state.value:
        rows = rows.filter(active=state.value == "active")
    if kind.value:
        rows = rows.filter(type=kind.value)
    listing = ListPage(
        "Fields",
        ACTIVE,
        [
            Panel(
                ("Display name", "Type", "Status", "Required to solve", "Field ID"),
                empty="No fields.",
                order=reverse("helpdesk:admin_ticket_fields_order"),
            )
        ],
        acts=[pages.creating("Add field", reverse("helpdesk:admin_ticket_field_new"))],
        search=pages.search(request, state, kind),
    )
    return pages.show_list(request, agent, listing, rows.order_by("position", "id"), _line)


@admin_page
def order(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Move a field up or down in the list."""
    standing = list(TicketField.objects.order_by("position", "id").values_list("id", flat=True))
    if request.method == "POST":
        domain.reorder_fields(pages.moved(standing, request.POST), actor=agent.user)
    return secured(HttpResponseRedirect(reverse(f"helpdesk:{ACTIVE}")))


@admin_page
def new_field(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent)
    if request.method != "POST":
        return _form(request, agent, TicketField(type=kind), _values(TicketField(type=kind)))
    values = _sent(request.POST, TicketField(type=kind))
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        made, complaints = pages.attempt(
            lambda: domain.create_field(
                actor=agent.user, changes={"type": kind, **_changes(values, kind)}
            )
        )
        if made is not None:
            return shell.go(
                reverse("helpdesk:admin_ticket_field", args=[made.id]), "saved", made.title
            )
    return _form(request, agent, TicketField(type=kind), values, complaints)


@admin_page
def field(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    found = _field(key)
    if request.method != "POST":
        sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST, found)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        changes = _changes(values, found.type)
        saved, complaints = pages.attempt(
            lambda: domain.update_field(found, actor=agent.user, changes=changes)
        )
        if saved is not None:
            return shell.go(
                reverse("helpdesk:admin_ticket_field", args=[key]), "saved", saved.title
            )
    return _form(request, agent, _field(key), values, complaints)


@admin_page
def switch(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a field shall be used no longer, or again, and do it."""
    found = _field(key)
    verb = "Deactivate" if found.active else "Activate"
    back = reverse("helpdesk:admin_ticket_field", args=[key])
    consequence = (
        "It is no longer shown on tickets. Its values stay."
        if found.active
        else "It is shown on tickets again."
    )
    question = ConfirmPage(
        ACTIVE, f"{verb} {found.title}", consequence, back, back, found.title, verb, "saved"
    )
    changes = {"active": not found.active}
    return pages.ask_first(
        request,
        agent,
        question,
        lambda: domain.update_field(found, actor=agent.user, changes=changes),
    )


@admin_page
def delete_field(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a field shall go, and let it go."""
    found = _field(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete field {found.title}",
        "Its values are taken out of all tickets. Tags that it set stay.",
        reverse("helpdesk:admin_ticket_field", args=[key]),
        reverse("helpdesk:admin_ticket_fields"),
        found.title,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_field(found, actor=agent.user)
    )


def _field(key: int) -> TicketField:
    return queries.one(TicketField.objects.all(), "ticket field", key)


def type_label(found: TicketField) -> str:
    """Return what a field's kind is called."""
    return TYPES.get(found.type) or SYSTEM_TYPES.get(found.type, found.type)


def _line(found: TicketField) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_ticket_field", args=[found.id]),
        found.title,
        f"{type_label(found)} (system)" if found.is_system else type_label(found),
        "Active" if found.active else "Inactive",
        "Yes" if found.required else "No",
        str(found.id),
    )


def _choose_type(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the kinds of fields, each a way to its form."""
    address = reverse("helpdesk:admin_ticket_field_new")
    kinds = [
        Action(label, f"{address}?type={name}", test_id=f"admin-field-type-{name}")
        for name, label in TYPES.items()
    ]
    form = Form(
        ACTIVE,
        "New field",
        reverse("helpdesk:admin_ticket_fields"),
        (),
        extra={"kinds": kinds},
        template="helpdesk/admin/kinds.html",
    )
    return pages.show_form(request, agent, form)


def _values(found: TicketField) -> dict[str, Any]:
    return {
        **{name: getattr(found, name) for name in (*TEXTS, *FLAGS)},
        "regexp_for_validation": found.regexp_for_validation,
        "tag": found.tag,
        "options": field_options.rows_of(found.options),
    }


def _sent(post: QueryDict, found: TicketField) -> dict[str, Any]:
    return {
        **{name: post.get(name, "") for name in (*TEXTS, "regexp_for_validation", "tag")},
        **{name: post.get(name) == "true" for name in FLAGS},
        "options": field_options.sent(post),
    }


def _changes(values: dict[str, Any], kind: str) -> dict[str, Any]:
    changes = {name: values[name] for name in (*TEXTS, *FLAGS)}
    if kind == "regexp":
        changes["regexp_for_validation"] = values["regexp_for_validation"]
    if kind == "checkbox":
        changes["tag"] = values["tag"]
    if kind in domain.WITH_OPTIONS:
        changes["custom_field_options"] = field_options.options_of(values["options"])
    return changes


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: TicketField,
    values: dict[str, Any],
    complaints: FormErrors | None = None,
) -> HttpResponse:
    known = not found._state.adding
    links: list[Action] = []
    if known and found.removable:
        verb = "Deactivate" if found.active else "Activate"
        address = reverse("helpdesk:admin_ticket_field_switch", args=[found.id])
        links.append(Action(verb, address, test_id="admin-switch"))
    deletable = known and not found.is_system
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    form = Form(
        ACTIVE,
        title if found.active else f"{title} (inactive)",
        reverse("helpdesk:admin_ticket_fields"),
        _parts(found, values, complaints),
        delete_url=reverse("helpdesk:admin_ticket_field_delete", args=[found.id])
        if deletable
        else None,
        submit_label="Save" if known else "Create field",
        links=tuple(links),
    )
    return pages.show_form(request, agent, form, complaints)


def _parts(
    found: TicketField, values: dict[str, Any], complaints: FormErrors | None
) -> tuple[FormSection, ...]:
    def text(name: str, label: str, *, kind: str = "text", required: bool = False) -> Any:
        return forms.field(
            name, label, values[name], kind=kind, required=required, complaints=complaints
        )

    def flag(name: str) -> Any:
        return forms.field(name, FLAGS[name], values[name], kind="checkbox", complaints=complaints)

    agents = [
        forms.field("type", "Type", type_label(found), kind="static"),
        text("title", "Display name", required=True),
        text("agent_description", "Description for agents", kind="textarea"),
        flag("required"),
    ]
    if found.type == "regexp":
        agents.append(text("regexp_for_validation", "Regex", required=True))
    if found.type == "checkbox":
        agents.append(text("tag", "Tag"))
    customers = (
        flag("visible_in_portal"),
        flag("editable_in_portal"),
        flag("required_in_portal"),
        text("title_in_portal", "Title shown to customers"),
        text("description", "Description shown to customers", kind="textarea"),
    )
    parts = [FormSection("For agents", tuple(agents)), FormSection("For customers", customers)]
    if found.type in domain.WITH_OPTIONS:
        table = field_options.table(values["options"], complaints)
        parts.insert(1, FormSection("Field values", table=table))
    return tuple(parts)
