"""Skills-based routing: kinds of skills, skills, and those that agents and tickets have."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    Ids,
    PagedSideloadQuery,
    Query,
    includes,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.routing import present_attribute, present_value
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import skills
from clones.helpdesk.models import RoutingAttribute, RoutingValue
from clones.helpdesk.queries import routing
from clones.helpdesk.queries.definitions import condition_definitions, in_language

ALL = "/routing/attributes"
ONE = f"{ALL}/{{attribute_id}}"
VALUES = f"{ONE}/values"
OF_AGENT = "/routing/agents/{user_id:int}/instance_values"
OF_TICKET = "/routing/tickets/{ticket_id:int}/instance_values"


class AttributeWrite(Body):
    """The attributes of a routing attribute (a kind of skill) that can be set."""

    name: str | None = None


class AttributeBody(Body):
    """A routing attribute (a kind of skill) to create or update."""

    attribute: AttributeWrite


class SkillCondition(Body):
    """A condition of the new tickets that get a skill: field, operator, value."""

    subject: str | None = None
    field: str | None = None
    operator: str | None = None
    value: Any = None


class SkillConditions(Body):
    """The conditions of the new tickets that get a skill: all, and any."""

    all: list[SkillCondition] = Field(default=[], description="All of these must hold.")
    any: list[SkillCondition] = Field(default=[], description="One of these must hold.")


class ValueWrite(Body):
    """The attributes of a routing attribute value (a skill) that can be set."""

    name: str | None = None
    conditions: SkillConditions | None = None


class ValueBody(Body):
    """A routing attribute value (a skill) to create or update."""

    attribute_value: ValueWrite


class HeldBody(Body):
    """The skills that an agent or ticket is to have; those not named are taken away."""

    attribute_value_ids: list[str]


class FulfilledQuery(Query):
    """The ids of the tickets of which those are listed whose skills the caller has."""

    ticket_ids: Ids | None = Field(None, description="The tickets' ids.")


ATTRIBUTES: Final = resources.ResourceApi(
    resource=skills.ATTRIBUTE,
    path=ALL,
    one="/{attribute_id}",
    find=by_key(skills.ATTRIBUTE),
    present=present_attribute,
    body=AttributeBody,
    reads="admin",
)


def _attribute(call: Call) -> RoutingAttribute:
    return ATTRIBUTES.of_key(call.path["attribute_id"])


def _value(call: Call) -> RoutingValue:
    attribute = call.path["attribute_id"]
    rows = RoutingValue.objects.filter(attribute_id=attribute)
    if not queries.can_be(attribute):
        rows = rows.none()
    return queries.one(rows, "attribute value", call.path["attribute_value_id"])


@OPERATIONS.operation(
    "ListAccountAttributes",
    "GET",
    ALL,
    summary="List the kinds of skills.",
    query=PagedSideloadQuery,
    access="agent",
)
def list_attributes(call: Call) -> dict[str, Any]:
    """List kinds of skills, the oldest first, with their skills if asked."""
    page = paginate(RoutingAttribute.objects.all(), list_request(call), Order(("created_at", "id")))
    beside: dict[str, Any] = {}
    if "attribute_values" in includes(call):
        rows = RoutingValue.objects.filter(attribute__in=page.rows).order_by("created_at", "id")
        beside["attribute_values"] = [present_value(item, show(call)) for item in rows]
    shown = [present_attribute(item, show(call)) for item in page.rows]
    return listed("attributes", shown, page, **beside)


register_resource(
    ATTRIBUTES,
    resources.creates("CreateAttribute", "Create a kind of skill.", access="agent"),
    module=__name__,
)


@OPERATIONS.operation(
    "ListRoutingAttributeDefinitions",
    "GET",
    f"{ALL}/definitions",
    summary="List the conditions that skills can have.",
    access="admin",
)
def list_definitions(call: Call) -> dict[str, Any]:
    """List what conditions of skills can look at: a ticket alone, not a change of it."""
    known = in_language(condition_definitions("sla"), show(call).locale)
    found = [{"subject": item.subject, "title": item.title} for item in known]
    return {"definitions": {"conditions_all": found, "conditions_any": found}}


register_resource(
    ATTRIBUTES,
    resources.shows("ShowAttribute", "Show one kind of skill."),
    resources.updates("UpdateAttribute", "Rename a kind of skill."),
    resources.deletes("DeleteAttribute", "Delete a kind of skill and its skills."),
    module=__name__,
)


@OPERATIONS.operation(
    "ListAttributeValues", "GET", VALUES, summary="List the skills of a kind.", access="agent"
)
def list_values(call: Call) -> dict[str, Any]:
    """List a kind's skills, the oldest first, all at once."""
    rows = RoutingValue.objects.filter(attribute=_attribute(call)).order_by("created_at", "id")
    return {"attribute_values": [present_value(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "CreateAttributeValue",
    "POST",
    VALUES,
    summary="Create a skill, with the conditions of the new tickets that get it.",
    body=ValueBody,
    access="admin",
    status=201,
)
def create_value(call: Call) -> Reply:
    """Create a skill."""
    made = skills.create_value(
        _attribute(call), actor=call.actor, changes=rule_changes(call.body.attribute_value)
    )
    body = present_value(made, show(call, "detail"))
    return Reply({"attribute_value": body}, 201, {"Location": body["url"]})


register_resource(
    resources.ResourceApi(
        resource=skills.VALUE,
        path=VALUES,
        one="/{attribute_value_id}",
        find_for=_value,
        present=present_value,
        body=ValueBody,
        writes="agent",
    ),
    resources.shows("ShowAttributeValue", "Show one skill."),
    resources.updates(
        "UpdateAttributeValue",
        "Rename a skill, or change which new tickets get it.",
        method="PATCH",
        access="admin",
    ),
    resources.deletes("DeleteAttributeValue", "Delete a skill."),
    module=__name__,
)


@OPERATIONS.operation(
    "ListAGentAttributeValues",
    "GET",
    OF_AGENT,
    summary="List an agent's skills.",
    access="agent",
)
def list_agent_values(call: Call) -> dict[str, Any]:
    """List an agent's skills."""
    rows = routing.values_of_agent(routing.agent(call.path["user_id"]))
    return {"attribute_values": [present_value(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "SetAgentAttributeValues",
    "POST",
    OF_AGENT,
    summary="Give an agent these skills and no others.",
    body=HeldBody,
    access="admin",
)
def set_agent_values(call: Call) -> dict[str, Any]:
    """Set an agent's skills."""
    agent = routing.agent(call.path["user_id"])
    skills.set_agent_values(agent, call.body.attribute_value_ids, actor=call.actor)
    rows = routing.values_of_agent(agent)
    return {"attribute_values": [present_value(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "ListTicketAttributeValues",
    "GET",
    OF_TICKET,
    summary="List the skills that a ticket needs.",
    access="agent",
)
def list_ticket_values(call: Call) -> dict[str, Any]:
    """List a ticket's skills."""
    rows = routing.values_of_ticket(queries.ticket(call.actor, call.path["ticket_id"]))
    return {"attribute_values": [present_value(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "SetTicketAttributeValues",
    "POST",
    OF_TICKET,
    summary="Have a ticket need these skills and no others.",
    body=HeldBody,
    access="admin",
)
def set_ticket_values(call: Call) -> dict[str, Any]:
    """Set a ticket's skills."""
    ticket = queries.ticket(call.actor, call.path["ticket_id"])
    skills.set_ticket_values(ticket, call.body.attribute_value_ids, actor=call.actor)
    rows = routing.values_of_ticket(ticket)
    return {"attribute_values": [present_value(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "ListTicketsFullfilledByUser",
    "GET",
    "/routing/requirements/fulfilled",
    summary="Tell which tickets the caller has the skills for.",
    query=FulfilledQuery,
    access="agent",
)
def list_fulfilled(call: Call) -> dict[str, Any]:
    """List which of some tickets need no skill that the caller lacks."""
    keys = many_ids(call, "ticket_ids")
    return {"fulfilled_ticket_ids": routing.fulfilled_tickets(call.actor, keys)}
