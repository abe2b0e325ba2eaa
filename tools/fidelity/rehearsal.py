"""A clone's API tests, run in this process: once as they are, then as often as wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.fidelity.subject import Subject

# A broken operation may leave a test waiting.
SECONDS = 60


class Rehearsal:
    """A pytest plugin that notes what each test calls and is answered.

    `played` is called after the first run, while the tests can still be played again.
    """

    def __init__(self, subject: Subject, played: Callable[[Rehearsal], None] | None = None) -> None:
        self.subject = subject
        self.items: dict[str, pytest.Function] = {}
        self.seen: dict[str, set[tuple[str, str]]] = {}
        self.problems: list[str] = []
        self._played = played
        self._failed = False
        self._of_modules: dict[Path, pytest.Function] = {}
        self.reason = ""  # of the last failure

    def run(self) -> None:
        """Run the tests.

        Raises:
            SystemExit: they do not all pass.
        """
        options = ["-n0", "-p", "no:cacheprovider", f"--timeout={SECONDS}"]
        code = pytest.main([*options, *self.subject.tests], plugins=[self])
        if self.problems or code:
            raise SystemExit("\n".join([*self.problems, f"the tests do not pass ({code!r})"]))

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep pytest from reporting: broken tests are what is wanted here."""
        config.pluginmanager.unregister(name="terminalreporter")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run every test once, then what was asked for."""
        if session.testsfailed:
            return None  # pytest ends with what could not be collected
        calls, named = self.subject.calls.CALLS, self.subject.calls.named
        calls.promised.clear()
        items = [item for item in session.items if isinstance(item, pytest.Function)]
        self._of_modules = {item.path: item for item in items}
        for item in items:
            name = named(item.nodeid)
            if self.play(item):
                self.problems.append(f"{name} fails as it is: {self.reason}")
            self.items[name] = item
            self.seen[name] = set(calls.seen)
        if self._played is not None and not self.problems:
            self._played(self)
        session.testsfailed = 0  # what failed as it is, stands in `problems`
        session._setupstate.teardown_exact(None)  # noqa: SLF001 - as pytest does after the last one
        return True

    def play(self, item: pytest.Function) -> bool:
        """Run one test and tell whether it fails."""
        self._failed = False
        item._initrequest()  # noqa: SLF001 - what plugins do that run a test again
        # pytest keeps what the next test needs too: here all but this module.
        after = next(other for path, other in self._of_modules.items() if path != item.path)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        return self._failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure, in the test or around it."""
        if report.failed and not self._failed:
            self._failed = True
            crash = getattr(report.longrepr, "reprcrash", None)
            self.reason = str(report.longrepr)
            if crash is not None:
                self.reason = f"{Path(crash.path).name}:{crash.lineno}: {crash.message}"

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what could not be collected."""
        if report.failed:
            self.problems.append(str(report.longrepr))
