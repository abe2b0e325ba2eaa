"""Request types: the list of a portal, their forms, headings and properties."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.desk.parts import DESK, Json, PageQuery, desk_in, require_opt_in
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.basics import ROOT
from clones.tracker.api.presenters.desk.desks import present_group
from clones.tracker.api.presenters.desk.request_types import (
    present_forms,
    present_request_types,
)
from clones.tracker.domain import request_types
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import RequestType
from clones.tracker.queries import desks

TYPE = f"{DESK}/requesttype/{{requestTypeId}}"
PROPERTY = f"{TYPE}/property/{{propertyKey}}"
LIMIT = 100


class ExpandQuery(Query):
    """The expansions of a request type."""

    expand: CommaList[str] = []


class TypesQuery(PageQuery):
    """Filters, paging and expansions of a service desk's request types."""

    groupId: str | None = None
    expand: CommaList[str] = []
    searchQuery: str | None = None
    includeHiddenRequestTypesInSearch: str | None = None
    restrictionStatus: str | None = None


class AllTypesQuery(PageQuery):
    """Filters, paging and expansions of all service desks' request types."""

    searchQuery: str | None = None
    serviceDeskId: CommaList[str] = []
    expand: CommaList[str] = []


class TypeBody(Body):
    """A request type to create: its name, text and issue type."""

    name: str | None = None
    issueTypeId: str | None = None
    description: str | None = None
    helpText: str | None = None


@operation(
    "desk.getRequestTypes",
    "GET",
    f"{DESK}/requesttype",
    summary="List the request types of a desk.",
    query=TypesQuery,
)
def list_types(call: Call) -> Json:
    """List a desk's request types."""
    desk, query = desk_in(call), call.query
    rows = desks.visible_request_types(actor(call), desk)
    if query.groupId is not None:
        rows = desks.in_group(rows, _number(query.groupId, "groupId"))
    if query.searchQuery:
        rows = _matching(rows, query.searchQuery)
        if not flag(query.includeHiddenRequestTypesInSearch):
            rows = desks.shown_in_portal(rows, desk)
    if query.restrictionStatus:
        rows = rows.filter(restricted=_restriction(query.restrictionStatus))
    forms = "field" in query.expand
    return desk_page(
        call,
        rows.select_related("issue_type"),
        lambda found: present_request_types(found, desk, show(call), with_fields=forms),
        limit=LIMIT,
    )


@operation(
    "desk.getRequestTypeById",
    "GET",
    TYPE,
    summary="Show a request type.",
    query=ExpandQuery,
    access="anyone",
)
def show_type(call: Call) -> Json:
    """Show a request type."""
    found = _type(call)
    forms = "field" in call.query.expand
    return present_request_types([found], found.desk, show(call), with_fields=forms)[0]


@operation(
    "desk.getRequestTypeFields",
    "GET",
    f"{TYPE}/field",
    summary="Show the form of a request type, and what the caller may do there.",
    query=ExpandQuery,
)
def show_form(call: Call) -> Json:
    """Show a form; the desk's admins can see hidden fields too."""
    found = _type(call)
    hidden = "hiddenFields" in call.query.expand
    return present_forms([found], found.desk, show(call), with_hidden=hidden)[found.id]


@operation(
    "desk.getRequestTypeGroups",
    "GET",
    f"{DESK}/requesttypegroup",
    summary="List the headings of a desk's portal.",
    query=PageQuery,
)
def list_groups(call: Call) -> Json:
    """List headings."""
    return desk_page(call, desks.groups_of(desk_in(call)), each(present_group), limit=LIMIT)


