"""The names of a new clone and of its first record, and which names will not do."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# An account's row has sixteen characters for its clone's name, and hosts begin with it.
CLONE_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,15}")
RECORD_NAME: Final = re.compile(r"[a-z]{2,20}")
# Apps whose label is not the name of a folder, and words that mean something else in addresses.
RESERVED: Final = frozenset({"api", "clones", "data", "localhost", "static", "staticfiles", "www"})
# Addresses and modules that the skeleton has besides.
OF_PAGES: Final = frozenset(
    {"access", "refusals", "refused", "shell", "signin", "signout", "static", "urls"}
)
OF_API: Final = frozenset(
    {"accounts", "dialect", "errors", "operations", "presenters", "resources"}
)
# What knows of no clone by its name (tests/project/test_clones_unnamed.py holds that), but for what
# tells of products: a company's world, the rows it is made of, its people, and their work.
ABOVE: Final = (
    "clones/config",
    "clones/core",
    "episodes",
    "seeds",
    "snapshots",
    "sandlot",
    "tools",
)
OF_PRODUCTS: Final = (
    "seeds/kestrel/",
    "seeds/factories/",
    "seeds/people/",
    "seeds/measures/",
    "episodes/families/",
)


class Refused(Exception):
    """Raised when a clone cannot be made: the one line that says why."""


@dataclass(frozen=True, slots=True)
class Names:
    """A clone's name and its first record's, in the forms that code and pages need."""

    clone: str
    record: str
    records: str

    @property
    def words(self) -> dict[str, str]:
        """What stands for each placeholder of a template."""
        return {
            "name": self.clone,
            "Name": self.clone.capitalize(),
            "NAME": self.clone.upper(),
            "record": self.record,
            "Record": self.record.capitalize(),
            "RECORD": self.record.upper(),
            "records": self.records,
            "Records": self.records.capitalize(),
        }


def check_clone(name: str, root: Path) -> None:
    """Refuse a name that no clone can have, or that is taken.

    Raises:
        Refused: it is no name, or the house has something of that name.
    """
    if not CLONE_NAME.fullmatch(name):
        raise Refused(f"{name!r} is no name for a clone: 2 to 16 letters and digits, all small")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise Refused(f"{name} is a word of Python's")
    if name in RESERVED:
        raise Refused(f"{name} means something else in addresses or settings")
    for folder in ("clones", "tests"):
        if (root / folder / name).exists():
            raise Refused(f"{folder}/{name} is there already")
    for folder in ABOVE:
        for path in sorted((root / folder).rglob("*.py")):
            place = path.relative_to(root).as_posix()
            if not place.startswith(OF_PRODUCTS) and f'"{name}"' in path.read_text("utf-8"):
                raise Refused(f"{name} means something else in {place}")


def check_record(names: Names, sources: Iterable[str]) -> None:
    """Refuse a record's name that the skeleton could not use beside its own.

    Args:
        names: the clone's, and what one of its records and several are called.
        sources: the skeleton's modules, made with other names.

    Raises:
        Refused: it is no name, or means something else there.
    """
    clone = {names.clone, names.clone.capitalize(), names.clone.upper()}
    taken = clone.union(dir(builtins), keyword.kwlist, OF_PAGES, OF_API)
    taken |= {name for source in sources for name in identifiers(source)}
    for name in (names.record, names.records):
        if not RECORD_NAME.fullmatch(name):
            raise Refused(f"{name!r} is no name for records: 2 to 20 small letters")
        if found := {name, name.capitalize(), name.upper()} & taken:
            raise Refused(f"{name} will not do: the code calls something else {min(found)}")
    if names.record == names.records:
        raise Refused(f"one {names.record} and several need two names")


def identifiers(source: str) -> set[str]:
    """Return the names that a module binds or uses; attributes of other things are none."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name)
            case _:
                pass
    return found
