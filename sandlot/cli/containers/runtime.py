"""A stack of containers, made through the Docker engine's own interface and removed again.

Everything it makes carries the label `sandlot.runtime` with the project's name, and nothing without
that label is ever touched.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.models.containers import Container

from sandlot.cli.containers.plan import ContainerPlan, Plan

LABEL = "sandlot.runtime"
NAME_LABEL = "sandlot.container"
PATIENCE = 180.0
PAUSE = 0.5
STOP_SECONDS = 20

Say = Callable[[str], None]


class RuntimeFailed(Exception):
    """Raised when containers cannot be started; the message says why and what to do."""


class DockerRuntime:
    """The containers of one project.

    Entering starts them and waits until all are healthy; leaving removes them and their networks,
    and their volumes unless `keep_volumes`.
    """

    def __init__(
        self, client: docker.DockerClient, project: str, plan: Plan, *, say: Say, keep_volumes: bool
    ) -> None:
        self.client = client
        self.project = project
        self.plan = plan
        self.keep_volumes = keep_volumes
        self._say = say
        self._plans = {container.name: container for container in plan.containers}

    @property
    def labels(self) -> dict[str, str]:
        """The label of everything that is ours."""
        return {LABEL: self.project}

    def __enter__(self) -> Self:
        try:
            self._remove()  # what a run left that was killed
            self._make()
        except ImageNotFound as error:
            self._clean()
            raise RuntimeFailed(
                f"{error.explanation}: build the images first (docs/containers.md)"
            ) from error
        except DockerException as error:
            self._clean()
            raise RuntimeFailed(f"the Docker engine refuses: {error}") from error
        except BaseException:
            self._clean()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clean()

    def containers(self) -> dict[str, Container]:
        """Return our containers by name, dead ones too."""
        found = self.client.containers.list(
            all=True, filters={"label": f"{LABEL}={self.project}"}, ignore_removed=True
        )
        return {container.labels[NAME_LABEL]: container for container in found}

    def dead(self) -> dict[str, str]:
        """Return the containers that have ended by themselves, with the reason."""
        return {
            name: _reason(container)
            for name, container in self.containers().items()
            if container.status in ("exited", "dead")
        }

    def replace(self, name: str) -> None:
        """Remove a container and start another in its place; wait until it is healthy.

        Raises:
            RuntimeFailed: it does not become healthy.
        """
        found = self.containers().get(name)
        if found is not None:
            found.remove(force=True)
        self._start(self._plans[name])
        self._wait([name])

    # Making

    def _make(self) -> None:
        for volume in self.plan.volumes:
            self.client.volumes.create(volume, labels=self.labels)
        for network, settings in self.plan.networks.items():
            self.client.networks.create(network, driver="bridge", labels=self.labels, **settings)
        waiting = list(self.plan.containers)
        healthy: set[str] = set()
        while waiting:
            ready = [one for one in waiting if healthy.issuperset(one.after)]
            for container in ready:
                self._start(container)
            self._wait([container.name for container in ready])
            healthy |= {container.name for container in ready}
            waiting = [one for one in waiting if one.name not in healthy]

    def _start(self, plan: ContainerPlan) -> None:
        (first, aliases), *others = plan.networks.items()
        container = self.client.containers.create(
            plan.image,
            name=f"{self.project}-{plan.name}",
            labels={**self.labels, NAME_LABEL: plan.name},
            network=first,
            networking_config={
                first: self.client.api.create_endpoint_config(aliases=list(aliases))
            },
            **plan.options,
        )
        for network, names in others:
            self.client.networks.get(network).connect(container, aliases=list(names))
        container.start()
        follower = threading.Thread(target=self._follow, args=(plan.name, container), daemon=True)
        follower.start()

    def _follow(self, name: str, container: Container) -> None:
        """Pass on what a container says, until it ends."""
        try:
            for line in _lines(container.logs(stream=True, follow=True)):
                self._say(f"{name} | {line}")
        except (DockerException, OSError):  # it is gone, or the engine is
            return

    def _wait(self, names: list[str]) -> None:
        """Wait until containers are healthy, and say so of each.

        Raises:
            RuntimeFailed: one ended, or takes too long.
        """
        started, missing = time.monotonic(), set(names)
        while missing:
            found = self.containers()
            for name in sorted(missing):
                if found[name].status in ("exited", "dead"):
                    raise RuntimeFailed(f"{name} ended ({_reason(found[name])})")
                if self._is_healthy(self._plans[name], found[name]):
                    missing.discard(name)
                    self._say(f"{name}: healthy ({time.monotonic() - started:.1f} s)")
            if time.monotonic() - started > PATIENCE:
                raise RuntimeFailed(f"{', '.join(sorted(missing))} not healthy in {PATIENCE:.0f} s")
            time.sleep(PAUSE if missing else 0)

    def _is_healthy(self, plan: ContainerPlan, container: Container) -> bool:
        state = container.attrs["State"]
        if not plan.checked:
            return bool(state["Running"])
        return bool(state.get("Health", {}).get("Status") == "healthy")

    # Removing

    def _remove(self) -> None:
        """Stop and remove our containers and networks, the last that was started first."""
        found = self.containers()
        for wave in _waves_backwards(self.plan.containers):
            _all_at_once(_end, [found.pop(name) for name in wave if name in found])
        _all_at_once(_end, found.values())  # of a run with more of them
        for network in self.client.networks.list(filters={"label": f"{LABEL}={self.project}"}):
            network.remove()

    def _clean(self) -> None:
        self._remove()
        if self.keep_volumes:
            return
        for volume in self.client.volumes.list(filters={"label": f"{LABEL}={self.project}"}):
            volume.remove()


def _waves_backwards(containers: Iterable[ContainerPlan]) -> list[list[str]]:
    """Return names in groups that can be stopped at once: who needs others comes before them."""
    depth: dict[str, int] = {}
    for container in containers:
        depth[container.name] = 1 + max((depth[name] for name in container.after), default=0)
    return [
        [name for name, level in depth.items() if level == wanted]
        for wanted in sorted(set(depth.values()), reverse=True)
    ]


def _all_at_once(work: Callable[[Container], None], containers: Iterable[Container]) -> None:
    threads = [threading.Thread(target=work, args=(container,)) for container in containers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _end(container: Container) -> None:
    """Stop a container and remove it; one that is gone is no error."""
    try:
        container.stop(timeout=STOP_SECONDS)
        container.remove(force=True)
    except NotFound:
        return
    except APIError as error:
        if error.status_code != 409:  # it is being removed already
            raise


def _reason(container: Container) -> str:
    state: dict[str, Any] = container.attrs.get("State", {})
    if state.get("OOMKilled"):
        return "out of memory"
    return str(state.get("Error") or f"exit code {state.get('ExitCode')}")


def _lines(chunks: Iterable[bytes]) -> Iterable[str]:
    """Yield whole lines of a stream that comes in pieces."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").rstrip()
    if rest:
        yield rest.decode(errors="replace")
