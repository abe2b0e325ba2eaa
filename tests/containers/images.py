"""The images under test: of the official ones where a registry answers, else of our own base.

    python -m tests.containers.images

builds them with the engine of the environment, for the suite that follows.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import docker

from tests.project.paths import ROOT
from tools import base_image

OFFICIAL = {"base": "python:3.12-slim", "postgres": "postgres:18", "redis": "redis:7"}
OURS = {
    "data_plane": ("compose/Dockerfile", "data-plane"),
    "control": ("compose/Dockerfile", "control"),
}
OFFLINE = {
    "postgres": ("compose/offline/Dockerfile", "postgres"),
    "redis": ("compose/offline/Dockerfile", "redis"),
}
PULL_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Images:
    """The names of the images."""

    base: str
    data_plane: str
    control: str
    postgres: str
    redis: str

    def environment(self) -> dict[str, str]:
        """Return what the compose files need to find them."""
        return {
            "SANDLOT_BASE_IMAGE": self.base,
            "SANDLOT_DATA_PLANE_IMAGE": self.data_plane,
            "SANDLOT_CONTROL_IMAGE": self.control,
            "SANDLOT_POSTGRES_IMAGE": self.postgres,
            "SANDLOT_REDIS_IMAGE": self.redis,
        }


def build_images(client: docker.DockerClient) -> Images:
    """Build every image and say how long each took and how large it is.

    Raises:
        tools.base_image.Missing: there is nothing to build on.
    """
    found = dict(OFFICIAL) if _registry_answers(client) else {}
    if not found:
        if not client.images.list(base_image.NAME):
            started = time.monotonic()
            base_image.make(client)
            _print_size(client, base_image.NAME, started)
        found["base"] = base_image.NAME
    base = found["base"]
    with ThreadPoolExecutor() as beside:
        others = beside.submit(_build_all, client, {} if "redis" in found else OFFLINE, base)
        found |= _build_all(client, OURS, base) | others.result()
    return Images(**found)


def _build_all(
    client: docker.DockerClient, targets: dict[str, tuple[str, str]], base: str
) -> dict[str, str]:
    return {
        name: _built(client, name.replace("_", "-"), file, target, base)
        for name, (file, target) in targets.items()
    }


def _registry_answers(client: docker.DockerClient) -> bool:
    """Tell whether the official images can be had."""
    try:
        with closing(docker.from_env(timeout=PULL_SECONDS)) as impatient:
            for name in OFFICIAL.values():
                if not client.images.list(name):
                    impatient.api.inspect_distribution(name)
        for name in OFFICIAL.values():
            if not client.images.list(name):
                client.images.pull(name)
    except (docker.errors.DockerException, OSError):
        return False
    return True


def _built(client: docker.DockerClient, name: str, file: str, target: str, base: str) -> str:
    """Build one image; packages come over the host's network, as its base is settled."""
    tag, started = f"sandlot-test/{name}", time.monotonic()
    offline = file.startswith("compose/offline/")
    lines = client.api.build(
        path=str(ROOT / "compose" / "offline" if offline else ROOT),
        dockerfile="Dockerfile" if offline else str(ROOT / file),
        target=target,
        tag=tag,
        buildargs={"BASE_IMAGE": base},
        network_mode="host",
        rm=True,
        forcerm=True,
        decode=True,
    )
    said: list[str] = []
    for line in lines:
        said.append(line.get("stream", ""))
        if "error" in line:
            raise AssertionError("".join(said)[-4000:] + str(line["error"]))
    _print_size(client, tag, started)
    return tag


def _print_size(client: docker.DockerClient, tag: str, started: float) -> None:
    size = client.images.get(tag).attrs["Size"] / 1e6
    print(f"{tag}: {size:.0f} MB, built in {time.monotonic() - started:.0f} s")


def main() -> int:
    """Build the images, or say in one line why there are none."""
    if reason := os.environ.get("SANDLOT_NO_ENGINE"):
        print(f"images: {reason}", file=sys.stderr)
        return 1
    try:
        with closing(docker.from_env(timeout=900)) as client:
            build_images(client)
    except base_image.Missing as error:
        print(f"images: no base image: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
