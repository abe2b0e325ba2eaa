"""`sandlot serve --runtime docker`: start the stack, watch it, replace what dies, take it down."""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import docker

from sandlot.cli.containers.plan import BadPlan, Wishes, make_plan
from sandlot.cli.containers.runtime import DockerRuntime, RuntimeFailed
from sandlot.cli.output import fail
from sandlot.cli.serving import control_token
from sandlot.cli.workers import WorkerFailed, check_free, worker_ports
from sandlot.client import ControlClient, ControlError, NoServer

SECRETS = ("postgres-password", "postgres-admin-password", "redis-password")
LOOK = 0.5
# A stack in which containers die oftener than this has something that replacing does not mend.
DEATHS, WITHIN = 10, 60.0


@dataclass(frozen=True, slots=True)
class ContainerOptions:
    """How to serve in containers: the flags of `sandlot serve --runtime docker`."""

    data: Path
    port: int
    control_port: int
    containers: int
    memory: str
    cpus: float
    keep_volumes: bool

    @property
    def web_ports(self) -> tuple[int, ...]:
        """One port per web container."""
        return worker_ports(self.port, self.control_port, self.containers)

    @property
    def project(self) -> str:
        """The name of what is made: one per data directory."""
        return f"sandlot-{hashlib.sha256(str(self.data).encode()).hexdigest()[:8]}"


def serve_in_containers(options: ContainerOptions, wait: Callable[[], None]) -> None:
    """Run the stack until `wait` returns.

    `wait` is called when everything is healthy, while another thread watches.
    """
    started = time.perf_counter()
    host = "127.0.0.1"
    # Whoever ends this while it starts shall not leave containers behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        check_free(host, (*options.web_ports, options.control_port))
        with _alone(options.data), _engine() as client:
            plan = make_plan(_wishes(options))
            with DockerRuntime(
                client, options.project, plan, say=_say, keep_volumes=options.keep_volumes
            ) as runtime:
                url = f"http://{host}:{options.control_port}"
                with ControlClient(url, control_token(options.data)) as control:
                    click.echo(f"data plane    http://{host}:{options.port}", err=True)
                    click.echo(
                        f"control plane {url}  (token in {options.data}/control-token)", err=True
                    )
                    seconds = time.perf_counter() - started
                    click.echo(f"ready in {seconds:.2f} s; stop with Ctrl-C", err=True)
                    with _watching(Watch(runtime, control)):
                        wait()
    except (BadPlan, RuntimeFailed, WorkerFailed) as error:
        fail(str(error))
    except docker.errors.DockerException as error:
        fail(f"the Docker engine fails: {error}")


class Watch:
    """Look after running containers: replace one that died, and report what was lost with it."""

    def __init__(self, runtime: DockerRuntime, control: ControlClient) -> None:
        self.runtime = runtime
        self.control = control
        self._deaths: deque[float] = deque(maxlen=DEATHS)

    def look(self) -> None:
        """Replace what is dead.

        Raises:
            RuntimeFailed: containers die too often, or one does not come up again.
        """
        dead = self.runtime.dead()
        for name, reason in dead.items():
            self._deaths.append(time.monotonic())
            if len(self._deaths) == DEATHS and self._deaths[-1] - self._deaths[0] < WITHIN:
                raise RuntimeFailed(f"{DEATHS} containers died within {WITHIN:.0f} s, {name} last")
            _say(f"{name} died ({reason}): starting another")
            # Before another serves in its place: what it had in hands is lost either way.
            lost = self._report(name)
            self.runtime.replace(name)
            _say(f"{name} replaced; {lost}")

    def _report(self, name: str) -> str:
        kind, _, number = name.partition("-")
        if kind != "web":
            return "no sandbox was its own"
        try:
            found = self.control.post(f"/v1/workers/{number}/lost")
        except (ControlError, NoServer) as error:
            return f"what was lost is not known: {error}"
        lost = [f"{entry['episode']} in {entry['sandbox']}" for entry in found["lost"]]
        return f"lost: {', '.join(lost) or 'no episode'}; {len(found['kept'])} sandboxes go on"


@contextmanager
def _watching(watch: Watch) -> Iterator[None]:
    """Look every half second, in a thread, for the length of the block."""
    done, failure = threading.Event(), list[BaseException]()

    def run() -> None:
        while not done.wait(LOOK):
            try:
                watch.look()
            except Exception as error:  # noqa: BLE001 - the boundary of a thread, raised below
                failure.append(error)
                os.kill(os.getpid(), signal.SIGTERM)  # ends the wait
                return

    thread = threading.Thread(target=run, name="watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    if failure:
        raise failure[0]


@contextmanager
def _alone(data: Path) -> Iterator[None]:
    """Let one stack run per data directory.

    Raises:
        RuntimeFailed: another one does.
    """
    data.mkdir(parents=True, exist_ok=True)
    with (data / "containers.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RuntimeFailed(
                f"another server runs containers for {data}: stop it, or name another --data"
            ) from error
        yield


@contextmanager
def _engine() -> Iterator[docker.DockerClient]:
    """Connect to the engine that the environment names.

    Raises:
        RuntimeFailed: none answers.
    """
    try:
        client = docker.from_env(timeout=120)
        client.ping()
    except docker.errors.DockerException as error:
        raise RuntimeFailed(
            "no Docker engine answers: start one, or name it in DOCKER_HOST"
        ) from error
    with closing(client):
        yield client


def _wishes(options: ContainerOptions) -> Wishes:
    return Wishes(
        project=options.project,
        web_ports=options.web_ports,
        secrets=_secrets(options.data),
        variables={
            **_images(os.environ),
            "SANDLOT_CONTROL_PORT": str(options.control_port),
            "SANDLOT_WEB_MEMORY": options.memory,
            "SANDLOT_WEB_CPUS": str(options.cpus),
        },
    )


def _images(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of the compose file that the environment sets."""
    return {name: value for name, value in environment.items() if name.startswith("SANDLOT_")}


def _secrets(data: Path) -> Path:
    """Return a folder with the stack's secrets, made if they are not there.

    The folder is its owner's alone; the files can be read by whoever is handed them, since the
    processes in containers are nobody on this machine.
    """
    folder = data / "secrets"
    folder.mkdir(mode=0o700, exist_ok=True)
    for name in SECRETS:
        if not (folder / name).exists():
            (folder / name).write_text(secrets.token_urlsafe(32) + "\n")
    (folder / "control-token").write_text(control_token(data) + "\n")
    for path in folder.iterdir():
        path.chmod(0o644)
    return folder


def _say(line: str) -> None:
    click.echo(line, err=True)
