"""Changes to the oracle of H14 that need to know the job: conditions, actions, place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

CREATE: Final = "helpdesk_CreateTrigger"
TURNED: Final = {
    "is": "is_not",
    "includes": "not_includes",
    "not_includes": "includes",
    "includes_string": "not_includes_string",
}
Change = tuple[str, str, Mapping[str, Any]]


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    place = place_of(acts, lambda taken: taken.tool == CREATE)
    if place is None:
        return []
    trigger = acts[place].arguments["body"]["trigger"]
    found = [
        Mutant(operator, "harmful", name, replaced(acts, place, _create({**trigger, **changes})))
        for operator, name, changes in [
            *_of_conditions(trigger),
            *_of_actions(trigger, facts),
            *_of_place(trigger, facts),
        ]
    ]
    found += [
        Mutant(operator, "equivalent", name, replaced(acts, place, _create({**trigger, **changes})))
        for operator, name, changes in _same(trigger)
    ]
    return [*found, *_of_acts(acts, place, trigger, facts)]


def _create(trigger: Mapping[str, Any]) -> RecordedAct:
    return RecordedAct(CREATE, {"body": {"trigger": dict(trigger)}})


def _of_conditions(trigger: Mapping[str, Any]) -> Iterator[Change]:
    """Leave out, turn round or narrow each condition."""
    held = trigger["conditions"]
    for side in ("all", "any"):
        for place, item in enumerate(held[side]):
            if item["field"] == "update_type":
                continue
            rest = [other for other in held[side] if other is not item]
            named = f"{side} {place}"
            if side == "all" or len(rest) > 0:
                yield "drop a condition", f"drop {named}", {"conditions": {**held, side: rest}}
            turned = {**item, "operator": TURNED[item["operator"]]}
            both = [*held[side][:place], turned, *held[side][place + 1 :]]
            yield "wrong operator", f"turn {named}", {"conditions": {**held, side: both}}
            if item["field"].endswith("includes_word"):
                other = {
                    "subject_includes_word": "description_includes_word",
                    "description_includes_word": "subject_includes_word",
                }[item["field"]]
                moved = [*held[side][:place], {**item, "field": other}, *held[side][place + 1 :]]
                yield "wrong field", f"other text of {named}", {"conditions": {**held, side: moved}}
                word = {**item, "value": "carriage"}
                wrong = [*held[side][:place], word, *held[side][place + 1 :]]
                yield "wrong enum", f"other word of {named}", {"conditions": {**held, side: wrong}}
    if held["any"]:
        yield "widened", "none of which one must hold", {"conditions": {**held, "any": []}}
        every = [*held["all"], *held["any"]]
        yield "narrowed", "all that one must hold of", {"conditions": {"all": every, "any": []}}
    never = {"field": "status", "operator": "is", "value": "solved"}
    yield (
        "narrowed",
        "only what comes in solved",
        {"conditions": {**held, "all": [*held["all"], never]}},
    )
    updates = {"field": "update_type", "operator": "is", "value": "Change"}
    yield (
        "wrong enum",
        "of updates only",
        {"conditions": {**held, "all": [updates, *held["all"][1:]]}},
    )
    empty = {"field": "group_id", "operator": "is", "value": "1"}
    yield "narrowed", "never", {"conditions": {**held, "all": [*held["all"], empty]}}
    all_new = {"conditions": {"all": held["all"][:1], "any": []}}
    yield "widened", "all that is new", all_new


def _of_actions(trigger: Mapping[str, Any], facts: Facts) -> Iterator[Change]:
    actions = trigger["actions"]
    others = facts["other_groups"]
    for number, other in enumerate(others[:2]):
        wrong = [{"field": "group_id", "value": str(other)}, *actions[1:]]
        yield "wrong enum", f"another group {number}", {"actions": wrong}
    for place, action in enumerate(actions):
        if len(actions) > 1:
            rest = [other for other in actions if other is not action]
            yield "drop a step", f"drop action {place}", {"actions": rest}
        if action["field"] in ("priority", "type"):
            value = {"priority": "low", "type": "task"}[action["field"]]
            wrong = [*actions[:place], {**action, "value": value}, *actions[place + 1 :]]
            yield "wrong enum", f"another {action['field']}", {"actions": wrong}
        if action["field"] == "current_tags":
            misspelt = {**action, "value": f"{action['value']}s"}
            wrong = [*actions[:place], misspelt, *actions[place + 1 :]]
            yield "wrong enum", "another tag", {"actions": wrong}
    extra = {
        "a tag more": {"field": "current_tags", "value": "routed"},
        "a status besides": {"field": "status", "value": "pending"},
        "solved at once": {"field": "status", "value": "solved"},
        "an assignee besides": {"field": "assignee_id", "value": str(facts["agent"])},
    }
    named = {action["field"] for action in actions}
    if "priority" not in named:
        extra["a priority besides"] = {"field": "priority", "value": "high"}
    if "type" not in named:
        extra["a type besides"] = {"field": "type", "value": "task"}
    for name, action in extra.items():
        yield "extra action", name, {"actions": [*actions, action]}


def _of_place(trigger: Mapping[str, Any], facts: Facts) -> Iterator[Change]:
    yield "switched off", "not active", {"active": False}
    if facts["beaten_title"] and not facts["first_title"]:
        yield "wrong place", "before the others", {"category_id": facts["first_category"]}
        yield "wrong place", "at the top", {"position": 0}


def _same(trigger: Mapping[str, Any]) -> Iterator[Change]:
    held = trigger["conditions"]
    yield "reworded", "another title", {"title": "By the guide"}
    yield "reworded", "with a description", {"description": "See the guide."}
    yield (
        "commuting parts",
        "conditions the other way round",
        {"conditions": {"all": held["all"][::-1], "any": held["any"][::-1]}},
    )
    yield "commuting parts", "actions the other way round", {"actions": trigger["actions"][::-1]}
    doubled = {"conditions": {**held, "all": [*held["all"], held["all"][-1]]}}
    yield "said twice", "a condition twice", doubled
    upper = [
        {**item, "value": item["value"].upper()}
        if item["field"].endswith("includes_word")
        else item
        for item in held["all"]
    ]
    yield "number formats", "words in capitals", {"conditions": {**held, "all": upper}}


def _of_acts(acts: Acts, place: int, trigger: Mapping[str, Any], facts: Facts) -> Iterator[Mutant]:
    before, create, rest = list(acts[:place]), acts[place], list(acts[place + 1 :])
    first, other = facts["triggers"][0]["id"], facts["triggers"][-1]["id"]
    extra = {
        "a second trigger": _create({**trigger, "title": "One more"}),
        "another trigger switched off": RecordedAct(
            "helpdesk_UpdateTrigger",
            {"trigger_id": first, "body": {"trigger": {"active": False}}},
        ),
        "another trigger renamed": RecordedAct(
            "helpdesk_UpdateTrigger",
            {"trigger_id": other, "body": {"trigger": {"title": "Renamed"}}},
        ),
        "another trigger removed": RecordedAct("helpdesk_DeleteTrigger", {"trigger_id": first}),
        "the guide changed": RecordedAct(
            "helpdesk_UpdateMacro",
            {"macro_id": facts["guide"], "body": {"macro": {"description": "Done."}}},
        ),
        "a view besides": RecordedAct(
            "helpdesk_CreateView",
            {
                "body": {
                    "view": {
                        "title": "Routed",
                        "all": [{"field": "status", "operator": "is", "value": "new"}],
                    }
                }
            },
        ),
    }
    for name, act in extra.items():
        yield Mutant("extra write next door", "harmful", name, [*before, create, act, *rest])
    look = RecordedAct("helpdesk_ListActiveTriggers", {})
    yield Mutant("a look first", "equivalent", "the active ones", [*before, look, create, *rest])
    views = RecordedAct("helpdesk_ListTriggerCategories", {})
    yield Mutant("a look first", "equivalent", "the headings", [*before, views, create, *rest])
    read = place_of(acts, lambda taken: taken.tool == "helpdesk_ListMacros")
    if read is not None:
        yield Mutant("drop a read", "careless", "the guide not read", replaced(acts, read))
