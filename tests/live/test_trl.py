"""`sandlot.trl`: what TRL asks of an environment, without TRL, over a real server."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Literal, get_type_hints

import pytest

from episodes.families.h05 import solve
from sandlot.cli.serving import RunningServer
from sandlot.cli.trl_check import MethodSpace, undocumented
from sandlot.client import ControlClient
from sandlot.spaces.rollout import EnvironmentFailed
from sandlot.trl import Sandlot, TaskEpisode
from tests.live.conftest import play_script

CHECK = [sys.executable, "-m", "sandlot.trl", "--check"]


@contextmanager
def offered(running: RunningServer, **options: Any) -> Iterator[Sandlot]:
    """The tasks of a server, those of H05 where nobody says otherwise."""
    options = {"families": ["H05"], "token": running.token, **options}
    with closing(Sandlot(running.control_url, **options)) as found:
        yield found


@pytest.fixture(scope="module")
def tasks(running: RunningServer) -> Iterator[Sandlot]:
    """H05 by the two tools that look operations up and call them."""
    with offered(running) as found:
        yield found


@pytest.fixture
def environment(tasks: Sandlot) -> Iterator[TaskEpisode]:
    """An environment in which the first task has begun."""
    found = tasks.factory()
    found.reset(**tasks.rows[0])
    yield found
    vars(found)["_rollout"].close()


def rollout_of(environment: TaskEpisode) -> Any:
    """Return the attempt that an environment is at."""
    return vars(environment)["_rollout"]


def test_rows_are_instances_of_a_split(running: RunningServer) -> None:
    rows = []
    for split in ("train", "validation", "test"):
        with offered(running, families=["H05", "X02"], split=split) as found:
            rows.append([row["task"] for row in found.rows])
    assert [len(found) for found in rows] == [40, 40, 40]
    assert [task.partition("/")[2] for task in rows[0][:3]] == [
        "kestrel-tiny/1/0000",
        "kestrel-tiny/1/0000",
        "kestrel-tiny/1/0001",
    ]
    assert len({task for found in rows for task in found}) == 120
    wrong: tuple[dict[str, Any], ...] = (
        {"families": ["H99"]},
        {"split": "tests"},
        {"surface": "app+5"},
    )
    for options in wrong:
        with pytest.raises(ValueError, match=r"H99|tests|app\+5"), offered(running, **options):
            pass


def test_tools_are_typed_and_documented_methods(tasks: Sandlot) -> None:
    kind = tasks.factory
    methods = {
        name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")
    }
    assert methods == {
        "reset", "get_reward", "find_operation", "call", "wait", "say", "finish",
    }  # fmt: skip
    assert list(undocumented(kind)) == []
    call: Any = vars(kind)["call"]
    assert get_type_hints(call) == {
        "operation": str,
        "arguments": dict[str, Any] | None,
        "return": str,
    }
    assert list(inspect.signature(kind().finish).parameters) == [  # type: ignore[attr-defined] # made
        "status", "reason", "answer", "evidence",
    ]  # fmt: skip
    finish: Any = vars(kind)["finish"]
    assert get_type_hints(finish)["status"] == Literal["done", "declined", "blocked"] | None


@pytest.mark.parametrize("surface", ["search_call", "app"])
def test_an_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, running: RunningServer, surface: Any
) -> None:
    with offered(running, surface=surface) as found:
        assert list(undocumented(found.factory)) == []
        environment = found.factory()
        prompt = environment.reset(**found.rows[2])
        view = rollout_of(environment).view
        assert view["goal"] in prompt
        solve.by_api(MethodSpace(environment, rollout_of(environment), found))
        reward = environment.get_reward()
        # What is over stays so, and the model is told.
        assert environment.finish() == "the episode is over"  # type: ignore[attr-defined] # made
        assert environment.get_reward() == reward
    assert reward == control.get(f"/v1/episodes/{view['id']}")["reward"]
    plain = play_script(control, solve.by_api, task=found.rows[2]["task"])
    assert reward == plain["manifest"]["reward"]


def test_nothing_done_is_nothing_and_not_none(environment: TaskEpisode) -> None:
    reward = environment.get_reward()
    assert reward == 0.0
    assert reward is not None


def test_who_runs_out_of_steps_has_a_number(running: RunningServer) -> None:
    with offered(running, max_steps=2) as short:
        found: Any = short.factory()
        found.reset(**short.rows[0])
        assert "ShowTicket" in found.find_operation(text="show a ticket")
        assert "no operation" in found.call(operation="helpdesk_Solve")
        assert found.call(operation="helpdesk_ShowCurrentUser") == "the episode is over"
        assert rollout_of(found).status == "truncated"
        assert found.get_reward() == 0.0


def test_a_failure_of_ours_is_raised_and_has_no_number(
    control: ControlClient, tasks: Sandlot
) -> None:
    found: Any = tasks.factory()
    found.reset(**tasks.rows[1])
    view = rollout_of(found).view
    assert '"status": 200' in found.call(operation="helpdesk_ShowCurrentUser")
    control.delete(f"/v1/sandboxes/{view['sandbox']}")
    for _ in range(2):
        with pytest.raises(EnvironmentFailed):
            found.call(operation="helpdesk_ShowCurrentUser")
    assert found.get_reward() is None
    # The environment is used again.
    found.reset(**tasks.rows[1])
    assert found.get_reward() == 0.0


def test_an_episode_that_was_taken_away_has_no_number(
    control: ControlClient, environment: TaskEpisode
) -> None:
    control.post(f"/v1/episodes/{rollout_of(environment).space.id}/abandon")
    assert environment.get_reward() is None
    with pytest.raises(EnvironmentFailed):
        environment.call(operation="helpdesk_ShowCurrentUser")  # type: ignore[attr-defined] # made


def test_what_cannot_begin_is_raised(tasks: Sandlot) -> None:
    found = tasks.factory()
    with pytest.raises(EnvironmentFailed, match=r"no instance|no task"):
        found.reset(task="H05@1/nowhere")
    assert found.get_reward() is None


def test_a_reset_frees_what_ran(control: ControlClient, tasks: Sandlot) -> None:
    found = tasks.factory()
    found.reset(**tasks.rows[0])
    before = rollout_of(found).space.id
    found.reset(**tasks.rows[1])
    assert control.get(f"/v1/episodes/{before}")["status"] == "abandoned"
    rollout_of(found).close()


@pytest.mark.parametrize("surface", ["search_call", "app"])
def test_the_check_needs_neither_torch_nor_a_model(running: RunningServer, surface: str) -> None:
    done = subprocess.run(
        [*CHECK, running.control_url, "--surface", surface],
        env={**os.environ, "SANDLOT_TOKEN": running.token},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "no-op 0.0, oracle " in done.stdout


def test_the_check_says_what_is_wrong(running: RunningServer) -> None:
    for arguments, code, said in (
        (["http://127.0.0.1:9"], 3, "no server"),
        ([running.control_url, "--family", "H99"], 2, "there is no family H99"),
    ):
        done = subprocess.run(
            [*CHECK, *arguments],
            env={**os.environ, "SANDLOT_TOKEN": running.token},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, said in done.stderr) == (code, True), done.stderr
