"""Files, functions and exceptions from lint stay within the house rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.project.paths import ROOT, SHIPPED, SUITES, python_files

FILES = [*python_files(*SHIPPED, "integrations", "tests", "tools"), ROOT / "manage.py"]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CLASSES = (ast.ClassDef,)
NOQA = re.compile(r"#\s*noqa\b(.*)")
# `noqa: S608 - why`: codes, then words.
REASONED = re.compile(r"^: [A-Z]+\d+(, [A-Z]+\d+)* - \w+")
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def is_test(path: Path) -> bool:
    return named(path).startswith("tests/") or named(path) in SUITES


def definitions(path: Path, *kinds: type[ast.stmt]) -> Iterator[tuple[str, int]]:
    """Yield the name and the lines of the functions or classes of a file, nested ones too."""
    for kind, name, lines in _defined(path):
        if issubclass(kind, kinds):
            yield name, lines


@cache
def _defined(path: Path) -> list[tuple[type[ast.stmt], str, int]]:
    return [
        (type(node), node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, FUNCTIONS + CLASSES)
    ]


def test_files_are_short() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in FILES}
    assert {
        named(path): lines
        for path, lines in lengths.items()
        if lines > (800 if is_test(path) else 500)
    } == {}


def test_functions_are_short() -> None:
    assert [
        f"{named(path)}: {name} {lines}"
        for path in FILES
        for name, lines in definitions(path, *FUNCTIONS)
        if lines > 60
    ] == []


def test_classes_are_short() -> None:
    assert [
        f"{named(path)}: {name} {lines}"
        for path in FILES
        for name, lines in definitions(path, *CLASSES)
        if lines > (800 if is_test(path) else 300)
    ] == []


def test_what_is_too_long_is_found(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    method = "    def long(self):\n" + "        a = 1\n" * 60
    path.write_text("class Long:\n" + method + "    a = 1\n" * 240 + "class Short:\n    pass\n")
    assert list(definitions(path, *FUNCTIONS)) == [("long", 61)]
    assert list(definitions(path, *CLASSES)) == [("Long", 302), ("Short", 2)]


def test_modules_are_named_for_their_subject() -> None:
    assert [named(path) for path in FILES if path.stem in BANNED_NAMES] == []
    folders = {path.parent for path in FILES}
    assert [named(folder) for folder in sorted(folders) if folder.name in BANNED_NAMES] == []


@pytest.mark.parametrize("folder", [*SHIPPED, "integrations", "tests", "tools"])
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
