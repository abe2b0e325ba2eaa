"""A worker that died: its episodes are harness errors, its other sandboxes go on."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from clones.core.server import server
from sandlot.client import ControlClient, ControlError
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.asking import asking, check_answers, check_lost, check_tidy
from tests.tiers import EVERYTHING

KILLS = 6 if EVERYTHING else 2


def test_episodes_of_a_dead_worker_are_lost_and_nothing_else(control: ControlClient) -> None:
    made = [control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(4)]
    workers = [server().registry.get(one["id"]).worker for one in made]
    dead = workers[0]
    (other,) = {worker for worker in workers if worker != dead}
    hit, idle = [one["id"] for one, worker in zip(made, workers, strict=True) if worker == dead]
    safe, _ = [one["id"] for one, worker in zip(made, workers, strict=True) if worker == other]
    body = {"task": "H05", "seed": 0, "space": "api"}
    there = control.post("/v1/episodes", {**body, "sandbox": hit})
    elsewhere = control.post("/v1/episodes", {**body, "sandbox": safe})

    failed = control.get("/v1/failures")["causes"].get("harness_lost", 0)

    found = control.post(f"/v1/workers/{dead}/lost")

    assert found["lost"] == [{"sandbox": hit, "episode": there["id"]}]
    assert idle in found["kept"]
    assert safe not in found["kept"]
    # It is among those that stop a run when there are too many.
    assert control.get("/v1/failures")["causes"]["harness_lost"] == failed + 1
    view = control.get(f"/v1/episodes/{there['id']}")
    assert (view["status"], view["reward"], view["error"]["type"]) == (
        "harness_error", None, "harness_lost",
    )  # fmt: skip
    record = control.get(f"/v1/episodes/{there['id']}/trajectory")["manifest"]
    assert (record["outcome"], record["reward"]) == ("harness_error", None)
    assert control.get(f"/v1/episodes/{elsewhere['id']}")["status"] == "running"
    assert control.get(f"/v1/sandboxes/{hit}/diff")["changes"] == []
    assert set(control.get(f"/v1/sandboxes/{hit}")["marks"]) == {"base"}
    again = control.post("/v1/episodes", {**body, "sandbox": hit})
    for episode in (again, elsewhere):
        control.post(f"/v1/episodes/{episode['id']}/abandon")
    for one in made:
        control.delete(f"/v1/sandboxes/{one['id']}")


def test_there_is_no_such_worker(control: ControlClient) -> None:
    with pytest.raises(ControlError, match="no worker 7") as refused:
        control.post("/v1/workers/7/lost")
    assert refused.value.status == 404


def workers_of(served: Apart) -> list[psutil.Process]:
    """Return the processes that answer on the data plane, and those that watch over one each."""
    return [
        process
        for keeper in psutil.Process(served.pid).children()
        if "clones.config.serve" in keeper.cmdline()
        for process in keeper.children(recursive=True)
    ]


@pytest.mark.slow
@pytest.mark.in_turn
@pytest.mark.timeout(600)
def test_what_is_asked_while_workers_are_killed_is_done_once_and_whole(tmp_path: Path) -> None:
    """The control plane restores, forks, deletes, keeps as who has written there is gone."""
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "2") as served:
        with asking(served.control, served.token()) as asked:
            asked.all_done()
            for turn in range(KILLS):
                time.sleep(turn * 0.05)
                killed = workers_of(served)
                assert len(killed) >= 4
                for process in killed:
                    process.kill()
                # Each kind of caller, those who write over the data plane too, is answered again.
                asked.all_done()
                assert not {one.pid for one in killed} & {one.pid for one in workers_of(served)}
        assert asked.refused == []
        assert asked.lost != []
        check_lost(served.control, asked)
        check_answers(served.control, asked)
        check_tidy(tmp_path, served.control, words=False)
