"""Queries drawn at random over the standard objects: nearly all of them can be run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from clones.crm.rules.schema import Field, SObject, standard_schema

Fits = Callable[[Field], bool]
# Objects that a world has records of.
OBJECTS: Final = (
    "Account",
    "Contact",
    "Lead",
    "Opportunity",
    "OpportunityHistory",
    "OpportunityLineItem",
    "Task",
    "User",
    "Product2",
    "PricebookEntry",
)
LITERALS: Final = (
    "TODAY",
    "LAST_WEEK",
    "THIS_MONTH",
    "LAST_N_DAYS:90",
    "NEXT_N_DAYS:30",
    "LAST_YEAR",
    "THIS_FISCAL_QUARTER",
    "N_MONTHS_AGO:3",
)
WORDS: Final = ("a", "Ash", "%e%", "K_te%", "", "Closed Won", "Web", "é", "gmbh", "o'neil", "Ltd")
_TEXTS: Final = ("string", "picklist", "email", "phone", "url", "combobox")
_NUMBERS: Final = ("double", "currency", "percent", "int")


class QueryDraw:
    """Draws queries; the same seed draws the same ones."""

    def __init__(self, seed: object) -> None:
        self.rng = Random(str(seed))
        self.schema = standard_schema()

    def query(self) -> str:
        """Return a query."""
        of = self.schema.objects[self.rng.choice(OBJECTS)]
        return self._grouped(of) if self.rng.random() < 0.25 else self._plain(of)

    def _plain(self, of: SObject) -> str:
        shown = [self._path(of, lambda _: True) for _ in range(self.rng.randint(1, 5))]
        shown = list(dict.fromkeys(["Id", *shown]))
        children = [one for one in self.schema.children(of) if one.seen.name]
        if children and self.rng.random() < 0.3:
            one = self.rng.choice(children)
            inner = self._path(one.child, lambda _: True, hops=0)
            inner = "Id" if inner == "Id" else f"Id, {inner}"
            shown.append(f"(SELECT {inner} FROM {one.seen.name} ORDER BY Id LIMIT 3)")
        text = f"SELECT {', '.join(shown)} FROM {of.name}{self._where(of)}"
        if self.rng.random() < 0.6:
            text += f" ORDER BY {self._sort(of)}"
        if self.rng.random() < 0.5:
            text += f" LIMIT {self.rng.randint(0, 50)}"
        if self.rng.random() < 0.2:
            text += f" OFFSET {self.rng.randint(0, 20)}"
        return text

    def _grouped(self, of: SObject) -> str:
        keys = list(
            dict.fromkeys(
                self._path(of, lambda field: field.groupable and field.type != "id")
                for _ in range(self.rng.randint(0, 2))
            )
        )
        numbers = [field.name for field in of.fields if field.type in _NUMBERS[:3]]
        aggregates = ["COUNT(Id) c"]
        if numbers:
            name = self.rng.choice(numbers)
            aggregates += [f"SUM({name}) s", f"MAX({name}) m"][: self.rng.randint(0, 2)]
        shown = [f"{key} k{place}" for place, key in enumerate(keys)]
        text = f"SELECT {', '.join([*shown, *aggregates])} FROM {of.name}{self._where(of)}"
        if keys:
            kind = self.rng.choice(("", "", "ROLLUP", "CUBE"))
            listed = ", ".join(keys)
            text += f" GROUP BY {kind}({listed})" if kind else f" GROUP BY {listed}"
            if self.rng.random() < 0.3:
                text += f" HAVING COUNT(Id) > {self.rng.randint(0, 3)}"
        return text

    def _sort(self, of: SObject) -> str:
        key = self._path(of, lambda field: field.sortable)
        side = self.rng.choice(("", " DESC", " ASC NULLS LAST", " DESC NULLS LAST"))
        return f"{key}{side}, Id" if key != "Id" else f"Id{side}"

    def _where(self, of: SObject) -> str:
        if self.rng.random() < 0.25:
            return ""
        pieces = [self._test(of) for _ in range(self.rng.randint(1, 3))]
        return " WHERE " + self.rng.choice((" AND ", " OR ")).join(pieces)

    def _test(self, of: SObject) -> str:
        path, field = self._found(of, lambda one: one.filterable and one.type != "address")
        text = f"{path} {self._comparison(field)}"
        return f"(NOT {text})" if self.rng.random() < 0.15 else text

    def _comparison(self, field: Field) -> str:
        rng, kind = self.rng, field.type
        if rng.random() < 0.15:
            return rng.choice(("= null", "!= null"))
        if kind in _TEXTS:
            words = [word.replace("'", "\\'") for word in WORDS]
            if rng.random() < 0.4:
                return f"LIKE '{rng.choice(words)}'"
            if rng.random() < 0.3:
                listed = ", ".join(f"'{word}'" for word in rng.sample(words, 3))
                return f"{rng.choice(('IN', 'NOT IN'))} ({listed})"
            return f"{rng.choice(('=', '!=', '<', '>='))} '{rng.choice(words)}'"
        if kind == "boolean":
            return f"{rng.choice(('=', '!='))} {rng.choice(('true', 'false'))}"
        if kind in ("date", "datetime"):
            return f"{rng.choice(('=', '<', '>', '!=', '<='))} {rng.choice(LITERALS)}"
        if kind in _NUMBERS:
            return f"{rng.choice(('=', '<', '>', '!=', '<=', '>='))} {rng.randint(-5, 9000)}"
        return f"{rng.choice(('=', '!='))} '{rng.choice(('005', '001'))}000000000000'"

    def _path(self, of: SObject, fits: Fits, hops: int = 2) -> str:
        return self._found(of, fits, hops)[0]

    def _found(self, of: SObject, fits: Fits, hops: int = 2) -> tuple[str, Field]:
        """Return a path to a field that fits, over up to so many parents, and the field."""
        steps: list[str] = []
        while len(steps) < hops and self.rng.random() < 0.25:
            parents = [
                field for field in of.fields if field.relationship and len(field.reference_to) == 1
            ]
            if not parents:
                break
            field = self.rng.choice(parents)
            steps.append(str(field.relationship))
            of = self.schema.objects[field.reference_to[0]]
        fields: Sequence[Field] = [one for one in of.fields if fits(one)]
        field = self.rng.choice(fields)
        return ".".join([*steps, field.name]), field
