"""Triggers, automations and SLA policies."""

from __future__ import annotations

from typing import Annotated, Any, Final

from django.db.models import Count, Q
from pydantic import BaseModel, ConfigDict, Field

from clones.core import resources
from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.core.strict_json import read_json
from clones.helpdesk.api.macros import ActionWrite
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    PagedSideloadQuery,
    SideloadQuery,
    SortedQuery,
    includes,
    list_request,
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
from clones.helpdesk.api.rule_lists import rule_page
from clones.helpdesk.api.rule_sideloads import put_rule_sideloads
from clones.helpdesk.api.views import ConditionWrite
from clones.helpdesk.domain import business_rules
from clones.helpdesk.domain.errors import InvalidAttribute
from clones.helpdesk.models import Automation, Trigger, TriggerCategory

CATEGORY_SORTS: Final = ("position", "name", "created_at", "updated_at")


Number = Annotated[int, Field(ge=0, lt=2**63)]
Text = Annotated[str, Field(pattern="^[^\0]*$")]


class RuleList(SortedQuery, SideloadQuery):
    """Filters, order and paging of a list of triggers or automations."""

    active: bool | None = None
    category_id: str | None = None
    query: str | None = None


class TriggerSearch(RuleList):
    """Which triggers to find: by a text in their title, by what they are, or by both."""

    filter: str | None = Field(None, description='JSON: `{"json": {"description": "..."}}`')


class CategoryList(PagedSideloadQuery):
    """In which order to list categories, and what beside them."""

    sort: str | None = Field(None, description="position, name, created_at, updated_at or -...")


class RuleWrite(Body):
    """The attributes of a trigger or automation that can be set."""

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
    """The ids of triggers in the order in which they are to run."""

    trigger_ids: list[int]


class TargetWrite(Body):
    """A target of an SLA policy: minutes for a metric at a priority."""

    priority: str
    metric: str
    target: int = Field(description="Minutes.")
    business_hours: bool = False


class PolicyWrite(Body):
    """The attributes of an SLA policy that can be set."""

    title: str | None = None
    description: str | None = None
    position: int | None = None
    filter: dict[str, list[ConditionWrite]] | None = None
    policy_metrics: list[TargetWrite] | None = None
    id: int | None = None


class PolicyBody(Body):
    """An SLA policy to create or update."""

    sla_policy: PolicyWrite


class _Filter(BaseModel):
    """The attributes by which triggers are found, and what they are to be."""

    model_config = ConfigDict(extra="forbid")

    id: Number = 0
    title: Text = ""
    description: Text = ""
    active: bool = False
    position: Number = 0
    category_id: Number = 0


def _triggers(
    call: Call, *, active: bool | None = None, cursor: bool = True, **wanted_values: Any
) -> dict[str, Any]:
    rows = Trigger.objects.filter(**wanted_values)
    wanted = active if active is not None else call.query.active
    if wanted is not None:
        rows = rows.filter(active=wanted)
    if call.query.category_id is not None and is_digits(call.query.category_id):
        rows = rows.filter(category_id=int(call.query.category_id))
    if call.query.query is not None:
        rows = rows.filter(title__icontains=call.query.query)
    order = Order(("category__position", "position", "title", "id"))
    rows = rows.select_related("category")
    page = rule_page(call, rows, order, kind="trigger", cursor=cursor)
    bodies = [present_trigger(item, show(call)) for item in page.rows]
    put_rule_sideloads(bodies, page.rows, includes(call), call.actor, "trigger")
    return listed("triggers", bodies, page)


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
    "SearchTriggers",
    "GET",
    "/triggers/search",
    summary="Find triggers by title or by what they are.",
    query=TriggerSearch,
)
def search_triggers(call: Call) -> dict[str, Any]:
    """Find triggers whose title holds a text, and that have the values of a filter."""
    return _triggers(call, cursor=False, **_filtered_by(call.query.filter))


def _filtered_by(text: str | None) -> dict[str, Any]:
    """Return what a filter wants of a trigger's attributes.

    Raises:
        InvalidAttribute: it is no JSON of attributes by which triggers are found.
    """
    if text is None:
        return {}
    try:
        read = read_json(text)
        return _Filter.model_validate(read["json"]).model_dump(exclude_unset=True)
    except (ValueError, LookupError, TypeError) as error:
        names = ", ".join(_Filter.model_fields)
        raise InvalidAttribute("filter", f"JSON of {names} under json") from error


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
    """Set the order of triggers: all of them are named."""
    business_rules.reorder_every_trigger(call.body.trigger_ids, actor=call.actor)
    rows = Trigger.objects.order_by("position", "id")
    return {"triggers": [present_trigger(item, show(call)) for item in rows]}


@OPERATIONS.operation(
    "ListTriggerCategories",
    "GET",
    "/trigger_categories",
    summary="List the headings of triggers.",
    query=CategoryList,
)
def list_categories(call: Call) -> dict[str, Any]:
    """List trigger categories."""
    wanted = call.query.sort or "position"
    if wanted.removeprefix("-") not in CATEGORY_SORTS:
        raise InvalidAttribute("sort", f"one of {', '.join(CATEGORY_SORTS)}, with or without -")
    order = Order((wanted, "-id" if wanted.startswith("-") else "id"))
    page = paginate(TriggerCategory.objects.all(), list_request(call), order)
    bodies = [present_category(item, show(call)) for item in page.rows]
    beside = {"rule_counts": _rule_counts(page.rows)} if "rule_counts" in includes(call) else {}
    return listed("trigger_categories", bodies, page, **beside)


def _rule_counts(rows: list[TriggerCategory]) -> list[dict[str, Any]]:
    """Return how many triggers stand under each heading, active ones and others."""
    triggers = Trigger.objects.filter(category__in=[row.id for row in rows])
    active = Count("id", filter=Q(active=True))
    counted = triggers.order_by().values_list("category").annotate(all=Count("id"), active=active)
    counts = {key: (some, every - some) for key, every, some in counted}
    return [
        {
            "category_id": str(row.id),
            "active_count": counts.get(row.id, (0, 0))[0],
            "inactive_count": counts.get(row.id, (0, 0))[1],
        }
        for row in rows
    ]


def _automations(call: Call, *, active: bool | None = None, cursor: bool = True) -> dict[str, Any]:
    rows = Automation.objects.all()
    wanted = active if active is not None else call.query.active
    if wanted is not None:
        rows = rows.filter(active=wanted)
    if call.query.query is not None:
        rows = rows.filter(title__icontains=call.query.query)
    page = rule_page(call, rows, Order(("position", "id")), kind="automation", cursor=cursor)
    bodies = [present_automation(item, show(call)) for item in page.rows]
    put_rule_sideloads(bodies, page.rows, includes(call), call.actor, "automation")
    return listed("automations", bodies, page)


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
        "List the SLA policies in order.",
        query=PagedQuery,
        manner=BY_OFFSET,
    ),
    resources.shows("ShowSLAPolicy", "Show one SLA policy."),
    resources.creates("CreateSLAPolicy", "Create an SLA policy."),
    resources.updates("UpdateSLAPolicy", "Change an SLA policy."),
    resources.deletes("DeleteSLAPolicy", "Delete an SLA policy."),
    module=__name__,
)
