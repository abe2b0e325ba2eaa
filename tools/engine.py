"""Run a command beside a Docker engine: the one that answers, else one that lives as long as it.

    python tools/engine.py -- pytest tests/containers

An engine of our own has its data, its socket and its process id in a folder that is removed at the
end, with the rules that it made for packets. Where none can be had the command runs all the same
and finds the reason in `SANDLOT_NO_ENGINE`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import docker

PACKAGES = ("docker.io", "docker-compose")
PATIENCE = 60.0
EMPTY = {"nat": "*nat\nCOMMIT\n", "filter": "*filter\n:FORWARD ACCEPT [0:0]\nCOMMIT\n"}
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")


class NoEngine(Exception):
    """Why there is no Docker engine, in words that say what to do."""


def answers(address: str | None = None) -> bool:
    """Tell whether an engine answers: that of the environment, or one at an address."""
    try:
        client = docker.DockerClient(base_url=address) if address else docker.from_env()
        found = bool(client.ping())
        client.close()
    except docker.errors.DockerException:
        return False
    return found


def has_compose() -> bool:
    """Tell whether there is a `docker compose` or a `docker-compose`."""
    if shutil.which("docker-compose"):
        return True
    if not shutil.which("docker"):
        return False
    asked = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return asked.returncode == 0


def install() -> None:
    """Install what is missing, where we may.

    Raises:
        NoEngine: it cannot be had.
    """
    if shutil.which("dockerd") and has_compose():
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NoEngine("no Docker engine answers: install docker.io and docker-compose, start it")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(["apt-get", "-qq", *command], capture_output=True, text=True,
                              check=False, env=env)  # fmt: skip
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word"])[-1]
            raise NoEngine(f"no Docker engine answers, and apt-get {command[0]} failed: {last}")


@contextmanager
def engine() -> Iterator[dict[str, str]]:
    """Give an engine; yield what the command's environment needs to find it.

    Raises:
        NoEngine: none can be had.
    """
    if answers():
        if not has_compose():
            install()
        yield {}
        return
    install()
    if os.geteuid() != 0:
        raise NoEngine("no Docker engine answers, and only root can start one: start it")
    with _packet_rules_kept(), _folder() as folder, _running(folder) as address:
        yield {"DOCKER_HOST": address}


@contextmanager
def _running(folder: Path) -> Iterator[str]:
    address = f"unix://{folder}/docker.sock"
    command = ["dockerd", "--data-root", folder / "data", "--exec-root", folder / "exec",
               "--pidfile", folder / "pid", "--host", address, "--bridge", "none"]  # fmt: skip
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command], stdout=output, stderr=subprocess.STDOUT, cwd="/",
            start_new_session=True,
        )  # fmt: skip
    try:
        until = time.monotonic() + PATIENCE
        while not answers(address):
            if process.poll() is not None or time.monotonic() > until:
                last = (log.read_text().strip().splitlines() or ["no word"])[-1]
                raise NoEngine(f"dockerd does not start on this machine: {last[-300:]}")
            time.sleep(0.2)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _folder() -> Iterator[Path]:
    # Short: a socket's path has 108 bytes at most.
    folder = Path(tempfile.mkdtemp(prefix="sandlot-docker-"))
    try:
        yield folder
    finally:
        mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
        for place in reversed([place for place in mounts if place.startswith(f"{folder}/")]):
            subprocess.run(["umount", place], capture_output=True, check=False)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _packet_rules_kept() -> Iterator[None]:
    """Put back, at the end, what an engine changes on the whole machine and leaves so."""
    forwarding = FORWARDING.read_text()
    kept = {
        name: subprocess.run([f"{name}-save"], capture_output=True, text=True, check=False).stdout
        for name in ("iptables", "ip6tables")
        if shutil.which(f"{name}-save")
    }
    try:
        yield
    finally:
        for name, rules in kept.items():
            # A table that nobody had used is not in what was saved.
            empty = "".join(text for table, text in EMPTY.items() if f"*{table}\n" not in rules)
            subprocess.run(
                [f"{name}-restore"], input=rules + empty, text=True, capture_output=True,
                check=False,
            )  # fmt: skip
        with suppress(OSError):
            FORWARDING.write_text(forwarding)


def main(arguments: list[str]) -> int:
    """Run the command after `--` beside an engine and return its exit code."""
    if arguments[:1] != ["--"] or not arguments[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    command = arguments[1:]
    # Whoever ends this shall not leave an engine behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with engine() as found:
            environment = {**os.environ, **found, "SANDLOT_CONTAINERS": "1"}
            return subprocess.run(command, env=environment, check=False).returncode
    except NoEngine as error:
        print(f"engine: {error}", file=sys.stderr)
        environment = {**os.environ, "SANDLOT_CONTAINERS": "1", "SANDLOT_NO_ENGINE": str(error)}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
