"""Structured queries for users: `is assignee of LAS AND [location].office.city is "Sydney"`.

Statements are joined by AND, which binds closer, and OR; parentheses group them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

RELATIONS: Final = (
    "assignee",
    "reporter",
    "watcher",
    "voter",
    "commenter",
    "transitioner",
)
MOST_STATEMENTS: Final = 50  # an engine plans all of their joins at once
_TOKEN: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\](?:\.[^\s()]+)?|[(),]|[^\s(),"]+)')


class BadQuery(Exception):
    """Raised when a query is none; the text says why."""


@dataclass(frozen=True, slots=True)
class Related:
    """Users who are something (`assignee`) of any of some issues or spaces, given by key."""

    relation: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Having:
    """Users one of whose properties has a value at a path."""

    key: str
    path: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Two queries of which both, or one, must hold."""

    operator: Literal["AND", "OR"]
    left: UserQuery
    right: UserQuery


UserQuery = Related | Having | Joined


def parse(text: str) -> UserQuery:
    """Return what a structured query says.

    Raises:
        BadQuery: it is none.
    """
    tokens: list[str] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise BadQuery(f"Unexpected character at position {place + 1}.")
        tokens.append(found.group(1))
        place = found.end()
    reader = _QueryReader(tokens)
    query = reader.either()
    if reader.tokens:
        raise BadQuery(f"Unexpected '{reader.tokens[0]}'.")
    return query


class _QueryReader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.depth = 0
        self.statements = 0

    def _take(self, *wanted: str) -> str:
        if not self.tokens:
            raise BadQuery("Unexpected end of the query.")
        token = self.tokens.pop(0)
        if wanted and token.lower() not in wanted:
            raise BadQuery(f"Expected '{wanted[0]}' but got '{token}'.")
        return token

    def _next_is(self, word: str) -> bool:
        return bool(self.tokens) and self.tokens[0].upper() == word

    def either(self) -> UserQuery:
        found = self._both()
        while self._next_is("OR"):
            self._take()
            found = Joined("OR", found, self._both())
        return found

    def _both(self) -> UserQuery:
        found = self._one()
        while self._next_is("AND"):
            self._take()
            found = Joined("AND", found, self._one())
        return found

    def _one(self) -> UserQuery:
        token = self._take()
        if token == "(":  # noqa: S105 - a parenthesis
            self.depth += 1
            if self.depth > 20:
                raise BadQuery("The query is nested too deeply.")
            found = self.either()
            self._take(")")
            self.depth -= 1
            return found
        self.statements += 1
        if self.statements > MOST_STATEMENTS:
            raise BadQuery(f"The query has more than {MOST_STATEMENTS} statements.")
        if token.startswith("["):
            return self._having(token)
        if token.lower() != "is":
            raise BadQuery(f"Expected 'is' but got '{token}'.")
        relation = self._take(*RELATIONS).lower()
        self._take("of")
        return Related(relation, self._keys())

    def _keys(self) -> tuple[str, ...]:
        first = self._take()
        if first != "(":
            return (first.upper(),)
        keys = [self._take().upper()]
        while self._take(",", ")") == ",":
            keys.append(self._take().upper())
        return tuple(keys)

    def _having(self, token: str) -> Having:
        key, _, path = token[1:].partition("]")
        self._take("is")
        value = self._take()
        if value.startswith('"'):
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        return Having(key, tuple(part for part in path.split(".") if part), value)
