"""SLA policies of groups."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Query,
    Words,
    show,
)
from clones.helpdesk.api.presenters.definitions import present_filter, present_group_filter
from clones.helpdesk.api.presenters.rules import present_group_policy
from clones.helpdesk.api.resources import BY_OFFSET, register_resource
from clones.helpdesk.api.views import ConditionWrite
from clones.helpdesk.domain import group_slas
from clones.helpdesk.domain.errors import MissingParameter, RecordNotFound, TooManyValues
from clones.helpdesk.models import GroupSlaPolicy
from clones.helpdesk.queries.definitions import condition_definitions, in_language

PATH = "/group_slas/policies"


class GroupTarget(Body):
    """A target of a group SLA policy: minutes for a metric at a priority."""

    priority: str
    metric: str
    target: int = Field(description="Seconds.")
    business_hours: bool = False


class GroupFilter(Body):
    """The filter of a group SLA policy: conditions of the tickets that it is for."""

    all: list[ConditionWrite] = []


class GroupPolicyWrite(Body):
    """The attributes of a group SLA policy that can be set."""

    id: str | None = None
    title: str | None = None
    description: str | None = None
    position: int | None = None
    filter: GroupFilter | None = None
    policy_metrics: list[GroupTarget] | None = None


class GroupPolicyBody(Body):
    """A group SLA policy to create or update."""

    group_sla_policy: GroupPolicyWrite


class GroupPolicyOrder(Query):
    """The ids of group SLA policies in the order in which they are tried, in the address."""

    group_sla_policy_ids: Words = Field([], description="The policies' ids.")


class GroupPolicyOrderBody(Body):
    """The ids of group SLA policies in the order in which they are tried, as a body."""

    group_sla_policy_ids: list[str] = []


def _policy(key: str) -> GroupSlaPolicy:
    if not key.isalnum():
        raise RecordNotFound("group sla policy", key)
    return queries.one(GroupSlaPolicy.objects.all(), "group sla policy", key)


POLICIES: Final = resources.ResourceApi(
    resource=group_slas.GROUP_SLA_POLICY,
    path=PATH,
    one="/{policy_id}",
    find=_policy,
    present=present_group_policy,
    body=GroupPolicyBody,
    reads="admin",
)
register_resource(
    POLICIES,
    resources.lists(
        "ListGroupSLAPolicies",
        "List the SLA policies of groups in order.",
        query=PagedQuery,
        manner=BY_OFFSET,
    ),
    module=__name__,
)


@OPERATIONS.operation(
    "RetrieveGroupSLAPolicyFilterDefinitionItems",
    "GET",
    f"{PATH}/definitions",
    summary="List the conditions that SLA policies of groups can have.",
    access="admin",
)
def policy_definitions(call: Call) -> dict[str, Any]:
    """List what the filters of policies of groups can look at, the group first."""
    found = in_language(condition_definitions("sla"), show(call).locale)
    group = [present_group_filter(item) for item in found if item.subject == "group_id"]
    others = [present_filter(item) for item in found if item.subject != "group_id"]
    return {"definitions": {"all": group + others}}


register_resource(
    POLICIES,
    resources.shows("ShowGroupSLAPolicy", "Show one SLA policy of groups."),
    resources.creates("CreateGroupSLAPolicy", "Create an SLA policy of groups."),
    resources.updates("UpdateGroupSLAPolicy", "Change an SLA policy of groups."),
    resources.deletes("DeleteGroupSLAPolicy", "Delete an SLA policy of groups."),
    module=__name__,
)


@OPERATIONS.operation(
    "ReorderGroupSLAPolicies",
    "PUT",
    f"{PATH}/reorder",
    summary="Set the order in which policies of groups are tried.",
    query=GroupPolicyOrder,
    body=GroupPolicyOrderBody,
    access="admin",
)
def reorder_policies(call: Call) -> None:
    """Set the order of policies of groups; the answer is empty."""
    order = call.query.group_sla_policy_ids or call.body.group_sla_policy_ids
    if not order:
        raise MissingParameter("group_sla_policy_ids")
    if len(order) > MANY:
        raise TooManyValues(MANY)
    group_slas.reorder_policies(order, actor=call.actor)
