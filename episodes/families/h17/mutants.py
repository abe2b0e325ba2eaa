"""Changes to the oracle of H17 that need to know the job: conditions, columns, order, sharing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

CREATE: Final = "helpdesk_CreateView"
# By what the oracle sees the request.
READS: Final = ("helpdesk_ListTickets", "helpdesk_ShowTicket", "helpdesk_ListTicketComments")
TURNED: Final = {
    "is": "is_not",
    "is_not": "is",
    "includes": "not_includes",
    "not_includes": "includes",
    "less_than": "greater_than_equal",
}
Change = tuple[str, str, Mapping[str, Any]]


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    place = place_of(acts, lambda taken: taken.tool == CREATE)
    if place is None:
        return []
    view = acts[place].arguments["body"]["view"]
    harmful = [
        *_of_conditions(view, unowned="nobody" in _kinds(facts)),
        *_of_output(view),
        *_of_access(view, facts),
    ]
    found = [
        Mutant(operator, "harmful", name, replaced(acts, place, _create({**view, **changes})))
        for operator, name, changes in harmful
    ]
    found += [
        Mutant(operator, "equivalent", name, replaced(acts, place, _create({**view, **changes})))
        for operator, name, changes in _same(view)
    ]
    return [*found, *_of_acts(acts, place, view, facts)]


def _create(view: Mapping[str, Any]) -> RecordedAct:
    return RecordedAct(CREATE, {"body": {"view": dict(view)}})


def _kinds(facts: Facts) -> set[str]:
    """Return what of tickets the wish asks for, `nobody` where nobody may have them."""
    conditions = facts["conditions"]
    found = [each for each in conditions if each["about"] == "assignee"]
    return {"nobody" for each in found if each["values"] == [""]}


def _of_conditions(view: Mapping[str, Any], *, unowned: bool) -> Iterator[Change]:
    """Leave out, turn round or move each condition.

    What nobody has is never solved: of `unowned` tickets, "not solved yet" leaves none out.
    """
    for side in ("all", "any"):
        for place, item in enumerate(view[side]):
            rest = [other for other in view[side] if other is not item]
            named = f"{side} {place}"
            empty = unowned and item["field"] == "status" and item["operator"] == "less_than"
            if (side == "any" or len(rest) > 0) and not empty:
                yield "drop a condition", f"drop {named}", {side: rest}
            turned = {**item, "operator": TURNED[item["operator"]]}
            yield (
                "wrong operator",
                f"turn {named}",
                {side: [*view[side][:place], turned, *view[side][place + 1 :]]},
            )
            other = "any" if side == "all" else "all"
            if not (side == "all" and item["field"] == "status"):
                yield (
                    "all for any",
                    f"move {named}",
                    {side: rest, other: [*view[other], item]},
                )
    for place, item in enumerate(view["any"]):
        if item["field"] == "priority":
            wrong = {**item, "value": "normal"}
            some = [*view["any"][:place], wrong, *view["any"][place + 1 :]]
            yield "wrong enum", "another priority", {"any": some}
    status = view["all"][0]
    wrong = {**status, "operator": "is", "value": "new"}
    yield "wrong enum", "another status", {"all": [wrong, *view["all"][1:]]}
    yield "narrowed", "none of which one must hold", {"any": []}
    yield "narrowed", "all that one must hold of", {"all": [*view["all"], *view["any"]], "any": []}
    yield "widened", "only the status", {"all": view["all"][:1], "any": []}


def _of_output(view: Mapping[str, Any]) -> Iterator[Change]:
    output = view["output"]
    columns = output["columns"]
    spoilt = {
        "one column less": columns[:-1],
        "two columns swapped": [columns[1], columns[0], *columns[2:]],
        "one column more": [*columns, "ticket_form"],
        "another column": [*columns[:-1], "due_date"],
    }
    for name, found in spoilt.items():
        yield "wrong columns", name, {"output": {**output, "columns": found}}
    turned = "desc" if output["sort_order"] == "asc" else "asc"
    yield "wrong order", "the order turned", {"output": {**output, "sort_order": turned}}
    yield "wrong order", "another order", {"output": {**output, "sort_by": "nice_id"}}
    without = {key: value for key, value in output.items() if not key.startswith("group")}
    grouped = {**without, "group_by": "status", "group_order": "asc"}
    yield "wrong order", "another grouping", {"output": grouped}
    yield "wrong output", "the product's own output", {"output": {}}
    yield "wrong name", "another name", {"title": f"{view['title']} (new)"}
    yield "switched off", "not active", {"active": False}


def _of_access(view: Mapping[str, Any], facts: Facts) -> Iterator[Change]:
    conditions = [each for each in facts["conditions"] if each["about"] == "group"]
    group = int(conditions[0]["values"][0]) if conditions else 1
    if view["restriction"] is None:
        keys = facts["all_groups"][:1]
        yield "narrowed", "for one group", {"restriction": _groups(keys)}
        yield "narrowed", "for all groups by name", {"restriction": _groups(facts["all_groups"])}
    else:
        keys = view["restriction"]["ids"]
        yield "widened", "for everybody", {"restriction": None}
        others = [key for key in facts["all_groups"] if key not in keys and key != group]
        yield "wrong group", "for another group", {"restriction": _groups(others[:1])}
        yield "widened", "for one group more", {"restriction": _groups([*keys, others[0]])}
    yield "narrowed", "for oneself", {"restriction": {"type": "User", "id": facts["agent"]}}


def _groups(keys: list[int]) -> dict[str, Any]:
    return {"type": "Group", "id": keys[0], "ids": keys}


def _same(view: Mapping[str, Any]) -> Iterator[Change]:
    yield "reworded", "with a description", {"description": "As asked for."}
    yield (
        "commuting parts",
        "conditions the other way round",
        {
            "all": view["all"][::-1],
            "any": view["any"][::-1],
        },
    )
    yield "reworded", "the name with a space behind", {"title": f"{view['title']} "}
    doubled = {"all": [*view["all"], view["all"][0]]}
    yield "said twice", "a condition twice", doubled
    several = [
        {**item, "operator": "includes", "value": [item["value"]]}
        if item["field"] == "priority"
        else item
        for item in view["any"]
    ]
    yield "another operator", "a list of one", {"any": several}
    status = view["all"][0]
    if status["operator"] == "less_than":
        names = ["new", "open", "pending", "hold", "solved"]
        listed = names[: names.index(status["value"])] if status["value"] in names else names
        spelt = {"field": "status", "operator": "includes", "value": listed}
        yield "another operator", "the statuses by name", {"all": [spelt, *view["all"][1:]]}
    yield "number formats", "another place in the list", {"position": 3}


def _of_acts(acts: Acts, place: int, view: Mapping[str, Any], facts: Facts) -> Iterator[Mutant]:
    create, rest = acts[place], list(acts[place + 1 :])
    before = list(acts[:place])
    extra = {
        "a second view": RecordedAct(CREATE, {"body": {"view": {**view, "title": "One more"}}}),
        "the same view again": create,
        "another view changed": RecordedAct(
            "helpdesk_UpdateView",
            {"view_id": facts["views"][0], "body": {"view": {"title": "Changed"}}},
        ),
        "another view removed": RecordedAct("helpdesk_DeleteView", {"view_id": facts["views"][-1]}),
        "a tag on the request": RecordedAct(
            "helpdesk_UpdateTicket",
            {"ticket_id": facts["request"], "body": {"ticket": {"additional_tags": ["done"]}}},
        ),
        "the request solved": RecordedAct(
            "helpdesk_UpdateTicket",
            {
                "ticket_id": facts["request"],
                "body": {"ticket": {"status": "solved", "assignee_id": facts["agent"]}},
            },
        ),
        "a trigger besides": RecordedAct(
            "helpdesk_CreateTrigger",
            {
                "body": {
                    "trigger": {
                        "title": "Tags for the list",
                        "all": view["all"],
                        "actions": [{"field": "current_tags", "value": "listed"}],
                    }
                }
            },
        ),
    }
    for name, act in extra.items():
        yield Mutant("extra write next door", "harmful", name, [*before, create, act, *rest])
    unread = [taken for taken in before if taken.tool not in READS]
    yield Mutant("drop a read", "careless", "the request not read", [*unread, create, *rest])
    preview = RecordedAct("helpdesk_PreviewViews", {"body": {"view": dict(view)}})
    yield Mutant("a look first", "equivalent", "a preview", [*before, preview, create, *rest])
    look = RecordedAct("helpdesk_ListViews", {})
    yield Mutant("a look first", "equivalent", "the views", [*before, look, create, *rest])
