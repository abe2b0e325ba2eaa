"""Read an accessibility tree as an agent does: find what to act on by role and name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LINE = re.compile(r'^ *- (?P<role>[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<rest>.*)$')
REF = re.compile(r"\[ref=(\w+)\]")


class NotOnPage(LookupError):
    """Raised when a page has nothing of that role and name."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node of a tree: its role, name, ref if it can be acted on, and what it holds."""

    role: str
    name: str
    ref: str | None
    text: str


def lines(observation: Mapping[str, Any]) -> Iterator[TreeNode]:
    """Yield the nodes of an observed page, top to bottom."""
    for line in (observation.get("tree") or "").splitlines():
        found = LINE.match(line)
        if found is None:
            continue
        rest = found["rest"]
        ref = REF.search(rest)
        _, colon, held = rest.partition(": ")
        text = held if colon else ""
        name = json.loads(found["name"]) if found["name"] else ""
        yield TreeNode(found["role"], name, ref.group(1) if ref else None, text)


def ref_of(observation: Mapping[str, Any], role: str, name: str, *, nth: int = 0) -> str:
    """Return the ref of the n-th node of a role whose name matches a pattern.

    Raises:
        NotOnPage: there is none that can be acted on.
    """
    matching = [
        line.ref
        for line in lines(observation)
        if line.role == role and line.ref is not None and re.search(name, line.name)
    ]
    if nth >= len(matching):
        raise NotOnPage(f"no {role} {name!r} on {observation.get('url')}")
    return str(matching[nth])


def has(observation: Mapping[str, Any], role: str, name: str) -> bool:
    """Tell whether a page has a node of a role whose name matches a pattern."""
    return any(line.role == role and re.search(name, line.name) for line in lines(observation))


def page_text(observation: Mapping[str, Any]) -> str:
    """Return the words of a page, without roles and refs."""
    parts = [f"{line.name} {line.text}".strip() for line in lines(observation)]
    return "\n".join(part for part in parts if part)
