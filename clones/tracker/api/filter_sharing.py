"""With whom filters are shared."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.presenters.shares import seen_spaces, share_body
from clones.tracker.domain import filters, sharing
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Filter, Share

PATH = "/rest/api/3/filter/{id}/permission"


class ScopeBody(Body):
    """The share that new filters and dashboards get."""

    scope: str


class ShareBody(Body):
    """A share permission to add to a filter: its type, and with whom."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, coerce_numbers_to_str=True)

    type: str
    account_id: str | None = Field(None, alias="accountId")
    group_id: str | None = Field(None, alias="groupId")
    groupname: str | None = None
    project_id: str | None = Field(None, alias="projectId")
    project_role_id: str | None = Field(None, alias="projectRoleId")


@operation(
    "getDefaultShareScope",
    "GET",
    "/rest/api/3/filter/defaultShareScope",
    summary="Tell with whom one shares new filters and dashboards.",
)
def get_scope(call: Call) -> dict[str, Any]:
    """Show the default scope."""
    return {"scope": sharing.default_scope(actor(call))}


@operation(
    "setDefaultShareScope",
    "PUT",
    "/rest/api/3/filter/defaultShareScope",
    summary="Set with whom one shares new filters and dashboards.",
    body=ScopeBody,
)
def set_scope(call: Call) -> dict[str, Any]:
    """Set the default scope."""
    return {"scope": sharing.set_default_scope(call.body.scope, actor=actor(call))}


@operation(
    "getSharePermissions",
    "GET",
    PATH,
    summary="List with whom a filter is shared.",
    access="anyone",
)
def list_shares(call: Call) -> list[dict[str, Any]]:
    """List a filter's shares."""
    return _bodies(call, filters.find_filter(actor(call), call.path["id"]))


def _bodies(call: Call, found: Filter) -> list[dict[str, Any]]:
    rows = found.shares.filter(edit=False).order_by("id")
    shares = list(rows.select_related("project", "project__category", "role", "group", "user"))
    seen = seen_spaces(shares, show(call))
    return [share_body(share, show(call), seen) for share in shares]


@operation(
    "addSharePermission",
    "POST",
    PATH,
    summary="Share a filter with some more.",
    body=ShareBody,
    status=201,
)
def add_share(call: Call) -> list[dict[str, Any]]:
    """Share a filter."""
    body: ShareBody = call.body
    found = filters.find_filter(actor(call), call.path["id"])
    draft = sharing.read_share(
        type=body.type,
        project=body.project_id,
        role=body.project_role_id,
        group=body.group_id,
        group_name=body.groupname,
        user=body.account_id,
        actor=actor(call),
    )
    filters.share_filter(found, draft, actor=actor(call))
    return _bodies(call, found)


def _share(call: Call) -> tuple[Filter, Share]:
    found = filters.find_filter(actor(call), call.path["id"])
    number = call.path["permissionId"]
    digits = number if whole_number(number) is not None else "0"
    rows = found.shares.select_related("project", "project__category", "role", "group", "user")
    share = rows.filter(id=int(digits)).first()
    if share is None:
        raise NotFound(f"The share permission with ID '{number}' does not exist.")
    return found, share


@operation(
    "getSharePermission",
    "GET",
    PATH + "/{permissionId}",
    summary="Show one share of a filter.",
    access="anyone",
)
def get_share(call: Call) -> dict[str, Any]:
    """Show a share."""
    _, share = _share(call)
    return share_body(share, show(call), seen_spaces([share], show(call)))


@operation(
    "deleteSharePermission",
    "DELETE",
    PATH + "/{permissionId}",
    summary="Take a share of a filter back.",
    status=204,
)
def delete_share(call: Call) -> None:
    """Take a share back."""
    found, share = _share(call)
    filters.unshare_filter(found, share, actor=actor(call))
