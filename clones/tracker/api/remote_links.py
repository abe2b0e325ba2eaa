"""Links from issues to things elsewhere."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.presenters.links import (
    present_remote_link,
    present_remote_links,
    remote_address,
)
from clones.tracker.domain import remote_links
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.remote_links import read_target
from clones.tracker.domain.site_options import require_links
from clones.tracker.models import Issue, RemoteLink
from clones.tracker.queries.rights import find_issue

PATH = "/rest/api/3/issue/{key}/remotelink"
GONE = "The remote issue link does not exist."


class GlobalQuery(Query):
    """The remote issue link meant, by its global id."""

    globalId: str | None = Field(None)


@operation(
    "getRemoteIssueLinks",
    "GET",
    PATH,
    summary="List the links of an issue to things elsewhere, or show one by its global id.",
    query=GlobalQuery,
    access="anyone",
)
def list_remote_links(call: Call) -> list[dict[str, Any]] | dict[str, Any]:
    """List the links; a global id gives one link and no list."""
    issue = _issue(call)
    view = show(call)
    if call.query.globalId is not None:
        return present_remote_link(_by_global_id(issue, call.query.globalId), view)
    rows = list(RemoteLink.objects.filter(issue=issue).order_by("id"))
    for link in rows:
        link.issue = issue
    return present_remote_links(rows, view)


@operation(
    "createOrUpdateRemoteIssueLink",
    "POST",
    PATH,
    summary="Link an issue to something elsewhere, or change the link of the same global id.",
    body=dict[str, Any],
    status=201,
)
def keep_remote_link(call: Call) -> Reply:
    """Make or change a link: 201 if it is new, else 200."""
    link, is_new = remote_links.keep_remote_link(
        _issue(call), read_target(call.body), actor=actor(call)
    )
    shown = {"id": link.id, "self": remote_address(link, show(call))}
    return Reply(shown, 201 if is_new else 200)


@operation(
    "deleteRemoteIssueLinkByGlobalId",
    "DELETE",
    PATH,
    summary="Take away the link of a global id.",
    query=GlobalQuery,
    status=204,
)
def delete_by_global_id(call: Call) -> None:
    """Delete a link by its global id."""
    if not call.query.globalId:
        raise Invalid("The 'globalId' query parameter is required.")
    link = _by_global_id(_issue(call), call.query.globalId)
    remote_links.delete_remote_link(link, actor=actor(call))


@operation(
    "getRemoteIssueLinkById",
    "GET",
    PATH + "/{id}",
    summary="Show a link of an issue to something elsewhere.",
    access="anyone",
)
def show_remote_link(call: Call) -> dict[str, Any]:
    """Show a link."""
    found = remote_links.find_remote_link(_issue(call), call.path["id"])
    return present_remote_link(found, show(call))


@operation(
    "updateRemoteIssueLink",
    "PUT",
    PATH + "/{id}",
    summary="Change a link of an issue to something elsewhere.",
    body=dict[str, Any],
    status=204,
)
def update_remote_link(call: Call) -> Reply:
    """Change a link; what is not said is emptied."""
    link = remote_links.find_remote_link(_issue(call), call.path["id"])
    remote_links.update_remote_link(link, read_target(call.body), actor=actor(call))
    return Reply(None, 204)


@operation(
    "deleteRemoteIssueLinkById",
    "DELETE",
    PATH + "/{id}",
    summary="Take away a link of an issue to something elsewhere.",
    status=204,
)
def delete_remote_link(call: Call) -> None:
    """Delete a link."""
    link = remote_links.find_remote_link(_issue(call), call.path["id"])
    remote_links.delete_remote_link(link, actor=actor(call))


def _issue(call: Call) -> Issue:
    require_links(remote=True)
    return find_issue(actor(call), call.path["key"])


def _by_global_id(issue: Issue, global_id: str) -> RemoteLink:
    rows = RemoteLink.objects.filter(issue=issue, global_id=global_id)
    found = rows.first() if "\0" not in global_id else None
    if found is None:
        raise NotFound(GONE)
    found.issue = issue
    return found
