"""What a finished episode says of its phases and checks, and a branch of where it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from episodes.families.h05 import solve
from episodes.families.h05.family import FAMILY
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace
from sandlot.trajectory import FORMAT, read_trajectory
from tests.live.conftest import play_script

PLAIN = 13
LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
CHECKS = [
    *((check.name, phase.name) for phase in FAMILY.phases for check in phase.checks),
    *((check.name, None) for check in FAMILY.care),
]


@pytest.fixture(scope="module")
def solved(control: ControlClient) -> dict[str, Any]:
    """An episode that the oracle played."""
    return play_script(control, solve.by_api, seed=PLAIN)


def test_phases_say_what_they_came_to_and_when(solved: dict[str, Any]) -> None:
    phases, steps = solved["manifest"]["phases"], solved["steps"]
    declared = [(phase.name, phase.kind, phase.weight) for phase in FAMILY.ladder.phases]
    assert [(phase["name"], phase["kind"], phase["weight"]) for phase in phases] == declared
    for phase in phases:
        assert (phase["value"], phase["counted"]) == (1.0, 1.0)
        first = next(step for step in steps if step["phases"][phase["name"]] == 1.0)
        assert phase["reached"]["step"] == first["step"]
        if first is not steps[-1]:
            assert phase["reached"]["at"] == first["at"]
    assert phases[2]["needs"] == ["remedied"]


def test_checks_say_what_they_found_and_what_it_rests_on(solved: dict[str, Any]) -> None:
    checks = solved["manifest"]["checks"]
    assert [(check["name"], check["phase"]) for check in checks] == CHECKS
    assert {check["value"] for check in checks if check["phase"]} <= {1.0, None}
    assert all(check["because"] and check["weight"] > 0 for check in checks)
    remedied = [check for check in checks if check["phase"] == "remedied"]
    assert any(check["evidence"]["journal"] for check in remedied)
    assert solved["manifest"]["components"]["failures"] == []


def test_a_failure_names_the_checks_and_the_view_tells_the_same(control: ControlClient) -> None:
    manifest = play_script(control, lambda space: space.act("finish"), seed=PLAIN)["manifest"]
    failures = manifest["components"]["failures"]
    wrong = {c["name"] for c in manifest["checks"] if c["phase"] and c["value"] == 0.0}
    ends = [phase.name for phase in FAMILY.ladder.ends]
    assert [name for name in failures if name.startswith("end ")] == [f"end {n}" for n in ends]
    named = {name.removeprefix("check ") for name in failures if name.startswith("check ")}
    means = {c.name for p in FAMILY.phases if p.kind == "means" for c in p.checks}
    assert named == wrong - means != set()
    assert "needs remedied" in failures
    assert {phase["reached"] is None for phase in manifest["phases"]} == {True}
    view = control.get(f"/v1/episodes/{manifest['id']}")
    for name in ("phases", "checks", "components"):
        assert view[name] == manifest[name]


def test_a_phase_that_was_lost_again_keeps_when_it_was_reached(
    control: ControlClient, solved: dict[str, Any]
) -> None:
    update = next(step["act"] for step in solved["steps"] if "UpdateTicket" in step["act"]["tool"])

    def undo(space: RemoteSpace) -> None:
        for step in solved["steps"][:-1]:
            space.act(step["act"]["tool"], **step["act"]["arguments"])
        changes = {"ticket": {"status": "open"}}
        space.act(update["tool"], **{**update["arguments"], "body": changes})
        space.act("finish")

    manifest = play_script(control, undo, seed=PLAIN)["manifest"]
    closed = next(phase for phase in manifest["phases"] if phase["name"] == "closed")
    before = next(phase for phase in solved["manifest"]["phases"] if phase["name"] == "closed")
    assert closed["value"] < 1.0
    assert closed["reached"] == before["reached"]
    assert "end closed" in manifest["components"]["failures"]


def test_an_episode_without_a_score_has_neither(control: ControlClient) -> None:
    manifest = play_script(control, lambda space: space.act("helpdesk_ShowCurrentUser"))["manifest"]
    assert (manifest["outcome"], manifest["phases"], manifest["checks"]) == ("abandoned", [], [])


def test_a_branch_names_its_parent(control: ControlClient, solved: dict[str, Any]) -> None:
    parent = {"episode": solved["manifest"]["id"], "step": 2}
    view = control.post(f"/v1/episodes/{parent['episode']}/branch", {"step": 2})
    assert view["parent"] == parent
    assert solved["manifest"]["parent"] is None
    control.post(f"/v1/episodes/{view['id']}/act", LOOK)
    again = control.post(f"/v1/episodes/{view['id']}/abandon")
    assert again["parent"] == parent
    manifest = control.get(f"/v1/episodes/{view['id']}/trajectory")["manifest"]
    assert (manifest["parent"], manifest["format"]) == (parent, FORMAT)


def test_records_of_format_1_are_read(control: ControlClient, solved: dict[str, Any]) -> None:
    folder = Path(solved["folder"])
    old = server().data / "episodes" / "ep-oldoldoldo"
    old.mkdir()
    manifest = json.loads((folder / "manifest.json").read_text())
    newer = ("parent", "withdrawn", "abandoned_by")
    kept = {name: value for name, value in manifest.items() if name not in newer}
    kept |= {"format": 1, "id": old.name, "phases": [], "checks": []}
    (old / "manifest.json").write_text(json.dumps(kept))
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    for step in steps:
        step.pop("withdrawn", None)
    (old / "steps.jsonl").write_text("".join(json.dumps(step) + "\n" for step in steps))
    found = read_trajectory(old)
    assert (found.manifest.format, found.manifest.phases) == (1, [])
    assert found.rewards == [step["reward"] for step in solved["steps"]]
    assert control.get(f"/v1/episodes/{old.name}")["reward"] == solved["manifest"]["reward"]
    assert control.post(f"/v1/episodes/{old.name}/replay")["equal"] is True


def test_the_description_of_the_control_plane_tells_of_them(control: ControlClient) -> None:
    schemas = control.get("/openapi.json")["components"]["schemas"]
    for model in ("EpisodeView", "EpisodeManifest"):
        shown = schemas[model]["properties"]
        assert shown["phases"]["items"] == {"$ref": "#/components/schemas/PhaseResult"}
        assert shown["checks"]["items"] == {"$ref": "#/components/schemas/CheckResult"}
    assert {"name", "value", "counted", "reached"} <= set(schemas["PhaseResult"]["properties"])
