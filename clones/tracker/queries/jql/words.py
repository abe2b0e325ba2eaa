"""Words in texts: what `~` asks, of the indexed texts of issues and of any column.

A text is read word by word, without regard to case; a term of several words, quoted or joined by
marks, is found where they follow each other. Words are found as they are written: no stems.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import and_, or_
from typing import Any, Final

from django.db.models import Q, QuerySet

from clones.core.word_index import PLAIN, holding
from clones.core.words import BEGINS, BETWEEN, ENDS, any_case, words_of
from clones.tracker.rules.jql.texts import Term, TextQuery

_GAP: Final = f"[{BETWEEN}]+"
_JOKERS: Final = {"*": f"[^{BETWEEN}]*", "?": f"[^{BETWEEN}]"}


def pattern_of(term: Term) -> str | None:
    """Return the pattern of a term, for engines and Python alike; None if any text has it."""
    if term.pattern:
        parts = re.split(r"([*?])", term.text)
        inner = "".join(_JOKERS.get(part) or any_case(part) for part in parts)
        return BEGINS + inner + ENDS if inner.strip("*") else None
    words = words_of(term.text)
    return BEGINS + _GAP.join(map(any_case, words)) + ENDS if words else None


def reads(column: str, query: TextQuery) -> Q:
    """Return the condition that a column has what is looked for."""
    return reduce(and_, (_group(column, group) for group in query.groups))


def _group(column: str, group: tuple[Term, ...]) -> Q:
    return reduce(or_, (_term(column, term) for term in group))


def _term(column: str, term: Term) -> Q:
    pattern = pattern_of(term)
    found = ~Q(pk__in=[]) if pattern is None else Q(**{f"{column}__regex": pattern})
    return ~found if term.negated else found


def having(rows: QuerySet[Any], query: TextQuery) -> QuerySet[Any]:
    """Return the rows whose indexed text has what is looked for."""
    everything = rows.model._default_manager.all()
    for group in query.groups:
        if len(group) == 1 and not group[0].negated:
            rows = _holding(rows, group[0])
            continue
        rows = rows.filter(reduce(or_, (_in_rows(everything, term) for term in group)))
    return rows


def _in_rows(rows: QuerySet[Any], term: Term) -> Q:
    found = Q(pk__in=_holding(rows, term).values("pk"))
    return ~found if term.negated else found


def _holding(rows: QuerySet[Any], term: Term) -> QuerySet[Any]:
    """Return the rows that hold a term, the index of words asked first where it knows."""
    pattern = pattern_of(term)
    if pattern is None:
        return rows
    if term.pattern:
        beginning = re.split(r"[*?]", term.text)[0]
        if term.text == beginning + "*" and PLAIN.fullmatch(beginning):
            return holding(rows, beginning, "beginning")
        if words_of(beginning):
            rows = holding(rows, words_of(beginning)[0], "beginning")
        return rows.filter(text__regex=pattern)
    words = words_of(term.text)
    if len(words) == 1:
        return holding(rows, words[0], "word")
    # The rarest word is as a rule the longest.
    longest = max(words, key=len)
    return holding(rows, longest, "word").filter(text__regex=pattern)
