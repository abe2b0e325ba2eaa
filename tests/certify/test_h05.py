"""H05 is certified: one instance by the quick checks, and what a browser leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clones.core.server import server
from episodes import loop
from episodes.browser import find_browser
from episodes.certify.playing import started
from episodes.certify.report import REQUIRED, Report
from episodes.certify.run import CHECKS, QUICK, certify
from episodes.families.h05.family import FAMILY
from episodes.families.h05.solve import by_api
from episodes.host import Host
from episodes.recorder import step_record
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.trajectory import StepRecord, read_trajectory
from tests.certify.conftest import PLAIN, instance


def failures(report: Report) -> list[str]:
    return [line for check in report.checks if check.verdict == "fail" for line in check.evidence]


def test_one_instance_holds_by_the_quick_checks(host: Host) -> None:
    report = certify(FAMILY, host=host, numbers=(PLAIN,), checks=QUICK)
    assert failures(report) == []
    assert [check.number for check in report.checks] == list(QUICK)
    assert all(check.verdict == "pass" for check in report.checks)


def test_a_failure_of_ours_after_the_score_leaves_no_number(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_once(*given: Any, **more: Any) -> StepRecord:
        monkeypatch.setattr(loop, "step_record", step_record)
        raise OSError("the disk is gone")

    with started(host, FAMILY, instance()) as held:
        by_api(held)
    assert held.episode.view().reward is not None
    with started(host, FAMILY, instance()) as held:
        held.try_act("helpdesk_ShowCurrentUser")
        monkeypatch.setattr(loop, "step_record", fails_once)
        held.try_act("finish")
        folder = host.episodes.folder / held.ground.id
        view = held.episode.view()
    assert (view.status, view.reward, view.success) == ("harness_error", None, None)
    found = read_trajectory(folder)
    assert (found.manifest.outcome, found.manifest.reward) == ("harness_error", None)
    assert {step.reward for step in found.steps} == {None}


def test_the_checks_that_a_report_needs_are_those_there_are() -> None:
    assert {entry.number for entry in CHECKS} == REQUIRED
    assert {check.number for check in CHECKS if check.look or check.look_at_all} == REQUIRED


@pytest.fixture
def browser_host() -> Iterator[Host]:
    """A host with real ports."""
    local = "127.0.0.1"
    ports = [free_port(local), free_port(local)]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=1)
    with RunningServer(options) as running:
        yield running.host


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_oracle_leaves_the_same_behind_in_the_browser(
    host: Host, browser_host: Host, number: int
) -> None:
    assert find_browser() is not None
    report = certify(
        FAMILY, host=host, numbers=(number,), deep=(number,), browser_host=browser_host, checks=(6,)
    )
    assert failures(report) == []
    assert report.checks[0].verdict == "pass"
