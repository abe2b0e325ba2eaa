"""Many triggers, automations, macros or views in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    Ids,
    IdsQuery,
    Query,
    SideloadQuery,
    checked_ids,
    includes,
    many_ids,
    show,
)
from clones.helpdesk.api.presenters.rules import (
    custom_fields_by_id,
    present_automation,
    present_macro,
    present_trigger,
    present_view,
)
from clones.helpdesk.api.rule_sideloads import put_rule_sideloads
from clones.helpdesk.domain import rule_batches
from clones.helpdesk.domain.errors import TooManyValues
from clones.helpdesk.queries.views import usable_views


class PlaceWrite(Body):
    """A rule of a bulk update: its id, its position, whether it is active."""

    id: int = Field(ge=0, lt=2**63)
    position: int | None = None
    active: bool | None = None


class TriggerPlaceWrite(PlaceWrite):
    """A trigger of a bulk update: id, position, category, whether it is active."""

    category_id: str | None = None


class TriggersBody(Body):
    """Triggers to update in bulk: their positions, and whether they are active."""

    triggers: list[TriggerPlaceWrite]


class AutomationsBody(Body):
    """Automations to update in bulk: their positions, and whether they are active."""

    automations: list[PlaceWrite]


class MacrosBody(Body):
    """Macros to update in bulk: their positions, and whether they are active."""

    macros: list[PlaceWrite]


class ViewsBody(Body):
    """Views to update in bulk: their positions, and whether they are active."""

    views: list[PlaceWrite]


class PolicyOrderQuery(Query):
    """The ids of SLA policies in the order in which they are tried, in the address."""

    sla_policy_ids: Ids | None = Field(None, description="The policies' ids.")


class PolicyOrderBody(Body):
    """The ids of SLA policies in the order in which they are tried, as a body."""

    sla_policy_ids: list[int] | None = None


class ManyViewsQuery(IdsQuery, SideloadQuery):
    """The ids of the views to show."""

    active: bool | None = None


def _items(given: Sequence[PlaceWrite]) -> list[dict[str, Any]]:
    if len(given) > MANY:
        raise TooManyValues(MANY)
    return [item.model_dump(include=set(type(item).model_fields)) for item in given]


def _all_at_once(name: str, bodies: list[dict[str, Any]]) -> dict[str, Any]:
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {name: bodies, **around}


@OPERATIONS.operation(
    "UpdateManyTriggers",
    "PUT",
    "/triggers/update_many",
    summary="Change position, category or active state of up to 100 triggers.",
    body=TriggersBody,
    access="admin",
)
def update_triggers(call: Call) -> dict[str, Any]:
    """Change several triggers."""
    found = rule_batches.update_triggers(_items(call.body.triggers), actor=call.actor)
    return _all_at_once("triggers", [present_trigger(item, show(call)) for item in found])


@OPERATIONS.operation(
    "DeleteManyTriggers",
    "DELETE",
    "/triggers/destroy_many",
    summary="Delete up to 100 triggers.",
    query=IdsQuery,
    access="admin",
    status=204,
)
def delete_triggers(call: Call) -> None:
    """Delete several triggers."""
    rule_batches.delete_triggers(many_ids(call), actor=call.actor)


@OPERATIONS.operation(
    "UpdateManyAutomations",
    "PUT",
    "/automations/update_many",
    summary="Change position or active state of up to 100 automations.",
    body=AutomationsBody,
    access="admin",
)
def update_automations(call: Call) -> dict[str, Any]:
    """Change several automations."""
    found = rule_batches.update_automations(_items(call.body.automations), actor=call.actor)
    return _all_at_once("automations", [present_automation(item, show(call)) for item in found])


@OPERATIONS.operation(
    "BulkDeleteAutomations",
    "DELETE",
    "/automations/destroy_many",
    summary="Delete up to 100 automations.",
    query=IdsQuery,
    access="admin",
    status=204,
)
def delete_automations(call: Call) -> None:
    """Delete several automations."""
    rule_batches.delete_automations(many_ids(call), actor=call.actor)


@OPERATIONS.operation(
    "UpdateManyMacros",
    "PUT",
    "/macros/update_many",
    summary="Change position or active state of up to 100 macros.",
    body=MacrosBody,
)
def update_macros(call: Call) -> dict[str, Any]:
    """Change several macros."""
    found = rule_batches.update_macros(_items(call.body.macros), actor=call.actor)
    return _all_at_once("macros", [present_macro(item, show(call)) for item in found])


@OPERATIONS.operation(
    "DeleteManyMacros",
    "DELETE",
    "/macros/destroy_many",
    summary="Delete up to 100 macros.",
    query=IdsQuery,
    status=204,
)
def delete_macros(call: Call) -> None:
    """Delete several macros."""
    rule_batches.delete_macros(many_ids(call), actor=call.actor)


@OPERATIONS.operation(
    "UpdateManyViews",
    "PUT",
    "/views/update_many",
    summary="Change position or active state of up to 100 views.",
    body=ViewsBody,
)
def update_views(call: Call) -> dict[str, Any]:
    """Change several views."""
    found = rule_batches.update_views(_items(call.body.views), actor=call.actor)
    fields = custom_fields_by_id()
    return _all_at_once("views", [present_view(item, fields, show(call)) for item in found])


@OPERATIONS.operation(
    "BulkDeleteViews",
    "DELETE",
    "/views/destroy_many",
    summary="Delete up to 100 views.",
    query=IdsQuery,
    status=204,
)
def delete_views(call: Call) -> None:
    """Delete several views."""
    rule_batches.delete_views(many_ids(call), actor=call.actor)


@OPERATIONS.operation(
    "ListViewsById",
    "GET",
    "/views/show_many",
    summary="Show up to 100 views.",
    query=ManyViewsQuery,
)
def show_views(call: Call) -> dict[str, Any]:
    """Show the views of some ids, as the product orders them; unknown ones are left out."""
    rows = usable_views(call.actor).filter(id__in=many_ids(call))
    if call.query.active is not None:
        rows = rows.filter(active=call.query.active)
    fields = custom_fields_by_id()
    found = list(rows.order_by("position", "title", "id"))
    bodies = [present_view(item, fields, show(call)) for item in found]
    put_rule_sideloads(bodies, found, includes(call), call.actor)
    return _all_at_once("views", bodies)


@OPERATIONS.operation(
    "ReorderSLAPolicies",
    "PUT",
    "/slas/policies/reorder",
    summary="Set the order in which SLA policies are tried.",
    query=PolicyOrderQuery,
    body=PolicyOrderBody,
    access="admin",
)
def reorder_policies(call: Call) -> Reply:
    """Set the order of SLA policies; the answer is empty, as the vendor's."""
    order = call.query.sla_policy_ids or call.body.sla_policy_ids
    rule_batches.reorder_policies(checked_ids(order, "sla_policy_ids"), actor=call.actor)
    return Reply()
