"""Admin Center's ticket forms: the list in its order, and which fields a form has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.core.web.row_tables import Row, RowTable, TableRow
from clones.helpdesk import queries
from clones.helpdesk.domain import ticket_forms as domain
from clones.helpdesk.models import Brand, TicketField, TicketForm
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import AdminInput, check, checks, line, select
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.plain_pages import secured

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
    rows = pages.searched(request, rows, "name")
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
    rows = TicketForm.objects.order_by("position", "id")
    write = partial(domain.reorder_forms, actor=agent.user)
    return pages.move(request, rows, write, reverse(f"helpdesk:{ACTIVE}"))


@admin_page
def ticket_form(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a ticket form, or of a new one, or take it."""
    found = form_of(key) if key is not None else None

    def write(sent: PageForm) -> WriteResult:
        fields = keys.numbers_in(row["id"] for row in sent.rows(PREFIX))
        changes = {
            **{name: sent.text(name) for name in ("name", "display_name")},
            **{name: sent.ticked(name) for name in FLAGS},
            "restricted_brand_ids": keys.numbers_in(sent.several("restricted_brand_ids")),
            "ticket_field_ids": fields,
        }
        saved = (
            domain.create_form(actor=agent.user, changes=changes)
            if found is None
            else domain.update_form(found, actor=agent.user, changes=changes)
        )
        return saved.name, reverse("helpdesk:admin_ticket_form", args=[saved.id])

    names = {"ticket_field_ids": PREFIX}
    return pages.ask(request, agent, _form(found), write, record=found, names=names)


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


def _standing_fields() -> list[int]:
    """Return the fields that every form has."""
    rows = TicketField.objects.filter(removable=False, active=True).order_by("position", "id")
    return list(rows.values_list("id", flat=True))


def _form(found: TicketForm | None) -> Form:
    place = [found.id] if found is not None else []
    links: tuple[Action, ...] = ()
    if found is not None:
        conditions = reverse("helpdesk:admin_form_conditions", args=[*place, "agents"])
        clone = reverse("helpdesk:admin_ticket_form_clone", args=place)
        links = (
            Action("Conditions", conditions, test_id="admin-form-conditions"),
            Action("Clone form", clone, test_id="admin-clone", post=True),
        )
    shown = found or TicketForm(ticket_field_ids=_standing_fields())
    return Form(
        ACTIVE,
        found.name if found is not None else "New form",
        reverse("helpdesk:admin_ticket_forms"),
        (_named_part(shown), FormSection("Fields", table=_fields(shown.ticket_field_ids))),
        delete_url=reverse("helpdesk:admin_ticket_form_delete", args=place)
        if found is not None and not found.default
        else None,
        submit_label="Save" if found is not None else "Create form",
        links=links,
    )


def _named_part(shown: TicketForm) -> FormSection:
    brands = Brand.objects.order_by("name", "id").values_list("id", "name")
    return FormSection(
        "",
        (
            line("name", "Form name", shown.name, required=True),
            line("display_name", "Title shown to end users", shown.display_name),
            *(check(name, label, on=getattr(shown, name)) for name, label in FLAGS.items()),
            checks("restricted_brand_ids", "Brands", shown.restricted_brand_ids, brands),
        ),
    )


def _fields(standing: Sequence[int]) -> RowTable:
    rows = TicketField.objects.order_by("title", "id")
    known = {str(field.id): field for field in rows}

    def line_of(_place: int, row: Row) -> TableRow:
        found = known.get(row["id"])
        can_go = found is None or found.removable
        return TableRow(
            head=found.title if found is not None else row["id"], hidden=row, can_go=can_go
        )

    def others(on_form: Sequence[Row]) -> AdminInput | None:
        there = {row["id"] for row in on_form}
        options = [
            (key, field.title) for key, field in known.items() if field.active and key not in there
        ]
        return select("add_field", "Field to add", "", options) if options else None

    return RowTable(
        PREFIX,
        "Fields of the form",
        ("Field",),
        ("id",),
        line_of,
        [{"id": str(key)} for key in standing if str(key) in known],
        "Add field",
        ordered=True,
        choice=others,
    )
