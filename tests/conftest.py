"""What every test stands on: a server with its own data directory, a world, sandboxes."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

os.environ["SANDLOT_DATA"] = tempfile.mkdtemp(prefix="sandlot-test-")
atexit.register(shutil.rmtree, os.environ["SANDLOT_DATA"], ignore_errors=True)
# Worlds are built once for all processes of a run, for the servers they start, and for later runs.
SHARED_WORLDS = Path(__file__).resolve().parents[1] / ".sandlot" / "worlds"
os.environ.setdefault("SANDLOT_WORLDS", str(SHARED_WORLDS))
os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.test"
if "SANDLOT_REDIS" in os.environ:
    # A queue's worker takes what anybody sends: each process of a run has a database of its own.
    _address, _, _ = os.environ["SANDLOT_REDIS"].rpartition("/")
    _number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    os.environ["SANDLOT_REDIS"] = f"{_address}/{_number}"

import django

django.setup()

from django.apps import apps

from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import Binding, SandboxRow, UnknownSandbox, unit_of_work
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests import handlers, lengths, tiers
from tests.sandbox_pool import SandboxPool

pytest_plugins = [
    f"tests.{name}" for name in ("collecting", "selection", "turns", "order", "serving", "skips")
]
handlers.share()

# What only one engine has to do is tested where it is the engine.
OTHER_ENGINE = "sqlite" if tiers.ON_POSTGRES else "postgres"
collect_ignore_glob = [f"*_{OTHER_ENGINE}.py"]
if OTHER_ENGINE == "sqlite":
    # Pure rules, documents, bare machines, browsers at a site of the tests' own, and worlds, whose
    # rows are the same on every engine (a test of the engines compares them, and the rewards):
    # nothing here would be another test. A task is certified by hundreds of episodes; here one
    # instance is, by the quick checks and a browser's.
    collect_ignore_glob += ["facts/*", "helpdesk/rules/*", "project/*", "seeds/*", "rewards/*"]
    collect_ignore_glob += ["bare/*", "browser/*", "billing/test_rules.py", "tracker/rules/*"]
    pure = "assets brackets calendars charts digits operation_inputs page_forms parts plaintext"
    pure += (
        " privacy resource_pages resources sanitizing secret_files settling strict_json surfaces"
    )
    collect_ignore_glob += [f"core/test_{name}.py" for name in pure.split()]
    collect_ignore_glob += [
        f"people/test_{name}.py"
        for name in ("extraction", "machine", "satisfaction", "understanding", "voice")
    ]
    collect_ignore_glob += ["certify/test_every_check.py", "certify/test_spoilt_families.py"]
    collect_ignore_glob += ["certify/test_h21_obedience.py", "certify/test_command.py"]
    # What a page's controls do in a browser is looked at once; what pages ask of the engine, other
    # tests of them ask too, and episodes in a browser are played on both.
    collect_ignore_glob += ["*/web/test_crawl.py", "*/web/test_*browser.py", "*/web/test_names.py"]
    collect_ignore_glob += ["*/test_browser.py", "billing/test_panel_in_a_frame.py"]
else:
    lengths.hold()
if "SANDLOT_REDIS" not in os.environ:
    collect_ignore_glob.append("stack/*")
if "SANDLOT_SOAK" not in os.environ:
    collect_ignore_glob += ["soak/test_soak.py", "soak/test_attackers.py"]

# A clone that is still being made is tested where somebody asks for it.
collect_ignore_glob += [
    path.parent.name
    for path in Path(__file__).parents[1].glob("clones/*/apps.py")
    if not apps.is_installed(f"clones.{path.parent.name}")
]
if "SANDLOT_CONTAINERS" not in os.environ:
    collect_ignore_glob.append("containers/*")

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


@pytest.fixture(scope="session")
def sandbox_pool(sandboxes: Sandboxes) -> SandboxPool:
    """Sandboxes that one test after the other uses."""
    return SandboxPool(sandboxes)


@pytest.fixture
def empty_sandbox(sandboxes: Sandboxes, empty_image: Manifest) -> Iterator[SandboxRow]:
    """A sandbox of the empty image, new: tests of the ground floor move even its start."""
    row = sandboxes.create(empty_image)
    yield row
    with suppress(UnknownSandbox):  # the test has deleted it
        sandboxes.delete(row.id)


def bind(row: SandboxRow) -> AbstractContextManager[Binding]:
    """Bind a sandbox's store for the length of a block."""
    return server().stores.bind(row.store, row.id)


def data_folder() -> Path:
    """Return the test server's data directory."""
    return server().data
