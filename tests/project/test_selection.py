"""Before a merge PostgreSQL is asked what an engine can change, and every operation both ways."""

from __future__ import annotations

import json

import pytest

from tests.project.paths import ROOT, clone_names
from tests.selection import ENGINE_TESTS, WITNESSED, EngineTests, patterns, witnesses
from tools.fidelity.subject import SUBJECTS


def with_operations() -> set[str]:
    """Return the clones that have operations."""
    return {name for name in clone_names() if (ROOT / "clones" / name / "api").exists()}


@pytest.mark.parametrize("pattern", patterns(ENGINE_TESTS))
def test_a_pattern_names_files_that_are_there(pattern: str) -> None:
    file = pattern.partition("::")[0]
    assert list(ROOT.glob(file.replace("tests/*_", "tests/**/*_")))


def test_every_operation_is_seen_to_succeed_and_to_refuse() -> None:
    chosen = EngineTests()
    # A clone whose folder of tests runs whole there needs no list.
    whole = {name for name in clone_names() if f"tests/{name}/*" in patterns(ENGINE_TESTS)}
    assert with_operations() == {*WITNESSED} | whole
    for clone in WITNESSED:
        subject = SUBJECTS[clone]
        known = subject.operations.all
        file = ROOT / "tests" / clone / "witnesses.json"
        listed = json.loads(file.read_text(encoding="utf-8"))
        assert {name: sorted(tests) for name, tests in listed.items()} == {
            name: subject.answers(name) for name in known
        }
        assert all(chosen.has(test) for test in witnesses(clone))


def test_what_no_engine_can_change_is_left_out() -> None:
    chosen = EngineTests()
    assert chosen.has("tests/core/test_journal.py::test_anything[with | a bar]")
    assert chosen.has("tests/live/test_engines_postgres.py::test_anything")
    assert not chosen.has("tests/helpdesk/web/test_signin.py::test_anything")
    assert not chosen.has("tests/tracker/test_refusals.py::test_no_witness")


def test_a_file_is_read_if_any_of_its_tests_may_stay() -> None:
    chosen = EngineTests()
    assert chosen.are_in("tests/core/test_journal.py")
    assert chosen.are_in("tests/live/test_engines_postgres.py")
    assert chosen.are_in("tests/billing/test_charges.py")  # one function of it
    assert all(chosen.are_in(test.partition("::")[0]) for test in witnesses("tracker"))
    assert not chosen.are_in("tests/helpdesk/web/test_admin_pages.py")
