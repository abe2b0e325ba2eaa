"""Dashboards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower
from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.core.operations.paging import count_of
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean, place
from clones.tracker.api.presenters.dashboards import EXPANDABLE, dashboard_bodies, with_parts
from clones.tracker.domain import dashboards, sharing
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Dashboard, Favourite, Group, Share
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import visible_dashboards

Json = dict[str, Any]
Shares = list[dict[str, Any]]


class DashboardBody(Body):
    """A dashboard's new name, text, shares and editors; those left out stay."""

    name: str
    description: str | None = None
    share_permissions: Shares | None = Field(None, alias="sharePermissions")
    edit_permissions: Shares | None = Field(None, alias="editPermissions")


class NewDashboard(DashboardBody):
    """A dashboard to make; nobody but its owner edits it unless somebody is named."""

    share_permissions: Shares = Field(alias="sharePermissions")


class AdminQuery(Query):
    """Whether an admin changes a dashboard that is not shared with them."""

    as_admin: str | None = Field(None, alias="extendAdminPermissions")


class DashboardsQuery(Query):
    """Filter of the list of dashboards: favourites, or the caller's."""

    filter: str | None = None


class DashboardSearch(Query):
    """Filters, order and expansions of a search of dashboards."""

    name: str | None = Field(None, alias="dashboardName")
    account_id: str | None = Field(None, alias="accountId")
    owner: str | None = None
    groupname: str | None = None
    group_id: str | None = Field(None, alias="groupId")
    project_id: int | None = Field(None, alias="projectId")
    order_by: str | None = Field(None, alias="orderBy")
    status: str = "active"
    expand: CommaList[str] = []


class OwnerDetails(Body):
    """The new owner of dashboards; `autofixName` takes another name where one is taken."""

    new_owner: str = Field(alias="newOwner")
    fixes_name: bool = Field(alias="autofixName")


class ShareDetails(Body):
    """The new shares or editors of dashboards."""

    share_permissions: Shares = Field(alias="sharePermissions")
    edit_permissions: Shares = Field(alias="editPermissions")


class BulkBody(Body):
    """A bulk change of dashboards: the action, their ids, owner or shares."""

    action: Literal["changeOwner", "changePermission", "addPermission", "removePermission"]
    ids: list[int] = Field(alias="entityIds")
    owner: OwnerDetails | None = Field(None, alias="changeOwnerDetails")
    shares: ShareDetails | None = Field(None, alias="permissionDetails")
    as_admin: bool = Field(False, alias="extendAdminPermissions")


def _shown(call: Call, found: Dashboard) -> Json:
    rows = list(with_parts(Dashboard.objects.filter(id=found.id)))
    return dashboard_bodies(rows, show(call))[0]


def _drafts(call: Call, given: Shares) -> list[sharing.Draft]:
    override = call.query is not None and flag(call.query.as_admin)
    return sharing.read_shares(given, actor=actor(call), override=override)


@operation(
    "getAllDashboards",
    "GET",
    "/rest/api/3/dashboard",
    summary="List the dashboards that one sees.",
    query=DashboardsQuery,
    access="anyone",
)
def list_dashboards(call: Call) -> Json:
    """List dashboards, all of them, one's own or one's favourites."""
    rights, asked = actor(call), call.query.filter
    rows = visible_dashboards(rights)
    if asked == "my":
        rows = rows.filter(owner=rights.user) if rights.user is not None else rows.none()
    elif asked == "favourite":
        rows = rows.filter(Exists(_stars().filter(user=rights.user)))
    elif asked:
        raise Invalid(f"The filter '{asked}' is invalid. Valid filters are: favourite, my.")
    rows = with_parts(rows.order_by("-is_system", Lower("name"), "id"))
    start, most = place(call, 20, 1000)
    total = count_of(rows)
    found = {
        "startAt": start,
        "maxResults": most,
        "total": total,
        "dashboards": dashboard_bodies(list(rows[start : start + most]), show(call)),
    }
    suffix = f"&filter={asked}" if asked else ""
    address = show(call).url(f"dashboard?maxResults={most}{suffix}")
    if start + most < total:
        found["next"] = f"{address}&startAt={start + most}"
    if start > 0:
        found["prev"] = f"{address}&startAt={max(start - most, 0)}"
    return found


