"""The search language: from text to terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal

from lark import Lark, Token

from clones.core.words import ASKED

Operator = Literal[":", ">", "<", ">=", "<="]
_PARTS = re.compile(r'(-?)([A-Za-z_][\w.]*)(>=|<=|:|>|<)("[^"]*"|[^\s"]*)', re.DOTALL)
_RELATIVE = re.compile(r"(\d{1,6})\s*(minute|hour|day|week|month|year)s?", re.ASCII)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
LIMIT = 4096
# Terms of a query, words and filters together.
TERMS = 100


class SearchSyntax(Exception):
    """Raised when a text is no query."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that must hold: `key` is None for free text, a whole phrase when `quoted`."""

    key: str | None
    operator: Operator
    value: str
    negated: bool
    quoted: bool

    @property
    def prefix(self) -> str | None:
        """The beginning that a wildcard asks for, None without one."""
        if self.quoted or not self.value.endswith("*") or self.value == "*":
            return None
        return self.value.rstrip("*")


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("search.lark").read_text()
    return Lark(text, parser="lalr", lexer="contextual")


def parse_query(text: str) -> list[Term]:
    """Return the terms of a query.

    Raises:
        SearchSyntax: it is too long, or asks for too much.
    """
    if len(text) > LIMIT or "\0" in text:
        raise SearchSyntax("the query is too long")
    tree = _grammar().parse(text)
    found = [_term(node.children[0]) for node in tree.children]  # type: ignore[union-attr, arg-type]
    terms = list(dict.fromkeys(found))
    if len(terms) > TERMS or sum(term.key is None for term in terms) > ASKED:
        raise SearchSyntax("the query has too many words")
    return terms


def _term(token: Token) -> Term:
    text = str(token)
    if token.type == "FILTER":
        parts = _PARTS.fullmatch(text)
        if parts is not None:
            minus, key, operator, value = parts.groups()
            quoted = value.startswith('"')
            return Term(key.lower(), operator, value.strip('"'), bool(minus), quoted)  # type: ignore[arg-type]
    negated = text.startswith("-") and len(text) > 1
    text = text[1:] if negated else text
    return Term(None, ":", text.strip('"'), negated, token.type == "PHRASE")


def without_terms(text: str, goes: Callable[[Term], bool]) -> str:
    """Return a query without some of its terms, the others as they were typed.

    Raises:
        SearchSyntax: it is no query.
    """
    parse_query(text)
    kept = []
    for node in _grammar().parse(text).children:
        token = str(node.children[0])  # type: ignore[union-attr]
        term = _term(node.children[0])  # type: ignore[union-attr, arg-type]
        if not goes(term):
            kept.append(token)
    return " ".join(kept)


def term_text(key: str, value: str, operator: Operator = ":") -> str:
    """Return a term as it is typed; a value of several words stands in quotation marks."""
    plain = value.replace('"', "").strip()
    return f'{key}{operator}"{plain}"' if re.search(r"\s", plain) else f"{key}{operator}{plain}"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time: a day for a date, a moment (both ends equal) otherwise."""

    start: datetime
    end: datetime


def time_span(text: str, now: datetime) -> Span | None:
    """Return what a date, time or age (`4hours`: so long ago) means, None if it is neither."""
    relative = _RELATIVE.fullmatch(text.strip().lower())
    if relative is not None:
        number, unit = int(relative.group(1)), relative.group(2)
        if unit in _DAYS:
            ago = timedelta(days=number * _DAYS[unit])
        else:
            ago = timedelta(**{f"{unit}s": number})
        try:
            return Span(now - ago, now - ago)
        except OverflowError:
            return None
    try:
        if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", text):
            year, month, day = (int(part) for part in text.split("-"))
            first = date(year, month, day)
            start = datetime(first.year, first.month, first.day, tzinfo=UTC)
            return Span(start, start + timedelta(days=1))
        found = datetime.fromisoformat(text.replace("Z", "+00:00").replace("z", "+00:00"))
    except (ValueError, OverflowError):
        return None
    moment = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return Span(moment, moment)
