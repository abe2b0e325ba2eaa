"""The pages of saved filters: the list, and each one's details, sharing, owner and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text, was_sent
from clones.tracker.domain import filters
from clones.tracker.domain.errors import TrackerError
from clones.tracker.models import Favourite, Filter, User
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor, form_of_staff, page_of_staff, safe_return
from clones.tracker.web.filters.sharing import (
    WITH,
    read_sharing,
    seen_spaces,
    share_fields,
    share_text,
    shares_of,
)
from clones.tracker.web.navigator.keeping import sentences
from clones.tracker.web.shell import go, page

TABS: Final = {"starred": "Starred", "mine": "My filters", "all": "All filters"}
ADDRESS: Final = "/jira/filters"
OWNERS: Final = 500


@dataclass(frozen=True, slots=True)
class FilterItem:
    """A filter in the list: with whom it is shared, how many starred it."""

    filter: Filter
    viewers: list[str]
    editors: list[str]
    stars: int
    starred: bool
    changes: bool


@page_of_staff
def filter_list(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show filters: starred ones, own ones, or all that the visitor sees."""
    tab = request.GET.get("tab", "all")
    tab = tab if tab in TABS else "all"
    text = request.GET.get("search", "").strip()
    rows = _narrowed(visible_filters(who.rights), tab, text, who)
    ordered = rows.select_related("owner").order_by(Lower("name"), "id")
    wanted = ordered.prefetch_related(*(f"shares__{name}" for name in WITH))
    found = page_from(request, wanted, name="startIndex")
    context = {
        "tab": tab,
        "tabs": TABS,
        "search": text,
        "lines": _lines(found.rows, who),
        "page": found,
    }
    return page(
        request, who, "tracker/filters/list.html", context, title="Filters", active="filters"
    )


def _narrowed(rows: QuerySet[Filter], tab: str, text: str, who: Visitor) -> QuerySet[Filter]:
    if tab == "mine":
        rows = rows.filter(owner=who.user)
    elif tab == "starred":
        stars = Favourite.objects.filter(user=who.user, kind=filters.KIND)
        rows = rows.filter(id__in=stars.values("entity"))
    if text:
        rows = rows.filter(
            Q(name__icontains=text)
            | Q(description__icontains=text)
            | Q(owner__display_name__icontains=text)
        )
    return rows


def _lines(found: Sequence[Filter], who: Visitor) -> list[FilterItem]:
    ids = [row.id for row in found]
    stars = Favourite.objects.filter(kind=filters.KIND, entity__in=ids)
    pairs = list(stars.values_list("entity", "user_id"))
    seen = seen_spaces([share for row in found for share in row.shares.all()], who.rights)
    lines = []
    for row in found:
        sightings.note(row, "list")
        shares = sorted(row.shares.all(), key=lambda share: share.id)
        own = row.owner_id == who.user.id
        lines.append(
            FilterItem(
                row,
                [share_text(share, seen) for share in shares if not share.edit],
                [share_text(share, seen) for share in shares if share.edit],
                sum(entity == row.id for entity, _ in pairs),
                (row.id, who.user.id) in pairs,
                own or who.rights.is_admin,
            )
        )
    return lines


@page_of_staff
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show a filter's details, or take a form with others."""
    saved = filters.find_filter(who.rights, key)
    if request.method != "POST":
        return _details(request, who, saved)
    try:
        shares: Any = None
        editors: Any = None
        if was_sent(request, "shares"):
            shares, editors = read_sharing(saved, request.POST, actor=who.rights)
        filters.update_filter(
            saved,
            name=posted_text(request, "name", strip=False),
            description=posted_text(request, "description", strip=False),
            jql=request.POST.get("jql"),
            shares=shares,
            editors=editors,
            actor=who.rights,
        )
    except (TrackerError, JqlError) as error:
        fresh = filters.find_filter(who.rights, key)
        return _details(request, who, fresh, sentences(error), typed=True)
    return go(f"{ADDRESS}/{saved.id}", f"Filter “{saved.name}” updated")


def _details(
    request: SandboxRequest,
    who: Visitor,
    saved: Filter,
    problems: Sequence[str] = (),
    *,
    typed: bool = False,
) -> HttpResponse:
    sightings.note(saved, "detail")
    stars = Favourite.objects.filter(user=who.user, kind=filters.KIND, entity=saved.id)
    sent = request.POST if typed else None
    owns = who.rights.is_admin or saved.owner_id == who.user.id
    editable = filters.may_edit(saved, who.rights)
    viewers, editors = shares_of(saved, edit=False), shares_of(saved, edit=True)
    seen = seen_spaces([*viewers, *editors], who.rights)
    context = {
        "saved": saved,
        "name": saved.name if sent is None else sent.get("name", ""),
        "description": saved.description if sent is None else sent.get("description", ""),
        "jql": saved.jql if sent is None else sent.get("jql", ""),
        "editable": editable,
        "owns": owns,
        "starred": stars.exists(),
        "shares": share_fields(saved, sent, who.rights) if editable else (),
        "viewers": [share_text(one, seen) for one in viewers],
        "editors": [share_text(one, seen) for one in editors],
        "owners": _owners() if owns else (),
        "problems": problems,
    }
    return page(
        request, who, "tracker/filters/details.html", context,
        title=saved.name, active="filters", status=400 if problems else 200,
    )  # fmt: skip


def _owners() -> list[tuple[str, str]]:
    rows = User.objects.filter(active=True, account_type="atlassian")
    found = rows.order_by("display_name", "id").values_list("account_id", "display_name")
    return list(found[:OWNERS])


@form_of_staff
def change_owner(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Hand a filter on."""
    saved = filters.find_filter(who.rights, key)
    try:
        filters.change_owner(saved, posted_text(request, "owner"), actor=who.rights)
    except TrackerError as error:
        fresh = filters.find_filter(who.rights, key)
        return _details(request, who, fresh, sentences(error))
    return go(ADDRESS, f"The owner of “{saved.name}” is now {saved.owner.display_name}")


@page_of_staff
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Ask whether to delete a filter, or delete it."""
    saved = filters.find_filter(who.rights, key)
    problems: Sequence[str] = ()
    if request.method == "POST":
        name = saved.name
        try:
            filters.delete_filter(saved, actor=who.rights)
        except TrackerError as error:
            problems = sentences(error)
        else:
            return go(ADDRESS, f"Filter “{name}” deleted")
    context = {"saved": saved, "problems": problems}
    return page(
        request, who, "tracker/filters/delete.html", context,
        title="Delete filter", active="filters", status=400 if problems else 200,
    )  # fmt: skip


@form_of_staff
def star(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Star a filter, or take the star away, and go back."""
    saved = filters.find_filter(who.rights, key)
    if posted_text(request, "starred") == "1":
        filters.star(saved, actor=who.rights)
    else:
        filters.unstar(saved, actor=who.rights)
    return go(safe_return(posted_text(request, "back", ADDRESS)))
