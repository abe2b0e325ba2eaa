"""Each sentence of the description's prose that something hangs on has a test, or a line of docs.

The sentences are those on defaults, omissions, what is ignored or required after all, of the
operations that are here (`tests/facts/tracker/prose.json`; marks stand for them). `prose.json`
beside this file says of each which test holds it, or which line of `docs/fidelity` speaks of it;
those that only describe are listed by the reason why nothing hangs on them.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, Final

from clones.tracker.api.entry import operations
from tests.tracker.test_parameters import FACTS, bare

FOLDER = Path(__file__).parent
DOCS = FOLDER.parents[1] / "docs" / "fidelity"
KEPT: dict[str, Any] = json.loads((FOLDER / "prose.json").read_text(encoding="utf-8"))
# Tests that ask operations by the registry, and name none of them.
SWEEPS: Final = {
    "test_parameters.py::test_pages_are_as_long_as_the_description_says",
    "test_prose_defaults.py::test_keys_of_spaces_are_told_by_their_case",
}
# What this operation says is of the rules of workflows, which hold where issues are moved.
OF_RULES: Final = "GET /rest/api/3/workflows/capabilities"


def marks() -> list[str]:
    """Return the marks that are accounted for."""
    found = [mark for listed in KEPT["tests"].values() for mark in listed]
    for lines in KEPT["pages"].values():
        found += [mark for listed in lines.values() for mark in listed]
    return found + [mark for listed in KEPT["describes"].values() for mark in listed]


@cache
def sentences() -> dict[str, list[str]]:
    """Return where each sentence stands, by its mark."""
    found: dict[str, list[str]] = json.loads(FACTS.read_text(encoding="utf-8"))["sentences"]
    return found


def named_in(node: ast.AST) -> set[str]:
    """Return the names that a part of a module uses."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


@cache
def parts_of(file: str) -> dict[str, list[ast.stmt]]:
    """Return what a module of tests defines, by name."""
    found: defaultdict[str, list[ast.stmt]] = defaultdict(list)
    for node in ast.parse((FOLDER / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name].append(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for name in named_in(node):
                found[name].append(node)
    return dict(found)


def said_by(file: str, test: str) -> str:
    """Return all texts of a test, and of what it uses of its module."""
    parts, seen, todo, texts = parts_of(file), set[str](), [test], []
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in parts.get(name, ()):
            todo += named_in(node)
            texts += [
                part.value
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
    return "\n".join(texts)


def ends_in(place: str, file: str) -> str:
    """Return the last fixed part of a path; of a test of rules alone, the member of the body."""
    _, path, *member = place.split(" ")
    if file.startswith("rules/"):
        return member[0].rpartition(".")[2]
    return next(part for part in reversed(path.split("/")) if part and not part.startswith("{"))


def speaks(named: str, place: str) -> bool:
    """Tell whether a test speaks of the operation of a place."""
    file, _, test = named.partition("::")
    return place.startswith(OF_RULES) or ends_in(place, file) in said_by(file, test)


def test_each_sentence_is_accounted_for_once() -> None:
    here = {bare(f"{one.method} {one.path}") for one in operations().all.values()}
    said = {
        mark
        for mark, places in sentences().items()
        if any(bare(" ".join(place.split(" ")[:2])) in here for place in places)
    }
    found = marks()
    assert len(found) == len(set(found))
    assert {mark: sentences()[mark] for mark in said - set(found)} == {}
    assert set(found) - said == set()


def test_the_tests_and_lines_are_there() -> None:
    for named in KEPT["tests"]:
        file, _, test = named.partition("::")
        assert any(isinstance(node, ast.FunctionDef) for node in parts_of(file)[test]), named
    for page, lines in KEPT["pages"].items():
        text = (DOCS / page).read_text(encoding="utf-8")
        for words in lines:
            assert f"| {words}" in text, (page, words)


def test_each_test_speaks_of_the_operations_of_its_sentences() -> None:
    """Of one of those that have the sentence: by the last fixed part of its path, at least."""
    silent = {
        (named, mark, sentences()[mark][0])
        for named, listed in KEPT["tests"].items()
        if named not in SWEEPS
        for mark in listed
        if not any(speaks(named, place) for place in sentences()[mark])
    }
    assert silent == set()
