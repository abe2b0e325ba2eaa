"""The navigator: what a query finds, as a list or one by one, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import Page
from clones.tracker.models import Favourite, Issue
from clones.tracker.queries.jql_suggestions import offered
from clones.tracker.queries.rights import Rights, find_issue
from clones.tracker.queries.searching import RunnableQuery, planned_search, site_of
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.jql.fields import resolve_field
from clones.tracker.rules.jql.nodes import Field
from clones.tracker.web.access import Visitor, page_of_staff
from clones.tracker.web.issue.issue_page import embedded
from clones.tracker.web.navigator.basic import (
    CRITERIA,
    Basic,
    Criterion,
    basic_of,
    jql_of,
    sorted_by,
)
from clones.tracker.web.navigator.cells import Cells, IssueCell
from clones.tracker.web.navigator.columns import (
    IssueColumn,
    Owner,
    all_columns,
    column_heads,
    shown_columns,
)
from clones.tracker.web.navigator.query_params import (
    DEFAULT_JQL,
    PAGE,
    VIEWS,
    NavigatorQuery,
    read_navigator_query,
)
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import page, words


@dataclass(frozen=True, slots=True)
class IssueRow:
    """An issue in the list."""

    issue: Issue
    cells: list[IssueCell]
    href: str
    selected: bool = False


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """A value of a menu: as queries write it, as people read it."""

    value: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the basic search."""

    criterion: Criterion
    label: str
    choices: list[MenuChoice]
    said: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a query found: one page of it, or why it could not be run."""

    issues: Sequence[Issue]
    total: int
    errors: Sequence[str] = ()


@page_of_staff
def navigator(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show what a query finds; a form of menus leads on to the query that it makes."""
    if "basic" in request.GET:
        return _from_menus(request)
    asked = read_navigator_query(request, who.rights)
    return list_page(request, who, asked)


