"""What a process loads when it starts: all that it must know of, little that it does not use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pkgutil import walk_packages
from typing import Any

import pytest
from django.apps import apps

import clones
import episodes.families
import seeds
import snapshots
from clones.core import vendors
from clones.helpdesk import modules as of_helpdesk
from clones.tracker import modules as of_tracker
from episodes.tasks import catalogue
from tests.project.paths import ROOT, clone_names

# Tells the modules that are loaded, and how full each table of a module of ours is.
TELL = """
import json, sys
def tables():
    return {
        f"{name}.{key}": len(value)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in ("clones", "seeds", "snapshots", "episodes")
        for key, value in vars(module).items()
        if isinstance(value, (dict, list, set)) and not key.startswith("__")
    }
"""


def run(code: str, settings: str = "test") -> Any:
    """Return what a new process tells as JSON at its end."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": f"clones.config.settings.{settings}"}
    done = subprocess.run(
        [sys.executable, "-c", TELL + code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_the_making() -> list[str]:
    """Return the clones that are not installed, and their side of the world, as packages."""
    found = [name for name in clone_names() if not apps.is_installed(f"clones.{name}")]
    return [
        package
        for name in found
        for package in (
            f"clones.{name}",
            f"seeds.kestrel.projection.{name}",
            f"seeds.measures.{name}",
        )
    ]


def names_in(*packages: Any) -> list[str]:
    """Return the modules of packages that are loaded in a server, by name."""
    found = [
        module.name
        for package in packages
        # A package that cannot be imported is named all the same: whoever tries to, says why.
        for module in walk_packages(package.__path__, f"{package.__name__}.", lambda _: None)
    ]
    apart = ("clones.config", "snapshots.conformance", *in_the_making())
    return sorted(
        name for name in found if not name.startswith(apart) and ".migrations" not in name
    )


def test_nothing_registers_later_than_at_the_start() -> None:
    """Else a job, a listener or a kind of change is known to some processes only.

    If not: name the module in its clone's `modules.py`.
    """
    grown = run(f"""
import importlib, django
django.setup()
before = tables()
for name in {names_in(clones, seeds, snapshots)!r}:
    importlib.import_module(name)
after = tables()
print(json.dumps({{name: size for name, size in before.items() if after[name] != size}}))
""")
    assert grown == {}


def test_modules_of_operations_are_named_and_no_others() -> None:
    found = run(f"""
import importlib, django
django.setup()
from clones.core import vendors
registries = [clone.operations for clone in vendors.clones() if clone.operations is not None]
first = {{one.clone: list(one.all) for one in registries}}
for name in {names_in(clones)!r}:
    importlib.import_module(name)
print(json.dumps([[first, {{one.clone: list(one.all) for one in registries}}]]))
""")
    assert found[0][0] == found[0][1]
    for name, table in (
        ("helpdesk", of_helpdesk.OPERATING),
        ("tracker", of_tracker.OPERATING),
    ):
        clone = vendors.clone_named(name)
        assert clone is not None
        assert clone.operations is not None
        modules = {operation.view.__module__ for operation in clone.operations.all.values()}
        assert sorted(modules) == list(table)


@pytest.mark.parametrize(
    "table",
    [of_helpdesk.WORKING, of_helpdesk.OPERATING, of_tracker.WORKING, of_tracker.OPERATING],
)
def test_tables_of_modules_are_in_order(table: tuple[str, ...]) -> None:
    assert list(table) == sorted(set(table))


def test_listeners_hear_of_an_event_in_the_order_of_their_table() -> None:
    heard = run("""
import django
django.setup()
from clones.tracker.domain import events
heard = events._listeners.items()
print(json.dumps({kind: [one.__module__ for one in listeners] for kind, listeners in heard}))
""")
    assert len(heard) > 20
    places = {name: place for place, name in enumerate(of_tracker.LISTENING)}
    for kind, modules in heard.items():
        assert modules == sorted(modules, key=places.__getitem__), kind


def test_families_are_named_and_load_by_their_ids() -> None:
    packages = {
        name.rpartition(".")[2]
        for _, name, is_package in walk_packages(episodes.families.__path__, "episodes.families.")
        if is_package and name.count(".") == 2
    }
    assert {id.lower() for id in catalogue.known_ids()} == packages
    assert len(catalogue.known_ids()) == len(packages)
    assert [family.id for family in catalogue.known_families()] == list(catalogue.known_ids())


# What is loaded to serve requests, and the most modules: a tenth more than there are.
DATA_PLANE = (
    "clones.config.granian_adapter", "embedded", 2200,
    {"celery", "cryptography", "docker", "episodes", "fastapi", "httpx", "hypothesis",
     "opentelemetry", "playwright", "psycopg", "pytest", "rich", "sandlot", "schemathesis",
     "seeds.kestrel", "seeds.worlds", "snapshots", "trustme", "uvicorn"},
)  # fmt: skip
CONTROL = (
    "uvicorn, django; django.setup(); import episodes.control.app, episodes.control_plane",
    "embedded", 1750,
    {"celery", "clones.billing.web.account", "clones.helpdesk.api.tickets", "clones.helpdesk.web",
     "clones.tracker.api.issues", "clones.tracker.web", "cryptography", "docker",
     "episodes.families", "granian", "hypothesis", "playwright.async_api", "psycopg", "pytest",
     "schemathesis", "seeds.kestrel.build", "seeds.kestrel.story", "trustme"},
)  # fmt: skip
SET_UP = (
    "django; django.setup()", "test", 1300,
    {"anyio", "celery", "clones.billing.api.views.charges", "clones.helpdesk.api.tickets",
     "clones.helpdesk.web", "clones.tracker.api.issues", "clones.tracker.web", "episodes",
     "fastapi", "granian", "httpx", "opentelemetry", "seeds.kestrel", "snapshots", "uvicorn"},
)  # fmt: skip
COMMANDS = (
    "sandlot.cli.main", "embedded", 360,
    {"clones.helpdesk", "clones.tracker", "django", "docker", "episodes", "granian", "lark",
     "playwright", "psutil", "pydantic", "seeds", "snapshots", "uvicorn"},
)  # fmt: skip


@pytest.mark.parametrize(
    ("imported", "settings", "most", "unused"),
    [DATA_PLANE, CONTROL, SET_UP, COMMANDS],
    ids=["data plane", "control", "django", "command line"],
)
def test_a_process_loads_little_that_it_does_not_use(
    imported: str, settings: str, most: int, unused: set[str]
) -> None:
    loaded = run(f"import {imported}\nprint(json.dumps(sorted(sys.modules)))", settings)
    assert {name for name in unused if name in loaded} == set()
    assert len(loaded) <= most
