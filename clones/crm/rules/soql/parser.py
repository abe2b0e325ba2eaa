"""From text to nodes: `parse` for SOQL, `parse_search` for SOSL."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, cast

from lark import Lark, Token, UnexpectedToken

from clones.crm.rules.soql.errors import SoqlError, malformed, unexpected
from clones.crm.rules.soql.lexer import Places, SoqlLexer, span_of
from clones.crm.rules.soql.nodes import Query
from clones.crm.rules.soql.search_building import SearchBuilder
from clones.crm.rules.soql.searches import Search

LONGEST: Final = 100_000  # characters of a statement
_KEPT: Final = 2000  # characters; longer ones are seldom asked for twice
# What may not stand in a semi-join, where only its end may come.
_CLAUSES: Final = frozenset(
    {"_GROUP", "_HAVING", "_ORDER", "_LIMIT", "_OFFSET", "_FOR", "_USING", "_WITH"}
)
# Where nothing stands between two words, the vendor shows both: `SELECT FROM`, `Name IN ()`.
_NOTHING_SELECTED = re.compile(r"SELECT\s+\Z", re.IGNORECASE)
_NOTHING_LISTED = re.compile(
    r"[\w.]+\s+(?:(?:NOT\s+)?IN|INCLUDES|EXCLUDES)\s*\(\s*\Z", re.IGNORECASE
)
_LOOK_BACK: Final = 300  # characters
_NO_TERM: Final = "No search term found. The search term must be enclosed in braces."


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("soql.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer=SoqlLexer,
        start=["query", "search"],
        transformer=SearchBuilder(),
        maybe_placeholders=True,
    )


def parse(text: str) -> Query:
    """Return the SOQL query that a text is.

    That the grammar reads it does not make it one that an org can run: see `resolve`.

    Raises:
        SoqlError: it is none, or it is too long or too deep.
    """
    if len(text) > LONGEST:
        raise malformed(f"SOQL statements cannot be longer than {LONGEST} characters.")
    return _parsed(text) if len(text) <= _KEPT else _parsed.__wrapped__(text)


def parse_search(text: str) -> Search:
    """Return the SOSL search that a text is.

    Raises:
        SoqlError: it is none, or it is too long or too deep.
    """
    if len(text) > LONGEST:
        raise SoqlError(
            "MALFORMED_SEARCH", f"SOSL statements cannot be longer than {LONGEST} characters."
        )
    try:
        found = cast("Search", _read(text, "search"))
    except SoqlError as error:
        code = "MALFORMED_SEARCH" if error.code == "MALFORMED_QUERY" else error.code
        raise error.within(text, code=code) from None
    return replace(found, source=text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Query:
    try:
        return replace(cast("Query", _read(text, "query")), source=text)
    except SoqlError as error:
        raise error.within(text) from None


def _read(text: str, start: str) -> Any:
    try:
        return _grammar().parse(text, start=start)
    except UnexpectedToken as error:
        raise _complaint(error, text) from None


def _complaint(error: UnexpectedToken, text: str) -> SoqlError:
    token: Token = error.token
    accepts = frozenset(error.accepts or ())
    if accepts == {"SEARCH"}:
        return SoqlError("MALFORMED_SEARCH", _NO_TERM)
    if token.type == "$END":
        at = Places(text).span(len(text), len(text))
        return unexpected("<EOF>", at)
    at = span_of(token)
    got = text[_whole_start(text, at.start, accepts) : at.end]
    if "_RPAREN" in accepts and token.type in _CLAUSES and not accepts & _CLAUSES:
        return malformed(f"missing value at '{got}'", at)
    # The first word of a statement is refused without an excerpt.
    return unexpected(got, at if text[: at.start].strip() else None)


def _whole_start(text: str, start: int, accepts: frozenset[str]) -> int:
    """Return where the text begins that the vendor shows for what is unexpected at `start`."""
    pattern = _NOTHING_LISTED if "STRING" in accepts else _NOTHING_SELECTED
    if text[start] not in ")fF" or accepts.isdisjoint({"STRING", "NAME"}):
        return start
    found = pattern.search(text[:start], max(0, start - _LOOK_BACK))
    return found.start() if found is not None else start
