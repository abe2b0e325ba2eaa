"""The page of operations is what the tool makes of the vendor's addresses."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Final

from tests.crm.calls import FOLDER, WITNESSES
from tools import facts_crm_api
from tools.fidelity.breaks import emptied
from tools.fidelity.page import coverage, facts_of, page, plain
from tools.fidelity.subject import SUBJECTS

SUBJECT = SUBJECTS["crm"]
CHOSEN: dict[str, dict[str, str]] = json.loads(WITNESSES.read_text(encoding="utf-8"))
# Groups of addresses that are no part of what this clone is for, by how their titles begin.
OUTSIDE: Final = "Outside: "
AS_A_PAGE: Final = "There, as a page"
LEAST: Final = 0.85


def test_the_page_is_what_the_tool_makes() -> None:
    made = page(SUBJECT, coverage(SUBJECT))
    assert SUBJECT.page.read_text(encoding="utf-8") == made, "run `make coverage-report CLONE=crm`"


def test_enough_of_the_vendors_addresses_are_there() -> None:
    found = coverage(SUBJECT)
    there = {(row.method, plain(row.path)) for row in found.present}
    described = {(fact["method"], plain(fact["path"])) for fact in facts_of(SUBJECT)}
    by_page = sum(len(rows) for group, rows in found.absent.items() if group.title == AS_A_PAGE)
    outside = sum(
        len(rows) for group, rows in found.absent.items() if group.title.startswith(OUTSIDE)
    )
    assert (len(described & there) + by_page) / (len(described) - outside) >= LEAST


def test_tests_see_every_operation_succeed_and_refuse() -> None:
    kinds = {name: sorted(tests) for name, tests in CHOSEN.items()}
    assert kinds == {name: SUBJECT.answers(name) for name in SUBJECT.operations.all}, (
        "run `make coverage-report CLONE=crm`"
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
    assert not {test.partition("::")[0] for test in named} & set(SUBJECT.ignored)


def test_every_absent_operation_has_a_reason_and_every_reason_an_operation() -> None:
    found = coverage(SUBJECT)
    assert found.unexplained == ()
    assert [group.title for group, rows in found.absent.items() if not rows] == []


def test_addresses_of_the_collection_are_read_as_whole_ones(tmp_path: Path) -> None:
    source = tmp_path / "paths.txt"
    source.write_text(
        "GET /\nGET,PATCH /data/v64.0/jobs/ingest/\nPOST /async/64.0/job//batch\nGET /id/keys\n"
        "GET /query/{queryId}\nGET /query/{jobId}/results\n",
        encoding="utf-8",
    )
    assert [(one["method"], one["path"], one["id"]) for one in facts_crm_api.facts(source)] == [
        ("POST", "/services/async/{version}/job/{id}/batch", "PostAsyncVersionJobIdBatch"),
        ("GET", "/services/data/{version}/jobs/ingest/{id}", "GetJobsIngestId"),
        ("PATCH", "/services/data/{version}/jobs/ingest/{id}", "PatchJobsIngestId"),
        ("GET", "/services/data/{version}/jobs/query/{jobId}/results", "GetJobsQueryJobIdResults"),
        ("GET", "/services/data/{version}/query/{queryId}", "GetQueryQueryId"),
        ("GET", "/services/id/keys", "GetIdKeys"),
    ]


def test_answers_that_are_no_json_are_emptied_too() -> None:
    assert emptied(b"Id,Name\n1,Ash\n") == b""
    assert emptied(b'{"records": [1], "done": true}') == b'{"records": [], "done": true}'
