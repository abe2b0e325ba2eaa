"""The facts of H14 a second time: plain loops over whole tables, and nothing of `arrange`.

What is asked for is read again from the guide that anybody can read.
"""

from __future__ import annotations

import re
from typing import Any, Final

from clones.helpdesk.models import Group, Macro, Trigger

SET: Final = re.compile(r"[Tt]he(?:ir)? (priority|type|tag) (?:becomes )?(\w+)")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts as plain loops over the bound sandbox find them.

    Raises:
        LookupError: the goal names no guide.
    """
    macro = _guide(goal)
    text = next(
        action["value"][1] for action in macro.actions if action["field"] == "comment_value"
    ).partition("For example")[0]
    name = text.partition("go to the group ")[2].partition(".")[0]
    group = next(group.id for group in Group.objects.all() if group.name == name)
    rules = {rule.title: rule for rule in Trigger.objects.all() if rule.active}
    first = beaten = None
    for title in re.findall(r'trigger "([^"]+)"', text):
        line = next(line for line in text.splitlines() if title in line)
        if "keeps its say" in line or "the one that it sets" in line:
            first = rules[title]
        else:
            beaten = rules[title]
    return {
        "guide": macro.id,
        "topic": macro.title.partition(": ")[2],
        "group": group,
        "group_name": name,
        "extras": {what: value.lower() for what, value in SET.findall(text)},
        "first_title": first.title if first else None,
        "first_group": _sets(first),
        "first_word": _word(first),
        "beaten_title": beaten.title if beaten else None,
        "beaten_group": _sets(beaten),
        "beaten_word": _word(beaten),
        "triggers": sorted(
            (
                {
                    "id": rule.id,
                    "active": rule.active,
                    "position": rule.position,
                    "category": rule.category_id,
                    "conditions": rule.conditions,
                    "actions": rule.actions,
                }
                for rule in Trigger.objects.all()
            ),
            key=lambda rule: rule["id"],
        ),
        "obligations": [],
    }


def _guide(goal: str) -> Macro:
    for macro in Macro.objects.all():
        head, _, topic = macro.title.partition(": ")
        if macro.active and head == "Routing guide" and topic in goal:
            return macro
    raise LookupError("the goal names no guide")


def _sets(rule: Trigger | None) -> int | None:
    return int(rule.actions[0]["value"]) if rule is not None else None


def _word(rule: Trigger | None) -> str | None:
    return str(rule.conditions["all"][-1]["value"]) if rule is not None else None
