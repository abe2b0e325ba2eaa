"""Queues of omnichannel routing, and whether agents are at work."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.definitions import present_condition
from clones.helpdesk.api.presenters.routing import (
    present_availability,
    present_queue,
    present_status,
    present_statuses,
)
from clones.helpdesk.api.views import ConditionWrite, rule_changes
from clones.helpdesk.domain import assignment, queues
from clones.helpdesk.models import AgentAvailability, Group, Queue, User
from clones.helpdesk.queries.definitions import condition_definitions, in_language
from clones.helpdesk.queries.routing import agent, groups_of_member, values_of_agent

ONE = "/queues/{queue_id}"
AVAILABILITY = "/agent_availabilities"
STATUS = f"{AVAILABILITY}/agent_statuses"


class DefinitionWrite(Body):
    """Which tickets wait in a queue."""

    all: list[ConditionWrite] = Field(default=[], description="All of these must hold.")
    any: list[ConditionWrite] = Field(default=[], description="One of these must hold.")


class QueueWrite(Body):
    """What to set on a queue."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    definition: DefinitionWrite | None = None
    priority: int | None = Field(None, description="1 goes first.")
    order: int | None = Field(None, ge=1, description="The place in which it is asked.")
    primary_groups: Any = Field(None, description='Ids of groups, or {"groups": [{"id"}]}.')
    secondary_groups: Any = Field(None, description="The same: they take what the first cannot.")


class QueueBody(Body):
    """A queue to create or update."""

    queue: QueueWrite


class OrderBody(Body):
    """Every queue, in the order in which they are asked."""

    queue_ids: list[str]


class StatusBody(Body):
    """A unified status."""

    id: int = Field(description="2 offline, 3 online, 4 away, 5 transfers only.")


def _queue(call: Call) -> Queue:
    return queries.one(Queue.objects.all(), "queue", call.path["queue_id"])


def _groups() -> dict[int, str]:
    rows = Group.objects.filter(deleted=False).order_by("id")
    return dict(rows.values_list("id", "name"))


@OPERATIONS.operation("ListQueues", "GET", "/queues", summary="List the queues.", access="admin")
def list_queues(call: Call) -> dict[str, Any]:
    """List queues in the order in which they are asked, all at once."""
    names = _groups()
    rows = Queue.objects.order_by("order", "id")
    return {"queues": [present_queue(item, names, show(call)) for item in rows]}


@OPERATIONS.operation(
    "CreateQueue",
    "POST",
    "/queues",
    summary="Create a queue.",
    body=QueueBody,
    access="admin",
    status=201,
)
def create_queue(call: Call) -> Reply:
    """Create a queue."""
    made = queues.create_queue(actor=call.actor, changes=rule_changes(call.body.queue))
    body = present_queue(made, _groups(), show(call, "detail"))
    return Reply({"queue": body}, 201, {"Location": body["url"]})


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


@OPERATIONS.operation(
    "ReorderQueues",
    "PATCH",
    "/queues/order",
    summary="Set the order in which queues are asked.",
    body=OrderBody,
    access="admin",
    status=204,
)
def reorder_queues(call: Call) -> None:
    """Reorder queues."""
    queues.reorder_queues(call.body.queue_ids, actor=call.actor)


@OPERATIONS.operation("ShowQueueById", "GET", ONE, summary="Show one queue.", access="agent")
def show_queue(call: Call) -> dict[str, Any]:
    """Show a queue."""
    return {"queue": present_queue(_queue(call), _groups(), show(call, "detail"))}


@OPERATIONS.operation(
    "UpdateQueue", "PUT", ONE, summary="Change a queue.", body=QueueBody, access="admin"
)
def update_queue(call: Call) -> dict[str, Any]:
    """Update a queue."""
    found = queues.update_queue(
        _queue(call), actor=call.actor, changes=rule_changes(call.body.queue)
    )
    return {"queue": present_queue(found, _groups(), show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteQueue", "DELETE", ONE, summary="Delete a queue.", access="admin", status=204
)
def delete_queue(call: Call) -> None:
    """Delete a queue."""
    queues.delete_queue(_queue(call), actor=call.actor)


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
