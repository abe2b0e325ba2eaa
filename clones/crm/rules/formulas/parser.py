"""From text to nodes."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from lark import Lark, Token, UnexpectedToken

from clones.crm.rules.formulas.building import Builder
from clones.crm.rules.formulas.errors import LONGEST, FormulaSyntaxError, formula_too_long
from clones.crm.rules.formulas.lexer import FormulaLexer, found, missing
from clones.crm.rules.formulas.nodes import Formula

_KEPT: Final = 512  # formulas


@cache
def _grammar() -> Lark:
    text = Path(__file__).with_name("formulas.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=FormulaLexer, maybe_placeholders=False)


def parse(text: str) -> Formula:
    """Return the formula that a text is.

    That the grammar reads it does not make it one that can be saved: see `check`.

    Raises:
        FormulaSyntaxError: it is none, or it is too long or too deep.
    """
    if len(text) > LONGEST:
        raise formula_too_long(len(text))
    return _parsed(text)


@lru_cache(maxsize=_KEPT)
def _parsed(text: str) -> Formula:
    try:
        tree = _grammar().parse(text)
    except UnexpectedToken as error:
        raise _complaint(error.token, frozenset(error.accepts or ()), text) from None
    return Formula(Builder().build(tree), text)


def _complaint(token: Token, accepts: frozenset[str], text: str) -> FormulaSyntaxError:
    if token.type != "$END":
        at = token.start_pos or 0
        # A whole formula, and then more: what comes is in the way, but a parenthesis too many.
        if token.type == "RPAREN" and "$END" in accepts:
            return FormulaSyntaxError("Syntax error. Extra ')'", at=at)
        return found(text[at : token.end_pos], at)
    if "RPAREN" in accepts and "NAME" not in accepts:
        return missing("')'", None)
    return missing("field name", None) if not text.strip() else found("end of formula", None)
