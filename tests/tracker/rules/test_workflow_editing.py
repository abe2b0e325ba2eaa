"""Editing drafts of workflows step by step, and keeping them as JSON."""

from __future__ import annotations

import json

import pytest

from clones.tracker.rules.workflow.drafts import (
    SCREEN,
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.editing import (
    Drafted,
    add_status,
    drafted_of,
    put_rule,
    put_transition,
    remove_status,
    rules_of,
    set_operation,
    stored,
)
from clones.tracker.rules.workflow.rule import Rule, Tree

TREE = Tree(
    "ALL",
    (Rule("one"), Rule("two")),
    (Tree("ANY", (Rule("three"),), (Tree("ALL", (Rule("four"),)),)), Tree("ANY", (Rule("five"),))),
)
NAMES = ["one", "two", "three", "four", "five"]
STATUSES = tuple(StatusDraft(key, key.upper(), "TODO", key) for key in ("a", "b", "c"))
FLOW = Drafted(
    WorkflowDraft(
        "Flow",
        tuple(StatusPlacement(key, {"x": 1.0, "y": 2.0}, {"p": "q"}) for key in ("a", "b", "c")),
        (
            TransitionDraft("1", "Create", "INITIAL", "a"),
            TransitionDraft("11", "Any", "GLOBAL", "b", actions=(Rule("act", {"x": "1"}, "id"),)),
            TransitionDraft(
                "21",
                "Both",
                "DIRECTED",
                "c",
                links=(TransitionSource("a", 1, 2), TransitionSource("b")),
            ),
            TransitionDraft(
                "31",
                "One",
                "DIRECTED",
                "a",
                links=(TransitionSource("b"),),
                conditions=TREE,
                validators=(Rule("check"),),
                screen=Rule(SCREEN, {"screenId": "7"}),
                event="13",
                properties={"opsbar-sequence": "5"},
            ),
        ),
        "About",
        {"x": 0.0, "y": 0.0},
        None,
        "uuid",
        ("version", 3),
    ),
    STATUSES,
)


def conditions(drafted: Drafted) -> list[str]:
    item = drafted.transition("31")
    assert item is not None
    return [rule.key for rule in rules_of(item, "Condition")]


def test_a_draft_is_the_same_after_it_was_kept() -> None:
    assert drafted_of(json.loads(json.dumps(stored(FLOW)))) == FLOW


@pytest.mark.parametrize("at", range(5))
def test_a_condition_is_changed_or_taken_out_wherever_it_stands(at: int) -> None:
    changed = put_rule(FLOW, "31", "Condition", at, Rule("new"))
    assert conditions(changed) == [*NAMES[:at], "new", *NAMES[at + 1 :]]
    assert conditions(put_rule(FLOW, "31", "Condition", at, None)) == NAMES[:at] + NAMES[at + 1 :]


def test_without_a_condition_left_there_is_no_tree() -> None:
    left = FLOW
    for _ in NAMES:
        left = put_rule(left, "31", "Condition", 0, None)
    item = left.transition("31")
    assert item is not None
    assert item.conditions is None
    again = put_rule(left, "31", "Condition", None, Rule("new"))
    assert conditions(again) == ["new"]
    item = set_operation(again, "31", "ANY").transition("31")
    assert item is not None
    assert item.conditions == Tree("ANY", (Rule("new"),))


def test_a_status_goes_with_the_transitions_that_need_it() -> None:
    left = remove_status(FLOW, "b")
    assert [one.reference for one in left.workflow.places] == ["a", "c"]
    assert [one.reference for one in left.statuses] == ["a", "c"]
    # That to it goes, and that from it alone; the other keeps its other source.
    assert [one.id for one in left.workflow.transitions] == ["1", "21"]
    assert left.workflow.transitions[1].links == (TransitionSource("a", 1, 2),)


def test_what_is_added_gets_numbers_of_its_own() -> None:
    made = add_status(FLOW, StatusDraft("new", "New", "DONE"), from_any="Park")
    item = made.transition("41")
    assert item is not None
    assert (item.name, item.type, item.to) == ("Park", "GLOBAL", "new")
    assert made.next_id == "51"
    again = put_transition(made, TransitionDraft("51", "Back", "DIRECTED", "a"))
    assert [one.id for one in again.workflow.transitions][-2:] == ["41", "51"]
