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
RECORD_NAME: Final = re.compile(r"[a-z][a-z]{1,19}")
# Apps whose label is not the name of a folder, and words that mean something else in addresses.
RESERVED: Final = frozenset({"api", "clones", "data", "localhost", "static", "staticfiles", "www"})
# Addresses and modules that the skeleton has besides.
OF_PAGES: Final = frozenset({"access", "refusals", "refused", "shell", "signin", "signout", "urls"})
OF_API: Final = frozenset(
    {"accounts", "dialect", "errors", "operations", "presenters", "resources"}
)


class Refused(Exception):
    """Raised when a clone cannot be made: the one line that says why."""


@dataclass(frozen=True, slots=True)
class Names:
    """A clone's name and its first record's, in the forms that code and pages need."""

    clone: str
    record: str

    @property
    def words(self) -> dict[str, str]:
        """What stands for each placeholder of a template."""
        records = f"{self.record}s"
        return {
            "name": self.clone,
            "Name": self.clone.capitalize(),
            "NAME": self.clone.upper(),
            "record": self.record,
            "Record": self.record.capitalize(),
            "RECORD": self.record.upper(),
            "records": records,
            "Records": records.capitalize(),
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
    for folder in ("clones", "tests", "seeds"):
        if (root / folder / name).exists() or (root / folder / f"{name}.py").exists():
            raise Refused(f"{folder}/{name} is there already")


def check_record(name: str, clone: str, sources: Iterable[str]) -> None:
    """Refuse a record's name that the skeleton could not use beside its own.

    Args:
        name: one of them, in lower case.
        clone: the clone's name.
        sources: the skeleton's modules, made with other names.

    Raises:
        Refused: it is no name, or means something else there.
    """
    if not RECORD_NAME.fullmatch(name) or name.endswith("s"):
        raise Refused(f"{name!r} is no name for one record: 2 to 20 small letters, without an s")
    forms = {name, f"{name}s", name.capitalize(), name.upper()}
    taken = {clone, clone.capitalize(), clone.upper(), *dir(builtins), *OF_PAGES, *OF_API}
    if any(keyword.iskeyword(form) for form in forms) or forms & taken:
        raise Refused(f"{name} means something else already")
    for source in sources:
        if found := forms & identifiers(source):
            raise Refused(
                f"{name} cannot be a record's name: the code calls something else {found.pop()}"
            )


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
