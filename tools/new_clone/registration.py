"""The places that have to know of a new clone, and what is said of it there.

Everything else asks `clones.core.vendors.clones()`, or looks at the folders.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.new_clone.naming import Names, Refused


@dataclass(frozen=True, slots=True)
class Place:
    """A file that names the clones, and what becomes of its text for another one."""

    file: str
    change: Callable[[str, Names], str]


def add_to_settings(text: str, names: Names) -> str:
    """Serve the clone."""
    return re.sub(r"^(CLONES = \[.*)\]$", rf'\1, "{names.clone}"]', text, flags=re.MULTILINE)


def add_to_layers(text: str, names: Names) -> str:
    """Give the clone its place among the layers, beside the others."""
    if f"(clones.{names.clone})" in text:
        return text.replace(f"(clones.{names.clone})", f"clones.{names.clone}")
    line = r'^(  "clones\.\w+ \| [^"\n]*)",$'
    return re.sub(line, rf'\1 | clones.{names.clone}",', text, flags=re.MULTILINE)


def add_to_engine_tests(text: str, names: Names) -> str:
    """Run all of the clone's tests on the other engine, until it has a list of witnesses."""
    line = rf"tests/{names.clone}/* | few operations, and no list of witnesses"
    return re.sub(r"^(tests/soak/\* \|.*)$", rf"\1\n{line}", text, flags=re.MULTILINE)


def add_to_diagrams(text: str, names: Names) -> str:
    """Draw the clone's tables, too."""
    return f'{text}\n[{names.clone}]\nmain = ["{names.words["Record"]}"]\n'


def add_to_data_model(text: str, names: Names) -> str:
    """Name the page of the clone's tables."""
    row = f"| [{names.clone}](data-model/{names.clone}.md) | {names.records} |"
    return re.sub(r"^(\| \[people\].*)$", rf"{row}\n\1", text, flags=re.MULTILINE)


PLACES: Final = (
    Place("clones/config/settings/base.py", add_to_settings),
    Place("pyproject.toml", add_to_layers),
    Place("tests/engine_tests.txt", add_to_engine_tests),
    Place("tools/data_model.toml", add_to_diagrams),
    Place("docs/data-model.md", add_to_data_model),
)


def changed(root: Path, names: Names) -> dict[Path, str]:
    """Return the files that name the clones, as they are with another one.

    Raises:
        Refused: one has not the line to which the name is added.
    """
    found = {}
    for place in PLACES:
        path = root / place.file
        before = path.read_text("utf-8")
        found[path] = place.change(before, names)
        if found[path] == before:
            raise Refused(f"{place.file} has no line to which {names.clone} could be added")
    return found
