"""Admin Center's ticket fields: the list in its order, and the editor of each kind."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_fields as domain
from clones.helpdesk.models import TicketField
from clones.helpdesk.rules.system_fields import BY_TYPE
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import field_options, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, check, line, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

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
    rows = pages.searched(request, rows, "title")
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
    rows = TicketField.objects.order_by("position", "id")
    write = partial(domain.reorder_fields, actor=agent.user)
    return pages.move(request, rows, write, reverse(f"helpdesk:{ACTIVE}"))


@admin_page
def new_field(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the form of a new field of the kind asked for, or take it."""
    kind = request.GET.get("type", "")
    if kind not in TYPES:
        return _choose_type(request, agent)

    def write(sent: PageForm) -> WriteResult:
        changes = {"type": kind, **_changes(sent, kind)}
        made = domain.create_field(actor=agent.user, changes=changes)
        return made.title, reverse("helpdesk:admin_ticket_field", args=[made.id])

    form = _form(TicketField(type=kind))
    return pages.ask(request, agent, form, write, names=field_options.INPUTS)


@admin_page
def field(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a field's form, or take it."""
    found = _field(key)

    def write(sent: PageForm) -> WriteResult:
        changes = _changes(sent, found.type)
        saved = domain.update_field(found, actor=agent.user, changes=changes)
        return saved.title, reverse("helpdesk:admin_ticket_field", args=[key])

    return pages.ask(request, agent, _form(found), write, record=found, names=field_options.INPUTS)


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


def _changes(sent: PageForm, kind: str) -> dict[str, Any]:
    changes: dict[str, Any] = {name: sent.text(name) for name in TEXTS}
    changes |= {name: sent.ticked(name) for name in FLAGS}
    if kind == "regexp":
        changes["regexp_for_validation"] = sent.text("regexp_for_validation")
    if kind == "checkbox":
        changes["tag"] = sent.text("tag")
    if kind in domain.WITH_OPTIONS:
        options = field_options.options_of(sent.rows(field_options.PREFIX))
        changes["custom_field_options"] = options
    return changes


def _form(found: TicketField) -> Form:
    known = not found._state.adding
    links: list[Action] = []
    if known and found.removable:
        verb = "Deactivate" if found.active else "Activate"
        address = reverse("helpdesk:admin_ticket_field_switch", args=[found.id])
        links.append(Action(verb, address, test_id="admin-switch"))
    deletable = known and not found.is_system
    title = found.title if known else f"New {TYPES[found.type].lower()} field"
    return Form(
        ACTIVE,
        title if found.active else f"{title} (inactive)",
        reverse("helpdesk:admin_ticket_fields"),
        _parts(found),
        delete_url=reverse("helpdesk:admin_ticket_field_delete", args=[found.id])
        if deletable
        else None,
        submit_label="Save" if known else "Create field",
        links=links,
    )


def _parts(found: TicketField) -> tuple[FormSection, ...]:
    flags = {name: check(name, label, on=getattr(found, name)) for name, label in FLAGS.items()}
    agents = [
        static("type", "Type", type_label(found)),
        line("title", "Display name", found.title, required=True),
        area("agent_description", "Description for agents", found.agent_description),
        flags.pop("required"),
    ]
    if found.type == "regexp":
        agents.append(
            line("regexp_for_validation", "Regex", found.regexp_for_validation, required=True)
        )
    if found.type == "checkbox":
        agents.append(line("tag", "Tag", found.tag))
    customers = (
        *flags.values(),
        line("title_in_portal", "Title shown to customers", found.title_in_portal),
        area("description", "Description shown to customers", found.description),
    )
    parts = [FormSection("For agents", tuple(agents)), FormSection("For customers", customers)]
    if found.type in domain.WITH_OPTIONS:
        table = field_options.table(found.options)
        parts.insert(1, FormSection("Field values", table=table))
    return tuple(parts)
