"""The page of operations is what the tool makes, and each has its witnesses."""

from __future__ import annotations

import ast
import json

from clones.tracker.api.entry import operations
from tests.tracker.calls import FOLDER, WITNESSES
from tools.fidelity.page import coverage, page
from tools.fidelity.subject import SUBJECTS

SUBJECT = SUBJECTS["tracker"]
CHOSEN: dict[str, dict[str, str]] = json.loads(WITNESSES.read_text(encoding="utf-8"))
PLATFORM = 380  # operations of the platform's API that shall be there at least


def test_the_page_is_what_the_tool_makes() -> None:
    made = page(SUBJECT, coverage(SUBJECT))
    assert SUBJECT.page.read_text(encoding="utf-8") == made, (
        "run `make coverage-report CLONE=tracker`"
    )


def test_tests_see_every_operation_succeed_and_refuse() -> None:
    kinds = {name: sorted(tests) for name, tests in CHOSEN.items()}
    assert kinds == {name: ["2xx", "4xx"] for name in operations().all}, (
        "run `make coverage-report CLONE=tracker`"
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


def test_every_absent_operation_has_a_reason_and_every_reason_an_operation() -> None:
    found = coverage(SUBJECT)
    assert found.unexplained == ()
    assert [group.title for group, rows in found.absent.items() if not rows] == []


def test_most_of_the_platform_is_there() -> None:
    rows = coverage(SUBJECT).present
    there = [row for row in rows if row.path.startswith("/rest/api/3/") and not row.beside]
    assert sum(row.state == "implemented" for row in there) >= PLATFORM
