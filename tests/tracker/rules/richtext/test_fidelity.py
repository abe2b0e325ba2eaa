"""Each guess of docs/fidelity/tracker-rich-text.md has its test, and each test is listed."""

from __future__ import annotations

import ast
import re

from tests.project.paths import ROOT

FOLDER = ROOT / "tests" / "tracker" / "rules" / "richtext"
PAGE = (ROOT / "docs" / "fidelity" / "tracker-rich-text.md").read_text()


def test_each_guess_is_listed() -> None:
    listed = set(re.findall(r"`tests/tracker/rules/richtext/(test_\w+)\.py::(test_\w+)`", PAGE))
    guesses = {
        (path.stem, node.name)
        for path in FOLDER.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_unverified_")
    }
    assert listed == guesses
    assert guesses
