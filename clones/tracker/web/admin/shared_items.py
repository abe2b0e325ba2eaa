"""Filters and dashboards of everybody: handed on to somebody else, or deleted."""

from __future__ import annotations

from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.tracker.domain import dashboards, filters
from clones.tracker.domain.dashboards import DashboardsChange
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Dashboard, Filter
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import check, people, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.filters.sharing import Seen, seen_spaces, share_text
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.settings.forms import FormPage, Input

FILTERS: Final = "shared-filters"
DASHBOARDS: Final = "shared-dashboards"
FILTERS_AT: Final = address_of(FILTERS)
DASHBOARDS_AT: Final = address_of(DASHBOARDS)
WITH: Final = tuple(f"shares__{name}" for name in ("project", "role", "group", "user"))


def _row(one: Filter | Dashboard, address: str, at: str, seen: Seen) -> ListRow:
    viewers = [share_text(share, seen) for share in one.shares.all() if not share.edit]
    owner = one.owner
    return ListRow(
        [
            Cell(one.name, address, one.description),
            Cell("System") if owner is None else Cell(owner.display_name, picture=face(owner)),
            Cell("; ".join(viewers) or "Private"),
        ],
        []
        if owner is None
        else [
            Action("Change owner", f"{at}/{one.id}/owner", one.name),
            Action("Delete", f"{at}/{one.id}/delete", one.name),
        ],
        one,
    )


@admin_page
def list_filters(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the filters that are shared (the vendor's ViewSharedFilters page)."""
    text = request.GET.get("query", "").strip()
    rows = Filter.objects.filter(shares__isnull=False).distinct()
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(owner__display_name__icontains=text))
    rows = rows.select_related("owner").prefetch_related(*WITH)
    pages = page_from(request, rows.order_by("name", "id"))
    seen = seen_spaces([share for row in pages.rows for share in row.shares.all()], who.rights)
    panel = Panel(
        ["Name", "Owner", "Shared with"],
        [_row(one, f"/jira/filters/{one.id}", FILTERS_AT, seen) for one in pages.rows],
        empty="No shared filters were found.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Filters", FILTERS, [panel], search=SearchForm("Search filters", text), pages=pages
        ),
    )


@admin_page
def list_dashboards(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the dashboards that are shared (the vendor's ViewSharedDashboards page)."""
    text = request.GET.get("query", "").strip()
    rows = Dashboard.objects.filter(shares__isnull=False).distinct()
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(owner__display_name__icontains=text))
    rows = rows.select_related("owner").prefetch_related(*WITH)
    pages = page_from(request, rows.order_by("name", "id"))
    seen = seen_spaces([share for row in pages.rows for share in row.shares.all()], who.rights)
    panel = Panel(
        ["Name", "Owner", "Shared with"],
        [_row(one, f"/jira/dashboards/{one.id}", DASHBOARDS_AT, seen) for one in pages.rows],
        empty="No shared dashboards were found.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Dashboards", DASHBOARDS, [panel], search=SearchForm("Search dashboards", text),
            pages=pages,
        ),
    )  # fmt: skip


def _owner(now: object) -> Input:
    return select("owner", "New owner", people(), now, required=True)


@admin_page
def own_filter(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Hand a filter on."""
    found = one_of(Filter.objects.select_related("owner"), key, "The filter was not found.")

    def write(sent: PageForm) -> str:
        filters.change_owner(found, sent.text("owner"), actor=who.rights)
        return f"Owner of “{found.name}” changed"

    inputs = [_owner(found.owner.account_id)]
    sheet = FormPage(f"Change owner of {found.name}", request.path, FILTERS_AT, inputs)
    return ask(request, who, sheet, write, here=FILTERS)


@admin_page
def delete_filter(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a filter of anybody."""
    found = one_of(Filter.objects.select_related("owner"), key, "The filter was not found.")

    def write(sent: PageForm) -> str:
        name = found.name
        filters.delete_filter(found, actor=who.rights)
        return f"Filter “{name}” deleted"

    sheet = FormPage(
        f"Delete filter: {found.name}", request.path, FILTERS_AT, button="Delete", danger=True,
        said="It will be gone for everybody with whom it is shared.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=FILTERS)


@admin_page
def own_dashboard(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Hand a dashboard on, as the bulk edit of dashboards by an admin does."""
    found = one_of(Dashboard.objects.select_related("owner"), key, dashboards.GONE)

    def write(sent: PageForm) -> str:
        change = DashboardsChange(
            "changeOwner",
            new_owner=sent.text("owner"),
            fixes_name=sent.ticked("fixes_name"),
        )
        errors = dashboards.change_dashboards([found.id], change, actor=who.rights, as_admin=True)
        for error in errors.values():
            raise error
        return f"Owner of “{found.name}” changed"

    inputs = [
        _owner(None if found.owner is None else found.owner.account_id),
        check("fixes_name", "Rename it where the new owner has one of this name"),
    ]
    sheet = FormPage(f"Change owner of {found.name}", request.path, DASHBOARDS_AT, inputs)
    return ask(request, who, sheet, write, here=DASHBOARDS)


@admin_page
def delete_dashboard(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a dashboard of anybody."""
    found = one_of(Dashboard.objects.select_related("owner"), key, dashboards.GONE)

    def write(sent: PageForm) -> str:
        name = found.name
        dashboards.delete_dashboard(found, actor=who.rights)
        return f"Dashboard “{name}” deleted"

    sheet = FormPage(
        f"Delete dashboard: {found.name}", request.path, DASHBOARDS_AT, button="Delete",
        danger=True, said="It will be gone with its gadgets, for everybody.",
    )  # fmt: skip
    return ask(request, who, sheet, write, here=DASHBOARDS)