@operation(
    "desk.getAllRequestTypes",
    "GET",
    "/rest/servicedeskapi/requesttype",
    summary="List the request types of all desks that the caller sees.",
    query=AllTypesQuery,
)
def list_all_types(call: Call) -> Json:
    """List the request types of all desks."""
    require_opt_in(call)
    rights, query = actor(call), call.query
    seen = {desk.id: desk for desk in desks.visible_desks(rights)}
    wanted = {_number(text, "serviceDeskId") for text in query.serviceDeskId}
    chosen = [desk for id, desk in seen.items() if not wanted or id in wanted]
    inside = [desk.id for desk in chosen if desks.is_agent(rights, desk)]
    rows = RequestType.objects.filter(desk__in=[desk.id for desk in chosen])
    rows = rows.filter(Q(restricted=False) | Q(desk__in=inside)).select_related("issue_type")
    if query.searchQuery:
        rows = _matching(rows, query.searchQuery)

    def present(found: list[RequestType]) -> list[Json]:
        view, forms = show(call), "field" in query.expand
        shown: list[Json] = []
        for row in found:
            desk = seen[row.desk_id]
            shown += present_request_types([row], desk, view, with_fields=forms)
        return shown

    return desk_page(call, rows.order_by("desk_id", "position", "id"), present, limit=LIMIT)


@operation(
    "desk.createRequestType",
    "POST",
    f"{DESK}/requesttype",
    summary="Make a request type.",
    body=TypeBody,
)
def create_type(call: Call) -> Json:
    """Make a request type."""
    require_opt_in(call)
    desk, body = desk_in(call), call.body
    made = request_types.create_request_type(
        desk,
        actor=actor(call),
        name=body.name or "",
        issue_type=body.issueTypeId or "",
        description=body.description or "",
        help_text=body.helpText or "",
    )
    return present_request_types([made], desk, show(call))[0]


@operation("desk.deleteRequestType", "DELETE", TYPE, summary="Delete a request type.", status=204)
def delete_type(call: Call) -> None:
    """Delete a request type."""
    require_opt_in(call)
    request_types.delete_request_type(_type(call), actor=actor(call))


@operation(
    "desk.getRequestTypePropertiesKeys",
    "GET",
    f"{TYPE}/property",
    summary="List the keys of what integrations keep with a request type.",
)
def list_property_keys(call: Call) -> Json:
    """List the keys of properties."""
    require_opt_in(call)
    found = _type(call)
    path = f"{ROOT}/servicedesk/{found.desk_id}/requesttype/{found.id}/property"
    return keys_of(request_types.PROPERTIES, str(found.id), show(call).at(path))


@operation(
    "desk.getRequestTypeProperty",
    "GET",
    PROPERTY,
    summary="Show what an integration keeps with a request type.",
)
def show_property(call: Call) -> Json:
    """Show a property."""
    require_opt_in(call)
    return value_of(request_types.PROPERTIES, str(_type(call).id), call.path["propertyKey"])


@operation(
    "desk.setRequestTypeProperty",
    "PUT",
    PROPERTY,
    summary="Keep something with a request type.",
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property."""
    found = _managed(call)
    return keep(request_types.PROPERTIES, str(found.id), call.path["propertyKey"], call.body)


@operation(
    "desk.deleteRequestTypeProperty",
    "DELETE",
    PROPERTY,
    summary="Forget what an integration keeps with a request type.",
)
def delete_property(call: Call) -> Reply:
    """Delete a property."""
    found = _managed(call)
    return drop(request_types.PROPERTIES, str(found.id), call.path["propertyKey"])


def _type(call: Call) -> RequestType:
    desk = desk_in(call)
    found = desks.find_request_type(actor(call), desk, call.path["requestTypeId"])
    found.desk = desk
    return found


def _managed(call: Call) -> RequestType:
    require_opt_in(call)
    found = _type(call)
    request_types.require_manager(actor(call), found.desk)
    return found


def _matching(rows: QuerySet[RequestType], text: str) -> QuerySet[RequestType]:
    return rows.filter(Q(name__icontains=text) | Q(description__icontains=text))


def _restriction(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("open", "restricted"):
        raise Invalid(
            "The restriction status must be either 'open' or 'restricted'.",
            i18n_key="sd.request.type.error.restriction.status",
        )
    return word == "restricted"


def _number(text: Any, name: str) -> int:
    digits = str(text)
    if whole_number(digits) is None:
        raise Invalid(
            f"The value of '{name}' must be a number.", i18n_key="sd.error.parameter.number"
        )
    return int(digits)
