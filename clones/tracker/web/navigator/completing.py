"""What can come next where somebody types a query: fields, operators, values, words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
class CompletionPoint:
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


def place_of(before: str) -> CompletionPoint:
    """Return what can be typed at the end of the beginning of a query."""
    text, at = before, len(before)
    tokens = _tokens(text)
    if tokens is None:
        # An open quotation mark, or a character that cannot stand: what follows it is being typed.
        at = max(before.rfind('"'), before.rfind("'"))
        tokens = _tokens(before[:at]) if at >= 0 else None
        if tokens is None:
            return CompletionPoint("")
        typed = before[at + 1 :]
    elif tokens and tokens[-1].end_pos == len(before) and _is_word(tokens[-1]):
        last = tokens.pop()
        at = last.start_pos or 0
        typed = str(last)
    else:
        typed = ""
    place = CompletionPoint("field", typed=typed, at=at)
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


# What is expected after a terminal, by what was; terminals that are not here change nothing.
_NEXT: Final[Mapping[tuple[Expected, str], Expected]] = {
    **{("field", kind): "operator" for kind in ("STRING", "QUOTED")},
    ("field", "ORDER"): "by",
    **{("operator", kind): "value" for kind in (*_COMPARING, "IS", "WAS")},
    ("operator", "IN"): "list",
    ("operator", "CHANGED"): "keyword",
    ("list", "LPAREN"): "value",
    **{("value", kind): "keyword" for kind in (*_WORDS, "RPAREN")},
    ("value", "IN"): "list",
    ("keyword", "AND"): "field",
    ("keyword", "OR"): "field",
    ("keyword", "ORDER"): "by",
    ("by", "BY"): "sort",
    ("sort", "STRING"): "direction",
    ("sort", "QUOTED"): "direction",
    ("direction", "COMMA"): "sort",
}


def _step(place: CompletionPoint, token: Token) -> None:
    """Take one terminal into account."""
    before, kind = place.expected, token.type
    if before == "field" and kind in {"STRING", "QUOTED"}:
        place.field = str(token)
    if before == "list" and kind == "LPAREN":
        place.in_list = True
    elif kind == "RPAREN":
        place.in_list = False
    if before == "keyword" and kind == "COMMA" and place.in_list:
        place.expected = "value"
    else:
        place.expected = _NEXT.get((before, kind), before)


def options_at(place: CompletionPoint, site: DatabaseSite) -> list[Option]:
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


def _values(place: CompletionPoint, site: DatabaseSite) -> list[Option]:
    field = resolve_field(Field(place.field), site)
    if field is None:
        return []
    found = [Option(text, name) for text, name in offered(field, place.typed, site)]
    kinds = set(classes(field.type.kind))
    found.extend(
        Option(row["value"], row["displayName"])
        for row in reference_data(site)["visibleFunctionNames"]
        if kinds & set(row["types"]) and (row.get("isList") == "true") == place.in_list
    )
    if field.type.may_be_empty and not place.in_list:
        found.append(Option("EMPTY", "EMPTY"))
    return found
