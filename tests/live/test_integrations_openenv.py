"""`sandlot-openenv`: OpenEnv accepts its manifest, and its client is told the episode's number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
import yaml

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.gateway_plays import INDEX, LOOK, oracle_play, status_of
from tests.live.test_openenv_clients import OPENENV

pytestmark = pytest.mark.slow

PACKAGE: Final = Path(__file__).resolve().parents[2] / "integrations" / "sandlot-openenv"
SCRIPT: Final = Path(__file__).with_name("openenv_package.py")
VALIDATE: Final = """
import sys
from openenv.cli.__main__ import main
sys.argv = ["openenv", "validate", sys.argv[1], "--level", "static", "--skip-build", "--json"]
main()
"""


def test_openenv_accepts_the_manifest(tmp_path: Path) -> None:
    script = tmp_path / "validate.py"
    script.write_text(VALIDATE)
    ran = run_client(client_python(**OPENENV), script, str(PACKAGE))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert report["verdict"] == "pass"
    assert [(one["check_id"], one["status"]) for one in report["results"]] == [
        ("static.manifest", "pass")
    ]


@pytest.mark.everything
def test_its_client_is_told_what_the_control_plane_says(
    running: RunningServer, control: ControlClient, tmp_path: Path
) -> None:
    assert running.gateways is not None
    oracle = oracle_play(control)
    plans = [
        {"environment": "h05", "index": INDEX, "acts": oracle.acts},
        {"environment": "sandlot-search_call", "index": 0, "acts": [["finish", {}]]},
        {"environment": "H05", "index": INDEX, "acts": [LOOK]},
    ]
    file = tmp_path / "plans.json"
    file.write_text(json.dumps(plans))
    server = running.gateways.openenv_url.removesuffix("/openenv")
    ran = run_client(client_python(**OPENENV), SCRIPT, str(PACKAGE), server, str(file))
    assert ran.returncode == 0, ran.stderr[-3000:]
    played, nothing, looked = json.loads(ran.stdout)

    assert played["begun"] == [None, False]
    *before, last = played["rewards"]
    assert (set(before), last) == ({None}, oracle.reward)
    assert (played["done"], played["of_observation"]) == (True, [oracle.reward, True])
    assert (played["success"], played["step"]) == (True, len(oracle.acts))
    episode, steps, status = played["state"]
    assert (steps, status) == (len(oracle.acts), "completed")
    assert status_of(control, episode) == ("completed", oracle.reward)
    view = control.get(f"/v1/episodes/{episode}")
    assert (view["task"], view["goal"] in played["text"]) == (oracle.instance, True)

    declared = yaml.safe_load((PACKAGE / "openenv.yaml").read_text())["validation"]
    assert nothing["tools"] == declared["capabilities"]["declared_tools"]
    assert (nothing["rewards"], nothing["success"]) == ([0.0], False)
    lowest, highest = declared["reward"]["range"]
    assert lowest < 0.0 < highest - declared["reward"]["oracle_tolerance"] <= oracle.reward
    assert (looked["rewards"], looked["done"]) == ([None], False)
