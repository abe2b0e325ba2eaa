"""What the code imports is pinned, and what is pinned is explained."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.project.paths import ROOT, SHIPPED, SUITES, pyproject, python_files

# What comes with a package of ours and is part of what that package offers.
COMES_WITH = {
    "pydantic-core": "pydantic",
    "starlette": "fastapi",
    "kombu": "celery",
    "redis": "celery",
    "jsonschema-rs": "schemathesis",
    "opentelemetry-api": "opentelemetry-sdk",
    "opentelemetry-proto": "opentelemetry-exporter-otlp-proto-http",
}
OURS = {*SHIPPED, "tests", "tools"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(requirements: list[str]) -> dict[str, str]:
    found = {}
    for requirement in requirements:
        name, mark, version = requirement.partition("==")
        assert mark, f"{requirement} is not pinned"
        found[normal(name.partition("[")[0])] = version
    return found


PROJECT = pyproject()["project"]
RUN_TIME = pins(PROJECT["dependencies"])
BROWSER = pins(PROJECT["optional-dependencies"]["browser"])
STACK = pins(PROJECT["optional-dependencies"]["stack"])
TLS = pins(PROJECT["optional-dependencies"]["tls"])
EVERY = RUN_TIME | {
    name: version
    for extra in PROJECT["optional-dependencies"].values()
    for name, version in pins(extra).items()
}


def imported(*folders: str) -> dict[str, str]:
    """Return the distributions that the code of some folders imports, each with one place."""
    known = packages_distributions()
    found: dict[str, str] = {}
    for path in python_files(*folders):
        if str(path.relative_to(ROOT)) in SUITES:
            continue
        for top in {name.partition(".")[0] for name in imports_of(path)}:
            if top not in sys.stdlib_module_names and top not in OURS:
                distribution = normal(known.get(top, [top])[0])
                name = COMES_WITH.get(distribution, distribution)
                found.setdefault(name, str(path.relative_to(ROOT)))
    return found


@cache
def imports_of(path: Path) -> list[str]:
    """Return the modules that a file imports, anywhere in it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return names


@pytest.mark.parametrize(
    ("folders", "allowed"),
    [
        (("clones", "seeds", "snapshots"), RUN_TIME | STACK | TLS),
        (("episodes", "sandlot"), RUN_TIME | BROWSER | STACK),
        (("tests", "tools"), EVERY),
    ],
)
def test_every_import_is_pinned(folders: tuple[str, ...], allowed: dict[str, str]) -> None:
    assert {name: at for name, at in imported(*folders).items() if name not in allowed} == {}


def test_what_runs_embedded_imports_nothing_of_the_stack() -> None:
    """Only the modules that an engine or a flag is for do, and those are loaded when it is used."""
    own = {
        "clones/config/queue.py": {"celery", "kombu"},
        "clones/config/telemetry.py": {"opentelemetry"},
        "clones/config/authority.py": {"trustme", "cryptography"},
    }
    extras = {"psycopg", "celery", "kombu", "redis", "opentelemetry", "trustme", "cryptography"}
    for path in python_files("clones", "seeds", "snapshots"):
        place = str(path.relative_to(ROOT))
        if "postgres" not in place:
            tops = {name.partition(".")[0] for name in imports_of(path)}
            assert tops & extras <= own.get(place, set()), path


def test_every_pin_is_explained_and_nothing_else() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text()
    rows = {normal(name) for name in re.findall(r"^\| ([A-Za-z][\w-]*) \|", text, re.MULTILINE)} - {
        "package"
    }
    assert rows == EVERY.keys()
