"""What documents, templates and docstrings name is there: code by a dotted path, files by name."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.project.paths import ROOT, documents, python_files

PACKAGES = ("clones", "episodes", "seeds", "snapshots", "tests", "tools")
NAMED = re.compile(r"`((?:{})(?:\.\w+)+)".format("|".join(PACKAGES)))
FILE = re.compile(r"`([\w./-]+\.py)(?:::[^`]*)?`")
# What was true when it was written stays as it was.
HISTORY = ("CHANGELOG.md", "changelog.d", "docs/adr")


def readers() -> Iterator[Path]:
    """Yield the files in which people and machines name code."""
    for pattern in ("*.md", "docs/**/*.md", "clones/*/templates/**/*.html"):
        yield from ROOT.glob(pattern)
    yield from python_files(*PACKAGES, "sandlot")


def name_of(path: Path) -> str:
    """Return the dotted name of a module, a package's own for its `__init__`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names that a module binds at its top, and within conditions there."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        for part in ast.walk(node) if isinstance(node, ast.If) else (node,):
            match part:
                case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                    found.add(part.name)
                case ast.Import() | ast.ImportFrom():
                    found |= {alias.asname or alias.name for alias in part.names}
                case ast.Assign():
                    found |= {one.id for one in ast.walk(part) if isinstance(one, ast.Name)}
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.add(name)
    return frozenset(found)


def is_there(name: str, modules: dict[str, Path], packages: set[str]) -> bool:
    """Tell whether a dotted path leads to a package, a module, or a name of one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        if module in packages and end == len(parts):
            return True
        if module in modules:
            return end == len(parts) or parts[end] in names_in(modules[module])
        if module in packages:
            return False
    return False


def test_code_that_is_named_is_there() -> None:
    modules = {name_of(path): path for path in python_files(*PACKAGES)}
    packages = {name.rpartition(".")[0] for name in modules} | set(modules)
    packages |= {name.rpartition(".")[0] for name in packages} - {""}
    named = {
        (str(path.relative_to(ROOT)), name)
        for path in readers()
        if not str(path.relative_to(ROOT)).startswith(HISTORY)
        for name in NAMED.findall(path.read_text())
        if not name.endswith((".py", ".html", ".toml"))  # a file is no module
    }
    assert len(named) > 100
    assert sorted(one for one in named if not is_there(one[1], modules, packages)) == []


def test_files_that_documents_name_are_there() -> None:
    """Each Python file in backticks is the end of a path that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    there = ["/" + name for name in listed.stdout.splitlines()]
    named = {
        (document, name)
        for path in documents()
        if not (document := str(path.relative_to(ROOT))).startswith(HISTORY)
        for name in FILE.findall(path.read_text())
    }
    assert len(named) > 100
    gone = [one for one in named if not any(path.endswith("/" + one[1]) for path in there)]
    assert sorted(gone) == []
