"""Files, functions and exceptions from lint stay within the house rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.project.paths import ROOT, SHIPPED, SUITES, python_files

FILES = [*python_files(*SHIPPED, "tests", "tools"), ROOT / "manage.py"]
NOQA = re.compile(r"#\s*noqa\b(.*)")
# `noqa: S608 - why`: codes, then words.
REASONED = re.compile(r"^: [A-Z]+\d+(, [A-Z]+\d+)* - \w+")
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(path: Path) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text())
    return [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_files_are_short() -> None:
    lengths = {named(path): len(path.read_text().splitlines()) for path in FILES}
    assert {
        name: lines
        for name, lines in lengths.items()
        if lines > (800 if name.startswith("tests/") or name in SUITES else 500)
    } == {}


def test_functions_are_short() -> None:
    long = [f"{named(p)}: {name} {n}" for p in FILES for name, n in functions(p) if n > 60]
    assert long == []


def test_modules_are_named_for_their_subject() -> None:
    assert [named(path) for path in FILES if path.stem in BANNED_NAMES] == []
    folders = {path.parent for path in FILES}
    assert [named(folder) for folder in sorted(folders) if folder.name in BANNED_NAMES] == []


@pytest.mark.parametrize("folder", [*SHIPPED, "tests", "tools"])
def test_every_exception_from_lint_says_why(folder: str) -> None:
    bare = [
        f"{named(path)}:{number}"
        for path in python_files(folder)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        for found in [NOQA.search(line)]
        if found and path != Path(__file__) and not REASONED.match(found[1])
    ]
    assert bare == []


def test_every_rule_that_is_switched_off_says_why() -> None:
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    switched_off = [line for line in lines if re.match(r'^  "[A-Z]+\d*",( *#.*)?$', line)]
    assert len(switched_off) > 10
    assert [line for line in switched_off if not re.search(r"# \w+", line)] == []
