"""How a careful agent writes a routing trigger: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from episodes.families.h14.looking import LOOKS
from episodes.families.h14.reading import Asked, Guide, read_guide
from episodes.families.h14.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

FIELDS: Final = {
    "Channel": "via_id",
    "Received at": "recipient",
    "Current user": "role",
    "Subject text": "subject_includes_word",
    "Description": "description_includes_word",
}
VALUES: Final = {"Email": "4", "Web": "0", "(end user)": "end_user"}
EXTRAS: Final = {"priority": "priority", "type": "type", "tag": "current_tags"}
CREATED: Final = {"field": "update_type", "operator": "is", "value": "Create"}


def by_api(space: ActingSpace) -> None:
    """Read guide, groups and triggers; create the trigger, finish."""
    space = RetryingSpace(space, LOOKS)
    _, trigger, _ = look_around(space)
    space.act("helpdesk_CreateTrigger", body={"trigger": trigger})
    space.act("finish", status="done")


def look_around(space: ActingSpace) -> tuple[Guide, dict[str, Any], list[dict[str, Any]]]:
    """Return the guide, the trigger it asks for, and the triggers that route already."""
    guide = read_guide(guide_text(space))
    listed = space.act("helpdesk_ListGroups", per_page=100)["body"]["groups"]
    groups = {group["name"]: str(group["id"]) for group in listed}
    rules = space.act("helpdesk_ListTriggers", per_page=100)["body"]["triggers"]
    routing = _routing(rules)
    trigger = as_body(guide, groups)
    if guide.first is not None:
        # It comes last, and leaves alone what the rule that goes first has routed.
        aside = Asked("all", "Subject text", "not_includes", _word_of(guide.first, routing))
        trigger["conditions"]["all"].append(_condition(aside))
    return guide, {**trigger, "category_id": routing[0]["category_id"]}, routing


def guide_text(space: ActingSpace) -> str:
    """Return the text of the macro that the goal means.

    Raises:
        LookupError: no active macro is a guide of the goal's topic.
    """
    for macro in space.act("helpdesk_ListMacros", active=True, per_page=100)["body"]["macros"]:
        head, _, topic = macro["title"].partition(": ")
        if head == "Routing guide" and topic and topic in space.goal:
            for action in macro["actions"]:
                if action["field"] == "comment_value":
                    value = action["value"]
                    return str(value[1] if isinstance(value, list) else value)
    raise LookupError("no macro is the guide that the goal speaks of")


def as_body(guide: Guide, groups: dict[str, str]) -> dict[str, Any]:
    """Return a guide as the body of a trigger."""
    conditions: dict[str, list[dict[str, Any]]] = {"all": [dict(CREATED)], "any": []}
    for each in guide.conditions:
        conditions[each.side].append(_condition(each))
    actions = [{"field": "group_id", "value": groups[guide.group]}]
    for name, value in guide.extras:
        actions.append({"field": EXTRAS[name], "value": value if name == "tag" else value.lower()})
    return {"title": f"Route to {guide.group}", "conditions": conditions, "actions": actions}


def _condition(each: Asked) -> dict[str, Any]:
    value = VALUES.get(each.value, each.value)
    return {"field": FIELDS[each.field], "operator": each.operator, "value": value}


def _routing(rules: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the triggers of the category in which most of them set a group."""
    setting = [
        rule["category_id"]
        for rule in rules
        for action in rule["actions"]
        if action["field"] == "group_id"
    ]
    category = max(sorted(set(setting)), key=setting.count)
    return [rule for rule in rules if rule["category_id"] == category]


def _word_of(title: str, rules: Sequence[dict[str, Any]]) -> str:
    """Return the word that the trigger of that title looks for in subjects."""
    for rule in rules:
        if rule["title"] == title:
            for item in rule["conditions"]["all"]:
                if item["field"] == FIELDS["Subject text"]:
                    return str(item["value"])
    raise LookupError(f"no trigger {title!r} looks at subjects")


SOLVE: dict[Space, Script] = {"api": by_api, "browser": in_browser}
