"""What operators try at the control plane and the command line while a server runs."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import InterfaceError, OperationalError

from clones.core.server import server
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client

# Whoever runs the tests in the background has them ignore Ctrl-C, and what they start.
BEGIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from sandlot.cli.main import main
main()
"""


def command(control: ControlClient, *arguments: str) -> list[str]:
    """Return a command line that asks the shared server."""
    flags = ["--url", control.url, "--data", str(server().data)]
    return [sys.executable, "-c", BEGIN, *arguments, *flags]


def test_the_description_of_the_control_plane_needs_the_token(running: RunningServer) -> None:
    url = f"{running.control_url}/openapi.json"
    assert httpx.get(url, trust_env=False).status_code == 401
    by = {"Authorization": f"Bearer {running.token}"}
    found = httpx.get(url, headers=by, trust_env=False).json()
    assert "/v1/sandboxes/{sandbox}/reset" in found["paths"]


def test_a_reset_without_a_body_goes_to_the_start(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    path = f"/v1/sandboxes/{sandbox['id']}/reset"
    assert control.request("POST", path)["changes"] == 0
    made = control.request("POST", "/v1/sandboxes")
    assert control.get(f"/v1/sandboxes/{made['id']}")["size"] == "tiny"
    control.delete(f"/v1/sandboxes/{made['id']}")


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
def test_a_mark_has_a_name(control: ControlClient, sandbox: dict[str, Any], name: str) -> None:
    with pytest.raises(ControlError) as refused:
        control.post(f"/v1/sandboxes/{sandbox['id']}/marks", {"name": name})
    assert refused.value.status == 422
    assert control.get(f"/v1/sandboxes/{sandbox['id']}")["marks"] == ["base"]


def test_a_snapshot_is_of_its_own_size_and_seed(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    control.post("/v1/snapshots", {"sandbox": sandbox["id"], "name": "kept"})
    for field in ({"size": "small"}, {"seed": 7}, {"world": "kestrel"}):
        with pytest.raises(ControlError, match="a snapshot has its own") as refused:
            control.post("/v1/sandboxes", {"snapshot": "kept", **field})
        assert refused.value.status == 422
    control.delete("/v1/snapshots/kept")


def test_a_clock_has_an_end(control: ControlClient, sandbox: dict[str, Any]) -> None:
    for seconds in (1e12, 1e300):
        with pytest.raises(ControlError, match="beyond the year 9999") as refused:
            control.post(f"/v1/sandboxes/{sandbox['id']}/advance", {"seconds": seconds})
        assert refused.value.status == 422


def test_a_foreign_file_is_no_snapshot_in_one_line(control: ControlClient) -> None:
    for content in (b"", b"PK\x03\x04 another kind", b"\x1f\x8b\x08broken", b"{}\n"):
        with pytest.raises(ControlError) as refused:
            control.request("PUT", "/v1/snapshots/foreign/file", content=content)
        assert refused.value.status == 422
        assert str(refused.value).startswith("the file cannot be imported")
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("multipart/form-data", b"name=x"),
        ("multipart/form-data; boundary=", b"name=x"),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(1_500))),
        ("application/json", b"{}"),
    ],
)
def test_a_form_that_is_none_is_refused_in_the_vendors_json(
    sandbox: dict[str, Any], kind: str, content: bytes
) -> None:
    app = sandbox["apps"]["billing"]
    by = {"Authorization": f"Bearer {app['accounts'][0]['secret_key']}", "Content-Type": kind}
    with http_client() as http:
        answer = http.post(f"{app['url']}/v1/customers", content=content, headers=by)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_an_episode_can_be_abandoned_by_its_id(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    done = subprocess.run(
        command(control, "episode", "abandon", started["id"]),
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "status: abandoned" in done.stdout
    assert control.get(f"/v1/episodes/{started['id']}")["status"] == "abandoned"


def test_a_list_says_whose_sandbox_is_deleted(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    control.delete(f"/v1/sandboxes/{started['sandbox']}")
    listed = {entry["id"]: entry for entry in control.get("/v1/episodes")["episodes"]}
    assert "its sandbox is deleted" in listed[started["id"]]["outcome"]
    control.post(f"/v1/episodes/{started['id']}/abandon")


AGENT = """
import time

def play(space):
    print("playing", flush=True)
    time.sleep(60)
"""


def test_stopping_a_run_abandons_its_episode(control: ControlClient, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(AGENT)
    before = {entry["id"] for entry in control.get("/v1/episodes")["episodes"]}
    line = command(control, "episode", "run", "H05", "--agent", f"{tmp_path / 'slow.py'}:play")
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "playing\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    time.sleep(0.1)
    (mine,) = [one for one in control.get("/v1/episodes")["episodes"] if one["id"] not in before]
    assert mine["outcome"] == "abandoned"


@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
def test_a_store_that_is_away_is_said_in_one_line(
    control: ControlClient, sandbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch, kind: Any
) -> None:
    """As PostgreSQL's driver has it: the first line says what, the others of which address."""
    said = "connection failed: Connection refused\n\tIs the server running on that host?"

    def away(*_: Any, **__: Any) -> Any:
        raise kind(said)

    with monkeypatch.context() as patch:
        patch.setattr("snapshots.sandboxes.Sandboxes.reset", away)
        with pytest.raises(ControlError) as refused:
            control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
    assert (refused.value.status, refused.value.code) == (503, "store_away")
    assert str(refused.value) == "a store cannot be reached: connection failed: Connection refused"


def test_what_a_client_is_refused_fills_no_log() -> None:
    """A health check asks for a page that is not there, every few seconds."""
    requests = logging.getLogger("django.request")
    assert not requests.isEnabledFor(logging.WARNING)
    assert requests.isEnabledFor(logging.ERROR)
