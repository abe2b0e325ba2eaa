"""Rules of transitions as workflows keep them, and the trees that conditions stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a transition: the vendor's key of its kind, and its parameters, all texts."""

    key: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    id: str = ""

    def text(self, name: str) -> str:
        """Return a parameter, "" where it is not given."""
        return self.parameters.get(name) or ""

    def listed(self, name: str) -> tuple[str, ...]:
        """Return the parts of a parameter whose values are separated by commas."""
        return tuple(part for part in (p.strip() for p in self.text(name).split(",")) if part)

    def is_true(self, name: str) -> bool:
        """Tell whether a parameter is `true`."""
        return self.text(name).lower() == "true"

    def stored(self) -> dict[str, Any]:
        """Return the rule as a transition's row keeps it."""
        return {"id": self.id, "key": self.key, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class Tree:
    """Conditions of which ANY or ALL must hold, with groups of such below them."""

    operation: str
    rules: tuple[Rule, ...] = ()
    groups: tuple[Tree, ...] = ()

    def stored(self) -> dict[str, Any]:
        """Return the tree as a transition's row keeps it."""
        return {
            "operation": self.operation,
            "conditions": [rule.stored() for rule in self.rules],
            "groups": [group.stored() for group in self.groups],
        }


def rule_of(stored: Mapping[str, Any]) -> Rule:
    """Read a rule as a row keeps it."""
    return Rule(stored["key"], stored.get("parameters") or {}, stored.get("id") or "")


def tree_of(stored: Mapping[str, Any] | None) -> Tree | None:
    """Read the conditions of a transition's row."""
    if not stored:
        return None
    return Tree(
        stored.get("operation") or "ALL",
        tuple(rule_of(rule) for rule in stored.get("conditions") or ()),
        tuple(tree for group in stored.get("groups") or () if (tree := tree_of(group))),
    )


def rules_in(tree: Tree | None) -> Iterator[Rule]:
    """Yield the rules of a tree, from the top."""
    if tree is not None:
        yield from tree.rules
        for group in tree.groups:
            yield from rules_in(group)
