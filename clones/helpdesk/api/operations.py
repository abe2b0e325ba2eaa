"""The registry of the helpdesk's operations, and what their views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from clones.core import sightings
from clones.core.operations import Call, Operations, inputs
from clones.helpdesk.api.paging import Asked, Page
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter, TooManyValues
from clones.helpdesk.domain.values import Via
from clones.helpdesk.modules import OPERATING

OPERATIONS = Operations("helpdesk", prefix="/api/v2", strip_suffix=".json", modules=OPERATING)
MANY = 100


class Body(inputs.Body, extra="allow", coerce_numbers_to_str=True):
    """A body whose unknown keys are kept, to be warned of."""


class Query(inputs.Query):
    """Query parameters; unknown ones are ignored."""


class PagedQuery(Query):
    """The parameters of a list in pages."""

    page: str | None = None
    per_page: str | None = None


class SideloadQuery(Query):
    """What to show beside the record."""

    include: str | None = None


class PagedSideloadQuery(PagedQuery):
    """The parameters of a list in pages, and what to show beside its records."""

    include: str | None = None


class SortedQuery(PagedQuery):
    """The parameters of a list in pages whose order can be chosen."""

    sort_by: str | None = None
    sort_order: str | None = None


class IdsQuery(Query):
    """The records that a call is about; views refuse a call that names none."""

    ids: str | None = Field(None, description="The records' ids, with commas between them.")


def asked(call: Call) -> Asked:
    """Return what a call asks for, for paging."""
    request = call.request
    return Asked(f"{request.scheme}://{request.get_host()}{request.path}", request.GET)


def show(call: Call, kind: sightings.Kind = "list") -> Show:
    """Return the way to show records in the answer to a call; fields of people are for agents."""
    found = Show.of(call.request, call.actor, kind)
    return found if call.actor is not None and call.actor.is_agent else found.without_fields()


def via(call: Call) -> Via:
    """Return how an update by this call came."""
    client = call.request.headers.get("User-Agent")
    return Via("api", client=client[:255] if client else None)


def listed(name: str, items: Sequence[Any], page: Page, **beside: Any) -> dict[str, Any]:
    """Return a page's body: the items under their name, side-loads, then the page's own."""
    return {name: items, **beside, **page.around}


def includes(call: Call) -> set[str]:
    """Return the side-loads asked for."""
    return {name.strip() for name in call.request.GET.get("include", "").split(",") if name.strip()}


def many_ids(call: Call, name: str = "ids") -> list[int]:
    """Return the ids of a comma-separated parameter.

    Raises:
        MissingParameter: there is none.
        InvalidAttribute: one is no number.
        TooManyValues: there are more than a hundred.
    """
    text = call.request.GET.get(name)
    if not text:
        raise MissingParameter(name)
    found: list[int] = []
    for part in text.split(","):
        piece = part.strip()
        if not (piece.isascii() and piece.isdigit() and len(piece) <= 18):
            raise InvalidAttribute(name, "a list of integers")
        found.append(int(piece))
    if len(found) > MANY:
        raise TooManyValues(MANY)
    return list(dict.fromkeys(found))
