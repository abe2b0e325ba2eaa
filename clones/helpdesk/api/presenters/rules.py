"""Views, macros, triggers, automations and SLA policies as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import (
    Automation,
    GroupSlaPolicy,
    Macro,
    SlaPolicy,
    TicketField,
    Trigger,
    TriggerCategory,
    View,
)
from clones.helpdesk.queries.views import describe_column


def present_view(view: View, fields: dict[str, TicketField], show: Show) -> dict[str, Any]:
    """Return a view as JSON; `fields` are the custom ticket fields by id."""
    show.note(view)
    output = view.output
    columns = [
        column
        for column in (describe_column(name, fields) for name in output.get("columns", []))
        if column is not None
    ]
    group = _ordered(output.get("group_by"), output.get("group_order"), fields)
    sort = _ordered(output.get("sort_by"), output.get("sort_order"), fields)
    return {
        "url": show.url(f"views/{view.id}"),
        "id": view.id,
        "title": show.text(view.title),
        "active": view.active,
        "updated_at": when(view.updated_at),
        "created_at": when(view.created_at),
        "default": view.default,
        "position": view.position,
        "description": view.description,
        "execution": {
            "group_by": output.get("group_by"),
            "group_order": output.get("group_order"),
            "sort_by": output.get("sort_by"),
            "sort_order": output.get("sort_order"),
            "group": group,
            "sort": sort,
            "columns": columns,
            "fields": columns,
            "custom_fields": [column for column in columns if "type" in column],
        },
        "conditions": view.conditions,
        "restriction": view.restriction,
        "raw_title": view.raw_title,
    }


def _ordered(
    name: str | None, order: str | None, fields: dict[str, TicketField]
) -> dict[str, Any] | None:
    column = describe_column(name, fields) if name else None
    return None if column is None else {**column, "order": order}


def custom_fields_by_id() -> dict[str, TicketField]:
    """Return the account's own ticket fields by their id as text."""
    found = TicketField.objects.exclude(type__in=TicketField.SYSTEM_TYPES).order_by("id")
    return {str(field.id): field for field in found}


def present_macro(macro: Macro, show: Show) -> dict[str, Any]:
    """Return a macro as JSON."""
    show.note(macro)
    return {
        "url": show.url(f"macros/{macro.id}"),
        "id": macro.id,
        "title": show.text(macro.title),
        "active": macro.active,
        "updated_at": when(macro.updated_at),
        "created_at": when(macro.created_at),
        "default": macro.default,
        "position": macro.position,
        "description": macro.description,
        "actions": macro.actions,
        "restriction": macro.restriction,
        "raw_title": macro.title,
    }


def present_replica(macro: Macro) -> dict[str, Any]:
    """Return a macro that is not kept as JSON: without what comes with keeping it."""
    return {
        "title": macro.title,
        "active": macro.active,
        "description": macro.description,
        "actions": macro.actions,
        "restriction": macro.restriction,
        "raw_title": macro.title,
    }


def present_trigger(trigger: Trigger, show: Show) -> dict[str, Any]:
    """Return a trigger as JSON."""
    show.note(trigger)
    return {
        "url": show.url(f"triggers/{trigger.id}"),
        "id": trigger.id,
        "title": show.text(trigger.title),
        "active": trigger.active,
        "updated_at": when(trigger.updated_at),
        "created_at": when(trigger.created_at),
        "default": trigger.default,
        "actions": trigger.actions,
        "conditions": trigger.conditions,
        "description": trigger.description,
        "position": trigger.position,
        "raw_title": trigger.title,
        "category_id": str(trigger.category_id),
    }


def present_category(category: TriggerCategory, show: Show) -> dict[str, Any]:
    """Return a heading of triggers as JSON."""
    show.note(category)
    return {
        "id": str(category.id),
        "name": category.name,
        "position": category.position,
        "created_at": when(category.created_at),
        "updated_at": when(category.updated_at),
    }


def present_automation(automation: Automation, show: Show) -> dict[str, Any]:
    """Return an automation as JSON."""
    show.note(automation)
    return {
        "url": show.url(f"automations/{automation.id}"),
        "id": automation.id,
        "title": show.text(automation.title),
        "active": automation.active,
        "updated_at": when(automation.updated_at),
        "created_at": when(automation.created_at),
        "default": automation.default,
        "actions": automation.actions,
        "conditions": automation.conditions,
        "position": automation.position,
        "raw_title": automation.title,
    }


def present_policy(policy: SlaPolicy, show: Show) -> dict[str, Any]:
    """Return an SLA policy as JSON."""
    show.note(policy)
    return {
        "url": show.url(f"slas/policies/{policy.id}"),
        "id": policy.id,
        "title": policy.title,
        "description": policy.description,
        "position": policy.position,
        "filter": policy.filter,
        "policy_metrics": policy.policy_metrics,
        "created_at": when(policy.created_at),
        "updated_at": when(policy.updated_at),
    }


def present_group_policy(policy: GroupSlaPolicy, show: Show) -> dict[str, Any]:
    """Return an SLA policy of groups as JSON."""
    show.note(policy)
    return {
        "url": show.url(f"group_slas/policies/{policy.id}"),
        "id": policy.id,
        "title": policy.title,
        "description": policy.description,
        "position": policy.position,
        "filter": policy.filter,
        "policy_metrics": policy.policy_metrics,
        "created_at": when(policy.created_at),
        "updated_at": when(policy.updated_at),
    }
