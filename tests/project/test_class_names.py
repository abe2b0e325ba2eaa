"""A class name says one idea: none stands for two in one package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.project.paths import ROOT, SHIPPED, python_files

# Names that several modules of a package give to the same idea.
SAME_IDEA = {
    "clones/core": {
        # Django finds a database's backend by these names: one for each engine.
        "Cursor", "DatabaseOperations", "DatabaseWrapper",
    },
    "clones/helpdesk": {
        "FieldOrder",  # the fields of each kind of record, in their order
    },
    "clones/tracker": {
        # What operations on alike things are sent.
        "Assignment", "Mapping", "Pair", "Search", "TypeIds", "WorklogIds",
        "IssueRow",  # of an issue in a list
        "Not",  # of conditions: as written, and as planned
    },
    "sandlot": {
        "Model",  # what is sent and what is recorded: unknown keys are refused
    },
    "seeds": set(),
    "snapshots": set(),
    "episodes": {
        "Tab",  # an act is named by what it is done with, as agents write it
    },
    "episodes/families/t04": {
        "Absence",  # as it is drawn, and as it is read
    },
}  # fmt: skip
# Each operation has its own: what it is sent, what is asked of it.
OF_OPERATIONS = ("Body", "Query", "Write")


def package_of(path: Path) -> str:
    """Return the package that a name belongs to: a clone, a family, or a part of the house."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "clones":
        return "/".join(parts[:2])
    return "/".join(parts[:3]) if parts[:2] == ("episodes", "families") else parts[0]


def test_no_class_name_stands_for_two_ideas_in_one_package() -> None:
    homes: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for path in python_files(*SHIPPED):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes[package_of(path), node.name].append(str(path.relative_to(ROOT)))
    twice = {
        (package, name): found
        for (package, name), found in homes.items()
        if len(found) > 1 and not ("/api/" in found[0] and name.endswith(OF_OPERATIONS))
    }
    known = {(package, name) for package, names in SAME_IDEA.items() for name in names}
    assert {name: found for name, found in twice.items() if name not in known} == {}
    assert known - set(twice) == set()
