"""Queues of omnichannel routing, and whether agents are at work."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.definitions import present_condition
from clones.helpdesk.api.presenters.routing import (
    present_availability,
    present_queue,
    present_status,
    present_statuses,
)
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.views import ConditionWrite
from clones.helpdesk.domain import assignment, queues
from clones.helpdesk.models import AgentAvailability, Group, Queue, User
from clones.helpdesk.queries.definitions import condition_definitions, in_language
from clones.helpdesk.queries.routing import agent, groups_of_member, values_of_agent

AVAILABILITY = "/agent_availabilities"
STATUS = f"{AVAILABILITY}/agent_statuses"


class DefinitionWrite(Body):
    """The conditions of the tickets that wait in an omnichannel routing queue."""

    all: list[ConditionWrite] = Field(default=[], description="All of these must hold.")
    any: list[ConditionWrite] = Field(default=[], description="One of these must hold.")


class QueueWrite(Body):
    """The attributes of an omnichannel routing queue that can be set."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    definition: DefinitionWrite | None = None
    priority: int | None = Field(None, description="1 goes first.")
    order: int | None = Field(None, ge=1, description="The place in which it is asked.")
    primary_groups: Any = Field(None, description='Ids of groups, or {"groups": [{"id"}]}.')
    secondary_groups: Any = Field(None, description="The same: they take what the first cannot.")


class QueueBody(Body):
    """An omnichannel routing queue to create or update."""

    queue: QueueWrite


class OrderBody(Body):
    """The ids of all routing queues in the order in which they are tried."""

    queue_ids: list[str]


class StatusBody(Body):
    """An agent's unified status to set."""

    id: int = Field(description="2 offline, 3 online, 4 away, 5 transfers only.")


def _groups() -> dict[int, str]:
    rows = Group.objects.filter(deleted=False).order_by("id")
    return dict(rows.values_list("id", "name"))


QUEUES: Final = resources.ResourceApi(
    resource=queues.QUEUE,
    path="/queues",
    one="/{queue_id}",
    find=by_key(queues.QUEUE),
    present=lambda queue, how: present_queue(queue, _groups(), how),
    body=QueueBody,
    reads="admin",
)


@OPERATIONS.operation("ListQueues", "GET", "/queues", summary="List the queues.", access="admin")
def list_queues(call: Call) -> dict[str, Any]:
    """List queues in the order in which they are asked, all at once."""
    names = _groups()
    rows = Queue.objects.order_by("order", "id")
    return {"queues": [present_queue(item, names, show(call)) for item in rows]}


register_resource(QUEUES, resources.creates("CreateQueue", "Create a queue."), module=__name__)


@OPERATIONS.operation(
    "ListQueueDefinitions",
    "GET",
    "/queues/definitions",
    summary="List the conditions that queues can have.",
    access="admin",
)
def list_definitions(call: Call) -> dict[str, Any]:
    """List what conditions of queues can look at: a ticket alone, not a change of it."""
    known = in_language(condition_definitions("sla"), show(call).locale)
    found = [present_condition(item) for item in known]
    return {"definitions": {"conditions_all": found, "conditions_any": found}}


register_resource(
    QUEUES,
    resources.moves(
        "ReorderQueues",
        "Set the order in which queues are asked.",
        method="PATCH",
        path="/order",
        body=OrderBody,
        status=204,
    ),
    resources.shows("ShowQueueById", "Show one queue.", access="agent"),
    resources.updates("UpdateQueue", "Change a queue."),
    resources.deletes("DeleteQueue", "Delete a queue."),
    module=__name__,
)


@OPERATIONS.operation(
    "ListUnifiedAgentStatuses",
    "GET",
    STATUS,
    summary="List the statuses that agents can have.",
    access="agent",
)
def list_statuses(call: Call) -> dict[str, Any]:
    """List the unified statuses."""
    return present_statuses()


@OPERATIONS.operation(
    "ShowAgentAvailability",
    "GET",
    f"{AVAILABILITY}/{{agent_id:int}}",
    summary="Show whether an agent is at work.",
    access="agent",
)
def show_availability(call: Call) -> dict[str, Any]:
    """Show an agent's status, groups and skills."""
    found: User = agent(call.path["agent_id"])
    row = AgentAvailability.objects.filter(id=found.id).first()
    skills = [value.id for value in values_of_agent(found)]
    data = present_availability(found, row, groups_of_member(found), skills, show(call, "detail"))
    return {"data": data}


@OPERATIONS.operation(
    "UpdateAgentUnifiedStatus",
    "PUT",
    f"{STATUS}/agents/{{agent_id:int}}",
    summary="Set whether an agent is at work.",
    body=StatusBody,
    access="admin",
)
def update_status(call: Call) -> dict[str, Any]:
    """Set an agent's unified status."""
    found = agent(call.path["agent_id"])
    row = assignment.set_agent_status(found, call.body.id, actor=call.actor)
    return {"data": present_status(row)}


@OPERATIONS.operation(
    "UpdateMyUnifiedStatus",
    "PUT",
    f"{STATUS}/agents/me",
    summary="Set whether the caller is at work.",
    body=StatusBody,
    access="agent",
)
def update_my_status(call: Call) -> dict[str, Any]:
    """Set the caller's unified status."""
    row = assignment.set_agent_status(call.actor, call.body.id, actor=call.actor)
    return {"data": present_status(row)}
