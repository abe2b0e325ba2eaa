"""Triggers, automations and service-level policies."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core import resources
from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.helpdesk.api.macros import ActionWrite
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    asked,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.rules import (
    present_automation,
    present_category,
    present_policy,
    present_trigger,
)
from clones.helpdesk.api.resources import BY_OFFSET, by_key, register_resource
from clones.helpdesk.api.views import ConditionWrite
from clones.helpdesk.domain import business_rules
from clones.helpdesk.models import Automation, Trigger, TriggerCategory


class RuleList(PagedQuery):
    """Which rules to list, and how."""

    active: bool | None = None
    category_id: str | None = None
    query: str | None = None


class RuleWrite(Body):
    """What to set on a trigger or automation."""

    title: str | None = None
    description: str | None = None
    active: bool | None = None
    position: int | None = None
    category_id: str | None = None
    all: list[ConditionWrite] | None = Field(None, description="All of these must hold.")
    any: list[ConditionWrite] | None = Field(None, description="One of these must hold.")
    conditions: dict[str, list[ConditionWrite]] | None = None
    actions: list[ActionWrite] | None = None
    id: int | None = None


class TriggerBody(Body):
    """A trigger to create or update."""

    trigger: RuleWrite


class AutomationBody(Body):
    """An automation to create or update."""

    automation: RuleWrite


class OrderBody(Body):
    """Triggers in the order they are to run."""

    trigger_ids: list[int]


class TargetWrite(Body):
    """One target of a policy."""

    priority: str
    metric: str
    target: int = Field(description="Minutes.")
    business_hours: bool = False


class PolicyWrite(Body):
    """What to set on a policy."""

    title: str | None = None
    description: str | None = None
    position: int | None = None
    filter: dict[str, list[ConditionWrite]] | None = None
    policy_metrics: list[TargetWrite] | None = None
    id: int | None = None


class PolicyBody(Body):
    """A policy to create or update."""

    sla_policy: PolicyWrite


def _triggers(call: Call, *, active: bool | None = None, cursor: bool = True) -> dict[str, Any]:
    rows = Trigger.objects.all()
    wanted = active if active is not None else call.query.active
    if wanted is not None:
        rows = rows.filter(active=wanted)
    if call.query.category_id is not None and is_digits(call.query.category_id):
        rows = rows.filter(category_id=int(call.query.category_id))
    if call.query.query is not None:
        rows = rows.filter(title__icontains=call.query.query)
    order = Order(("category__position", "position", "title", "id"))
    page = paginate(rows.select_related("category"), asked(call), order, cursor=cursor)
    return listed("triggers", [present_trigger(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "ListTriggers", "GET", "/triggers", summary="List the triggers in order.", query=RuleList
)
def list_triggers(call: Call) -> dict[str, Any]:
    """List triggers."""
    return _triggers(call)


@OPERATIONS.operation(
    "ListActiveTriggers",
    "GET",
    "/triggers/active",
    summary="List the active triggers.",
    query=RuleList,
)
def list_active_triggers(call: Call) -> dict[str, Any]:
    """List active triggers."""
    return _triggers(call, active=True)


@OPERATIONS.operation(
    "SearchTriggers", "GET", "/triggers/search", summary="Find triggers by title.", query=RuleList
)
def search_triggers(call: Call) -> dict[str, Any]:
    """Find triggers whose title holds a text."""
    return _triggers(call, cursor=False)


register_resource(
    resources.ResourceApi(
        resource=business_rules.TRIGGER,
        path="/triggers",
        one="/{trigger_id:int}",
        find=by_key(business_rules.TRIGGER),
        present=present_trigger,
        body=TriggerBody,
    ),
    resources.shows("GetTrigger", "Show one trigger."),
    resources.creates("CreateTrigger", "Create a trigger."),
    resources.updates("UpdateTrigger", "Change a trigger."),
    resources.deletes("DeleteTrigger", "Delete a trigger."),
    module=__name__,
)


@OPERATIONS.operation(
    "ReorderTriggers",
    "PUT",
    "/triggers/reorder",
    summary="Set the order of triggers.",
    body=OrderBody,
    access="admin",
)
def reorder_triggers(call: Call) -> dict[str, Any]:
    """Set the order of triggers."""
    business_rules.reorder_triggers(call.body.trigger_ids, actor=call.actor)
    rows = Trigger.objects.order_by("position", "id")
    return {"triggers": [present_trigger(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "ListTriggerCategories",
    "GET",
    "/trigger_categories",
    summary="List the headings of triggers.",
    query=PagedQuery,
)
def list_categories(call: Call) -> dict[str, Any]:
    """List trigger categories."""
    page = paginate(TriggerCategory.objects.all(), asked(call), Order(("position", "id")))
    bodies = [present_category(item, show(call)) for item in page.rows]
    return listed("trigger_categories", bodies, page)


def _automations(call: Call, *, active: bool | None = None, cursor: bool = True) -> dict[str, Any]:
    rows = Automation.objects.all()
    wanted = active if active is not None else call.query.active
    if wanted is not None:
        rows = rows.filter(active=wanted)
    if call.query.query is not None:
        rows = rows.filter(title__icontains=call.query.query)
    page = paginate(rows, asked(call), Order(("position", "id")), cursor=cursor)
    return listed("automations", [present_automation(item, show(call)) for item in page.rows], page)


@OPERATIONS.operation(
    "ListAutomations", "GET", "/automations", summary="List the automations.", query=RuleList
)
def list_automations(call: Call) -> dict[str, Any]:
    """List automations."""
    return _automations(call)


@OPERATIONS.operation(
    "ListActiveAutomations",
    "GET",
    "/automations/active",
    summary="List the active automations.",
    query=RuleList,
)
def list_active_automations(call: Call) -> dict[str, Any]:
    """List active automations."""
    return _automations(call, active=True)


@OPERATIONS.operation(
    "SearchAutomations",
    "GET",
    "/automations/search",
    summary="Find automations by title.",
    query=RuleList,
)
def search_automations(call: Call) -> dict[str, Any]:
    """Find automations whose title holds a text."""
    return _automations(call, cursor=False)


register_resource(
    resources.ResourceApi(
        resource=business_rules.AUTOMATION,
        path="/automations",
        one="/{automation_id:int}",
        find=by_key(business_rules.AUTOMATION),
        present=present_automation,
        body=AutomationBody,
    ),
    resources.shows("ShowAutomation", "Show one automation."),
    resources.creates("CreateAutomation", "Create an automation."),
    resources.updates("UpdateAutomation", "Change an automation."),
    resources.deletes("DeleteAutomation", "Delete an automation."),
    module=__name__,
)


register_resource(
    resources.ResourceApi(
        resource=business_rules.SLA_POLICY,
        path="/slas/policies",
        one="/{policy_id:int}",
        find=by_key(business_rules.SLA_POLICY),
        present=present_policy,
        body=PolicyBody,
        reads="admin",
    ),
    resources.lists(
        "ListSLAPolicies",
        "List the service-level policies in order.",
        query=PagedQuery,
        manner=BY_OFFSET,
    ),
    resources.shows("ShowSLAPolicy", "Show one service-level policy."),
    resources.creates("CreateSLAPolicy", "Create a service-level policy."),
    resources.updates("UpdateSLAPolicy", "Change a service-level policy."),
    resources.deletes("DeleteSLAPolicy", "Delete a service-level policy."),
    module=__name__,
)
