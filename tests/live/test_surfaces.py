"""Episodes by each surface: the same acts, grades, mistakes, and their replays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from click.testing import CliRunner

from clones.core.vendors import clone_named
from episodes.families.h05 import solve
from sandlot.cli.episodes import play
from sandlot.cli.main import cli
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from sandlot.spaces import RemoteSpace, ScriptedSpace
from tests.live.conftest import play_script

DEMO: Final = {"seed": 13, "space": "api"}
SURFACES: Final = ("search_call+5", "app+15", "http")


class WrittenOut(RemoteSpace):
    """A script's acts, each as the request that the vendor's documents describe."""

    def try_act(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Take one step."""
        clone_name, _, operation_id = tool.partition("_")
        clone = clone_named(clone_name)
        if clone is None or clone.operations is None:
            return super().try_act(tool, **arguments)
        operation = clone.operations.all[operation_id]
        body = arguments.pop("body", None)
        path = operation.template
        for name in operation.parameters:
            path = path.replace(f"{{{name}}}", str(arguments.pop(name)))
        return super().try_act(
            "request", method=operation.method, path=path, query=arguments, body=body
        )


def by(control: ControlClient, surface: str, script: Callable[[Any], object]) -> dict[str, Any]:
    """Let a script that is written for `flat` play the demo by a surface; return its record."""
    started = control.post("/v1/episodes", {"task": "H05", "surface": surface, **DEMO})
    space: RemoteSpace = (
        WrittenOut(control, started)
        if surface.startswith("http")
        else ScriptedSpace(control, started, surface)
    )
    script(space)
    found: dict[str, Any] = control.get(f"/v1/episodes/{space.id}/trajectory")
    return found


@pytest.fixture(scope="module")
def flat(control: ControlClient) -> dict[str, Any]:
    """What the oracle does with a tool for each operation."""
    return play_script(control, solve.by_api, **DEMO)


@pytest.mark.parametrize("surface", SURFACES)
def test_an_oracle_does_the_same_and_is_paid_the_same(
    control: ControlClient, flat: dict[str, Any], surface: str
) -> None:
    found = by(control, surface, solve.by_api)
    assert found["manifest"]["surface"] == surface
    assert found["manifest"]["reward"] == flat["manifest"]["reward"] >= 0.95
    for name in ("fingerprint", "reward", "step_kind", "changes"):
        assert [step[name] for step in found["steps"]] == [step[name] for step in flat["steps"]]
    assert all(step["observation"].get("status", 200) < 300 for step in found["steps"])
    again = control.post(f"/v1/episodes/{found['manifest']['id']}/replay")
    assert again["equal"], again["differences"]


def test_flat_is_what_nobody_need_ask_for(control: ControlClient, flat: dict[str, Any]) -> None:
    assert flat["manifest"]["surface"] == "flat"
    view = control.get(f"/v1/episodes/{flat['manifest']['id']}")
    assert view["surface"] == "flat"
    assert "surface" not in control.get(f"/v1/episodes/{flat['manifest']['id']}?for=model")


@pytest.mark.parametrize("surface", ["search_call", "app+5", "http"])
def test_who_does_nothing_is_paid_nothing(control: ControlClient, surface: str) -> None:
    found = by(control, surface, lambda space: space.act("finish"))
    assert (found["manifest"]["reward"], found["manifest"]["success"]) == (0.0, False)


@pytest.mark.parametrize("surface", ["search_call", "app"])
@pytest.mark.parametrize("task", ["X02", "H16"])
def test_other_oracles_play_by_it(control: ControlClient, task: str, surface: str) -> None:
    found = play(control, task, "oracle", {**DEMO, "seed": 1, "surface": surface})
    assert found["manifest"]["success"] is True
    assert found["manifest"]["reward"] >= 0.95


def test_looking_up_is_a_step_and_no_action(control: ControlClient, flat: dict[str, Any]) -> None:
    def looking_first(space: RemoteSpace) -> None:
        told = space.act("find_operation", text="give money back on a charge")
        assert told["kind"] == "message"
        assert "billing_PostRefunds: POST /v1/refunds" in told["text"]
        solve.by_api(space)

    found = by(control, "search_call", looking_first)
    look, *steps = found["steps"]
    assert (look["step_kind"], look["reward"], look["requests"]) == ("no_effect", 0.0, [])
    assert len(steps) == len(flat["steps"])
    paid = found["manifest"]["components"]["parts"]["efficiency"]
    assert paid == flat["manifest"]["components"]["parts"]["efficiency"] == 1.0
    again = control.post(f"/v1/episodes/{found['manifest']['id']}/replay")
    assert again["equal"], again["differences"]


