"""What can come next where somebody types a query: fields, operators, values, words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from lark import Token

from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.queries.jql_suggestions import offered
from clones.tracker.rules.jql import JqlError, reference_data
from clones.tracker.rules.jql.catalogue import classes
from clones.tracker.rules.jql.fields import resolve_field
from clones.tracker.rules.jql.lexer import JqlLexer
from clones.tracker.rules.jql.nodes import Field

MOST: Final = 12
Expected = Literal["field", "operator", "value", "list", "keyword", "by", "sort", "direction", ""]
_COMPARING: Final = frozenset({"EQ", "NE", "LT", "LE", "GT", "GE", "LIKE", "UNLIKE"})
_WORDS: Final = frozenset({"STRING", "QUOTED", "NUMBER", "EMPTY"})


@dataclass(slots=True)
class Place:
    """What is expected at the end of a text, of which field, and what is typed of it since `at`."""

    expected: Expected
    field: str = ""
    typed: str = ""
    at: int = 0
    in_list: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """Something to write: `text` goes into the query, `name` is shown."""

    text: str
    name: str


def place_of(before: str) -> Place:
    """Return what can be typed at the end of the beginning of a query."""
    text, at = before, len(before)
    tokens = _tokens(text)
    if tokens is None:
        # An open quotation mark, or a character that cannot stand: what follows it is being typed.
        at = max(before.rfind('"'), before.rfind("'"))
        tokens = _tokens(before[:at]) if at >= 0 else None
        if tokens is None:
            return Place("")
        typed = before[at + 1 :]
    elif tokens and tokens[-1].end_pos == len(before) and _is_word(tokens[-1]):
        last = tokens.pop()
        at = last.start_pos or 0
        typed = str(last)
    else:
        typed = ""
    place = Place("field", typed=typed, at=at)
    for token in tokens:
        _step(place, token)
    return place


def _tokens(text: str) -> list[Token] | None:
    try:
        return list(JqlLexer().lex(text))
    except JqlError:
        return None


def _is_word(token: Token) -> bool:
    return token.type in _WORDS or str(token).isalpha()


def _step(place: Place, token: Token) -> None:
    """Take one terminal into account."""
    kind = token.type
    match place.expected:
        case "field":
            if kind in {"STRING", "QUOTED"}:
                place.field, place.expected = str(token), "operator"
            elif kind == "ORDER":
                place.expected = "by"
        case "operator":
            _operator(place, kind)
        case "list":
            if kind == "LPAREN":
                place.expected, place.in_list = "value", True
        case "value":
            if kind in _WORDS:
                place.expected = "keyword"
            elif kind == "IN":
                place.expected = "list"
            elif kind == "RPAREN":
                place.expected, place.in_list = "keyword", False
        case "keyword":
            _keyword(place, kind)
        case "by":
            place.expected = "sort" if kind == "BY" else "by"
        case "sort":
            if kind in {"STRING", "QUOTED"}:
                place.expected = "direction"
        case "direction":
            place.expected = "sort" if kind == "COMMA" else "direction"


def _operator(place: Place, kind: str) -> None:
    if kind in _COMPARING or kind in {"IS", "WAS"}:
        place.expected = "value"
    elif kind == "IN":
        place.expected = "list"
    elif kind == "CHANGED":
        place.expected = "keyword"


def _keyword(place: Place, kind: str) -> None:
    if kind == "COMMA" and place.in_list:
        place.expected = "value"
    elif kind == "RPAREN":
        place.in_list = False
    elif kind in {"AND", "OR"}:
        place.expected = "field"
    elif kind == "ORDER":
        place.expected = "by"


def options_at(place: Place, site: DatabaseSite) -> list[Option]:
    """Return what to offer at a place."""
    typed = place.typed.lower()
    found: Iterable[Option]
    match place.expected:
        case "field" | "sort":
            found = _fields(site, orderable=place.expected == "sort")
        case "operator":
            found = _operators(place.field, site)
        case "value":
            found = _values(place, site)
        case "list":
            found = [Option("(", "(")]
        case "keyword":
            words = [",", ")"] if place.in_list else ["AND", "OR", "ORDER BY"]
            found = [Option(word, word) for word in words]
        case "by":
            found = [Option("BY", "BY")]
        case "direction":
            found = [Option("ASC", "ASC"), Option("DESC", "DESC")]
        case _:
            found = ()
    fitting = [one for one in found if typed in one.name.lower() or typed in one.text.lower()]
    fitting.sort(key=lambda one: not one.name.lower().startswith(typed))
    return fitting[:MOST]


def _fields(site: DatabaseSite, *, orderable: bool) -> list[Option]:
    rows = reference_data(site)["visibleFieldNames"]
    return [
        Option(row["value"], row["displayName"])
        for row in rows
        if not orderable or row.get("orderable") == "true"
    ]


def _operators(name: str, site: DatabaseSite) -> list[Option]:
    field = resolve_field(Field(name), site)
    return [] if field is None else [Option(one, one) for one in field.type.operators]


def _values(place: Place, site: DatabaseSite) -> list[Option]:
    field = resolve_field(Field(place.field), site)
    if field is None:
        return []
    found = [Option(text, name) for text, name in offered(field, place.typed, site)]
    kinds = set(classes(field.type.kind))
    for row in reference_data(site)["visibleFunctionNames"]:
        if kinds & set(row["types"]) and (row.get("isList") == "true") == place.in_list:
            found.append(Option(row["value"], row["displayName"]))
    if field.type.may_be_empty and not place.in_list:
        found.append(Option("EMPTY", "EMPTY"))
    return found

