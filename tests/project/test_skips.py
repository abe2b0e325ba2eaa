"""A skip that the list does not allow fails the run; one that it allows does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from episodes import browser
from tests import skips

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
SKIPPING = """
import pytest

@pytest.mark.skip(reason="the moon is full")
def test_marked(): ...

def test_at_run_time():
    pytest.skip("the moon is full")

def test_fine(): ...

@pytest.mark.xfail(reason="known")
def test_expected(): assert False
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own with the plugin in it."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p tests.skips -p no:django -p no:cacheprovider")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini("[pytest]")
    pytester.mkdir("tests")
    return pytester


def allow(project: pytest.Pytester, line: str) -> None:
    (project.path / "tests" / "allowed_skips.txt").write_text(f"# a comment\n\n{line}\n")


def test_a_skip_without_leave_fails_the_run(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=SKIPPING)
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1, errors=1, passed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*allowed_skips.txt allows this skip*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_skip_with_leave_passes(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=SKIPPING)
    allow(project, "test_it.py::* | the moon is * | a machine on a beach")
    result = project.runpytest_inprocess()
    result.assert_outcomes(skipped=2, passed=1, xfailed=1)
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    "line",
    [
        "test_it.py::* | the sun is hidden | a machine on a beach",
        "test_other.py::* | the moon is full | a machine on a beach",
    ],
)
def test_test_and_reason_must_both_match(project: pytest.Pytester, line: str) -> None:
    project.makepyfile(test_it=SKIPPING)
    allow(project, line)
    assert project.runpytest_inprocess().ret == pytest.ExitCode.TESTS_FAILED


def test_a_skipped_module_needs_leave_too(project: pytest.Pytester) -> None:
    project.makepyfile(test_it="import pytest\npytest.importorskip('no_such_module')")
    assert project.runpytest_inprocess().ret != pytest.ExitCode.OK
    allow(project, "test_it.py | could not import *no_such_module* | any")
    # With every module skipped pytest has collected nothing, which it reports in its own way.
    assert project.runpytest_inprocess().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_line_with_a_column_missing_is_refused(project: pytest.Pytester) -> None:
    allow(project, "test_it.py::* | the moon is full")
    result = project.runpytest_inprocess()
    result.stderr.fnmatch_lines(["*not `nodeid | reason | kind of machine`*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_skips_in_worker_processes_fail_too(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=SKIPPING)
    result = project.runpytest_subprocess("-n", "2")
    result.assert_outcomes(failed=1, errors=1, passed=1, xfailed=1)


@pytest.mark.parametrize(("found", "outcome"), [(False, "skipped"), (True, "passed")])
def test_a_browser_test_is_skipped_where_there_is_no_browser(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, found: bool, outcome: str
) -> None:
    roots: list[Path] = []

    def has_browser(root: Path) -> bool:
        roots.append(root)
        return found

    monkeypatch.setattr(skips, "has_browser", has_browser)
    project.makeini("[pytest]\nmarkers =\n    browser: needs Chromium")
    project.makepyfile(
        test_it="import pytest\n@pytest.mark.browser\ndef test_page(): ...\ndef test_other(): ..."
    )
    allow(project, "* | no Chromium found: run `make setup` | any")
    project.runpytest_inprocess().assert_outcomes(**{outcome: 1, "passed": 1 + found})
    assert roots == [project.path]


def test_the_browser_that_setup_found_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "find_browser", lambda *, note: note if note.is_file() else None)
    assert not skips.has_browser(tmp_path / "a clone without one")
    (tmp_path / ".sandlot").mkdir()
    (tmp_path / ".sandlot" / "browser").touch()
    assert skips.has_browser(tmp_path)
