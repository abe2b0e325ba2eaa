"""The pages of dashboards: the list, one with its gadgets, and forms to make and change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.db.models.functions import Lower
from django.http import HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text, was_sent
from clones.tracker.domain import dashboards
from clones.tracker.domain.dashboard_looks import set_layout, star_dashboard, unstar_dashboard
from clones.tracker.domain.errors import TrackerError
from clones.tracker.domain.gadgets import KIND as ITEM
from clones.tracker.domain.properties import values_of
from clones.tracker.models import Dashboard, Favourite, Gadget
from clones.tracker.queries.sharing import editable_dashboards, visible_dashboards
from clones.tracker.rules.gadgets import LAYOUTS
from clones.tracker.web.access import Visitor, form_of_staff, page_of_staff, safe_return
from clones.tracker.web.dashboards.contents import Content, content_of
from clones.tracker.web.dashboards.kinds import CONFIG, GadgetDisplay, shown_kind
from clones.tracker.web.filters.sharing import (
    WITH,
    read_sharing,
    seen_spaces,
    share_fields,
    share_text,
)
from clones.tracker.web.navigator.keeping import sentences
from clones.tracker.web.shell import go, page

ADDRESS: Final = "/jira/dashboards"
TABS: Final = {"all": "All dashboards", "mine": "My dashboards", "starred": "Starred"}
LAYOUT_NAMES: Final = {
    "A": "One column",
    "AA": "Two columns",
    "AB": "Two columns, the right one wide",
    "BA": "Two columns, the left one wide",
    "AAA": "Three columns",
    "AAB": "Three columns, the right one wide",
    "ABA": "Three columns, the middle one wide",
    "BAA": "Three columns, the left one wide",
}


@dataclass(frozen=True, slots=True)
class DashboardItem:
    """A dashboard in the list."""

    dashboard: Dashboard
    viewers: list[str]
    starred: bool
    editable: bool
    owned: bool


@dataclass(frozen=True, slots=True)
class PlacedGadget:
    """A gadget on its dashboard."""

    gadget: Gadget
    shown: GadgetDisplay | None
    content: Content
    last: bool
    template: str
    refreshes: bool = False


@page_of_staff
def dashboard_list(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show dashboards that the visitor sees."""
    tab = request.GET.get("tab", "all")
    tab = tab if tab in TABS else "all"
    text = request.GET.get("search", "").strip()
    rows = visible_dashboards(who.rights)
    if tab == "mine":
        rows = rows.filter(owner=who.user)
    elif tab == "starred":
        stars = Favourite.objects.filter(user=who.user, kind=dashboards.KIND)
        rows = rows.filter(id__in=stars.values("entity"))
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(owner__display_name__icontains=text))
    found = rows.select_related("owner").order_by(Lower("name"), "id")
    wanted = found.prefetch_related(*(f"shares__{name}" for name in WITH))
    listed = page_from(request, wanted, name="startIndex")
    context = {
        "tab": tab,
        "tabs": TABS,
        "search": text,
        "lines": _lines(listed.rows, who),
        "page": listed,
    }
    return page(
        request, who, "tracker/dashboards/list.html", context,
        title="Dashboards", active="dashboards",
    )  # fmt: skip


def _lines(found: Sequence[Dashboard], who: Visitor) -> list[DashboardItem]:
    ids = [row.id for row in found]
    stars = Favourite.objects.filter(user=who.user, kind=dashboards.KIND, entity__in=ids)
    starred = set(stars.values_list("entity", flat=True))
    mine = editable_dashboards(who.rights).filter(id__in=ids)
    editable = set(mine.values_list("id", flat=True))
    seen = seen_spaces([share for row in found for share in row.shares.all()], who.rights)
    lines = []
    for row in found:
        sightings.note(row, "list")
        shares = sorted(row.shares.all(), key=lambda share: share.id)
        viewers = [share_text(share, seen) for share in shares if not share.edit]
        owned = not row.is_system and (row.owner_id == who.user.id or who.rights.is_admin)
        if row.is_system:
            viewers = ["Everybody"]
        lines.append(DashboardItem(row, viewers, row.id in starred, row.id in editable, owned))
    return lines


