"""What docs/fidelity/helpdesk-routing.md lists is there, and each guess has its test."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from clones.helpdesk.api import queues, skills
from clones.helpdesk.api.entry import operations

PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "helpdesk-routing.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROOMS = {queues.__name__, skills.__name__}
TESTS = ("test_queues", "test_skills")


def test_the_page_lists_the_operations_and_no_others() -> None:
    table = TEXT.partition("|---|---|---|")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[1] for line in table.strip().splitlines()]
    listed = [name for cell in cells for name in cell.split(", ")]
    ours = {
        name
        for name, found in operations().all.items()
        if found.view.__module__ in ROOMS or "/incremental/routing/" in found.path
    }
    assert len(listed) == len(set(listed)) == 30
    assert set(listed) == ours


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    listed = set(re.findall(r"`tests/helpdesk/(test_\w+)\.py::(test_\w+)`", TEXT))
    found = {
        (module, name)
        for module in TESTS
        for name in vars(importlib.import_module(f"tests.helpdesk.{module}"))
        if name.startswith("test_unverified_")
    }
    assert listed == found
