"""The last line of several runs of pytest, as pytest prints it for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.summary import by_suite, main, summary

REPORT = """<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="{errors}"
 failures="{failures}" skipped="{skipped}" tests="{tests}" time="{time}"/></testsuites>"""


def report(folder: Path, name: str, **counts: float) -> Path:
    given = {"errors": 0, "failures": 0, "skipped": 0, "tests": 10, "time": 1.5, **counts}
    path = folder / f"{name}.xml"
    path.write_text(REPORT.format(**given))
    return path


def test_runs_are_added_up(tmp_path: Path) -> None:
    reports = [report(tmp_path, "a", skipped=2), report(tmp_path, "b", tests=5, time=60)]
    line, well = summary(reports)
    assert line.strip("=") == " 13 passed, 2 skipped in 61.50s (0:01:01) "
    assert well


def test_a_failure_of_one_run_is_one_of_the_whole(tmp_path: Path) -> None:
    line, well = summary([report(tmp_path, "a"), report(tmp_path, "b", failures=1, errors=1)])
    assert line.strip("=") == " 1 failed, 18 passed, 1 errors in 3.00s (0:00:03) "
    assert not well


def test_each_run_has_its_line(tmp_path: Path) -> None:
    assert by_suite([report(tmp_path, "stack", failures=1, time=75), tmp_path / "gone.xml"]) == [
        "stack             0:01:15  1 failed, 9 passed",
        "gone              0:00:00  1 errors",
    ]


@pytest.mark.parametrize("names", [["missing"], ["whole", "missing"]])
def test_a_run_that_did_not_end_is_an_error(tmp_path: Path, names: list[str]) -> None:
    report(tmp_path, "whole")
    assert main([str(tmp_path / f"{name}.xml") for name in names]) == 1


def test_a_run_of_nothing_is_no_success(tmp_path: Path) -> None:
    assert main([str(report(tmp_path, "none", tests=0))]) == 1
