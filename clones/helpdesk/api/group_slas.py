"""Service-level policies of groups."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Query,
    Words,
    asked,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.definitions import present_filter, present_group_filter
from clones.helpdesk.api.presenters.rules import present_group_policy
from clones.helpdesk.api.views import ConditionWrite, rule_changes
from clones.helpdesk.domain import group_slas
from clones.helpdesk.domain.errors import MissingParameter, RecordNotFound, TooManyValues
from clones.helpdesk.models import GroupSlaPolicy
from clones.helpdesk.queries.definitions import condition_definitions, in_language

PATH = "/group_slas/policies"
ONE = f"{PATH}/{{policy_id}}"


class GroupTarget(Body):
    """One target of a policy."""

    priority: str
    metric: str
    target: int = Field(description="Seconds.")
    business_hours: bool = False


class GroupFilter(Body):
    """Which tickets a policy is for."""

    all: list[ConditionWrite] = []


class GroupPolicyWrite(Body):
    """What to set on a policy."""

    id: str | None = None
    title: str | None = None
    description: str | None = None
    position: int | None = None
    filter: GroupFilter | None = None
    policy_metrics: list[GroupTarget] | None = None


class GroupPolicyBody(Body):
    """A policy to create or update."""

    group_sla_policy: GroupPolicyWrite


class GroupPolicyOrder(Query):
    """Policies in the order they are to be tried."""

    group_sla_policy_ids: Words = Field([], description="The policies' ids.")


def _policy(call: Call) -> GroupSlaPolicy:
    key = call.path["policy_id"]
    if not key.isalnum():
        raise RecordNotFound("group sla policy", key)
    return queries.one(GroupSlaPolicy.objects.all(), "group sla policy", key)


@OPERATIONS.operation(
    "ListGroupSLAPolicies",
    "GET",
    PATH,
    summary="List the service-level policies of groups in order.",
    query=PagedQuery,
    access="admin",
)
def list_policies(call: Call) -> dict[str, Any]:
    """List policies of groups."""
    rows = GroupSlaPolicy.objects.all()
    page = paginate(rows, asked(call), Order(("position", "id")), cursor=False)
    bodies = [present_group_policy(item, show(call)) for item in page.rows]
    return listed("group_sla_policies", bodies, page)


@OPERATIONS.operation(
    "RetrieveGroupSLAPolicyFilterDefinitionItems",
    "GET",
    f"{PATH}/definitions",
    summary="List the conditions that service-level policies of groups can have.",
    access="admin",
)
def policy_definitions(call: Call) -> dict[str, Any]:
    """List what the filters of policies of groups can look at, the group first."""
    found = in_language(condition_definitions("sla"), show(call).locale)
    group = [present_group_filter(item) for item in found if item.subject == "group_id"]
    others = [present_filter(item) for item in found if item.subject != "group_id"]
    return {"definitions": {"all": group + others}}


@OPERATIONS.operation(
    "ShowGroupSLAPolicy",
    "GET",
    ONE,
    summary="Show one service-level policy of groups.",
    access="admin",
)
def show_policy(call: Call) -> dict[str, Any]:
    """Show a policy of groups."""
    return {"group_sla_policy": present_group_policy(_policy(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateGroupSLAPolicy",
    "POST",
    PATH,
    summary="Create a service-level policy of groups.",
    body=GroupPolicyBody,
    access="admin",
    status=201,
)
def create_policy(call: Call) -> Reply:
    """Create a policy of groups."""
    made = group_slas.create_policy(
        actor=call.actor, changes=rule_changes(call.body.group_sla_policy)
    )
    body = present_group_policy(made, show(call, "detail"))
    return Reply({"group_sla_policy": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateGroupSLAPolicy",
    "PUT",
    ONE,
    summary="Change a service-level policy of groups.",
    body=GroupPolicyBody,
    access="admin",
)
def update_policy(call: Call) -> dict[str, Any]:
    """Update a policy of groups."""
    found = group_slas.update_policy(
        _policy(call), actor=call.actor, changes=rule_changes(call.body.group_sla_policy)
    )
    return {"group_sla_policy": present_group_policy(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteGroupSLAPolicy",
    "DELETE",
    ONE,
    summary="Delete a service-level policy of groups.",
    access="admin",
    status=204,
)
def delete_policy(call: Call) -> None:
    """Delete a policy of groups."""
    group_slas.delete_policy(_policy(call), actor=call.actor)


@OPERATIONS.operation(
    "ReorderGroupSLAPolicies",
    "PUT",
    f"{PATH}/reorder",
    summary="Set the order in which policies of groups are tried.",
    query=GroupPolicyOrder,
    access="admin",
)
def reorder_policies(call: Call) -> None:
    """Set the order of policies of groups; the answer is empty."""
    order = call.query.group_sla_policy_ids
    if not order:
        raise MissingParameter("group_sla_policy_ids")
    if len(order) > MANY:
        raise TooManyValues(MANY)
    group_slas.reorder_policies(order, actor=call.actor)
