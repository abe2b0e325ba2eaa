"""Packages of `integrations/` stand alone: on what they name, and on no more of the house."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.project.paths import ROOT, pyproject

PROJECTS = sorted((ROOT / "integrations").glob("*/pyproject.toml"))
# Modules whose distribution has another name, or comes with one that is named.
WITH = {
    "inspect_ai": "inspect-ai",
    "sandlot_episodes": "sandlot-episodes",
    "browsergym": "browsergym-core",
}
# What `sandlot` has of its own, the families' oracles among it, and what it needs.
SANDLOT = {"sandlot", "episodes", "clones", "click", "pydantic"}
COMES_WITH = {
    "verifiers": {"mcp", "pydantic"},
    "openenv": {"pydantic"},
    "browsergym-core": {"gymnasium", "playwright"},
    "sandlot": SANDLOT,
}


def project_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(path.read_text())["project"]
    return found


def imported(folder: Path) -> Iterator[str]:
    """Yield the names of the packages that the code of a folder imports."""
    for path in folder.rglob("*.py"):
        if "folder" in path.relative_to(folder).parts:  # programs that are copied into tasks
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.parent.name)
def test_what_a_package_imports_it_names(path: Path) -> None:
    project = project_of(path)
    named = {re.split(r"[<>=]", one)[0] for one in project["dependencies"]}
    own = project["name"].replace("-", "_")
    allowed = named.union(*(COMES_WITH.get(name, set()) for name in named))
    found = {WITH.get(name, name) for name in imported(path.parent) if name != own}
    assert sorted(found - allowed - sys.stdlib_module_names) == []
    assert named - {"sandlot-episodes"} <= found | {"sandlot"}


def test_all_have_the_version_that_they_ask_of_each_other() -> None:
    assert len(PROJECTS) == 6
    versions = {project_of(path)["version"] for path in PROJECTS}
    assert versions == {pyproject()["project"]["version"]}
    asked = [one for path in PROJECTS for one in project_of(path)["dependencies"]]
    (version,) = versions
    assert asked.count(f"sandlot-episodes=={version}") == 2
    assert asked.count(f"sandlot=={version}") == 2