@page_of_staff
def show(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show a dashboard with what is in its gadgets."""
    found = dashboards.find_dashboard(who.rights, key)
    return dashboard_page(request, who, found)


def dashboard_page(
    request: SandboxRequest,
    who: Visitor,
    found: Dashboard,
    problems: Sequence[str] = (),
) -> HttpResponse:
    """Return the page of a dashboard; `problems` are why what was asked for was not done."""
    sightings.note(found, "detail")
    only = request.GET.get("gadget", "")
    alone = int(only) if is_digits(only) else None
    editable = editable_dashboards(who.rights).filter(id=found.id).exists()
    stars = Favourite.objects.filter(user=who.user, kind=dashboards.KIND, entity=found.id)
    context = {
        "dashboard": found,
        "columns": columns_of(found, who, alone),
        "alone": alone is not None,
        "editable": editable,
        "edits": editable and "edit" in request.GET,
        "owned": not found.is_system and (found.owner_id == who.user.id or who.rights.is_admin),
        "starred": stars.exists(),
        "layouts": [(name, LAYOUT_NAMES[name], name == found.layout) for name in LAYOUTS],
        "problems": problems,
    }
    return page(
        request, who, "tracker/dashboards/dashboard.html", context,
        title=found.name, active="dashboards", status=400 if problems else 200,
    )  # fmt: skip


def columns_of(
    found: Dashboard, who: Visitor, alone: int | None = None
) -> list[tuple[str, int, list[PlacedGadget]]]:
    """Return the columns of a dashboard: narrow A or wide B, the place, the gadgets.

    `alone` is a gadget that is shown without the others, in one column.
    """
    rows = Gadget.objects.filter(dashboard=found)
    rows = rows if alone is None else rows.filter(id=alone)
    gadgets = list(rows.order_by("column", "row", "id"))
    kept = configs_of(gadgets)
    columns: list[tuple[str, int, list[PlacedGadget]]] = [
        (letter, at, []) for at, letter in enumerate(found.layout if alone is None else "A")
    ]
    last = len(columns) - 1
    by_column = [min(gadget.column, last) for gadget in gadgets]
    for gadget, column in zip(gadgets, by_column, strict=True):
        content = content_of(gadget, kept.get(gadget.id, {}), who.rights)
        items = columns[column][2]
        is_last = len(items) + 1 == by_column.count(column)
        template = f"tracker/dashboards/_{content.name}.html" if content.name else ""
        refreshes = kept.get(gadget.id, {}).get("refresh") == "true"
        items.append(
            PlacedGadget(gadget, shown_kind(gadget), content, is_last, template, refreshes)
        )
    return columns


def configs_of(gadgets: Sequence[Gadget]) -> dict[int, Mapping[str, str]]:
    """Return the settings of gadgets by id."""
    kept = values_of(ITEM, [str(gadget.id) for gadget in gadgets], [CONFIG])
    return {
        int(id): value
        for id, values in kept.items()
        if isinstance(value := values.get(CONFIG), dict)
    }


@page_of_staff
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the form of a new dashboard, or make one; `copy` names what it is a copy of."""
    source = None
    if key := (posted_text(request, "copy") or request.GET.get("copy")):
        source = dashboards.find_dashboard(who.rights, key)
    if request.method != "POST":
        return _form(request, who, None, source)
    data = request.POST
    name, description = data.get("name", ""), data.get("description", "")
    try:
        shares, editors = read_sharing(None, data, actor=who.rights)
        if source is None:
            made = dashboards.create_dashboard(
                name=name,
                description=description,
                shares=shares,
                editors=editors,
                actor=who.rights,
            )
        else:
            made = dashboards.copy_dashboard(
                source,
                name=name,
                description=description,
                shares=shares,
                editors=editors,
                actor=who.rights,
            )
    except TrackerError as error:
        return _form(request, who, None, source, sentences(error))
    return go(f"{ADDRESS}/{made.id}?edit", f"Dashboard “{made.name}” created")


@page_of_staff
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the form of a dashboard's details, or change them."""
    found = dashboards.find_dashboard(who.rights, key, to_edit=True)
    if request.method != "POST":
        return _form(request, who, found, None)
    try:
        if was_sent(request, "shares"):
            shares, editors = read_sharing(found, request.POST, actor=who.rights)
            dashboards.update_dashboard(
                found,
                name=request.POST.get("name"),
                description=request.POST.get("description"),
                shares=shares,
                editors=editors,
            )
    except TrackerError as error:
        fresh = dashboards.find_dashboard(who.rights, key, to_edit=True)
        return _form(request, who, fresh, None, sentences(error))
    return go(f"{ADDRESS}/{key}", f"Dashboard “{found.name}” updated")


def _form(
    request: SandboxRequest,
    who: Visitor,
    found: Dashboard | None,
    source: Dashboard | None,
    problems: Sequence[str] = (),
) -> HttpResponse:
    sent = request.POST if problems else None
    name = found.name if found else f"Copy of {source.name}" if source else ""
    about = found or source
    context: dict[str, Any] = {
        "dashboard": found,
        "source": source,
        "name": name if sent is None else sent.get("name", ""),
        "description": (about.description if about else "")
        if sent is None
        else sent.get("description", ""),
        "shares": share_fields(found, sent, who.rights),
        "problems": problems,
        "action": f"{ADDRESS}/{found.id}/edit" if found else f"{ADDRESS}/new",
    }
    title = "Edit dashboard" if found else "Copy dashboard" if source else "Create dashboard"
    return page(
        request, who, "tracker/dashboards/form.html", {**context, "heading": title},
        title=title, active="dashboards", status=400 if problems else 200,
    )  # fmt: skip


@page_of_staff
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Ask whether to delete a dashboard, or delete it."""
    found = dashboards.find_dashboard(who.rights, key)
    problems: Sequence[str] = ()
    if request.method == "POST":
        name = found.name
        try:
            dashboards.delete_dashboard(found, actor=who.rights)
        except TrackerError as error:
            problems = sentences(error)
        else:
            return go(ADDRESS, f"Dashboard “{name}” deleted")
    context = {"dashboard": found, "problems": problems}
    return page(
        request, who, "tracker/dashboards/delete.html", context,
        title="Delete dashboard", active="dashboards", status=400 if problems else 200,
    )  # fmt: skip


@form_of_staff
def star(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Star a dashboard, or take the star away, and go back."""
    found = dashboards.find_dashboard(who.rights, key)
    if posted_text(request, "starred") == "1":
        star_dashboard(found, actor=who.rights)
    else:
        unstar_dashboard(found, actor=who.rights)
    return go(safe_return(posted_text(request, "back", ADDRESS)))


@form_of_staff
def layout(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Lay a dashboard out otherwise."""
    found = dashboards.find_dashboard(who.rights, key, to_edit=True)
    try:
        set_layout(found, posted_text(request, "layout"))
    except TrackerError as error:
        return dashboard_page(request, who, found, sentences(error))
    return go(f"{ADDRESS}/{key}?edit")