def _stars() -> QuerySet[Favourite]:
    return Favourite.objects.filter(kind=dashboards.KIND, entity=OuterRef("pk"))


@operation(
    "createDashboard",
    "POST",
    "/rest/api/3/dashboard",
    summary="Make a dashboard.",
    query=AdminQuery,
    body=NewDashboard,
)
def create_dashboard(call: Call) -> Json:
    """Make a dashboard."""
    body: NewDashboard = call.body
    made = dashboards.create_dashboard(
        name=body.name,
        description=body.description or "",
        shares=_drafts(call, body.share_permissions),
        editors=_drafts(call, body.edit_permissions or []),
        actor=actor(call),
    )
    return _shown(call, made)


@operation(
    "getDashboard",
    "GET",
    "/rest/api/3/dashboard/{id}",
    summary="Show a dashboard.",
    access="anyone",
)
def get_dashboard(call: Call) -> Json:
    """Show a dashboard."""
    return _shown(call, dashboards.find_dashboard(actor(call), call.path["id"]))


@operation(
    "updateDashboard",
    "PUT",
    "/rest/api/3/dashboard/{id}",
    summary="Change a dashboard.",
    query=AdminQuery,
    body=DashboardBody,
)
def update_dashboard(call: Call) -> Json:
    """Change a dashboard."""
    body: DashboardBody = call.body
    found = _to_edit(call, as_admin=flag(call.query.as_admin))
    shares, editors = (
        None if given is None else _drafts(call, given)
        for given in (body.share_permissions, body.edit_permissions)
    )
    dashboards.update_dashboard(
        found,
        name=body.name,
        description=body.description,
        shares=shares,
        editors=editors,
    )
    return _shown(call, found)


def _to_edit(call: Call, *, as_admin: bool) -> Dashboard:
    rights, id = actor(call), call.path["id"]
    if as_admin and rights.is_admin and whole_number(id) is not None:
        found = Dashboard.objects.select_related("owner").filter(id=int(id)).first()
        if found is not None:
            return found
    return dashboards.find_dashboard(rights, id, to_edit=True)


@operation(
    "deleteDashboard",
    "DELETE",
    "/rest/api/3/dashboard/{id}",
    summary="Delete a dashboard.",
    status=204,
)
def delete_dashboard(call: Call) -> None:
    """Delete a dashboard."""
    try:
        found = _to_edit(call, as_admin=True)
    except NotFound as error:
        # The vendor knows no 404 of this address.
        raise Invalid(*error.messages) from None
    dashboards.delete_dashboard(found, actor=actor(call))


@operation(
    "copyDashboard",
    "POST",
    "/rest/api/3/dashboard/{id}/copy",
    summary="Copy a dashboard with its gadgets.",
    query=AdminQuery,
    body=NewDashboard,
)
def copy_dashboard(call: Call) -> Json:
    """Copy a dashboard."""
    body: NewDashboard = call.body
    source = dashboards.find_dashboard(actor(call), call.path["id"])
    made = dashboards.copy_dashboard(
        source,
        name=body.name,
        description=body.description,
        shares=_drafts(call, body.share_permissions),
        editors=_drafts(call, body.edit_permissions or []),
        actor=actor(call),
    )
    return _shown(call, made)


@operation(
    "bulkEditDashboards",
    "PUT",
    "/rest/api/3/dashboard/bulk/edit",
    summary="Change many dashboards at once.",
    body=BulkBody,
)
def edit_many(call: Call) -> Json:
    """Change many dashboards, and tell of those that were not."""
    body: BulkBody = call.body
    change = dashboards.DashboardsChange(body.action)
    if body.action == "changeOwner":
        if body.owner is None:
            raise Invalid(fields={"changeOwnerDetails": "changeOwnerDetails is required."})
        change = dashboards.DashboardsChange(
            body.action, new_owner=body.owner.new_owner, fixes_name=body.owner.fixes_name
        )
    elif body.shares is None:
        raise Invalid(fields={"permissionDetails": "permissionDetails is required."})
    else:
        shares, editors = (
            sharing.read_shares(given, actor=actor(call), override=body.as_admin)
            for given in (body.shares.share_permissions, body.shares.edit_permissions)
        )
        change = dashboards.DashboardsChange(body.action, shares=shares, editors=editors)
    wrong = dashboards.change_dashboards(
        body.ids, change, actor=actor(call), as_admin=body.as_admin
    )
    errors = {
        str(id): {"errorMessages": list(error.messages), "errors": error.fields}
        for id, error in wrong.items()
    }
    return {"action": body.action, "entityErrors": errors}


