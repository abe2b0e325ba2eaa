"""`sandlot serve --runtime docker`: what it makes, what it replaces, and that it leaves nothing."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from sandlot.cli.containers.runtime import LABEL, NAME_LABEL
from sandlot.cli.ports import free_port
from sandlot.client import ControlClient, http_client
from tests.containers.images import Images

PATIENCE = 240.0


class Serving:
    """The command under test, and what it has said so far."""

    def __init__(self, data: Path, images: Images, *flags: str) -> None:
        self.data = data
        self.control_port = free_port("127.0.0.1")
        command = [sys.executable, "-m", "sandlot.cli", "serve", "--runtime", "docker",
                   "--data", str(data), "--port", str(free_port("127.0.0.1")),
                   "--control-port", str(self.control_port), *flags]  # fmt: skip
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **images.environment()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip())
        self._lines.put(None)

    def until(self, pattern: str) -> str:
        """Return the next line in which a pattern is found."""
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self._lines.get(timeout=max(0.1, deadline - time.monotonic()))
            assert line is not None, "\n".join(self.said[-60:])
            self.said.append(line)
            if re.search(pattern, line):
                return line

    def stop(self) -> int:
        """End it as Ctrl-C does, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Wait until it has ended, and return its exit code."""
        code = self.process.wait(timeout=120)
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def client(self) -> ControlClient:
        """Return a client of its control plane."""
        token = (self.data / "control-token").read_text().strip()
        return ControlClient(f"http://127.0.0.1:{self.control_port}", token)


@pytest.fixture(scope="module")
def bystander(engine: docker.DockerClient, images: Images) -> Iterator[str]:
    """A container of somebody else's."""
    found = engine.containers.run(images.base, ["sleep", "3600"], detach=True, network="none")
    yield found.id
    found.remove(force=True)


@pytest.fixture(scope="module")
def serving(
    images: Images, bystander: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Serving]:
    """A running stack of two web containers."""
    found = Serving(
        tmp_path_factory.mktemp("runtime") / "data", images,
        "--workers", "2", "--memory", "700m", "--cpus", "0.75",
    )  # fmt: skip
    try:
        found.until("ready in")
        yield found
    finally:
        found.stop()


def ours(engine: docker.DockerClient) -> dict[str, Any]:
    found = engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
    return {container.labels[NAME_LABEL]: container for container in found}


def test_progress_is_shown_and_limits_are_those_asked_for(
    serving: Serving, engine: docker.DockerClient
) -> None:
    healthy = [line.split(":")[0] for line in serving.said if ": healthy (" in line]
    assert sorted(healthy) == sorted(ours(engine))
    assert healthy.index("postgres") < healthy.index("control") < healthy.index("web-0")
    assert any(line.startswith("postgres | ") for line in serving.said), "logs are streamed"
    for number in range(2):
        limits = ours(engine)[f"web-{number}"].attrs["HostConfig"]
        assert limits["Memory"] == 700 * 1024 * 1024
        assert limits["NanoCpus"] == 750_000_000


def port_of(sandbox: dict[str, Any]) -> str:
    url: str = sandbox["apps"]["helpdesk"]["url"]
    return url.rpartition(":")[2]


def test_a_container_that_dies_is_replaced_and_its_episodes_are_lost(
    serving: Serving, engine: docker.DockerClient
) -> None:
    with serving.client() as client:
        made = [client.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(2)]
        first, second = made
        assert port_of(first) != port_of(second), "each web container owns one"
        body = {"task": "H05", "seed": 1, "space": "api"}
        there = client.post("/v1/episodes", {**body, "sandbox": first["id"]})
        elsewhere = client.post("/v1/episodes", {**body, "sandbox": second["id"]})
        dying = next(
            name
            for name, container in ours(engine).items()
            if f"{port_of(first)}/tcp" in (container.attrs["HostConfig"]["PortBindings"] or {})
        )
        before = ours(engine)[dying]
        before.kill()
        said = serving.until(f"{dying} died")
        assert "exit code 137" in said
        said = serving.until(f"{dying} replaced")
        assert f"{there['id']} in {first['id']}" in said
        assert elsewhere["id"] not in said
        assert ours(engine)[dying].id != before.id
        lost = client.get(f"/v1/episodes/{there['id']}")
        assert (lost["status"], lost["reward"]) == ("harness_error", None)
        assert lost["error"]["type"] == "harness_lost"
        assert client.get(f"/v1/episodes/{elsewhere['id']}")["status"] == "running"
        client.post(f"/v1/episodes/{elsewhere['id']}/abandon")
        fresh = client.get(f"/v1/sandboxes/{first['id']}")
        assert fresh["generation"] > first["generation"]
        assert client.get(f"/v1/sandboxes/{first['id']}/diff")["changes"] == []
        account = fresh["apps"]["helpdesk"]["accounts"][0]
        with http_client(auth=(f"{account['email']}/token", account["api_token"])) as http:
            assert http.get(fresh["apps"]["helpdesk"]["url"] + "/api/v2/tickets.json").is_success


def test_what_it_made_is_gone_and_nothing_else(
    serving: Serving, engine: docker.DockerClient, bystander: str
) -> None:
    assert serving.stop() == 0
    assert ours(engine) == {}
    assert engine.networks.list(filters={"label": LABEL}) == []
    assert engine.volumes.list(filters={"label": LABEL}) == []
    assert engine.containers.get(bystander).status == "running"


def test_images_that_are_not_there_are_asked_for_in_one_line(
    images: Images, engine: docker.DockerClient, tmp_path: Path
) -> None:
    nowhere = Images(images.base, "sandlot/nowhere", "sandlot/nowhere", "sandlot/nowhere",
                     "sandlot/nowhere")  # fmt: skip
    serving = Serving(tmp_path / "data", nowhere)
    assert "build the images first" in serving.until("sandlot: ")
    assert serving.end() == 1
    assert engine.networks.list(filters={"label": LABEL}) == []
    assert engine.volumes.list(filters={"label": LABEL}) == []
