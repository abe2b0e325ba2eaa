"""Saved filters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.filters import (
    EXPANDABLE,
    filter_bodies,
    filter_details,
    with_parts,
)
from clones.tracker.domain import filters, sharing
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Favourite, Filter, Group, Share
from clones.tracker.queries.jql.words import reads
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql.texts import parse_text

MOST_IDS: Final = 200


class FilterBody(Body):
    """A filter to create or change: its name, JQL query, shares and editors."""

    name: str | None = None
    description: str | None = None
    jql: str | None = None
    favourite: bool | None = None
    share_permissions: list[dict[str, Any]] | None = Field(None, alias="sharePermissions")
    edit_permissions: list[dict[str, Any]] | None = Field(None, alias="editPermissions")


class FilterQuery(Query):
    """The expansions of a filter, and whether an admin passes by its shares."""

    expand: CommaList[str] = []
    override: str | None = Field(None, alias="overrideSharePermissions")


class MyFiltersQuery(Query):
    """The expansions of the caller's filters, and whether favourites are listed."""

    expand: CommaList[str] = []
    include_favourites: str | None = Field(None, alias="includeFavourites")


class FilterSearch(Query):
    """Filters, order and expansions of a search of filters."""

    filter_name: str | None = Field(None, alias="filterName")
    account_id: str | None = Field(None, alias="accountId")
    owner: str | None = None
    groupname: str | None = None
    group_id: str | None = Field(None, alias="groupId")
    project_id: int | None = Field(None, alias="projectId")
    id: CommaList[int] | None = None
    order_by: str | None = Field(None, alias="orderBy")
    expand: CommaList[str] = []
    override: str | None = Field(None, alias="overrideSharePermissions")
    is_substring: str | None = Field(None, alias="isSubstringMatch")


class OwnerBody(Body):
    """The new owner of a filter."""

    account_id: str = Field(alias="accountId")


def shown(call: Call, found: Filter, expand: Collection[str] = ()) -> dict[str, Any]:
    """Return the body of one filter."""
    rows = list(with_parts(Filter.objects.filter(id=found.id)))
    return filter_bodies(rows, show(call), expand)[0]


def _filter(call: Call, *, override: str | None = None) -> Filter:
    return filters.find_filter(actor(call), call.path["id"], override=flag(override))


@operation(
    "createFilter",
    "POST",
    "/rest/api/3/filter",
    summary="Save a query as a filter.",
    query=FilterQuery,
    body=FilterBody,
)
def create_filter(call: Call) -> dict[str, Any]:
    """Save a filter."""
    body: FilterBody = call.body
    shares, editors = _drafts(call)
    made = filters.create_filter(
        name=body.name,
        jql=body.jql or "",
        description=body.description or "",
        shares=shares,
        editors=editors or [],
        favourite=bool(body.favourite),
        actor=actor(call),
    )
    return shown(call, made, call.query.expand)


def _drafts(call: Call) -> tuple[list[sharing.Draft] | None, list[sharing.Draft] | None]:
    override = flag(call.query.override)

    def read(given: list[dict[str, Any]] | None) -> list[sharing.Draft] | None:
        if given is None:
            return None
        return sharing.read_shares(given, actor=actor(call), override=override)

    return read(call.body.share_permissions), read(call.body.edit_permissions)


@operation(
    "getFilter",
    "GET",
    "/rest/api/3/filter/{id}",
    summary="Show a filter.",
    query=FilterQuery,
    access="anyone",
)
def get_filter(call: Call) -> dict[str, Any]:
    """Show a filter."""
    return shown(call, _filter(call, override=call.query.override), call.query.expand)


@operation(
    "updateFilter",
    "PUT",
    "/rest/api/3/filter/{id}",
    summary="Change a filter.",
    query=FilterQuery,
    body=FilterBody,
)
def update_filter(call: Call) -> dict[str, Any]:
    """Change a filter."""
    body: FilterBody = call.body
    found = _filter(call, override=call.query.override)
    shares, editors = _drafts(call)
    filters.update_filter(
        found,
        name=body.name,
        jql=body.jql,
        description=body.description,
        shares=shares,
        editors=editors,
        favourite=body.favourite,
        actor=actor(call),
    )
    return shown(call, found, call.query.expand)


@operation(
    "deleteFilter",
    "DELETE",
    "/rest/api/3/filter/{id}",
    summary="Delete a filter.",
    status=204,
)
def delete_filter(call: Call) -> None:
    """Delete a filter."""
    filters.delete_filter(_filter(call, override="true"), actor=actor(call))


@operation(
    "getFavouriteFilters",
    "GET",
    "/rest/api/3/filter/favourite",
    summary="List the filters that one starred.",
    query=FilterQuery,
    access="anyone",
)
def get_favourites(call: Call) -> list[dict[str, Any]]:
    """List one's favourites that one still sees."""
    rows = visible_filters(actor(call)).filter(_starred(actor(call)))
    return filter_bodies(_by_name(rows), show(call), call.query.expand)


def _starred(rights: Rights) -> Q:
    rows = Favourite.objects.filter(user=rights.user, kind=filters.KIND, entity=OuterRef("pk"))
    return Q(pk__in=[]) if rights.user is None else Q(Exists(rows))


def _by_name(rows: QuerySet[Filter]) -> list[Filter]:
    return list(with_parts(rows).order_by(Lower("name"), "id"))


