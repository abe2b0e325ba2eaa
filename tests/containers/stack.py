"""A compose project: brought up, asked, taken down with everything that is its own."""

from __future__ import annotations

import json
import os
import secrets as chance
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import docker
from docker.models.containers import Container

from sandlot.cli.ports import free_port
from sandlot.client import ControlClient, NoServer
from tests.containers.images import Images
from tests.project.paths import ROOT

PATIENCE = 240.0


class Stack:
    """One of the compose files, under a project name and ports of its own."""

    def __init__(
        self, engine: docker.DockerClient, file: str, images: Images, secrets: Path
    ) -> None:
        self.engine = engine
        self.file = ROOT / "compose" / file
        self.project = f"sandlot-test-{chance.token_hex(3)}"
        self.images = images
        self.secrets = secrets
        web = free_port("127.0.0.1")
        self.ports = {"web": web, "control": free_port("127.0.0.1")}
        self.environment = {
            **os.environ,
            **images.environment(),
            "COMPOSE_PROJECT_NAME": self.project,
            "SANDLOT_SECRETS": str(secrets),
            "SANDLOT_WEB_PORT": str(web),
            "SANDLOT_WEB_PORTS": str(web),
            "SANDLOT_CONTROL_PORT": str(self.ports["control"]),
        }

    @property
    def url(self) -> str:
        """The control plane's address on this machine."""
        return f"http://127.0.0.1:{self.ports['control']}"

    @property
    def token(self) -> str:
        """The control plane's token."""
        return (self.secrets / "control-token").read_text().strip()

    def client(self) -> ControlClient:
        """Return a client of the control plane."""
        return ControlClient(self.url, self.token)

    def __enter__(self) -> Self:
        try:
            self.compose("up", "--detach", "--no-build")
            self.until(self._is_healthy, "the stack is not healthy")
        except BaseException:
            print(self.logs())
            self._down()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._down()

    def _down(self) -> None:
        self.compose("down", "--volumes", "--remove-orphans", "--timeout", "20")

    def compose(self, *arguments: str) -> str:
        """Run compose on the project and return what it says."""
        command = ["docker-compose"] if shutil.which("docker-compose") else ["docker", "compose"]
        done = subprocess.run(
            [*command, "--file", str(self.file), *arguments],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"compose {arguments}: {done.stdout[-4000:]}"
        return done.stdout

    def logs(self) -> str:
        """Return the last that each container said."""
        return "\n".join(
            f"{found.name} ({found.status}):\n{found.logs(tail=30).decode(errors='replace')}"
            for found in self.containers()
        )

    def containers(self) -> list[Container]:
        """Return the project's containers."""
        label = f"com.docker.compose.project={self.project}"
        found: list[Container] = self.engine.containers.list(all=True, filters={"label": label})
        return found

    def container(self, service: str) -> Container:
        """Return the container of a service."""
        label = "com.docker.compose.service"
        return next(found for found in self.containers() if found.labels[label] == service)

    def address(self, service: str, network: str) -> str:
        """Return a service's address in one of the networks."""
        networks = self.container(service).attrs["NetworkSettings"]["Networks"]
        return str(networks[f"{self.project}_{network}"]["IPAddress"])

    def _is_healthy(self) -> bool:
        found = self.containers()
        states = [container.attrs["State"] for container in found]
        dead = [f"{c.name}" for c, s in zip(found, states, strict=True) if s["Status"] == "exited"]
        assert not dead, f"{dead} ended"
        return bool(states) and all(
            state["Running"] and state.get("Health", {"Status": "healthy"})["Status"] == "healthy"
            for state in states
        )

    def until(self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Wait until something holds.

        Raises:
            AssertionError: it does not in time.
        """
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, f"{what} after {seconds:.0f} s"
            time.sleep(0.5)

    def answers(self) -> bool:
        """Tell whether the control plane answers."""
        with self.client() as client:
            try:
                client.get("/healthz")
            except NoServer:
                return False
        return True

    def sandlot(self, *arguments: str) -> Any:
        """Run a command of ours on this machine against the control plane; return its data."""
        command = [sys.executable, "-m", "sandlot.cli", *arguments, "--json"]
        done = subprocess.run(
            [*command, "--url", self.url, "--data", str(self.secrets)],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def python(self, service: str, code: str) -> str:
        """Run Python code in a service's container and return what it prints."""
        status, output = self.container(service).exec_run(["python", "-c", code])
        assert status == 0, output.decode()
        return str(output.decode())

    def as_agent(self, code: str, *, network: str = "agents") -> str:
        """Run Python code in a container that is put into a network, and return what it prints."""
        output = self.engine.containers.run(
            self.images.base,
            ["python3", "-c", code],
            network=f"{self.project}_{network}",
            remove=True,
            stderr=True,
        )
        return str(output.decode())
