"""What was done on pages is taken again: spoilt on purpose, or where a page did not load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from episodes.families.t10.mutants import mutants
from episodes.families.t10.params import Params, structural_variants
from episodes.tasks.acting import ActingSpace, RecordedAct
from episodes.tasks.careful_pages import CarefulPages
from episodes.tasks.mutating import on_page, told_on_page
from episodes.tasks.retrying_client import TRIES, NotAnswered

FILTERS = (("Hot", "priority in (High)"), ("Soon", "assignee is EMPTY AND (a = 1 OR b = 2)"))
LANES = {"none": "None", "assignee": "Assignees", "parent": "Epics", "project": "Spaces"}


def did(act: str, role: str, name: str, **more: Any) -> RecordedAct:
    """Return a recorded act on a page."""
    return RecordedAct("replay", {"act": act, "target": {"role": role, "name": name}, **more})


def run_of(params: Params) -> list[RecordedAct]:
    """Return what an oracle does for a variant, as it is recorded."""
    acts = [
        did("click", "link", "All work"),
        did("type", "combobox", "JQL query", text="assignee = currentUser()", submit=True),
        did("click", "link", "Our board needs a new set-up"),
        did("click", "link", "Columns"),
    ]
    for name, _, least, most in params.columns:
        acts += [
            did("click", "link", "Edit column Work"),
            did("type", "textbox", "Name", text=name),
        ]
        for word, limit in (("Minimum", least), ("Maximum", most)):
            if limit is not None:
                acts.append(did("type", "spinbutton", f"{word} work items", text=str(limit)))
        acts.append(did("click", "button", "Save"))
    for name, held, _, _ in params.columns:
        acts += [did("select", "combobox", f"Column of {one}", options=[name]) for one in held]
    acts.append(did("click", "link", "Quick filters"))
    for name, jql in FILTERS:
        acts += [
            did("click", "link", "Add quick filter"),
            did("type", "textbox", "Name", text=name),
            did("type", "textbox", "JQL", text=jql),
            did("click", "button", "Add"),
        ]
    acts += [
        did("click", "link", "Swimlanes"),
        did("select", "combobox", "Base swimlanes on", options=[LANES[params.lanes]]),
        RecordedAct("finish", {"status": "done"}),
    ]
    return acts


@pytest.mark.parametrize("params", structural_variants()[::7], ids=str)
def test_every_part_of_a_board_is_spoilt_by_some_mutant(params: Params) -> None:
    acts = run_of(params)
    facts = {
        "columns": [{"name": name} for name, *_ in params.columns],
        "quick": [{"name": name} for name, _ in FILTERS],
    }
    made = mutants(acts, facts)
    names = [mutant.name for mutant in made]
    assert len(set(names)) == len(names)
    assert all(list(mutant.acts) != acts for mutant in made)
    harmful = [mutant.operator for mutant in made if mutant.label == "harmful"]
    limits = sum(limit is not None for column in params.columns for limit in column[2:])
    assert harmful.count("column") == len(params.columns)
    assert harmful.count("limit") == 2 * limits
    assert harmful.count("mapping") >= sum(len(column[1]) for column in params.columns)
    assert harmful.count("filter") == 7
    assert harmful.count("lanes") >= 2
    assert {mutant.label for mutant in made} == {"harmful", "equivalent", "careless"}


def test_the_filters_and_the_swimlanes_change_places_whole() -> None:
    acts = run_of(structural_variants()[0])
    facts = {"columns": [], "quick": [{"name": name} for name, _ in FILTERS]}
    turned = {mutant.name: mutant.acts for mutant in mutants(acts, facts)}
    for name in ("the filters the other way round", "the swimlanes before the filters"):
        changed = turned[name]
        assert sorted(map(repr, changed)) == sorted(map(repr, acts))
        assert [told_on_page(one).get("name") for one in changed].count("Add quick filter") == 2
        assert changed[-1] == acts[-1]


def test_an_act_on_a_page_is_told_and_changed_without_its_handle() -> None:
    taken = did("type", "textbox", "Name", text="Ready")
    assert told_on_page(taken)["text"] == "Ready"
    assert told_on_page(taken)["name"] == "Name"
    other = on_page(taken, text="Done")
    assert other.arguments["target"] == taken.arguments["target"]
    assert told_on_page(other)["text"] == "Done"
    assert told_on_page(RecordedAct("finish", {})) == {}


class Pages:
    """A space whose pages do not load at first."""

    goal, done = "", False
    accounts: Mapping[str, Any] = {}

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        self.asked.append((tool, arguments))
        failed = len(self.asked) <= self.failures
        title = "503 Service Temporarily Unavailable" if failed else "Boards"
        return {"kind": "page", "url": "/jira/boards", "title": title}


def test_a_page_that_did_not_load_is_loaded_again() -> None:
    pages = Pages(2)
    found = CarefulPages(cast("ActingSpace", pages)).act("browser_click", ref="e1")
    assert found["title"] == "Boards"
    assert pages.asked[1:] == [("browser_goto", {"url": "/jira/boards"})] * 2


def test_a_page_that_never_loads_is_given_up() -> None:
    pages = Pages(100)
    with pytest.raises(NotAnswered, match="does not load"):
        CarefulPages(cast("ActingSpace", pages)).act("browser_click", ref="e1")
    assert len(pages.asked) == TRIES + 1
