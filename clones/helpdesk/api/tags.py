"""Tags: of the account, and on tickets, users and organizations."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    list_request,
    listed,
    via,
)
from clones.helpdesk.api.paging import list_page
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain import organizations, tickets, users
from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.tags import tag_counts
from clones.helpdesk.rules.tags import add_tags, drop_tags, split_tags


class TagsBody(Body):
    """Tags to set on a record, to add to it, or to take off."""

    tags: list[str] | str = Field(default_factory=list)
    updated_stamp: str | None = None
    safe_update: bool | None = None


class TagNames(PagedQuery):
    """The beginning of the tags to suggest."""

    name: str | None = None


@OPERATIONS.operation(
    "ListTags", "GET", "/tags", summary="List the tags of tickets.", query=PagedQuery
)
def list_tags(call: Call) -> dict[str, Any]:
    """List tags, most frequent first."""
    bodies = [{"name": name, "count": number} for name, number in tag_counts(call.actor)]
    page = list_page(bodies, list_request(call), name="-score,id")
    return listed("tags", page.rows, page)


@OPERATIONS.operation("CountTags", "GET", "/tags/count", summary="Count the tags.")
def count_tags(call: Call) -> dict[str, Any]:
    """Count tags."""
    return counted(len(tag_counts(call.actor)))


@OPERATIONS.operation(
    "AutocompleteTags",
    "GET",
    "/autocomplete/tags",
    summary="Find tags that begin with something.",
    query=TagNames,
)
def autocomplete(call: Call) -> dict[str, Any]:
    """Find tags by their beginning; two letters at least."""
    text = (call.query.name or "").lower()
    found = [name for name, _ in tag_counts(call.actor) if len(text) > 1 and name.startswith(text)]
    return {"tags": found[:30]}


def _changed(method: str, tags: list[str], given: Any) -> list[str]:
    if method == "PUT":
        return add_tags(tags, given)
    if method == "DELETE":
        return drop_tags(tags, given)
    return split_tags(given)


def _ticket(call: Call) -> Ticket:
    return queries.ticket(call.actor, call.path["ticket_id"])


@OPERATIONS.operation(
    "ListResourceTags",
    "GET",
    "/tickets/{ticket_id:int}/tags",
    summary="List the tags of a ticket.",
)
def list_ticket_tags(call: Call) -> dict[str, Any]:
    """List a ticket's tags."""
    return {"tags": _ticket(call).tags}


def _tag_ticket(call: Call) -> list[str]:
    name = {"POST": "tags", "PUT": "additional_tags", "DELETE": "remove_tags"}
    changes: dict[str, Any] = {name[str(call.request.method)]: split_tags(call.body.tags)}
    for key in ("safe_update", "updated_stamp"):
        if getattr(call.body, key) is not None:
            changes[key] = getattr(call.body, key)
    ticket = _ticket(call)
    tickets.update_ticket(ticket, actor=call.actor, changes=changes, via=via(call))
    return list(ticket.tags)


@OPERATIONS.operation(
    "SetTagsTicket",
    "POST",
    "/tickets/{ticket_id:int}/tags",
    summary="Replace a ticket's tags.",
    body=TagsBody,
    status=201,
)
def set_ticket_tags(call: Call) -> Reply:
    """Replace a ticket's tags."""
    return Reply({"tags": _tag_ticket(call)}, 201)


@OPERATIONS.operation(
    "PutTagsTicket",
    "PUT",
    "/tickets/{ticket_id:int}/tags",
    summary="Add tags to a ticket.",
    body=TagsBody,
)
def add_ticket_tags(call: Call) -> dict[str, Any]:
    """Add tags to a ticket."""
    return {"tags": _tag_ticket(call)}


@OPERATIONS.operation(
    "DeleteTagsTicket",
    "DELETE",
    "/tickets/{ticket_id:int}/tags",
    summary="Take tags from a ticket.",
    body=TagsBody,
)
def drop_ticket_tags(call: Call) -> dict[str, Any]:
    """Take tags from a ticket."""
    return {"tags": _tag_ticket(call)}


@OPERATIONS.operation(
    "ListUserTags", "GET", "/users/{user_id:int}/tags", summary="List the tags of a user."
)
def list_user_tags(call: Call) -> dict[str, Any]:
    """List a user's tags."""
    return {"tags": user_of(call).tags}


def _tag_user(call: Call) -> dict[str, Any]:
    user = user_of(call)
    tags = _changed(str(call.request.method), user.tags, call.body.tags)
    return {"tags": users.update_user(user, actor=call.actor, changes={"tags": tags}).tags}


@OPERATIONS.operation(
    "SetTagsUser",
    "POST",
    "/users/{user_id:int}/tags",
    summary="Replace a user's tags.",
    body=TagsBody,
    status=201,
)
def set_user_tags(call: Call) -> Reply:
    """Replace a user's tags."""
    return Reply(_tag_user(call), 201)


@OPERATIONS.operation(
    "PutTagsUser", "PUT", "/users/{user_id:int}/tags", summary="Add tags to a user.", body=TagsBody
)
def add_user_tags(call: Call) -> dict[str, Any]:
    """Add tags to a user."""
    return _tag_user(call)


@OPERATIONS.operation(
    "DeleteTagsUser",
    "DELETE",
    "/users/{user_id:int}/tags",
    summary="Take tags from a user.",
    body=TagsBody,
)
def drop_user_tags(call: Call) -> dict[str, Any]:
    """Take tags from a user."""
    return _tag_user(call)


ORGANIZATION = "/organizations/{organization_id:int}/tags"


@OPERATIONS.operation(
    "ListOrganizationTags", "GET", ORGANIZATION, summary="List the tags of an organization."
)
def list_organization_tags(call: Call) -> dict[str, Any]:
    """List an organization's tags."""
    return {"tags": queries.organization(call.path["organization_id"]).tags}


def _tag_organization(call: Call) -> dict[str, Any]:
    found = queries.organization(call.path["organization_id"])
    tags = _changed(str(call.request.method), found.tags, call.body.tags)
    found = organizations.update_organization(found, actor=call.actor, changes={"tags": tags})
    return {"tags": found.tags}


@OPERATIONS.operation(
    "SetTagsOrganization",
    "POST",
    ORGANIZATION,
    summary="Replace an organization's tags.",
    body=TagsBody,
    status=201,
)
def set_organization_tags(call: Call) -> Reply:
    """Replace an organization's tags."""
    return Reply(_tag_organization(call), 201)


@OPERATIONS.operation(
    "PutTagsOrganization",
    "PUT",
    ORGANIZATION,
    summary="Add tags to an organization.",
    body=TagsBody,
)
def add_organization_tags(call: Call) -> dict[str, Any]:
    """Add tags to an organization."""
    return _tag_organization(call)


@OPERATIONS.operation(
    "DeleteTagsOrganization",
    "DELETE",
    ORGANIZATION,
    summary="Take tags from an organization.",
    body=TagsBody,
)
def drop_organization_tags(call: Call) -> dict[str, Any]:
    """Take tags from an organization."""
    return _tag_organization(call)
