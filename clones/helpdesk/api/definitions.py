"""What rules can say: the conditions and actions that this account has."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, show
from clones.helpdesk.api.presenters.definitions import (
    present_action,
    present_condition,
    present_filter,
    present_macro_action,
)
from clones.helpdesk.queries.definitions import (
    action_definitions,
    condition_definitions,
    in_language,
)


@OPERATIONS.operation(
    "ListTriggerActionConditionDefinitions",
    "GET",
    "/triggers/definitions",
    summary="List the conditions and actions that triggers can have.",
)
def trigger_definitions(call: Call) -> dict[str, Any]:
    """List what triggers can look at and do."""
    locale = show(call).locale
    actions = in_language(action_definitions(of_macros=False), locale)
    conditions = [present_condition(item) for item in in_language(condition_definitions(), locale)]
    return {
        "definitions": {
            "actions": [present_action(item) for item in actions],
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
    found = in_language(action_definitions(of_macros=True), show(call).locale)
    return {"definitions": {"actions": [present_action(item) for item in found]}}


@OPERATIONS.operation(
    "ListMacrosActions",
    "GET",
    "/macros/actions",
    summary="List the actions that macros can have, in the older form.",
)
def macro_actions(call: Call) -> dict[str, Any]:
    """List what macros can do, as older clients read it."""
    found = in_language(action_definitions(of_macros=True), show(call).locale)
    return {"actions": [present_macro_action(item) for item in found]}


@OPERATIONS.operation(
    "RetrieveSLAPolicyFilterDefinitionItems",
    "GET",
    "/slas/policies/definitions",
    summary="List the conditions that SLA policies can have.",
    access="admin",
)
def policy_definitions(call: Call) -> dict[str, Any]:
    """List what the filters of SLA policies can look at."""
    known = in_language(condition_definitions("sla"), show(call).locale)
    found = [present_filter(item) for item in known]
    return {"definitions": {"all": found, "any": found}}
