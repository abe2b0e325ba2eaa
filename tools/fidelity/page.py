"""The page of a clone's operations: which of the vendor's are there, and why not others."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.fidelity.subject import Subject

HEAD = """\
# {vendor}: operations

Made by `make coverage-report CLONE={clone}`; the rest of the story is in [{clone}.md]({clone}.md).

The vendor's operations are those {described}. A star marks what it
documents in prose only, or in a description of its own.

**Implemented** means: it is there, a test sees it succeed, and a test sees it refuse.
`tests/{clone}/witnesses.json` names both; they are held to it whenever they run. Tests that call
more than 25 operations go round all of them and vouch for none.

This does not show that a test would notice if the operation did nothing. `make coverage-report
CLONE={clone} PROVE=40` finds out: it breaks forty of them, one at a time.

**Partial** says what is missing. **Absent** has a reason.
"""


@dataclass(frozen=True, slots=True)
class Group:
    """A reason, and the addresses that it holds for."""

    title: str
    reason: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One operation and how far it is; tests vouch for what there is of it, or not yet."""

    method: str
    path: str
    name: str
    state: str
    note: str = ""
    beside: bool = False
    vouched: bool = False

    @property
    def address(self) -> str:
        """The method and path, as pages show them."""
        return f"`{self.method} {self.path}`"

    @property
    def how_far(self) -> str:
        """The state, with a star beside the description, and what is missing."""
        return self.state + "*" * self.beside + (f": {self.note}" if self.note else "")


@dataclass(frozen=True, slots=True)
class Coverage:
    """All operations: those that are there, and those that are absent by their reasons."""

    present: tuple[Row, ...]
    absent: dict[Group, tuple[Row, ...]]
    unexplained: tuple[Row, ...]

    def counts(self) -> dict[str, int]:
        """Return how many operations are in each state."""
        states = Counter(row.state for row in self.present)
        beside = sum(row.beside for row in self.present if row.state == "implemented")
        return {
            "implemented": states["implemented"],
            "of these beside the description": beside,
            "partial": states["partial"],
            "absent": sum(map(len, self.absent.values())) + len(self.unexplained),
        }


def plain(path: str) -> str:
    """Return a path without the names of its parameters."""
    return re.sub(r"\{\w+(:int)?\}", "{}", path).removesuffix(".json")


def groups(subject: Subject) -> list[Group]:
    """Return the reasons."""
    data = tomllib.loads(subject.reasons.read_text(encoding="utf-8"))
    return [Group(item["title"], item["reason"], tuple(item["paths"])) for item in data["group"]]


def reason_for(path: str, reasons: list[Group]) -> Group | None:
    """Return the group with the longest prefix that fits an address."""
    fitting = [
        (len(prefix), group)
        for group in reasons
        for prefix in group.paths
        if path == prefix or path.startswith(f"{prefix}/")
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else None


def arguments_of(operation: Any) -> set[str]:
    """Return the names of what an operation takes, in its address, its query or its body."""
    named = operation.schema()["properties"]
    return {*named, *named.get("body", {}).get("properties", {})}


def lacking_of(operation: Any, fact: Mapping[str, Any]) -> list[str]:
    """Return the parameters that an operation does not take and the vendor's does.

    Those at the top alone: what they hold is not compared.
    """
    taken = arguments_of(operation)
    return [name for name in fact["parameters"] if name not in taken]


def notes_of(subject: Subject, operation: Any, fact: Mapping[str, Any] | None) -> list[str]:
    """Return what an operation that is there lacks, by the subject's table and the facts."""
    told = tomllib.loads(subject.reasons.read_text(encoding="utf-8"))["partial"]
    notes = ["there is none to show"] if operation.id in subject.always_refused else []
    notes += [told[operation.id]] if operation.id in told else []
    lacking = lacking_of(operation, fact) if subject.by_parameters and fact is not None else []
    notes += [f"without {', '.join(f'`{name}`' for name in lacking)}"] if lacking else []
    return notes


def coverage(subject: Subject) -> Coverage:
    """Return how far every operation is. Django must be set up."""
    facts = facts_of(subject)
    described = {(fact["method"], plain(fact["path"])): fact for fact in facts}
    witnesses = json.loads(subject.witnesses.read_text(encoding="utf-8"))
    present = []
    for operation in subject.operations.all.values():
        fact = described.get((operation.method, plain(operation.path)))
        seen = witnesses.get(operation.id, {})
        missing = [kind for kind in subject.answers(operation.id) if kind not in seen]
        notes = [f"no test sees {' or '.join(missing)}"] if missing else []
        notes += notes_of(subject, operation, fact)
        row = Row(
            operation.method,
            operation.path.replace(":int}", "}"),
            operation.id,
            "partial" if notes else "implemented",
            "; ".join(notes),
            beside=fact is None,
            vouched=not missing,
        )
        present.append(row)
    there = {(row.method, plain(row.path)) for row in present}
    reasons = groups(subject)
    absent: dict[Group, list[Row]] = {group: [] for group in reasons}
    unexplained: list[Row] = []
    for fact in facts:
        path = plain(fact["path"])
        if (fact["method"], path) in there:
            continue
        row = Row(fact["method"], fact["path"], fact["id"], "absent")
        group = reason_for(path, reasons)
        (unexplained if group is None else absent[group]).append(row)
    return Coverage(
        tuple(sorted(present, key=lambda row: (row.path, row.method))),
        {group: tuple(rows) for group, rows in absent.items()},
        tuple(unexplained),
    )


def facts_of(subject: Subject) -> list[dict[str, Any]]:
    """Return the operations that the vendor describes, those described twice once."""
    rows = json.loads(subject.facts.read_text(encoding="utf-8"))
    by_address = {(row["method"], plain(row["path"])): row for row in rows}
    return list(by_address.values())


def page(subject: Subject, found: Coverage) -> str:
    """Return the page's text."""
    head = HEAD.format(clone=subject.clone, vendor=subject.vendor, described=subject.described)
    lines = [head, "| state | operations |", "|---|---|"]
    lines += [f"| {state} | {number} |" for state, number in found.counts().items()]
    lines += ["", "## There", "", "| address | vendor's name | how far |", "|---|---|---|"]
    lines += [f"| {row.address} | {row.name} | {row.how_far} |" for row in found.present]
    for group, rows in found.absent.items():
        if rows:
            lines += ["", f"## {group.title}", "", group.reason, ""]
            lines += ["| address | vendor's name |", "|---|---|"]
            lines += [f"| {row.address} | {row.name} |" for row in rows]
    return "\n".join(lines) + "\n"
