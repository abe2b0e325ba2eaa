"""Admin Center's ticket statuses: several of a category, one of them its default."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import custom_statuses as domain
from clones.helpdesk.models import CustomStatus
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import area, check, line, select, static
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

ACTIVE = "admin_ticket_statuses"
CATEGORIES = {
    "new": "New",
    "open": "Open",
    "pending": "Pending",
    "hold": "On-hold",
    "solved": "Solved",
}
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
TEXTS = ("agent_label", "end_user_label", "description", "end_user_description")


@admin_page
def statuses(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the statuses by their category, the default one of each first."""
    state = keys.filter_of(request, "status", "Status", STATES)
    kind = keys.filter_of(
        request, "category", "Category", [("", "Any category"), *CATEGORIES.items()]
    )
    rows = CustomStatus.objects.all()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(agent_label__icontains=text)
    if state.value:
        rows = rows.filter(active=state.value == "active")
    if kind.value:
        rows = rows.filter(status_category=kind.value)
    places = [
        When(status_category=name, then=Value(place)) for place, name in enumerate(CATEGORIES)
    ]
    placed = rows.annotate(
        place=Case(*places, default=Value(len(places)), output_field=IntegerField())
    )
    columns = ("Agents see", "Category", "End users see", "Description for agents", "Status")
    listing = ListPage(
        "Ticket statuses",
        ACTIVE,
        [Panel(columns, empty="No statuses.")],
        acts=[pages.creating("Create status", reverse("helpdesk:admin_ticket_status_new"))],
        search=pages.search(request, kind, state),
    )
    return pages.show_list(
        request, agent, listing, placed.order_by("place", "-default", "id"), _line
    )


@admin_page
def status(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a status, or of a new one, or take it."""
    found = _status(key) if key is not None else None

    def write(sent: PageForm) -> WriteResult:
        changes: dict[str, Any] = {name: sent.text(name).strip() for name in TEXTS}
        for name in ("description", "end_user_description"):
            changes[name] = changes[name] or None
        changes["active"] = sent.ticked("active")
        if found is None:
            changes["status_category"] = sent.text("status_category")
            saved = domain.create_status(actor=agent.user, changes=changes)
        else:
            saved = domain.update_status(found, actor=agent.user, changes=changes)
        return saved.agent_label, reverse("helpdesk:admin_ticket_status", args=[saved.id])

    return pages.ask(request, agent, _form(found), write, record=found)


@admin_page
def make_default(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a status shall be its category's default, and make it that."""
    found = _status(key)
    back = reverse("helpdesk:admin_ticket_status", args=[key])
    category = CATEGORIES[found.status_category]
    question = ConfirmPage(
        ACTIVE,
        f"Make {found.agent_label} the default of {category}",
        f"Tickets that become {category} get it, unless another status is chosen.",
        back,
        back,
        found.agent_label,
        "Make default",
        "saved",
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.set_default_statuses([key], actor=agent.user)
    )


def _status(key: int) -> CustomStatus:
    return queries.one(CustomStatus.objects.all(), "custom status", key)


def _line(found: CustomStatus) -> ListRow:
    name = found.agent_label
    return linked_row(
        reverse("helpdesk:admin_ticket_status", args=[found.id]),
        f"{name} (default)" if found.default else name,
        CATEGORIES.get(found.status_category, found.status_category),
        found.end_user_label,
        found.description,
        "Active" if found.active else "Inactive",
    )


def _form(found: CustomStatus | None) -> Form:
    shown = found or CustomStatus(status_category="open")
    named = CATEGORIES.get(shown.status_category, shown.status_category)
    offered = [(name, label) for name, label in CATEGORIES.items() if name != "new"]
    fields = (
        select("status_category", "Status category", "open", offered)
        if found is None
        else static("status_category", "Status category", named),
        line("agent_label", "Name for agents", shown.agent_label, required=True),
        area("description", "Description for agents", shown.description),
        line("end_user_label", "Name for end users", shown.end_user_label),
        area("end_user_description", "Description for end users", shown.end_user_description),
        check("active", "Active", on=shown.active),
    )
    links: tuple[Action, ...] = ()
    if found is not None and not found.default:
        address = reverse("helpdesk:admin_ticket_status_default", args=[found.id])
        links = (Action("Make default", address, test_id="admin-status-default"),)
    name = found.agent_label if found is not None else "New status"
    return Form(
        ACTIVE,
        f"{name} (default)" if found is not None and found.default else name,
        reverse(f"helpdesk:{ACTIVE}"),
        (FormSection("", fields),),
        submit_label="Save" if found is not None else "Create status",
        links=links,
    )