# The list

_ORDERS: Final[Mapping[str, Any]] = {
    "description": Lower("description"),
    "favorite_count": "favorite_count",
    "favourite_count": "favorite_count",
    "id": F("id"),
    "is_favorite": "is_favorite",
    "is_favourite": "is_favorite",
    "name": Lower("name"),
    "owner": Lower("owner__display_name"),
}


@operation(
    "getDashboardsPaginated",
    "GET",
    "/rest/api/3/dashboard/search",
    summary="List the dashboards that fit a search.",
    query=DashboardSearch,
    access="anyone",
)
def search_dashboards(call: Call) -> Json:
    """List dashboards."""
    asked: DashboardSearch = call.query
    expand = asked.expand
    unknown = [name for name in expand if name not in EXPANDABLE]
    if unknown:
        raise Invalid(f"The expand parameter contains an invalid value: '{unknown[0]}'.")
    rows = narrowed(visible_dashboards(actor(call)), asked)
    rows = with_parts(ordered(rows, asked.order_by, actor(call)))
    return page_bean(call, rows, lambda found: dashboard_bodies(found, show(call), expand))


def narrowed(rows: QuerySet[Dashboard], asked: DashboardSearch) -> QuerySet[Dashboard]:
    """Return the dashboards that fit what is asked.

    Raises:
        Invalid: two parameters say the same in two ways, or there is no such status.
    """
    if asked.owner is not None and asked.account_id is not None:
        raise Invalid("The accountId and owner parameters cannot be used together.")
    if asked.groupname is not None and asked.group_id is not None:
        raise Invalid("The groupname and groupId parameters cannot be used together.")
    if asked.status not in {"active", "archived", "deleted"}:
        raise Invalid(f"The status '{asked.status}' is invalid.")
    if asked.status != "active":
        return rows.none()
    if asked.name:
        rows = rows.filter(name__icontains=asked.name)
    if asked.account_id or asked.owner:
        rows = rows.filter(owner__account_id=asked.account_id or asked.owner)
    wanted = Q()
    if asked.group_id or asked.groupname:
        group = {"uuid": asked.group_id} if asked.group_id else {"name": asked.groupname}
        wanted &= Q(group__in=Group.objects.filter(**group))
    if asked.project_id is not None:
        rows = rows.filter(_shared_with(Q(project=asked.project_id)))
    return rows.filter(_shared_with(wanted)) if wanted else rows


def _shared_with(wanted: Q) -> Q:
    return Q(Exists(Share.objects.filter(wanted, dashboard=OuterRef("pk"))))


def ordered(rows: QuerySet[Dashboard], order: str | None, rights: Rights) -> QuerySet[Dashboard]:
    """Return dashboards in an order: `-name` is downward.

    Raises:
        Invalid: there is no such order.
    """
    # A plus that was not escaped in an address is a blank.
    name = (order or "name").strip().removeprefix("+")
    column = _ORDERS.get(name.removeprefix("-"))
    if column is None:
        raise Invalid(f"The orderBy parameter contains an invalid value: '{order}'.")
    if column == "is_favorite":
        column = Exists(_stars().filter(user=rights.user))
    elif column == "favorite_count":
        counted = _stars().order_by().values("entity").annotate(n=Count("pk")).values("n")
        column = Coalesce(Subquery(counted), 0)
    rows = rows.annotate(sorted_by=column)
    if name.startswith("-"):
        return rows.order_by(F("sorted_by").desc(nulls_last=True), "-id")
    return rows.order_by(F("sorted_by").asc(nulls_last=True), "id")
