"""Admin Center's ticket forms: the list in its order, and which fields a form has."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_forms as domain
from clones.helpdesk.models import Brand, TicketField, TicketForm
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages, row_tables
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.admin.row_tables import RowTable, RowView
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.properties import FormErrors

ACTIVE = "admin_ticket_forms"
PREFIX = "field"
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
FLAGS = {
    "active": "Active",
    "default": "Default ticket form",
    "end_user_visible": "Editable for end users",
    "in_all_brands": "Apply to all brands",
}


@admin_page
def ticket_forms(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the forms in their order."""
    state = keys.filter_of(request, "status", "Status", STATES)
    rows = TicketForm.objects.all()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    if state.value:
        rows = rows.filter(active=state.value == "active")
    listing = ListPage(
        "Forms",
        ACTIVE,
        [
            Panel(
                ("Name", "Title for end users", "Fields", "End users", "Status"),
                empty="No forms.",
                order=reverse("helpdesk:admin_ticket_forms_order"),
            )
        ],
        acts=[pages.creating("Add form", reverse("helpdesk:admin_ticket_form_new"))],
        search=pages.search(request, state),
    )
    return pages.show_list(request, agent, listing, rows.order_by("position", "id"), _line)


@admin_page
def order(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Move a form up or down in the list."""
    standing = list(TicketForm.objects.order_by("position", "id").values_list("id", flat=True))
    if request.method == "POST":
        domain.reorder_forms(pages.moved(standing, request.POST), actor=agent.user)
    return secured(HttpResponseRedirect(reverse(f"helpdesk:{ACTIVE}")))


@admin_page
def ticket_form(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a ticket form, or of a new one, or take it."""
    found = form_of(key) if key is not None else None
    if request.method != "POST":
        if found is not None:
            sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        saved, complaints = pages.attempt(
            lambda: (
                domain.create_form(actor=agent.user, changes=values)
                if found is None
                else domain.update_form(found, actor=agent.user, changes=values)
            )
        )
        if saved is not None:
            address = reverse("helpdesk:admin_ticket_form", args=[saved.id])
            return shell.go(address, "saved", saved.name)
    again = form_of(key) if key is not None else None
    return _form(request, agent, again, values, complaints)


@admin_page
def clone_form(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Make a form with the same fields and conditions, and show it."""
    found = form_of(key)
    if request.method != "POST":
        return secured(HttpResponseRedirect(reverse("helpdesk:admin_ticket_form", args=[key])))
    made = domain.clone_form(found, actor=agent.user)
    return shell.go(reverse("helpdesk:admin_ticket_form", args=[made.id]), "saved", made.name)


@admin_page
def delete_form(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a form shall go, and let it go."""
    found = form_of(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete form {found.name}",
        "Its tickets that are not closed take the default form.",
        reverse("helpdesk:admin_ticket_form", args=[key]),
        reverse("helpdesk:admin_ticket_forms"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_form(found, actor=agent.user)
    )


def form_of(key: int) -> TicketForm:
    """Return a ticket form.

    Raises:
        RecordNotFound: there is none of that id.
    """
    return queries.one(TicketForm.objects.all(), "ticket form", key)


def _line(found: TicketForm) -> ListRow:
    return linked_row(
        reverse("helpdesk:admin_ticket_form", args=[found.id]),
        f"{found.name} (default)" if found.default else found.name,
        found.display_name,
        str(len(found.ticket_field_ids)),
        "Editable" if found.end_user_visible else "Hidden",
        "Active" if found.active else "Inactive",
    )


def _values(found: TicketForm | None) -> dict[str, Any]:
    shown = found or TicketForm(ticket_field_ids=_standing_fields())
    names = ("name", "display_name", *FLAGS, "restricted_brand_ids", "ticket_field_ids")
    return {name: getattr(shown, name) for name in names}


def _standing_fields() -> list[int]:
    """Return the fields that every form has."""
    rows = TicketField.objects.filter(removable=False, active=True).order_by("position", "id")
    return list(rows.values_list("id", flat=True))


def _sent(post: QueryDict) -> dict[str, Any]:
    blank = {"id": post.get("add_field", "")}
    rows = row_tables.sent_rows(post, PREFIX, ("id",))
    rows = row_tables.edited_rows(post, PREFIX, rows, blank)
    fields = [keys.number(row["id"]) for row in rows]
    return {
        "name": post.get("name", ""),
        "display_name": post.get("display_name", ""),
        **{name: post.get(name) == "true" for name in FLAGS},
        "restricted_brand_ids": keys.numbers(post, "restricted_brand_ids"),
        "ticket_field_ids": list(dict.fromkeys(key for key in fields if key is not None)),
    }


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: TicketForm | None,
    values: dict[str, Any],
    complaints: FormErrors | None = None,
) -> HttpResponse:
    place = [found.id] if found is not None else []
    links: tuple[Action, ...] = ()
    if found is not None:
        conditions = reverse("helpdesk:admin_form_conditions", args=[*place, "agents"])
        clone = reverse("helpdesk:admin_ticket_form_clone", args=place)
        links = (
            Action("Conditions", conditions, test_id="admin-form-conditions"),
            Action("Clone form", clone, test_id="admin-clone", post=True),
        )
    form = Form(
        ACTIVE,
        found.name if found is not None else "New form",
        reverse("helpdesk:admin_ticket_forms"),
        (_named_part(values, complaints), FormSection("Fields", table=_fields(values, complaints))),
        delete_url=reverse("helpdesk:admin_ticket_form_delete", args=place)
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Create form",
        links=links,
    )
    return pages.show_form(request, agent, form, complaints)


def _named_part(values: dict[str, Any], complaints: FormErrors | None) -> FormSection:
    brands = Brand.objects.order_by("name", "id").values_list("id", "name")
    chosen = keys.ids_as_text(values["restricted_brand_ids"])
    flags = [
        forms.field(name, label, values[name], kind="checkbox", complaints=complaints)
        for name, label in FLAGS.items()
    ]
    return FormSection(
        "",
        (
            forms.field("name", "Form name", values["name"], required=True, complaints=complaints),
            forms.field(
                "display_name",
                "Title shown to end users",
                values["display_name"],
                complaints=complaints,
            ),
            *flags,
            forms.select(
                "restricted_brand_ids", "Brands", chosen, brands, many=True, complaints=complaints
            ),
        ),
    )


def _fields(values: dict[str, Any], complaints: FormErrors | None) -> RowTable:
    on_form = values["ticket_field_ids"]
    known = TicketField.objects.in_bulk(on_form)
    rows = [
        RowView(
            known[key].title,
            row_tables.hidden(PREFIX, index, {"id": str(key)}),
            (),
            can_go=known[key].removable,
        )
        for index, key in enumerate(key for key in on_form if key in known)
    ]
    others = TicketField.objects.filter(active=True).exclude(id__in=on_form)
    options = list(others.order_by("title", "id").values_list("id", "title"))
    return RowTable(
        PREFIX,
        "Fields of the form",
        ("Field",),
        tuple(rows),
        "Add field",
        ordered=True,
        choice=forms.select("add_field", "Field to add", "", options) if options else None,
        can_add=bool(options),
        error=complaints.by_input.get("ticket_field_ids", "") if complaints else "",
    )