def test_mistakes_are_the_agents_and_the_episode_goes_on(control: ControlClient) -> None:
    acts: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "search_call": [
            ("call", {"operation": "helpdesk_Solve"}),
            ("call", {"operation": "helpdesk_ShowTicket"}),
            ("call", {"operation": "helpdesk_ShowTicket", "arguments": [1]}),
            ("find_operation", {}),
            ("helpdesk_ShowTicket", {"ticket_id": 1}),
        ],
        "app": [
            ("helpdesk_solve_ticket", {}),
            ("helpdesk_show_ticket", {}),
            ("helpdesk_show_ticket", {"ticket": 1}),
        ],
        "http": [
            ("request", {"method": "LOOK", "path": "/v1/charges"}),
            ("request", {"method": "GET", "path": "/rest/api/3/myself"}),
            ("request", {"method": "GET", "path": "/v1/x", "headers": {"Expect": "a"}}),
        ],
    }
    for surface, mistakes in acts.items():
        view = control.post("/v1/episodes", {"task": "H05", "surface": surface, **DEMO})
        space = RemoteSpace(control, view)
        for tool, arguments in mistakes:
            seen = space.try_act(tool, **arguments)
            assert seen["kind"] == "error", (tool, arguments)
            assert seen["text"]
            assert "\n" not in seen["text"]
            assert (space.steps[-1]["step_kind"], space.done) == ("refused", False)
        # What the vendor refuses is the vendor's answer.
        refused = {
            "search_call": ("call", {"operation": "helpdesk_ShowTicket"}),
            "app": ("helpdesk_show_ticket", {}),
            "http": ("request", {"method": "GET", "path": "/api/v2/tickets/99999999.json"}),
        }[surface]
        tool, arguments = refused
        if surface == "search_call":
            arguments = {**arguments, "arguments": {"ticket_id": 99_999_999}}
        if surface == "app":
            arguments = {"ticket_id": 99_999_999}
        assert space.try_act(tool, **arguments)["status"] == 404
        space.act("finish")
        assert space.done


def test_tools_that_do_not_help_work(control: ControlClient) -> None:
    view = control.post("/v1/episodes", {"task": "H05", "surface": "app+15", **DEMO})
    space = RemoteSpace(control, view)
    plain = control.post("/v1/episodes", {"task": "H05", "surface": "app", **DEMO})
    known = {tool["name"] for tool in RemoteSpace(control, plain).tools()}
    more = [tool for tool in space.tools() if tool["name"] not in known]
    assert len(more) == 15
    for tool in more:
        needed = tool["input_schema"]["required"]
        seen = space.try_act(tool["name"], **dict.fromkeys(needed, 1))
        assert seen["kind"] == "http", (tool, seen)
        if space.done:
            break
    for id in (view["id"], plain["id"]):
        control.post(f"/v1/episodes/{id}/abandon")


def test_surfaces_are_of_the_api(control: ControlClient) -> None:
    for body, status in (
        ({"space": "browser", "surface": "app"}, 422),
        ({"client": "own", "surface": "app"}, 422),
        ({"surface": "tools"}, 422),
        ({"surface": "flat+5"}, 422),
    ):
        with pytest.raises(ControlError) as refused:
            control.post("/v1/episodes", {"task": "H05", **body})
        assert refused.value.status == status


def test_the_command_line_plays_by_a_surface(running: RunningServer) -> None:
    runner = CliRunner(env={"SANDLOT_TOKEN": running.token})
    asked = ["episode", "run", "H05", "--surface", "app", "--seed", "13", "--json"]
    asked += ["--url", running.control_url]
    result = runner.invoke(cli, asked)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["manifest"]["surface"] == "app"
    result = runner.invoke(cli, [*asked, "--surface", "http"])
    assert result.exit_code == 2
    assert "does not play by the surface http" in result.output
    asked[asked.index("--surface") : asked.index("--surface") + 2] = ["--space", "computer"]
    result = runner.invoke(cli, [*asked, "--surface", "app"])
    assert result.exit_code == 2
    assert "--space computer has the surface computer" in result.output


@pytest.mark.browser
def test_the_command_line_plays_on_the_screen(running: RunningServer) -> None:
    asked = ["episode", "run", "H05", "--space", "computer", "--agent", "noop", "--json"]
    asked += ["--url", running.control_url]
    result = CliRunner(env={"SANDLOT_TOKEN": running.token}).invoke(cli, asked)
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.stdout)["manifest"]
    assert (manifest["space"], manifest["surface"]) == ("browser", "computer")
    assert manifest["reward"] == 0
