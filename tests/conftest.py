"""What every test stands on: a server with its own data directory, a world, sandboxes."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

os.environ["SANDLOT_DATA"] = tempfile.mkdtemp(prefix="sandlot-test-")
atexit.register(shutil.rmtree, os.environ["SANDLOT_DATA"], ignore_errors=True)
os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.test"

import django

django.setup()

from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import Binding, SandboxRow, unit_of_work
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

pytest_plugins = ["tests.skips"]

# What only one engine has to do is tested where it is the engine.
OTHER_ENGINE = "sqlite" if os.environ.get("SANDLOT_ENGINE") == "postgres" else "postgres"
collect_ignore_glob = [f"*_{OTHER_ENGINE}.py"]
if "SANDLOT_REDIS" not in os.environ:
    collect_ignore_glob.append("stack/*")

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def library() -> Library:
    """The images of the test server."""
    return Library(server().data)


@pytest.fixture(scope="session")
def empty_image(library: Library) -> Manifest:
    """An image with a clock and nothing else."""
    store = server().data / "empty-world.sqlite"
    engine().new_store(store)
    with server().stores.bind(store), unit_of_work("write"):
        SandboxState.objects.create(id=1, now=PRESENT, seed="test")
    server().stores.discard(store)
    engine().seal(store)
    return library.add(store, world="empty", size="tiny", seed=1, parent=None)


@pytest.fixture(scope="session")
def sandboxes(library: Library) -> Sandboxes:
    """The sandboxes of the test server."""
    return Sandboxes(library)


@pytest.fixture
def empty_sandbox(sandboxes: Sandboxes, empty_image: Manifest) -> Iterator[SandboxRow]:
    """A sandbox of the empty image."""
    row = sandboxes.create(empty_image)
    yield row
    sandboxes.delete(row.id)


def bind(row: SandboxRow) -> AbstractContextManager[Binding]:
    """Bind a sandbox's store for the length of a block."""
    return server().stores.bind(row.store, row.id)


def data_folder() -> Path:
    """Return the test server's data directory."""
    return server().data
