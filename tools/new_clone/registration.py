"""The places that have to know of a new clone, and what is said of it there.

Everything else asks `clones.core.vendors.clones()`, or looks at the folders.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.new_clone.naming import Refused


@dataclass(frozen=True, slots=True)
class Place:
    """A file that names the clones, and what becomes of its text for another one."""

    file: str
    change: Callable[[str, str], str]


def add_to_settings(text: str, name: str) -> str:
    """Serve the clone."""
    return re.sub(r"^(CLONES = \[.*)\]$", rf'\1, "{name}"]', text, flags=re.MULTILINE)


def add_to_layers(text: str, name: str) -> str:
    """Give the clone its place among the layers, beside the others."""
    if f"(clones.{name})" in text:
        return text.replace(f"(clones.{name})", f"clones.{name}")
    line = r'^(  "clones\.\w+ \| [^"\n]*)",$'
    return re.sub(line, rf'\1 | clones.{name}",', text, flags=re.MULTILINE)


def add_to_engine_tests(text: str, name: str) -> str:
    """Run the clone's tests on the other engine, too."""
    line = r"^(tests/billing/\* \| (.*))$"
    return re.sub(line, rf"\1\ntests/{name}/* | \2", text, flags=re.MULTILINE)


PLACES: Final = (
    Place("clones/config/settings/base.py", add_to_settings),
    Place("pyproject.toml", add_to_layers),
    Place("tests/engine_tests.txt", add_to_engine_tests),
)


def changed(root: Path, name: str) -> dict[Path, str]:
    """Return the files that name the clones, as they are with another one.

    Raises:
        Refused: one has not the line to which the name is added.
    """
    found = {}
    for place in PLACES:
        path = root / place.file
        before = path.read_text("utf-8")
        found[path] = place.change(before, name)
        if found[path] == before:
            raise Refused(f"{place.file} has no line to which {name} could be added")
    return found
