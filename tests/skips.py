"""A pytest plugin: a skip is a failure unless `tests/allowed_skips.txt` allows it.

Each line of that file is `nodeid pattern | reason pattern | kind of machine`: patterns in the form
of fnmatch, both must match; the third column says, for people, where the skip is to be expected.
Tests marked `browser` are skipped here, with one reason for all, on a machine without Chromium.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ALLOWED = Path("tests") / "allowed_skips.txt"
NO_BROWSER = "no Chromium found: run `make setup`"


@dataclass(frozen=True, slots=True)
class AllowedSkip:
    """One line of the list."""

    nodeid: str
    reason: str
    machine: str

    def covers(self, nodeid: str, reason: str) -> bool:
        """Tell whether this line allows the skip of `nodeid` for `reason`."""
        return fnmatch.fnmatchcase(nodeid, self.nodeid) and fnmatch.fnmatchcase(reason, self.reason)


def read_allowed(path: Path) -> list[AllowedSkip]:
    """Read the list; a file that is not there allows nothing.

    Raises:
        pytest.UsageError: a line has not three columns.
    """
    found = []
    for line in path.read_text().splitlines() if path.is_file() else []:
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("|")]
        if len(columns) != 3 or not all(columns):
            raise pytest.UsageError(f"{path}: not `nodeid | reason | kind of machine`: {line}")
        found.append(AllowedSkip(*columns))
    return found


@cache
def has_browser(root: Path) -> bool:
    """Tell whether this machine has a browser that the project would use."""
    from episodes.browser import find_browser  # noqa: PLC0415 - Django is not set up at first

    return find_browser(note=root / ".sandlot" / "browser") is not None


class SkipGuard:
    """Turn skips that the list does not allow into failures, where they are reported."""

    def __init__(self, root: Path) -> None:
        self.allowed = read_allowed(root / ALLOWED)
        self.root = root

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip browser tests where there is no browser."""
        if item.get_closest_marker("browser") and not has_browser(self.root):
            pytest.skip(NO_BROWSER)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail a test that was skipped without leave."""
        report = yield
        if not hasattr(report, "wasxfail"):
            self.judge(report)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Fail a module that was skipped without leave."""
        report = yield
        self.judge(report)
        return report

    def judge(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        """Make an unallowed skip a failure whose text says what to do."""
        if report.outcome != "skipped" or not isinstance(report.longrepr, tuple):
            return
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        if not any(line.covers(report.nodeid, reason) for line in self.allowed):
            report.outcome = "failed"
            report.longrepr = f"skipped: {reason}\nno line of {ALLOWED} allows this skip"


def pytest_configure(config: pytest.Config) -> None:
    """Read the list once per process."""
    config.pluginmanager.register(SkipGuard(config.rootpath), "skip-guard")
