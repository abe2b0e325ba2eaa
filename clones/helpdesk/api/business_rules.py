"""Triggers, automations and service-level policies."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
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
from clones.helpdesk.api.views import ConditionWrite, rule_changes
from clones.helpdesk.domain import business_rules
from clones.helpdesk.models import Automation, SlaPolicy, Trigger, TriggerCategory


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
    if call.query.category_id is not None and call.query.category_id.isdigit():
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


def _trigger(call: Call) -> Trigger:
    return queries.one(Trigger.objects.all(), "trigger", call.path["trigger_id"])


@OPERATIONS.operation(
    "GetTrigger", "GET", "/triggers/{trigger_id:int}", summary="Show one trigger."
)
def show_trigger(call: Call) -> dict[str, Any]:
    """Show a trigger."""
    return {"trigger": present_trigger(_trigger(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateTrigger",
    "POST",
    "/triggers",
    summary="Create a trigger.",
    body=TriggerBody,
    access="admin",
    status=201,
)
def create_trigger(call: Call) -> Reply:
    """Create a trigger."""
    made = business_rules.create_trigger(actor=call.actor, changes=rule_changes(call.body.trigger))
    body = present_trigger(made, show(call, "detail"))
    return Reply({"trigger": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateTrigger",
    "PUT",
    "/triggers/{trigger_id:int}",
    summary="Change a trigger.",
    body=TriggerBody,
    access="admin",
)
def update_trigger(call: Call) -> dict[str, Any]:
    """Update a trigger."""
    found = business_rules.update_trigger(
        _trigger(call), actor=call.actor, changes=rule_changes(call.body.trigger)
    )
    return {"trigger": present_trigger(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteTrigger",
    "DELETE",
    "/triggers/{trigger_id:int}",
    summary="Delete a trigger.",
    access="admin",
    status=204,
)
def delete_trigger(call: Call) -> None:
    """Delete a trigger."""
    business_rules.delete_rule(_trigger(call), actor=call.actor)


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


def _automation(call: Call) -> Automation:
    return queries.one(Automation.objects.all(), "automation", call.path["automation_id"])


@OPERATIONS.operation(
    "ShowAutomation", "GET", "/automations/{automation_id:int}", summary="Show one automation."
)
def show_automation(call: Call) -> dict[str, Any]:
    """Show an automation."""
    return {"automation": present_automation(_automation(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateAutomation",
    "POST",
    "/automations",
    summary="Create an automation.",
    body=AutomationBody,
    access="admin",
    status=201,
)
def create_automation(call: Call) -> Reply:
    """Create an automation."""
    made = business_rules.create_automation(
        actor=call.actor, changes=rule_changes(call.body.automation)
    )
    body = present_automation(made, show(call, "detail"))
    return Reply({"automation": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateAutomation",
    "PUT",
    "/automations/{automation_id:int}",
    summary="Change an automation.",
    body=AutomationBody,
    access="admin",
)
def update_automation(call: Call) -> dict[str, Any]:
    """Update an automation."""
    found = business_rules.update_automation(
        _automation(call), actor=call.actor, changes=rule_changes(call.body.automation)
    )
    return {"automation": present_automation(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteAutomation",
    "DELETE",
    "/automations/{automation_id:int}",
    summary="Delete an automation.",
    access="admin",
    status=204,
)
def delete_automation(call: Call) -> None:
    """Delete an automation."""
    business_rules.delete_rule(_automation(call), actor=call.actor)


@OPERATIONS.operation(
    "ListSLAPolicies",
    "GET",
    "/slas/policies",
    summary="List the service-level policies in order.",
    access="admin",
    query=PagedQuery,
)
def list_policies(call: Call) -> dict[str, Any]:
    """List service-level policies."""
    page = paginate(SlaPolicy.objects.all(), asked(call), Order(("position", "id")), cursor=False)
    return listed("sla_policies", [present_policy(item, show(call)) for item in page.rows], page)


def _policy(call: Call) -> SlaPolicy:
    return queries.one(SlaPolicy.objects.all(), "policy", call.path["policy_id"])


@OPERATIONS.operation(
    "ShowSLAPolicy",
    "GET",
    "/slas/policies/{policy_id:int}",
    summary="Show one service-level policy.",
    access="admin",
)
def show_policy(call: Call) -> dict[str, Any]:
    """Show a service-level policy."""
    return {"sla_policy": present_policy(_policy(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateSLAPolicy",
    "POST",
    "/slas/policies",
    summary="Create a service-level policy.",
    body=PolicyBody,
    access="admin",
    status=201,
)
def create_policy(call: Call) -> Reply:
    """Create a service-level policy."""
    made = business_rules.create_sla_policy(
        actor=call.actor, changes=rule_changes(call.body.sla_policy)
    )
    body = present_policy(made, show(call, "detail"))
    return Reply({"sla_policy": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateSLAPolicy",
    "PUT",
    "/slas/policies/{policy_id:int}",
    summary="Change a service-level policy.",
    body=PolicyBody,
    access="admin",
)
def update_policy(call: Call) -> dict[str, Any]:
    """Update a service-level policy."""
    found = business_rules.update_sla_policy(
        _policy(call), actor=call.actor, changes=rule_changes(call.body.sla_policy)
    )
    return {"sla_policy": present_policy(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteSLAPolicy",
    "DELETE",
    "/slas/policies/{policy_id:int}",
    summary="Delete a service-level policy.",
    access="admin",
    status=204,
)
def delete_policy(call: Call) -> None:
    """Delete a service-level policy."""
    business_rules.delete_rule(_policy(call), actor=call.actor)
