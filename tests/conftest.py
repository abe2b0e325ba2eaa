"""What every test stands on: a server with its own data directory, a world, sandboxes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

os.environ["SANDLOT_DATA"] = tempfile.mkdtemp(prefix="sandlot-test-")
os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.test"

import django  # noqa: E402 - after the settings are named

django.setup()

from clones.core.models import SandboxState  # noqa: E402
from clones.core.server import server  # noqa: E402
from clones.core.tenancy import Binding, SandboxRow, unit_of_work  # noqa: E402
from snapshots.interface import engine  # noqa: E402
from snapshots.library import Library  # noqa: E402
from snapshots.manifest import Manifest  # noqa: E402
from snapshots.sandboxes import Sandboxes  # noqa: E402

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
