"""What rules can say: the conditions and actions that this account has."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS
from clones.helpdesk.api.presenters.definitions import (
    present_action,
    present_condition,
    present_filter,
    present_macro_action,
)
from clones.helpdesk.queries.definitions import action_definitions, condition_definitions


@OPERATIONS.operation(
    "ListTriggerActionConditionDefinitions",
    "GET",
    "/triggers/definitions",
    summary="List the conditions and actions that triggers can have.",
)
def trigger_definitions(call: Call) -> dict[str, Any]:
    """List what triggers can look at and do."""
    conditions = [present_condition(item) for item in condition_definitions()]
    return {
        "definitions": {
            "actions": [present_action(item) for item in action_definitions(of_macros=False)],
            "conditions_all": conditions,
            "conditions_any": conditions,
        }
    }


@OPERATIONS.operation(
    "ListMacroActionDefinitions",
    "GET",
    "/macros/definitions",
    summary="List the actions that macros can have.",
)
def macro_definitions(call: Call) -> dict[str, Any]:
    """List what macros can do."""
    found = action_definitions(of_macros=True)
    return {"definitions": {"actions": [present_action(item) for item in found]}}


@OPERATIONS.operation(
    "ListMacrosActions",
    "GET",
    "/macros/actions",
    summary="List the actions that macros can have, in the older form.",
)
def macro_actions(call: Call) -> dict[str, Any]:
    """List what macros can do, as older clients read it."""
    found = action_definitions(of_macros=True)
    return {"actions": [present_macro_action(item) for item in found]}


@OPERATIONS.operation(
    "RetrieveSLAPolicyFilterDefinitionItems",
    "GET",
    "/slas/policies/definitions",
    summary="List the conditions that service-level policies can have.",
    access="admin",
)
def policy_definitions(call: Call) -> dict[str, Any]:
    """List what the filters of service-level policies can look at."""
    found = [present_filter(item) for item in condition_definitions("sla")]
    return {"definitions": {"all": found, "any": found}}
