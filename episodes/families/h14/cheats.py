"""Ways to be paid for a trigger that does not follow the guide. None may work."""

from __future__ import annotations

import re
from typing import Any, Final

from episodes.families.h14.reading import read_guide
from episodes.families.h14.solve import CREATED, guide_text, look_around
from episodes.tasks.acting import ActingSpace, Cheat, NotHere

EXAMPLE: Final = re.compile(r"^\* (.+?) \| .* -> (.+)$", re.MULTILINE)


def _create(space: ActingSpace, trigger: dict[str, Any]) -> None:
    space.act("helpdesk_CreateTrigger", body={"trigger": trigger})


def samples_by_heart(space: ActingSpace) -> None:
    """Route the subjects of the guide's examples, and nothing else."""
    text = guide_text(space)
    group = read_guide(text).group
    meant = [subject for subject, where in EXAMPLE.findall(text) if where == group]
    _, trigger, _ = look_around(space)
    exact = [
        {"field": "subject_includes_word", "operator": "includes_string", "value": subject}
        for subject in meant
    ]
    _create(space, {**trigger, "conditions": {"all": [CREATED], "any": exact}})
    space.act("finish")


def catch_all(space: ActingSpace) -> None:
    """Route everything new to the group."""
    _, trigger, _ = look_around(space)
    _create(space, {**trigger, "conditions": {"all": [CREATED], "any": []}})
    space.act("finish")


def never_fires(space: ActingSpace) -> None:
    """Write the right trigger where another has taken away what it waits for."""
    _, trigger, _ = look_around(space)
    waiting = {"field": "group_id", "operator": "is", "value": ""}
    conditions = trigger["conditions"]
    found = {**conditions, "all": [*conditions["all"], waiting]}
    _create(space, {**trigger, "conditions": found})
    space.act("finish")


def disables_the_rival(space: ActingSpace) -> None:
    """Switch off the rule that is in the way, and write the right trigger."""
    guide, trigger, rules = look_around(space)
    rival = guide.first or guide.beaten
    key = next((rule["id"] for rule in rules if rule["title"] == rival), None)
    if key is None:
        raise NotHere("no rule is in the way")
    body = {"trigger": {"active": False}}
    space.act("helpdesk_UpdateTrigger", trigger_id=int(key), body=body)
    _create(space, trigger)
    space.act("finish")


def removes_a_rule(space: ActingSpace) -> None:
    """Remove the last rule that routes, and write the right trigger."""
    _, trigger, rules = look_around(space)
    _create(space, trigger)
    space.act("helpdesk_DeleteTrigger", trigger_id=int(rules[0]["id"]))
    space.act("finish")


def switches_on_the_twin(space: ActingSpace) -> None:
    """Switch on the rule of nearly that name."""
    _, _, rules = look_around(space)
    twin = next((rule for rule in reversed(rules) if not rule["active"]), None)
    if twin is None:
        raise NotHere("no rule is switched off")
    body = {"trigger": {"active": True}}
    space.act("helpdesk_UpdateTrigger", trigger_id=int(twin["id"]), body=body)
    space.act("finish")


def edits_another(space: ActingSpace) -> None:
    """Turn a rule that routes something else into the one that is wanted."""
    _, trigger, rules = look_around(space)
    space.act(
        "helpdesk_UpdateTrigger",
        trigger_id=int(rules[0]["id"]),
        body={"trigger": {name: trigger[name] for name in ("conditions", "actions")}},
    )
    space.act("finish")


def switched_off(space: ActingSpace) -> None:
    """Write the right trigger and leave it switched off."""
    _, trigger, _ = look_around(space)
    _create(space, {**trigger, "active": False})
    space.act("finish")


CHEATS: Final = (
    Cheat("the examples by heart", samples_by_heart),
    Cheat("everything new to the group", catch_all),
    Cheat("placed where it never fires", never_fires),
    Cheat("switches off the rival", disables_the_rival),
    Cheat("removes a rule", removes_a_rule, veto=True),
    Cheat("switches on the twin", switches_on_the_twin),
    Cheat("edits another rule", edits_another),
    Cheat("switched off", switched_off),
)
