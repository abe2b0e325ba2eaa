"""Queries drawn from the grammar of JQL: every field of a site with every operator it has.

What stands behind an operator comes from pools: texts as they are written in a query, by the kind
of value that a field holds. `{}` in a text becomes the key of an issue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clones.core.randomness import seeded
from clones.tracker.models import CustomField
from clones.tracker.rules.jql.catalogue import CLONED, custom_types, system_fields

# Name, kind of value, operators.
Field = tuple[str, str, tuple[str, ...]]
Pools = Mapping[str, Sequence[str]]
ORDERED = {"<", "<=", ">", ">="}
PATHS = ("[state].size", "[state].tags", "[state].at", "[state].deep.size", "[state]", "[state].on")
# Fields that stand for those of other products, or that no site of ours fills.
OTHERS = ("jsm-", "jsd-", "change-")
UNFILLED = {"sd-kb-shared", "issueFormsVersion"}


@dataclass(frozen=True)
class Grammar:
    """What queries of a site are made of.

    `operands` and `lists` (functions that stand for several values) are by kind of value; `authors`
    and `moments` follow history operators; `keys` are of issues, `sorts` of fields.
    """

    fields: Sequence[Field]
    operands: Pools
    lists: Pools
    authors: Sequence[str]
    moments: Sequence[str]
    keys: Sequence[str]
    sorts: Sequence[str]


class Drawing:
    """Draws queries, the same ones from the same seed."""

    def __init__(self, seed: int, grammar: Grammar) -> None:
        self.random, self.grammar = seeded(f"queries|{seed}"), grammar

    def query(self) -> str:
        """Return a query of one to four clauses; half of them are ordered."""
        text = self._clause(self.random.choice([0, 1, 1, 2]))
        keys = self.random.sample(sorted(self.grammar.sorts), self.random.choice([0, 0, 1, 2]))
        order = ", ".join(f"{sort_name(key)} {self.random.choice(['asc', 'desc'])}" for key in keys)
        return f"{text} ORDER BY {order}" if order else text

    def _clause(self, depth: int) -> str:
        if depth == 0:
            return self._comparison()
        one, two = self._clause(depth - 1), self._clause(depth - 1)
        return self.random.choice(
            [f"{one} and {two}", f"({one}) or ({two})", f"not ({one})", f"!({one}) and {two}"]
        )

    def _comparison(self) -> str:
        name, kind, operators = self.random.choice(self.grammar.fields)
        operator = self.random.choice(operators)
        if kind == "property":
            path = self.random.choice(PATHS)
            name += path if name == "issue.property" else "[desk].floor"
        if operator in {"is", "is not"}:
            return f"{name} {operator} empty"
        if operator == "changed":
            return f"{name} changed{self._predicates(kind, changed=True)}"
        if operator in {"~", "!~"}:
            return f"{name} {operator} {self._pick(self.grammar.operands['text'])}"
        if kind == "sla" and (operator in ORDERED or self.random.random() < 0.3):
            asked = self.random.choice(["elapsed", "remaining"])
            hours = self.random.choice(["2h", "12h", "39h", "90h"])
            return f"{name} {operator if operator in ORDERED else '>'} {asked}('{hours}')"
        operand = self._operand(kind, operator)
        past = self._predicates(kind, changed=False) if operator.startswith("was") else ""
        return f"{name} {operator} {operand}{past}"

    def _operand(self, kind: str, operator: str) -> str:
        pool = self.grammar.operands[kind]
        if not operator.endswith("in"):
            return "empty" if operator == "was" and self._chance(0.2) else self._pick(pool)
        if kind in self.grammar.lists and self._chance(0.5):
            return self._pick(self.grammar.lists[kind])
        parts = [self._pick(pool) for _ in range(self.random.randint(1, 3))]
        return f"({', '.join([*parts, *(['empty'] if self._chance(0.2) else [])])})"

    def _predicates(self, kind: str, *, changed: bool) -> str:
        found = ""
        if changed and self._chance(0.4):
            found += f" from {self._operand(kind, 'was')}"
        if changed and self._chance(0.4):
            found += f" to {self._operand(kind, 'in')}"
        if self._chance(0.3):
            found += f" by {self.random.choice(self.grammar.authors)}"
        if self._chance(0.5):
            found += f" {self.random.choice(self.grammar.moments)}"
        return found

    def _pick(self, pool: Sequence[str]) -> str:
        return self.random.choice(pool).format(self.random.choice(self.grammar.keys))

    def _chance(self, share: float) -> bool:
        return self.random.random() < share


def sort_name(key: str) -> str:
    """Return how a field's key is written behind ORDER BY."""
    named = {"fixVersions": "fixVersion", "issuekey": "key"}
    return f"cf[{key.removeprefix('customfield_')}]" if "_" in key else named.get(key, key)


def fields_of_site(kinds: Pools) -> list[Field]:
    """Return the fields of the bound site whose kinds of values there are pools for."""
    found: list[Field] = [
        (field.name, field.type.kind, field.type.operators)
        for field in system_fields().values()
        if field.type.product in CLONED
        and not field.name.startswith(OTHERS)
        and field.name not in UNFILLED
    ]
    types = custom_types()
    for custom in CustomField.objects.order_by("id"):
        known = types.get(custom.type)
        offered = custom.id >= 10900 or (known is not None and known.type.kind != "option")
        if known is not None and offered and known.type.kind in kinds:
            found.append((f"cf[{custom.id}]", known.type.kind, known.type.operators))
    return found
