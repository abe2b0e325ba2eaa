"""What docs/fidelity/helpdesk-suspended.md lists is there, and each guess has its test."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from clones.helpdesk.api import activities, bookmarks, skips, suspended
from clones.helpdesk.api.entry import operations
from clones.helpdesk.rules.suspension import CAUSES, NUMBERS

PAGE = Path(__file__).parents[2] / "docs" / "fidelity" / "helpdesk-suspended.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROOMS = (activities, bookmarks, skips, suspended)
TESTS = ("test_activities", "test_desks", "test_suspended")


def test_the_page_lists_the_operations_and_no_others() -> None:
    table = TEXT.partition("|---|---|---|")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[1] for line in table.strip().splitlines()]
    listed = [name for cell in cells for name in cell.split(", ")]
    rooms = {room.__name__ for room in ROOMS}
    ours = {name for name, found in operations().all.items() if found.view.__module__ in rooms}
    assert len(listed) == len(set(listed)) == 17
    assert set(listed) == ours


def test_the_page_numbers_causes_as_the_vendor_does() -> None:
    listed = re.findall(r"(\d+) ([a-z_]+)(?= \||, \d+ )", TEXT)
    assert len(listed) == 14
    assert {name: int(number) for number, name in listed}.items() <= NUMBERS.items()
    assert len(CAUSES) == 30


def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed() -> None:
    listed = set(re.findall(r"`tests/helpdesk/(test_\w+)\.py::(test_\w+)`", TEXT))
    found = {
        (module, name)
        for module in TESTS
        for name in vars(importlib.import_module(f"tests.helpdesk.{module}"))
        if name.startswith("test_unverified_")
    }
    assert listed == found
