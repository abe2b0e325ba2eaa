"""Each attack that docs/attacks.md lists has walls that it names, and tests that there are."""

from __future__ import annotations

import ast
import re
from functools import cache

from tests.project.paths import ROOT

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "attacks.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith("| attack |")
]


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text())
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_every_attack_has_walls_and_tests() -> None:
    assert len(ROWS) >= 19
    for row in ROWS:
        attack, walls, tests = row
        assert attack
        assert walls, attack
        assert re.findall(r"`tests/[\w/.]+::\w+`", tests), attack


def test_each_named_test_is_there() -> None:
    missing = [
        (row[0], node)
        for row in ROWS
        for node in re.findall(r"`(tests/[\w/.]+::\w+)`", row[2])
        if not (ROOT / node.partition("::")[0]).exists()
        or node.partition("::")[2] not in names_in(node.partition("::")[0])
    ]
    assert missing == []


def test_no_name_stands_for_more_than_it_says() -> None:
    """What is written as code in the third column is a test, all of it."""
    for row in ROWS:
        rest = re.sub(r"`tests/[\w/.]+::test_\w+`(, )?", "", row[2])
        assert rest == "", rest
