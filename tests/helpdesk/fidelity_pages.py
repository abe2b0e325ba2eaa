"""What a page of docs/fidelity lists: operations by their names, guesses by their tests."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from types import ModuleType

from clones.helpdesk.api.entry import operations
from tests.fidelity_pages import text_of

__all__ = [
    "guesses_in",
    "listed_guesses",
    "listed_names",
    "listed_routes",
    "operations_in",
    "routes_of",
    "text_of",
]


def listed_names(text: str) -> list[str]:
    """Return the operations in the second column of a page's first table."""
    table = text.partition("|---|---|---|")[2].partition("\n\n")[0]
    cells = [line.split(" | ")[1] for line in table.strip().splitlines()]
    return [name for cell in cells for name in cell.split(", ")]


def operations_in(rooms: Iterable[ModuleType]) -> set[str]:
    """Return the operations whose views live in modules."""
    names = {room.__name__ for room in rooms}
    return {name for name, found in operations().all.items() if found.view.__module__ in names}


Route = tuple[str, str, str]


def listed_routes(text: str) -> list[Route]:
    """Return (method, address, operation) of a page's rows that give all three."""
    return re.findall(r"^\| `([A-Z]+) (/api/v2/\S+)` \| (\w+) \|", text, re.MULTILINE)


def routes_of(names: Iterable[str]) -> set[Route]:
    """Return (method, address, operation) of operations."""
    known = operations().all
    return {(known[name].method, known[name].path.replace(":int}", "}"), name) for name in names}


def listed_guesses(text: str) -> set[tuple[str, str]]:
    """Return the tests that a page names, by module."""
    return set(re.findall(r"`tests/helpdesk/((?:web/)?test_\w+)\.py::(test_\w+)`", text))


def guesses_in(modules: Iterable[str]) -> set[tuple[str, str]]:
    """Return the tests of guesses in modules."""
    return {
        (module, name)
        for module in modules
        for name in vars(importlib.import_module(f"tests.helpdesk.{module.replace('/', '.')}"))
        if name.startswith("test_unverified_")
    }
