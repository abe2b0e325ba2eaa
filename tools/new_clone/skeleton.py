"""The files of a new clone, made of templates: each lies where its file will, under a folder here.

In their texts `${name}` is the clone, `${Name}` a class's or a heading's form of it and `${NAME}`
a constant's; `${record}`, `${Record}`, `${RECORD}`, `${records}` and `${Records}` are its first
record. In their paths NAME and RECORDS are the clone and its records.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from string import Template
from typing import Final

from tools.new_clone.naming import Names

TEMPLATES: Final = Path(__file__).parent / "templates"
SUFFIX: Final = ".tmpl"


def templates() -> list[Path]:
    """Return the templates."""
    return sorted(TEMPLATES.rglob(f"*{SUFFIX}"))


def files(names: Names) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the files of a clone: where each lies in the repository, and its text."""
    words = names.words
    for template in templates():
        place = template.relative_to(TEMPLATES).as_posix().removesuffix(SUFFIX)
        place = place.replace("RECORDS", words["records"]).replace("NAME", words["name"])
        yield PurePosixPath(place), Template(template.read_text("utf-8")).substitute(words)
