"""From text to nodes."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from lark import Lark, Token, UnexpectedToken

from clones.tracker.rules.jql.building import Builder
from clones.tracker.rules.jql.errors import JqlSyntaxError, shown, syntax
from clones.tracker.rules.jql.lexer import JqlLexer
from clones.tracker.rules.jql.nodes import Query, Span

LONGEST: Final = 100_000  # characters
_KEPT: Final = 2000  # characters; longer ones are seldom asked for twice
_OPERATORS: Final = (
    "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and "
    "'IS NOT'."
)
_ARGUMENT: Final = frozenset({"STRING", "QUOTED", "NUMBER"})
# A terminal that only one place takes, with how messages name it.
_ONLY: Final = {
    frozenset({"BY"}): "'by'",
    frozenset({"IN"}): "'IN'",
    frozenset({"LBRACKET"}): "'['",
    frozenset({"RBRACKET"}): "']'",
    frozenset({"COMMA", "RPAREN"}): "')'",
    frozenset({"COMMA", "$END"}): "','",
}


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("jql.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=JqlLexer, maybe_placeholders=True)


def parse(text: str) -> Query:
    """Return the query that a text is.

    That the grammar reads it does not make it a query that the service runs: see `planning`.

    Raises:
        JqlSyntaxError: it is none, or it is too long or too deep.
    """
    if len(text) > LONGEST:
        raise syntax(f"The query is longer than {LONGEST} characters.")
    return _parsed(text) if len(text) <= _KEPT else _parsed.__wrapped__(text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Query:
    try:
        tree = _grammar().parse(text)
    except UnexpectedToken as error:
        token: Token = error.token
        span = None
        if token.type != "$END":
            span = Span(
                token.start_pos or 0, token.end_pos or 0, token.line or 1, token.column or 1
            )
        accepts = frozenset(error.accepts or ())
        raise complaint(token.type, str(token), accepts, span) from None
    return Builder().build(tree)


def complaint(type_: str, got: str, accepts: frozenset[str], at: Span | None) -> JqlSyntaxError:
    """Return what the service says of a terminal where it takes only others.

    Args:
        type_: the terminal that came.
        got: its text.
        accepts: the terminals that could have come, `$END` for the end.
        at: where it stands, None for the end of the query.
    """
    got = shown(got)
    instead = f" but got '{got}'." if at is not None else " before the end of the query."
    if "EQ" in accepts:
        operator = "Expecting operator"
        return syntax(f"{operator}{instead} {_OPERATORS}", at)
    if "CF" in accepts:
        return _no_field(type_, got, at)
    # After a whole clause; the grammar may have gone so far as to take no more of them.
    if not accepts.isdisjoint({"AND", "OR", "ORDER"}) or accepts == {"RPAREN"}:
        wanted = "')'" if "RPAREN" in accepts else "either 'OR' or 'AND'"
        return syntax(f"Expecting {wanted}{instead}", at)
    if "EMPTY" in accepts:
        return _no_operand(type_, got, accepts, at)
    if "ASC" in accepts:
        return syntax(f"Expecting either 'ASC' or 'DESC'{instead}", at)
    if accepts == {"NUMBER"}:
        return syntax(f"Expecting a custom field id (a positive number){instead}", at)
    if accepts in _ONLY:
        return syntax(f"Expecting {_ONLY[accepts]}{instead}", at)
    return _no_argument(type_, got, accepts, at)


def _no_field(type_: str, got: str, at: Span | None) -> JqlSyntaxError:
    if at is None:
        return syntax("Expecting a field name at the end of the query.")
    if type_ == "LBRACKET":
        return syntax("Expecting a field name but got '['. Did you mean 'cf['?", at)
    return syntax(
        f"Expecting a field name but got '{got}'. You must surround '{got}' in quotation marks to "
        "use it as a field name.",
        at,
    )


def _no_operand(type_: str, got: str, accepts: frozenset[str], at: Span | None) -> JqlSyntaxError:
    if at is None:
        return syntax("Expecting either a value, list or function before the end of the query.")
    if type_ == "BANG" and "NOT" in accepts and "IN" not in accepts:
        return syntax("Expecting 'NOT' but got '!'.", at)
    return syntax(
        f"Expecting either a value, list or function but got '{got}'. You must surround '{got}' in "
        "quotation marks to use it as a value.",
        at,
    )


def _no_argument(type_: str, got: str, accepts: frozenset[str], at: Span | None) -> JqlSyntaxError:
    closes = "CALL_END" in accepts
    if closes and (at is None or (type_ == "ARGUMENT_COMMA" and accepts > _ARGUMENT)):
        instead = "before the end of the query." if at is None else f"but got '{got}'."
        return syntax(f"Expecting ')' {instead}", at)
    if closes and "ARGUMENT_COMMA" in accepts:
        return syntax(f"Expecting ')' or ',' but got '{got}'.", at)
    if at is None:
        return syntax("Expecting a function argument at the end of the query.")
    if type_ == "CALL_END":
        return syntax("Function argument must be specified.", at)
    return syntax(
        f"Expecting a function argument but got '{got}'. You must surround '{got}' in quotation "
        "marks to use it as an argument.",
        at,
    )
