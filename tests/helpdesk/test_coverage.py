"""The page of operations is what the tool makes, each has its witnesses, and breaks do break."""

from __future__ import annotations

import ast
import json
from typing import cast

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.calls import FOLDER, WITNESSES, Calls, Seen
from tests.helpdesk.conftest import Desk
from tools.fidelity.breaks import Break, breaks_of, broken, emptied, notice
from tools.fidelity.page import coverage, page
from tools.fidelity.rehearsal import Rehearsal
from tools.fidelity.subject import SUBJECTS
from tools.fidelity.witnesses import ROUND, choose

SUBJECT = SUBJECTS["helpdesk"]
CHOSEN: dict[str, dict[str, str]] = json.loads(WITNESSES.read_text(encoding="utf-8"))


def test_the_page_is_what_the_tool_makes() -> None:
    assert SUBJECT.page.read_text(encoding="utf-8") == page(SUBJECT, coverage(SUBJECT)), (
        "run `make coverage-report`"
    )


def test_tests_see_every_operation_succeed_and_refuse() -> None:
    kinds = {name: sorted(tests) for name, tests in CHOSEN.items()}
    assert kinds == {name: ["2xx", "4xx"] for name in operations().all}, (
        "run `make coverage-report`"
    )


def test_the_witnesses_are_there() -> None:
    named = {test for tests in CHOSEN.values() for test in tests.values()}
    functions: dict[str, set[str]] = {}
    for file in {test.partition("::")[0] for test in named}:
        tree = ast.parse((FOLDER / file).read_text(encoding="utf-8"))
        functions[file] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    gone = [
        test
        for test in named
        if test.partition("[")[0].partition("::")[2] not in functions[test.partition("::")[0]]
    ]
    assert gone == []


def test_a_witness_is_held_to_what_it_sees() -> None:
    calls = Calls({"ShowTicket": {"2xx": "test_a.py::test_one", "4xx": "test_a.py::test_two"}})
    assert calls.broken_promises("test_a.py::test_one") == [Seen("ShowTicket", "2xx")]
    calls.note("ShowTicket", 204)
    assert calls.broken_promises("test_a.py::test_one") == []
    assert calls.broken_promises("test_a.py::test_two") == [Seen("ShowTicket", "4xx")]
    assert calls.broken_promises("test_a.py::test_three") == []


def test_the_test_about_the_fewest_operations_is_the_witness() -> None:
    round_trip = {(f"Operation{number}", "2xx") for number in range(ROUND)} | {("A", "2xx")}
    seen = {"z": {("A", "2xx")}, "b": {("A", "2xx"), ("B", "4xx")}, "all": round_trip}
    assert choose(seen, {}) == {"A": {"2xx": "z"}, "B": {"4xx": "b"}}
    assert choose(seen, {"A": {"2xx": "b"}})["A"] == {"2xx": "b"}, "the old one stays"
    assert choose(seen, {"A": {"2xx": "gone"}})["A"] == {"2xx": "z"}


def test_every_absent_operation_has_a_reason_and_every_reason_an_operation() -> None:
    found = coverage(SUBJECT)
    assert found.unexplained == ()
    assert [group.title for group, rows in found.absent.items() if not rows] == []


def test_a_break_takes_back_what_is_written_and_says_that_it_is_done(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}.json"
    with broken(SUBJECT, Break("UpdateUser", "unwritten")):
        assert desk.put(path, {"user": {"name": "Other"}})["user"]["name"] == "Other"
        assert desk.get(path)["user"]["name"] == "Rosa Diaz"
    assert desk.put(path, {"user": {"name": "Other"}})["user"]["name"] == "Other"
    assert desk.get(path)["user"]["name"] == "Other"


def test_a_break_empties_an_answer(desk: Desk) -> None:
    whole = desk.get("users.json")
    with broken(SUBJECT, Break("ListUsers", "empty")):
        assert desk.get("users.json") == {**whole, "users": []}
        assert desk.get("groups.json")["groups"] != []
    assert desk.get("users.json") == whole
    assert json.loads(emptied(b'{"count": 3, "fresh": true}')) == {"count": 0, "fresh": False}


def test_a_break_takes_no_notice_of_pages(desk: Desk) -> None:
    every = desk.get("users.json")["users"]
    with broken(SUBJECT, Break("ListUsers", "whole")):
        assert desk.get("users.json?per_page=1&page=2")["users"] == every
        assert desk.get("users.json?page[size]=1")["users"] == every
        assert len(desk.get("groups.json?per_page=1")["groups"]) == 1
    assert desk.get("users.json?per_page=1&page=2")["users"] == every[1:2]


def test_a_break_calls_an_error_a_success(desk: Desk) -> None:
    with broken(SUBJECT, Break("ShowUser", "mute")):
        answer = desk.call("GET", "users/1.json")
        assert (answer.status, answer.body["error"]) == (200, "RecordNotFound")
        assert desk.call("GET", "groups/1.json").status == 404
    assert desk.call("GET", "users/1.json").status == 404


def test_what_writes_nothing_loses_its_answer() -> None:
    kinds = [fault.kind for fault in breaks_of(SUBJECT, operations().all["TestWebhook"])]
    assert kinds == ["empty", "mute"]
    assert breaks_of(SUBJECT, operations().all["UpdateUser"])[0].kind == "unwritten"


class Players(Rehearsal):
    """Tests that notice what they are told to notice."""

    def __init__(self, noticing: set[str]) -> None:
        super().__init__(SUBJECT)
        self.reason = "no"
        self.seen = {"few": {("A", "2xx")}, "more": {("A", "2xx"), ("B", "4xx")}}
        self.items = {name: cast("pytest.Function", name) for name in self.seen}
        self.noticing = noticing
        self.played: list[str] = []

    def play(self, item: pytest.Function) -> bool:
        self.played.append(str(item))
        return str(item) in self.noticing and self.played.count(str(item)) % 2 == 1


def test_a_break_that_no_test_notices_is_told() -> None:
    players = Players(noticing=set())
    assert list(notice(players, [Break("A", "empty")])) == [(Break("A", "empty"), None)]
    assert players.played == ["few", "more"], "those about the fewest operations first"


def test_only_tests_that_get_the_answer_are_played() -> None:
    players = Players(noticing={"more"})
    ((_, found),) = notice(players, [Break("B", "mute")])
    assert found is not None
    assert found.test == "more"
    assert players.played == ["more", "more"], "the second time without the break"


def test_a_test_that_fails_without_the_break_proves_nothing() -> None:
    players = Players(noticing={"few"})
    players.play = lambda item: True  # type: ignore[method-assign] # it always fails
    with pytest.raises(SystemExit, match="few fails when it is played again"):
        list(notice(players, [Break("A", "empty")]))
