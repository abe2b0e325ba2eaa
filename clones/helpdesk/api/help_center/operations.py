"""What the help center's operations share: addresses with a language and without, and pages.

Its lists differ from the desk's: 30 in a page, and a page by offset tells where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.registry import View
from clones.helpdesk.api.operations import OPERATIONS, PagedQuery, SideloadQuery, list_request, show
from clones.helpdesk.api.paging import PAGE_LIMIT, ListRequest, Order, Page, last_page, paginate
from clones.helpdesk.api.presenters.help_center import present_author
from clones.helpdesk.api.sideloads import users_by_id
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.help_center import LOCALE
from clones.helpdesk.models import User

# What a column of keys has room for.
Key = Annotated[int, Field(ge=0, lt=2**63)]

ROOT: Final = "/help_center"
USUAL: Final = 30
NO_LOCALE: Final = "NoLocale"
# The cursor of the last page, as the service has it.
LAST: Final = "bGFzdF9wYWdl"
SORTED: Final = {
    name: (name, "id") for name in ("position", "title", "created_at", "updated_at", "edited_at")
}
OF_PLACES: Final = ("position", "created_at", "updated_at")


class HelpCenterQuery(PagedQuery, SideloadQuery):
    """The parameters of a list of the help center."""

    sort_by: str | None = None
    sort_order: str | None = None


def at_both(id: str, method: str, path: str, **offered: Any) -> Callable[[View], View]:
    """Register a view at its address with a language and at the one without: two operations.

    Strangers and end users may leave the language out, too.
    """

    def register(view: View) -> View:
        @wraps(view)
        def in_language(call: Call) -> Any:
            if call.path["locale"].lower() != LOCALE:
                raise RecordNotFound("locale", call.path["locale"])
            return view(call)

        OPERATIONS.operation(id, method, f"{ROOT}/{{locale}}{path}", **offered)(in_language)
        OPERATIONS.operation(id + NO_LOCALE, method, f"{ROOT}{path}", **offered)(view)
        return view

    return register


def page_asked(call: Call, usual: int = USUAL) -> ListRequest:
    """Return what a call asks for: so many in a page by offset unless it says how many."""
    found = list_request(call)
    if found.by_cursor or found.params.get("per_page"):
        return found
    params = found.params.copy()
    params["per_page"] = str(usual)
    return replace(found, params=params)


def page_envelope(page: Page, request: ListRequest) -> dict[str, Any]:
    """Return what goes around the rows of a page; one by offset says which of how many it is.

    One by cursor has links to the first and the last, and to those before and after if they exist.
    """
    around = page.around
    if "count" not in around:
        return {**around, "links": _cursor_links(around, request)}
    size = min(PAGE_LIMIT, max(1, request.number("per_page", USUAL)))
    return {
        **around,
        "page": max(1, request.number("page", 1)),
        "page_count": -(-around["count"] // size),
        "per_page": size,
    }


def _cursor_links(around: dict[str, Any], request: ListRequest) -> dict[str, str]:
    plain = {"page[after]": None, "page[before]": None}
    links = {
        "first": request.link(**plain),
        "last": request.link(**{**plain, "page[before]": LAST}),
    }
    after, before = (request.params.get(f"page[{name}]") for name in ("after", "before"))
    if (after or before) and around["links"]["prev"]:
        links["prev"] = around["links"]["prev"]
    if around["meta"]["has_more"]:
        links["next"] = around["links"]["next"]
    return links


def _page(rows: QuerySet[Any], request: ListRequest, order: Order) -> Page:
    if request.params.get("page[before]") == LAST:
        return last_page(rows, request, order, limit=PAGE_LIMIT)
    return paginate(rows, request, order)


def sorted_page(
    call: Call, rows: QuerySet[Any], names: Iterable[str], usual: tuple[str, ...] = ()
) -> tuple[Page, dict[str, Any]]:
    """Return the page of a list in the order that is asked for, and what goes around its rows."""
    names = tuple(names)
    wanted = call.query.sort_by if call.query.sort_by in names else None
    falls = call.query.sort_order == "desc"
    order = Order(SORTED[wanted or names[0]])
    if wanted is None and usual and call.query.sort_order is None:
        order = Order(usual)
    elif falls:
        order = order.reversed()
    request = page_asked(call)
    page = _page(rows, request, order)
    around = page_envelope(page, request)
    if "count" in around:
        around |= {"sort_by": wanted or names[0], "sort_order": "desc" if falls else "asc"}
    return page, around


def plain_page(call: Call, rows: QuerySet[Any]) -> tuple[Page, dict[str, Any]]:
    """Return the page of a list that has one order, the oldest first, and what goes around it."""
    request = page_asked(call)
    page = _page(rows, request, Order(("id",)))
    return page, page_envelope(page, request)


def authors(call: Call, keys: Iterable[int | None]) -> list[dict[str, Any]]:
    """Return people as JSON, of whom others than agents get to know the name alone."""
    reading = show(call)
    if call.actor is not None and call.actor.is_agent:
        return users_by_id(keys, reading)
    wanted = {key for key in keys if key is not None}
    found = User.objects.filter(id__in=wanted).order_by("id")
    return [present_author(user, reading) for user in found]
