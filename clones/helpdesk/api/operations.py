"""The registry of the helpdesk's operations, and what their views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from clones.core import sightings
from clones.core.operations import Call, Operations, inputs
from clones.core.operations.inputs import CommaList, Commas, Digits
from clones.core.operations.paging import location_of
from clones.helpdesk.api.paging import ListRequest, Page
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues
from clones.helpdesk.domain.values import Via
from clones.helpdesk.modules import OPERATING

OPERATIONS = Operations("helpdesk", prefix="/api/v2", strip_suffix=".json", modules=OPERATING)
MANY = 100


# Lists between commas, as the vendor reads them: what is blank between two is an item as well.
Ids = Annotated[list[Digits], Commas(keeps_blanks=True)]
Words = Annotated[list[str], Commas(keeps_blanks=True)]


class Body(inputs.Body, extra="allow", coerce_numbers_to_str=True):
    """A body whose unknown keys are kept, to be warned of."""


class Query(inputs.Query):
    """Query parameters; unknown ones are ignored."""


class PagedQuery(Query):
    """Paging of a list: by number or by cursor."""

    page: str | None = None
    per_page: str | None = None


class SideloadQuery(Query):
    """The sideloads of a record: what `include` names is shown beside it."""

    include: CommaList[str] = []


class PagedSideloadQuery(PagedQuery, SideloadQuery):
    """Paging and sideloads of a list: what `include` names is shown beside its records."""


class SortedQuery(PagedQuery):
    """Paging and order of a list: what to sort by, and which way."""

    sort_by: str | None = None
    sort_order: str | None = None


class IdsQuery(Query):
    """The ids of the records that a call is about; views refuse a call that names none."""

    ids: Ids | None = Field(None, description="The records' ids.")


def list_request(call: Call) -> ListRequest:
    """Return what a call asks for, for paging."""
    request = call.request
    return ListRequest(location_of(request), request.GET)


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
    return set(call.query.include)


def many_ids(call: Call, name: str = "ids") -> list[int]:
    """Return the ids that a parameter names, each once.

    Raises:
        MissingParameter: there is none.
        TooManyValues: there are more than a hundred.
    """
    return checked_ids(getattr(call.query, name), name)


def checked_ids(found: list[int] | None, name: str) -> list[int]:
    """Return the ids that a parameter names, each once.

    Raises:
        MissingParameter: there is none.
        TooManyValues: there are more than a hundred.
    """
    if not found:
        raise MissingParameter(name)
    if len(found) > MANY:
        raise TooManyValues(MANY)
    return list(dict.fromkeys(found))
