"""Quick actions: which there are, what each asks for and begins with, and carrying one out."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.layouts import present_layout
from clones.crm.api.views.describes import named_object
from clones.crm.api.views.rows import members
from clones.crm.domain.saving import create_record
from clones.crm.errors import NotFound, RecordError, UnreadableBody
from clones.crm.queries.records import find_record
from clones.crm.queries.schema import org_schema
from clones.crm.rules.layouts import layout_of
from clones.crm.rules.quick_actions import QUICK_ACTIONS, QuickAction, find_action, tie
from clones.crm.rules.record_ids import read_id


def _place(call: Call) -> str:
    """Return the address below which the actions of a call lie."""
    if "object" in call.path:
        return f"{root(call)}/sobjects/{named_object(call).name}/quickActions"
    return f"{root(call)}/quickActions"


def _listed(call: Call) -> list[dict[str, Any]]:
    return [_in_short(one, _place(call)) for one in QUICK_ACTIONS]


def _in_short(one: QuickAction, place: str) -> dict[str, Any]:
    own = f"{place}/{one.name}"
    return {
        "label": one.label,
        "name": one.name,
        "type": one.type,
        "urls": {
            "defaultValues": f"{own}/defaultValues",
            "defaultValuesTemplate": f"{own}/defaultValues/{{ID}}",
            "describe": f"{own}/describe",
            "quickAction": own,
        },
    }


def _found(call: Call) -> QuickAction:
    if "object" in call.path:
        named_object(call)
    found = find_action(call.path["name"])
    if found is None:
        raise NotFound
    return found


def _describe(call: Call) -> dict[str, Any]:
    found = _found(call)
    of = org_schema().objects[found.target]
    context = named_object(call).name if "object" in call.path else None
    return {
        "accessLevelRequired": None,
        "canvasApplicationId": None,
        "canvasApplicationName": None,
        "colors": [],
        "contextSobjectType": context or "Global",
        "customConsoleComponentName": None,
        "defaultValues": [
            {"defaultValue": value, "field": name} for name, value in found.values.items()
        ],
        "height": None,
        "iconName": f"new_{of.name.lower()}",
        "iconUrl": None,
        "icons": [],
        "label": found.label,
        "layout": present_layout(layout_of(of))["editLayoutSections"][:1],
        "lightningComponentBundleId": None,
        "miniIconUrl": None,
        "name": found.name,
        "showQuickActionLcHeader": False,
        "showQuickActionVfHeader": False,
        "targetParentField": None if context is None else tie(found.target, context),
        "targetRecordTypeId": None,
        "targetSobjectType": found.target,
        "type": found.type,
        "visualforcePageName": None,
        "width": None,
    }


def _defaults(call: Call) -> dict[str, Any]:
    found, context = _found(call), call.path.get("context")
    values: dict[str, Any] = {"attributes": {"type": found.target}, **found.values}
    return values | _tied(found, context)


def _tied(found: QuickAction, context: str | None) -> dict[str, str]:
    """Return what ties a new record to the one at hand.

    Raises:
        NotFound: there is no such record.
    """
    if context is None:
        return {}
    whole = read_id(context)
    of = None if whole is None else org_schema().of_id(whole)
    if whole is None or of is None:
        raise NotFound
    find_record(of, whole)
    field = tie(found.target, of.name)
    return {} if field is None else {field: whole}


def _carry_out(call: Call) -> Reply:
    found, body = _found(call), members(call.body)
    record, context = body.get("record", {}), body.get("contextId")
    if not isinstance(record, dict) or not isinstance(context, str | None):
        raise UnreadableBody("Cannot deserialize instance of quickAction")
    said = {**found.values, **_tied(found, context), **record}
    said.pop("attributes", None)
    try:
        row = create_record(org_schema().objects[found.target], said, actor=call.actor.subject)
    except RecordError as error:
        error.extra = {}
        raise
    return Reply(
        {
            "contextId": context,
            "created": True,
            "errors": [],
            "feedItemIds": [],
            "id": row.pk,
            "ids": [row.pk],
            "success": True,
            "successMessage": None,
        },
        201,
    )


for below, suffix in (("", ""), ("/sobjects/{object}", "Of")):
    versioned(
        f"GetQuickActions{suffix}",
        "GET",
        f"{below}/quickActions",
        summary="List the quick actions.",
    )(_listed)
    versioned(
        f"GetQuickAction{suffix}",
        "GET",
        f"{below}/quickActions/{{name}}",
        summary="Show a quick action.",
    )(lambda call: _in_short(_found(call), _place(call)))
    versioned(
        f"GetQuickActionDescribe{suffix}",
        "GET",
        f"{below}/quickActions/{{name}}/describe",
        summary="Describe a quick action.",
    )(_describe)
    for more in ("", "/{context}"):
        versioned(
            f"GetQuickActionDefaults{suffix}{'At' if more else ''}",
            "GET",
            f"{below}/quickActions/{{name}}/defaultValues{more}",
            summary="Show what a quick action begins with.",
        )(_defaults)
    versioned(
        f"PostQuickAction{suffix}",
        "POST",
        f"{below}/quickActions/{{name}}",
        summary="Carry a quick action out.",
        body=Any,
        status=201,
    )(_carry_out)
