"""A clone whose operations are counted: where its tests, facts and reasons lie.

Each has a table beside this module, by its name.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Subject:
    """A clone.

    `described` says which operations are the vendor's.
    `ignored` are its tests that go round all operations, or that are of pages or pure rules.
    `pages` are the sets of parameters by which a list is asked for in pages: where an operation
    knows all of one, it has pages, but for those in `one_page`. With brackets behind the first they
    are those of cursors. `always_empty` list what no site has: there is nothing to lose of them;
    `always_refused` show one of it, whichever is asked for; `never_refused` say no to nothing, or
    not by a status. `writes_nothing` are asked as if to
    write, and only their answers can be lost. `by_parameters`: an operation that
    lacks a parameter of the vendor's is partial.
    """

    clone: str
    vendor: str
    described: str
    ignored: tuple[str, ...]
    pages: tuple[tuple[str, ...], ...]
    one_page: frozenset[str] = frozenset()
    always_empty: frozenset[str] = frozenset()
    always_refused: frozenset[str] = frozenset()
    never_refused: frozenset[str] = frozenset()
    writes_nothing: frozenset[str] = frozenset()
    by_parameters: bool = False

    def answers(self, operation: str) -> list[str]:
        """Return the kinds of answers of an operation that tests shall see."""
        if operation in self.never_refused:
            return ["2xx"]
        return ["4xx"] if operation in self.always_refused else ["2xx", "4xx"]

    @property
    def page(self) -> Path:
        """The page of its operations."""
        return ROOT / "docs" / "fidelity" / f"{self.clone}-operations.md"

    @property
    def facts(self) -> Path:
        """The operations that the vendor describes."""
        return ROOT / "tests" / "facts" / self.clone / "operations.json"

    @property
    def witnesses(self) -> Path:
        """The tests that vouch for its operations."""
        return ROOT / "tests" / self.clone / "witnesses.json"

    @property
    def reasons(self) -> Path:
        """Why operations are absent, or partial."""
        return Path(__file__).with_name(f"{self.clone}.toml")

    @property
    def tests(self) -> tuple[str, ...]:
        """What pytest is told to run."""
        folder = f"tests/{self.clone}"
        return (folder, *(f"--ignore={folder}/{name}" for name in self.ignored))

    @property
    def operations(self) -> Any:
        """The registry of its operations. Django must be set up."""
        found = import_module("clones.core.vendors").clone_named(self.clone)
        return found.operations

    @cached_property
    def calls(self) -> Any:
        """What its tests call. Django must be set up."""
        return import_module(f"tests.{self.clone}.calls")


def _read(path: Path) -> Subject:
    """Return the subject of a table: its `[subject]`."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))["subject"]
    return Subject(
        clone=path.stem,
        vendor=told["vendor"],
        described=told["described"],
        ignored=tuple(told["ignored"]),
        pages=tuple(tuple(names) for names in told["pages"]),
        one_page=frozenset(told.get("one_page", ())),
        always_empty=frozenset(told.get("always_empty", ())),
        always_refused=frozenset(told.get("always_refused", ())),
        never_refused=frozenset(told.get("never_refused", ())),
        writes_nothing=frozenset(told.get("writes_nothing", ())),
        by_parameters=told.get("by_parameters", False),
    )


SUBJECTS = {path.stem: _read(path) for path in sorted(Path(__file__).parent.glob("*.toml"))}
