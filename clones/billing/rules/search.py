"""The search language: `email:'a@b.example' AND metadata['order']:'7'`, `amount>1000`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from lark import Lark, Token, Transformer, UnexpectedInput

from clones.billing.errors import UnparsableQuery

GRAMMAR = r"""
    start: clause (_AND clause)* -> all
         | clause (_OR clause)+  -> any
    clause: NOT? field OPERATOR value
    field: NAME | _METADATA text "]" -> metadata
    value: text | NUMBER -> number | "null"i -> null
    text: QUOTED -> quoted

    NOT: "-"
    _METADATA.2: "metadata["
    NAME: /[a-z_0-9]+(\.[a-z_0-9]+)*/
    OPERATOR: ":" | "~" | ">=" | "<=" | ">" | "<"
    NUMBER: /-?[0-9]{1,18}/
    QUOTED: /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/
    _AND.2: /\s+AND\s+/i | /\s+(?!OR\s)/i
    _OR.3: /\s+OR\s+/i
"""
LONGEST = 1000

Operator = Literal[":", "~", ">", "<", ">=", "<="]


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition: `key` is the metadata key when `field` is `metadata`."""

    field: str
    key: str | None
    operator: Operator
    value: str | int | None
    negated: bool


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that must all hold, or of which one must."""

    clauses: tuple[Clause, ...]
    any: bool


class _Build(Transformer[Token, Query]):
    def quoted(self, children: list[Token]) -> str:
        """Return a text without its quotes and escapes."""
        body = str(children[0])[1:-1]
        return body.replace("\\'", "'").replace('\\"', '"').replace("\\\\", "\\")

    def number(self, children: list[Token]) -> int:
        """Return a number."""
        return int(children[0])

    def null(self, _: list[Token]) -> None:
        """Return nothing."""

    def value(self, children: list[Any]) -> Any:
        """Return what a clause compares with."""
        return children[0]

    def field(self, children: list[Token]) -> tuple[str, str | None]:
        """Return a field's name."""
        return str(children[0]), None

    def metadata(self, children: list[str]) -> tuple[str, str | None]:
        """Return a metadata key."""
        return "metadata", children[0]

    def clause(self, children: list[Any]) -> Clause:
        """Return one condition."""
        negated = isinstance(children[0], Token) and children[0].type == "NOT"
        (name, key), operator, value = children[1:] if negated else children
        return Clause(name, key, str(operator), value, negated)  # type: ignore[arg-type] # the grammar's own

    def all(self, children: list[Clause]) -> Query:
        """Return conditions that must all hold."""
        return Query(tuple(children), any=False)

    def any(self, children: list[Clause]) -> Query:
        """Return conditions of which one must hold."""
        return Query(tuple(children), any=True)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=False)


def parse_query(text: str) -> Query:
    """Return what a search asks for.

    Raises:
        UnparsableQuery: the text is no query.
    """
    if len(text) > LONGEST:
        raise UnparsableQuery(text[:80])
    try:
        tree = _parser().parse(text.strip())
    except UnexpectedInput as error:
        raise UnparsableQuery(text) from error
    return _Build().transform(tree)
