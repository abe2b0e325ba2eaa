"""What the pages of routing and of tokens list is there, and each guess has its test."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from clones.helpdesk.api.entry import operations

FOLDER = Path(__file__).parents[2] / "docs" / "fidelity"
# A page, the addresses that it is about, how many operations they have, and the tests.
PAGES = [
    (
        "helpdesk-routing.md",
        r"/api/v2/(incremental/)?(routing|queues|agent_availabilities)\b",
        30,
        ("test_queues", "test_skills"),
    ),
    ("helpdesk-oauth.md", r"/api/v2/oauth/", 10, ("test_oauth",)),
]


@pytest.mark.parametrize(("page", "addresses", "number"), [item[:3] for item in PAGES])
def test_the_page_lists_the_operations_and_no_others(
    page: str, addresses: str, number: int
) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    table = text.partition("|---|---|---|")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[1] for line in table.strip().splitlines()]
    listed = [name for cell in cells for name in cell.split(", ")]
    ours = {name for name, found in operations().all.items() if re.match(addresses, found.path)}
    assert len(listed) == len(set(listed)) == number
    assert set(listed) == ours


@pytest.mark.parametrize(("page", "tests"), [(item[0], item[3]) for item in PAGES])
def test_each_guess_has_a_test_and_each_test_of_a_guess_is_listed(
    page: str, tests: tuple[str, ...]
) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    listed = set(re.findall(r"`tests/helpdesk/(test_\w+)\.py::(test_\w+)`", text))
    found = {
        (module, name)
        for module in tests
        for name in vars(importlib.import_module(f"tests.helpdesk.{module}"))
        if name.startswith("test_unverified_")
    }
    assert listed == found