@operation(
    "getMyFilters",
    "GET",
    "/rest/api/3/filter/my",
    summary="List the filters that one owns.",
    query=MyFiltersQuery,
)
def get_mine(call: Call) -> list[dict[str, Any]]:
    """List one's own filters, and one's favourites if asked."""
    wanted = Q(owner=actor(call).user)
    if flag(call.query.include_favourites):
        wanted |= _starred(actor(call))
    rows = visible_filters(actor(call)).filter(wanted)
    return filter_bodies(_by_name(rows), show(call), call.query.expand)


@operation(
    "setFavouriteForFilter",
    "PUT",
    "/rest/api/3/filter/{id}/favourite",
    summary="Star a filter.",
    query=FilterQuery,
)
def set_favourite(call: Call) -> dict[str, Any]:
    """Star a filter."""
    found = _filter(call)
    filters.star(found, actor=actor(call))
    return shown(call, found, call.query.expand)


@operation(
    "deleteFavouriteForFilter",
    "DELETE",
    "/rest/api/3/filter/{id}/favourite",
    summary="Take back the star of a filter.",
    query=FilterQuery,
)
def delete_favourite(call: Call) -> dict[str, Any]:
    """Take back a star."""
    found = _filter(call)
    filters.unstar(found, actor=actor(call))
    return shown(call, found, call.query.expand)


@operation(
    "changeFilterOwner",
    "PUT",
    "/rest/api/3/filter/{id}/owner",
    summary="Hand a filter on to somebody else.",
    body=OwnerBody,
    status=204,
)
def change_owner(call: Call) -> None:
    """Hand a filter on."""
    rights = actor(call)
    found = filters.find_filter(rights, call.path["id"], override=True)
    filters.change_owner(found, call.body.account_id, actor=rights)


# The list

_ORDERS: Final[Mapping[str, Any]] = {
    "description": Lower("description"),
    "favourite_count": "favourite_count",
    "id": F("id"),
    "is_favourite": "is_favourite",
    "is_shared": "is_shared",
    "name": Lower("name"),
    "owner": F("owner__account_id"),
}


@operation(
    "getFiltersPaginated",
    "GET",
    "/rest/api/3/filter/search",
    summary="List the filters that fit a search.",
    query=FilterSearch,
    access="anyone",
)
def search_filters(call: Call) -> dict[str, Any]:
    """List filters."""
    asked: FilterSearch = call.query
    expand = asked.expand
    unknown = [name for name in expand if name not in EXPANDABLE]
    if unknown:
        raise Invalid(f"The expand parameter contains an invalid value: '{unknown[0]}'.")
    free = flag(asked.override) and actor(call).is_admin
    rows = Filter.objects.all() if free else visible_filters(actor(call))
    rows = ordered(narrowed(rows, asked), asked.order_by, actor(call))
    return page_bean(
        call, with_parts(rows), lambda found: filter_details(found, show(call), expand)
    )


def narrowed(rows: QuerySet[Filter], asked: FilterSearch) -> QuerySet[Filter]:
    """Return the filters that fit what is asked.

    Raises:
        Invalid: two parameters say the same in two ways, or there are too many ids.
    """
    if asked.owner is not None and asked.account_id is not None:
        raise Invalid("The accountId and owner parameters cannot be used together.")
    if asked.groupname is not None and asked.group_id is not None:
        raise Invalid("The groupname and groupId parameters cannot be used together.")
    if asked.id is not None and len(asked.id) > MOST_IDS:
        raise Invalid(f"The maximum number of filter IDs is {MOST_IDS}.")
    if asked.id:
        rows = rows.filter(id__in=asked.id)
    if asked.filter_name:
        rows = rows.filter(_named(asked.filter_name, substring=flag(asked.is_substring)))
    if asked.account_id or asked.owner:
        rows = rows.filter(owner__account_id=asked.account_id or asked.owner)
    if asked.group_id or asked.groupname:
        group = {"uuid": asked.group_id} if asked.group_id else {"name": asked.groupname}
        shares = Share.objects.filter(group__in=Group.objects.filter(**group))
        rows = rows.filter(Exists(shares.filter(filter=OuterRef("pk"))))
    if asked.project_id is not None:
        shares = Share.objects.filter(project=asked.project_id)
        rows = rows.filter(Exists(shares.filter(filter=OuterRef("pk"))))
    return rows


def _named(text: str, *, substring: bool) -> Q:
    words = None if substring else parse_text(text)
    return Q(name__icontains=text) if words is None else reads("name", words)


def ordered(rows: QuerySet[Filter], order: str | None, rights: Rights) -> QuerySet[Filter]:
    """Return filters in an order: `-name` is downward.

    Raises:
        Invalid: there is no such order.
    """
    # A plus that was not escaped in an address is a blank.
    name = (order or "name").strip().removeprefix("+")
    column = _ORDERS.get(name.removeprefix("-"))
    if column is None:
        raise Invalid(f"The orderBy parameter contains an invalid value: '{order}'.")
    if isinstance(column, str):
        rows = rows.annotate(**{column: _counted(column, rights)})
        column = F(column)
    if name.startswith("-"):
        return rows.order_by(column.desc(), "-id")
    return rows.order_by(column.asc(), "id")


def _counted(column: str, rights: Rights) -> Any:
    if column == "is_shared":
        return Exists(Share.objects.filter(filter=OuterRef("pk")))
    stars = Favourite.objects.filter(kind=filters.KIND, entity=OuterRef("pk"))
    if column == "is_favourite":
        return Exists(stars.filter(user=rights.user))
    counted = stars.order_by().values("entity").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)
