"""An episode that is over is no longer in the server's memory, and tells the same as before."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

from episodes.loop import Episode
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError

LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}


def started(control: ControlClient, **body: Any) -> dict[str, Any]:
    view: dict[str, Any] = control.post(
        "/v1/episodes", {"task": "H05", "seed": 0, "space": "api", **body}
    )
    assert control.post(f"/v1/episodes/{view['id']}/act", LOOK)["status"] == "running"
    return view


def in_memory(episode: str) -> list[Episode]:
    gc.collect()
    return [
        found for found in gc.get_objects() if type(found) is Episode and found.ground.id == episode
    ]


def test_a_finished_episode_is_told_from_its_record(control: ControlClient) -> None:
    view = started(control, max_steps=9)
    at = f"/v1/episodes/{view['id']}"
    assert len(in_memory(view["id"])) == 1
    before = control.get(at)
    done = control.post(f"{at}/finish", {"arguments": {}})
    assert in_memory(view["id"]) == []
    after = control.get(at)
    manifest = control.get(f"{at}/trajectory")["manifest"]
    same = ("id", "task", "goal", "persona", "space", "sandbox", "seed", "max_steps", "faults",
            "folder")  # fmt: skip
    assert {name: after[name] for name in same} == {name: view[name] for name in same}
    assert (after["status"], after["steps"], after["max_steps"]) == ("completed", 2, 9)
    assert (after["reward"], after["success"]) == (manifest["reward"], False)
    assert after["components"] == manifest["components"] != {}
    assert before["now"] < after["now"]
    assert after["now"] >= done["observation"]["now"]
    assert after["apps"] == {}, "its credentials open nothing any more"


def test_an_ended_episode_takes_no_more_acts_and_stays_as_it_is(control: ControlClient) -> None:
    view = started(control)
    at = f"/v1/episodes/{view['id']}"
    ended = control.post(f"{at}/abandon")
    assert (ended["status"], ended["steps"], ended["reward"]) == ("abandoned", 1, None)
    assert in_memory(view["id"]) == []
    assert control.post(f"{at}/abandon") == ended
    asked: list[Callable[[], Any]] = [
        lambda: control.post(f"{at}/act", LOOK),
        lambda: control.post(f"{at}/finish", {"arguments": {}}),
        lambda: control.get(f"{at}/observation"),
        lambda: control.get(f"{at}/tools"),
    ]
    for ask in asked:
        with pytest.raises(ControlError, match="is over: its outcome is abandoned") as refused:
            ask()
        assert refused.value.status == 409


@pytest.mark.parametrize("name", ["ep-aaaaaaaaaa", "..", "episodes"])
def test_an_episode_that_never_was_is_none(control: ControlClient, name: str) -> None:
    with pytest.raises(ControlError) as refused:
        control.post(f"/v1/episodes/{name}/abandon")
    assert refused.value.status == 404


def test_a_lost_episode_is_forgotten_too(running: RunningServer, control: ControlClient) -> None:
    view = started(control)
    running.host.episodes.lose(view["id"], "the worker died")
    assert in_memory(view["id"]) == []
    found = control.get(f"/v1/episodes/{view['id']}")
    assert (found["status"], found["error"]["type"]) == ("harness_error", "harness_lost")
    running.host.episodes.lose(view["id"], "it died again")
    assert control.get(f"/v1/episodes/{view['id']}") == found
