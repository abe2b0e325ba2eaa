"""What docs/fidelity/helpdesk-content.md says is there is there, and each guess has its test."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from clones.helpdesk.api import dynamic_content, group_slas, workspaces
from clones.helpdesk.api.entry import operations

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "fidelity" / "helpdesk-content.md").read_text(encoding="utf-8")
ROOMS = {room.__name__ for room in (dynamic_content, group_slas, workspaces)}
TESTS = ("test_dynamic_content", "test_group_slas", "test_workspaces")


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = set(re.findall(r"^\| `([A-Z]+) (/api/v2/\S+)` \| (\w+) \|", TEXT, re.MULTILINE))
    ours = {
        (found.method, found.path.replace(":int}", "}"), name)
        for name, found in operations().all.items()
        if found.view.__module__ in ROOMS
    }
    assert listed == ours
    assert len(ours) == 27


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    listed = set(re.findall(r"`tests/helpdesk/(test_\w+)\.py::(test_\w+)`", TEXT))
    found = {
        (module, name)
        for module in TESTS
        for name in vars(importlib.import_module(f"tests.helpdesk.{module}"))
        if name.startswith("test_unverified_")
    }
    assert listed == found
