"""The control plane alone, with its workers at another address: `sandlot control`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from sandlot.cli.control import routes_of
from sandlot.cli.episodes import play
from sandlot.cli.ports import free_port
from sandlot.client import ControlClient, NoServer, http_client

# Not where `*.localhost` resolves: who does not follow the routes finds nobody.
ELSEWHERE = "127.0.0.2"
PATIENCE = 60.0


@contextmanager
def running(
    *command: str, answers: Callable[[], bool], **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """Run a process until the block ends, from when it answers; it has to end by itself."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until = time.monotonic() + PATIENCE
        while not answers():
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                raise AssertionError(process.communicate()[1])
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 0, said


def web_answers(port: int) -> bool:
    try:
        httpx.get(f"http://{ELSEWHERE}:{port}/", trust_env=False)
    except httpx.TransportError:
        return False
    return True


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlClient]:
    """A control plane whose worker is elsewhere; its token comes from a file."""
    folder = tmp_path_factory.mktemp("alone")
    data, token = folder / "data", folder / "token"
    token.write_text("a token of the operator's\n")
    web, port = free_port(ELSEWHERE), free_port("127.0.0.1")
    client = ControlClient(f"http://127.0.0.1:{port}", token.read_text().strip())

    def control_answers() -> bool:
        try:
            client.get("/healthz")
        except NoServer:
            return False
        return True

    shared = {
        "SANDLOT_DATA": str(data),
        "SANDLOT_TOKEN_FILE": str(token),
        "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"],
    }
    with (
        client,
        running(
            "sandlot.cli", "control", "--port", str(port), "--web", f"{ELSEWHERE}:{web}",
            answers=control_answers, SANDLOT_PROCESS="alone", **shared,
        ),
        running(
            "clones.config.web", "--host", ELSEWHERE, "--ports", str(web),
            answers=lambda: web_answers(web), SANDLOT_PROCESS="elsewhere", **shared,
        ),
    ):  # fmt: skip
        yield client
    assert not (data / "control-token").exists()


@pytest.mark.in_turn
@pytest.mark.parametrize("space", ["api", pytest.param("browser", marks=pytest.mark.browser)])
def test_an_episode_is_played_against_workers_elsewhere(control: ControlClient, space: str) -> None:
    found = play(control, "H05", "oracle", {"space": space, "seed": 13})
    assert found["manifest"]["outcome"] == "completed"
    assert found["manifest"]["success"]


def test_callers_are_told_addresses_of_their_own_side(control: ControlClient) -> None:
    made = control.post("/v1/sandboxes", {"size": "tiny"})
    assert made["origin"].startswith("http://127.0.0.1:")
    assert ".localhost:" in made["apps"]["helpdesk"]["url"]
    port = int(made["origin"].rpartition(":")[2])
    account = made["apps"]["helpdesk"]["accounts"][0]
    auth = (f"{account['email']}/token", account["api_token"])
    with http_client({port: f"{ELSEWHERE}:{port}"}, auth=auth) as http:
        url = made["apps"]["helpdesk"]["url"] + "/api/v2/tickets.json"
        assert http.get(url).is_success
    with http_client() as http, pytest.raises(httpx.ConnectError):
        http.get(url)
    control.delete(f"/v1/sandboxes/{made['id']}")


def test_workers_of_several_ports_end_together(tmp_path: Path) -> None:
    first = free_port(ELSEWHERE)
    command = ("clones.config.web", "--host", ELSEWHERE, "--ports", f"{first}-{first + 1}")

    def both_answer() -> bool:
        return web_answers(first) and web_answers(first + 1)

    with running(*command, answers=both_answer, SANDLOT_DATA=str(tmp_path)) as process:
        healthy = [sys.executable, "-m", "clones.config.health", ELSEWHERE]
        assert subprocess.run([*healthy, f"{first}-{first + 1}"], check=False).returncode == 0
        assert subprocess.run([*healthy, f"{first}-{first + 2}"], check=False).returncode == 1
    assert process.returncode == 0
    assert not web_answers(first)
    assert not web_answers(first + 1)


def test_places_of_workers_are_read() -> None:
    assert routes_of(("web:8800-8801", "other:9000")) == {
        8800: "web:8800",
        8801: "web:8801",
        9000: "other:9000",
    }


@pytest.mark.parametrize("wrong", ["web", "web:", ":8800", "web:2-1", "web:x", "web:99999"])
def test_places_that_are_none_are_refused_in_one_line(wrong: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandlot.cli", "control", "--web", wrong],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "HOST:PORT" in done.stderr


def test_one_worker_that_ends_takes_the_others_along(tmp_path: Path) -> None:
    first = free_port(ELSEWHERE)
    with socket.create_server((ELSEWHERE, first)):
        process = subprocess.Popen(
            [sys.executable, "-m", "clones.config.web", "--host", ELSEWHERE,
             "--ports", f"{first}-{first + 1}"],
            env={**os.environ, "SANDLOT_DATA": str(tmp_path)},
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert process.wait(timeout=60) == 1, "its first port was taken"


@pytest.mark.parametrize("killed", ["the process they were forked from", "who starts one again"])
def test_workers_end_with_the_process_they_were_forked_from(tmp_path: Path, killed: str) -> None:
    first = free_port(ELSEWHERE)
    process = subprocess.Popen(
        [sys.executable, "-m", "clones.config.web", "--host", ELSEWHERE, "--ports", str(first)],
        env={**os.environ, "SANDLOT_DATA": str(tmp_path)},
        stderr=subprocess.DEVNULL,
    )
    family: list[psutil.Process] = []
    try:
        deadline = time.monotonic() + 60
        while not web_answers(first):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        parent = psutil.Process(process.pid)
        family = parent.children(recursive=True)
        assert len(family) >= 2, "a worker, and what starts it again"
        victim = parent if killed == "the process they were forked from" else parent.children()[0]
        victim.kill()
        _, left = psutil.wait_procs(family, timeout=30)
        assert not left
        assert process.wait(timeout=30) != 0
    finally:
        for left_over in psutil.wait_procs(family, timeout=0)[1]:
            left_over.kill()
        process.kill()
        process.wait()
