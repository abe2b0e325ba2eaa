"""What fails after the score is known leaves no number."""

from __future__ import annotations

from typing import Any

import pytest

from episodes import loop
from episodes.certify.faults import FaultyTransport, Switch
from episodes.certify.playing import local_host, started
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.families.h05.solve import by_api
from episodes.recorder import step_record
from sandlot.trajectory import StepRecord, read_trajectory
from tests.certify.conftest import instance


def test_a_failure_of_ours_after_the_score_leaves_no_number(
    host: ControlPlane, monkeypatch: pytest.MonkeyPatch
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


def test_an_answer_that_can_no_longer_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wait(seconds: float) -> None:
        raise AssertionError(f"{seconds} seconds were waited for")

    switch = Switch()
    faulty = local_host(lambda behind: FaultyTransport(behind, switch))
    with started(faulty, FAMILY, instance()) as held:
        switch.fault = "timeout"
        monkeypatch.setattr("time.sleep", wait)
        held.try_act("helpdesk_ShowCurrentUser")
        view = held.episode.view()
    assert view.status == "harness_error"
    assert view.error is not None
    assert view.error["type"] == "harness_timeout"
