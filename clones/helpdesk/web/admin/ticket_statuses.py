"""Admin Center's ticket statuses: several of a category, one of them its default."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpResponse

from clones.core.resources import ResourceField
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.resource_pages import AskedField
from clones.helpdesk.domain import custom_statuses as domain
from clones.helpdesk.models import CustomStatus
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Link
from clones.helpdesk.web.admin.resources import AdminPages
from clones.helpdesk.web.properties import FieldView

CATEGORIES = {
    "new": "New",
    "open": "Open",
    "pending": "Pending",
    "hold": "On-hold",
    "solved": "Solved",
}
STATES = (("", "Any status"), ("active", "Active"), ("inactive", "Inactive"))
TEXTS = ("agent_label", "description", "end_user_label", "end_user_description")


class TicketStatusPages(AdminPages[CustomStatus]):
    """The pages of ticket statuses; one that exists keeps its category."""

    resource = domain.CUSTOM_STATUS
    named_by = "agent_label"
    order = ("place", "-default", "id")
    entry = "admin_ticket_statuses"
    page_name = "admin_ticket_status"
    title = "Ticket statuses"
    noun = "status"
    columns = ("Agents see", "Category", "End users see", "Description for agents", "Status")
    empty = "No statuses."
    create_label = "Create status"
    asks = (
        AskedField("status_category", of="new"),
        AskedField("status_category", "static", of="old"),
        *(AskedField(name) for name in TEXTS),
        AskedField("active"),
    )

    def records(self) -> QuerySet[CustomStatus]:
        """Return the statuses with the place of their category."""
        places = [When(status_category=name, then=Value(at)) for at, name in enumerate(CATEGORIES)]
        place = Case(*places, default=Value(len(places)), output_field=IntegerField())
        return CustomStatus.objects.annotate(place=place)

    def new(self) -> CustomStatus:
        """Return an open status."""
        return CustomStatus(status_category="open")

    def cells(self, record: CustomStatus) -> tuple[object, ...]:
        """Return what the list shows of a status."""
        return (
            self.form_title(record),
            _category(record),
            record.end_user_label,
            record.description,
            "Active" if record.active else "Inactive",
        )

    def filters(self, request: SandboxRequest) -> tuple[FieldView, ...]:
        """Return what narrows the list down: a category, and whether a status is active."""
        kinds = [("", "Any category"), *CATEGORIES.items()]
        return (
            keys.filter_of(request, "category", "Category", kinds),
            keys.filter_of(request, "status", "Status", STATES),
        )

    def narrowed(
        self, rows: QuerySet[CustomStatus], name: str, value: str
    ) -> QuerySet[CustomStatus]:
        """Return the statuses of a category, or those that are active or not."""
        if name == "category":
            return rows.filter(status_category=value)
        return rows.filter(active=value == "active")

    def value(self, field: ResourceField, found: CustomStatus | None) -> Any:
        """Return what an input has; a category is said by what it is called."""
        if field.name == "status_category" and found is not None:
            return _category(found)
        return super().value(field, found)

    def choices(
        self, field: ResourceField, found: CustomStatus | None
    ) -> Iterable[tuple[object, str]]:
        """Return the categories: that of new tickets has one status only."""
        return [(name, label) for name, label in CATEGORIES.items() if name != "new"]

    def values(self, sent: PageForm, found: CustomStatus | None) -> dict[str, Any]:
        """Return what was sent, without blanks around it; a description may be missing."""
        values = super().values(sent, found)
        for name in TEXTS:
            values[name] = values[name].strip()
            if name.endswith("description"):
                values[name] = values[name] or None
        return values

    def form_title(self, found: CustomStatus | None) -> str:
        """Return the heading of a form: whether a status is its category's default, too."""
        name = super().form_title(found)
        return f"{name} (default)" if found is not None and found.default else name

    def form_links(self, found: CustomStatus | None) -> tuple[Link, ...]:
        """Return what makes a status its category's default."""
        if found is None or found.default:
            return ()
        return (Link("Make default", self.address(found, "_default"), "admin-status-default"),)


PAGES: Final = TicketStatusPages()


@admin_page
def make_default(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a status shall be its category's default, and make it that."""
    found = PAGES.find(key)
    back = PAGES.address(found)
    category = CATEGORIES[found.status_category]
    question = ConfirmPage(
        PAGES.entry,
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


def _category(status: CustomStatus) -> str:
    return CATEGORIES.get(status.status_category, status.status_category)