def list_page(
    request: SandboxRequest,
    who: Visitor,
    asked: NavigatorQuery,
    *,
    problems: Sequence[str] = (),
    name: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the navigator; `problems` are why a filter of that `name` was not saved."""
    found = run(asked, who.rights)
    known = all_columns(who.rights)
    columns, owner = shown_columns(known, asked.saved, who.rights, mine=asked.mine)
    basic = basic_of(asked.jql)
    mode = asked.mode if asked.mode and basic is not None else "jql"
    if not asked.mode and basic is not None and not found.errors:
        mode = "basic"
    context = {
        "asked": asked,
        "found": found,
        "jql": "" if asked.typed is None and asked.saved is None else asked.jql,
        "mode": mode,
        "basic": basic,
        "basic_address": asked.address(mode="basic"),
        "jql_address": asked.address(mode="jql"),
        "menus": _menus(basic, who.rights) if mode == "basic" and basic else (),
        "views": [(key, label, asked.address(view=key)) for key, label in VIEWS.items()],
        "problems": problems,
        "typed_name": name,
        **_list(asked, found, columns, who),
        **_picker(known, columns, owner, asked, who),
        **_filter(asked, who),
        **_ways(asked, found),
    }
    if asked.view == "detail":
        context["detail"] = _detail(asked, found, who)
    title = asked.saved.name if asked.saved is not None else "All work"
    if request.headers.get("HX-Target") == "results":
        html = render_to_string("tracker/navigator/_results.html", context)
        return secured(HttpResponse(html))
    return page(
        request, who, "tracker/navigator/navigator.html", context,
        title=title, active="issues", status=status,
    )  # fmt: skip


def run(asked: NavigatorQuery, rights: Rights, *, most: int = PAGE) -> SearchResult:
    """Run what is asked for, one page of it."""
    try:
        search = search_of(asked, rights)
    except JqlError as error:
        return SearchResult((), 0, error.texts)
    total = search.found.count()
    start = asked.start if asked.start < total else 0
    return SearchResult(search.some(most, start), total)


def search_of(asked: NavigatorQuery, rights: Rights) -> RunnableQuery:
    """Return the search that is asked for.

    Raises:
        JqlError: it cannot be run.
    """
    return planned_search(asked.jql, site_of(rights))


def _from_menus(request: SandboxRequest) -> HttpResponse:
    """Lead on to the query that the menus make."""
    given = request.GET
    chosen = {one.name: given.getlist(one.name) for one in CRITERIA}
    before = basic_of(given.get("before", ""))
    order = before.order if before is not None else ()
    asked = {"jql": jql_of(chosen, given.get("text", ""), order) or DEFAULT_JQL, "mode": "basic"}
    for name in ("view", "filter"):
        if value := given.get(name):
            asked[name] = value
    return secured(HttpResponseRedirect(f"{request.path}?{urlencode(asked)}"))


def _menus(basic: Basic, rights: Rights) -> list[Menu]:
    site = site_of(rights)
    found = []
    for one in CRITERIA:
        chosen = basic.chosen.get(one.name, [])
        low = {value.lower() for value in chosen}
        field = resolve_field(Field(one.name), site)
        if field is None:
            continue
        offers = [*one.extra, *offered(field, "", site)]
        choices = [MenuChoice(value, name, value.lower() in low) for value, name in offers]
        known = {choice.value.lower() for choice in choices}
        choices += [
            MenuChoice(value, value, True) for value in chosen if value.lower() not in known
        ]
        said = ", ".join(choice.name for choice in choices if choice.chosen)
        found.append(Menu(one, _menu_label(one), choices, said))
    return found


def _menu_label(one: Criterion) -> str:
    said = words()
    return {"project": said.space.capitalize(), "issuetype": "Type"}.get(one.name, one.label)


def _list(
    asked: NavigatorQuery, found: SearchResult, columns: list[IssueColumn], who: Visitor
) -> dict[str, Any]:
    cells = Cells(found.issues, who.rights)

    def link(field: str, way: str) -> str:
        return asked.address(jql=sorted_by(asked.jql, field, descending=way == "desc"))

    heads = column_heads(columns, asked.jql, None if found.errors else link)
    rows = []
    for issue in found.issues:
        sightings.note(issue, "list")
        at = asked.address(selectedIssue=issue.key, startIndex=asked.start or None)
        rows.append(IssueRow(issue, cells.row(issue, columns), at, issue.key == asked.selected))
    return {
        "heads": heads,
        "rows": rows,
        **_paging(asked, found),
    }


def _paging(asked: NavigatorQuery, found: SearchResult) -> dict[str, Any]:
    start = asked.start if asked.start < found.total else 0
    listed = Page(found.issues, start, found.total, PAGE)
    return {
        "page": listed,
        "before": "" if listed.before is None else asked.address(startIndex=listed.before),
        "after": "" if listed.after is None else asked.address(startIndex=listed.after),
    }


def _picker(
    known: dict[str, IssueColumn],
    columns: list[IssueColumn],
    owner: Owner,
    asked: NavigatorQuery,
    who: Visitor,
) -> dict[str, Any]:
    """Return what the menu of columns needs."""
    shown = {column.id for column in columns}
    others = sorted(
        (column for column in known.values() if column.id not in shown),
        key=lambda column: column.label.lower(),
    )
    saved = asked.saved
    return {
        "columns": columns,
        "other_columns": others,
        "columns_of": owner,
        "may_set_filter_columns": saved is not None and saved.owner_id == who.user.id,
    }


def _filter(asked: NavigatorQuery, who: Visitor) -> dict[str, Any]:
    saved = asked.saved
    if saved is None:
        return {"saved": None}
    sightings.note(saved, "detail")
    stars = Favourite.objects.filter(user=who.user, kind="filter", entity=saved.id)
    return {"saved": saved, "starred": stars.exists(), "own": saved.owner_id == who.user.id}


def _ways(asked: NavigatorQuery, found: SearchResult) -> dict[str, Any]:
    """Return the addresses of exports and of bulk changes."""
    key = "temp" if asked.saved is None else str(asked.saved.id)
    query = urlencode({"jqlQuery": asked.jql})
    return {
        "exports": [
            (label, f"/sr/jira.issueviews:searchrequest-csv-{kind}-fields/{key}/Search.csv?{query}")
            for kind, label in (("all", "CSV (all fields)"), ("current", "CSV (my fields)"))
        ]
        if not found.errors
        else [],
        "bulk_address": f"/issues/bulk?{urlencode({'jql': asked.jql})}" if found.total else "",
    }


@dataclass(frozen=True, slots=True)
class IssuePreview:
    """One issue beside the list, as its own page shows it."""

    issue: Issue
    html: SafeString


def _detail(asked: NavigatorQuery, found: SearchResult, who: Visitor) -> IssuePreview | None:
    chosen = [issue for issue in found.issues if issue.key == asked.selected] or found.issues[:1]
    if not chosen:
        return None
    issue = find_issue(who.rights, chosen[0].id)
    return IssuePreview(issue, embedded(issue, who))
