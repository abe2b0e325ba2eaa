"""Images, secrets and stacks in containers, for `make test-containers` (see tools/engine.py)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docker
import pytest

from tests.containers.images import Images, build_images
from tests.containers.stack import Stack
from tools import base_image, secret_files


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """The Docker engine."""
    if reason := os.environ.get("SANDLOT_NO_ENGINE"):
        pytest.skip(reason)
    with closing(docker.from_env(timeout=900)) as found:
        yield found


@pytest.fixture(scope="session")
def images(engine: docker.DockerClient) -> Iterator[Images]:
    """The images, built; those that were not there before are removed at the end."""
    before = {image.id for image in engine.images.list(all=True)}
    try:
        yield build_images(engine)
    except base_image.Missing as error:
        pytest.skip(f"no base image: {error}")
    finally:
        if "SANDLOT_KEEP_IMAGES" not in os.environ:
            for image in engine.images.list():
                if image.id not in before:
                    engine.images.remove(image.id, force=True)
            engine.images.prune({"dangling": True, "label": "sandlot.stage"})


@pytest.fixture(scope="session")
def secrets() -> Iterator[Path]:
    """A folder with secrets."""
    folder = Path(tempfile.mkdtemp(prefix="sandlot-secrets-"))
    secret_files.write(folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def stack(engine: docker.DockerClient, images: Images, secrets: Path) -> Iterator[Stack]:
    """The whole stack, up and healthy."""
    with Stack(engine, "compose.yaml", images, secrets) as found:
        yield found


@pytest.fixture(scope="session")
def embedded(engine: docker.DockerClient, images: Images, secrets: Path) -> Iterator[Stack]:
    """Everything in one container, up and healthy."""
    with Stack(engine, "compose.embedded.yaml", images, secrets) as found:
        yield found
