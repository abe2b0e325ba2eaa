"""Search terms as SQL: which records of an object have the words that are looked for.

The words of a record are those of all its fields that are searched, and two terms may be found in
different fields. A phrase is found within one field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from django.db import connection

from clones.core.lookups import MATCHES
from clones.core.models import Record
from clones.core.word_index import Beginning, candidates
from clones.core.words import ASKED, BEGINS, BETWEEN, ENDS, any_case, words_of
from clones.crm.models import CustomValues, model_of
from clones.crm.queries.soql.fragments import NOTHING, Sql, joined
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.schema import SObject
from clones.crm.rules.soql.strings import Exactly, LikePattern, PatternPart
from clones.crm.rules.soql.terms import AllTerms, AnyTerm, SearchPhrase, SearchTerm, SearchWord

# A letter that is no word's and nothing between words: phrases do not go over it.
_APART: Final = "\ue000"
_GAP: Final = f"[{BETWEEN}]+"
_JOKERS: Final = {"any": f"[^{BETWEEN}]*", "one": f"[^{BETWEEN}]"}
_Token: TypeAlias = list[PatternPart]
# Objects of which nobody needs every word that was typed one after the other.
_ANY_WILL_DO: Final = frozenset({"Knowledge__kav", "Document", "Solution"})


class WordConditions:
    """Turns the term of a search into a condition on the records of one object.

    Of many words the first are looked for (`clones.core.words.ASKED`), as everywhere.
    """

    def __init__(self, of: SObject, fields: Sequence[str], tables: Tables) -> None:
        self.tables = tables
        self.left = ASKED
        self.models: list[type[Record]] = [model_of(of)]
        if any(of.is_beside(name) for name in fields):
            self.models.append(CustomValues)
        self.needs_one = of.name in _ANY_WILL_DO
        columns = [Sql("COALESCE({}, '')").format(tables.field(name)) for name in fields]
        self.text = joined(columns, f" || ' {_APART} ' || ") if columns else None

    def sql(self, term: SearchTerm) -> Sql:
        """Return that a record has what a term looks for."""
        if self.text is None:
            return NOTHING
        found = self._term(term)
        return NOTHING if found is None else found

    def _term(self, term: SearchTerm) -> Sql | None:
        """Return the condition of a term; None for one that is not looked for."""
        if self.left <= 0:
            return None
        if isinstance(term, SearchWord):
            return self._words([term])
        if isinstance(term, SearchPhrase):
            return self._words(term.words)
        if isinstance(term, AllTerms | AnyTerm):
            found = [one for one in map(self._term, term.terms) if one is not None]
            loose = isinstance(term, AllTerms) and term.implicit and self.needs_one
            between = " OR " if loose or isinstance(term, AnyTerm) else " AND "
            return Sql("({})").format(joined(found, between)) if found else None
        found_term, without = self._term(term.term), self._term(term.without)
        if found_term is None or without is None:
            return found_term
        return Sql("({} AND NOT {})").format(found_term, without)

    def _words(self, words: Sequence[SearchWord]) -> Sql | None:
        tokens = [token for word in words for token in _tokens(word.pattern)][: self.left]
        if not tokens or self.text is None:
            return None
        self.left -= len(tokens)
        pattern = BEGINS + _GAP.join(map(_pattern, tokens)) + ENDS
        matches = Sql(f"({{}}) {MATCHES[connection.vendor]} %s", (pattern,)).format(self.text)
        named = [candidates(model, [_beginning(one) for one in tokens]) for model in self.models]
        key, known = self.tables.field("Id"), [one for one in named if one is not None]
        if len(known) < len(named):
            return matches
        keys = [Sql(f"{{}} IN ({text})", (match,)).format(key) for text, match in known]
        return Sql("(({}) AND {})").format(joined(keys, " OR "), matches)


def _tokens(pattern: LikePattern) -> list[_Token]:
    """Return the words that a pattern is made of: marks part them as they part those of texts."""
    found: list[_Token] = []
    is_open = False  # whether the next part goes on with the last word
    for part in pattern.parts:
        if isinstance(part, str):
            if is_open:
                found[-1].append(part)
            continue
        text = part.text.replace(_APART, " ")
        words = words_of(text)
        goes_on = is_open and bool(words) and text.startswith(words[0])
        if goes_on:
            found[-1].append(Exactly(words[0]))
        found += [[Exactly(word)] for word in words[goes_on:]]
        is_open = bool(words) and text.endswith(words[-1])
    return found


def _pattern(token: _Token) -> str:
    return "".join(
        _JOKERS[part] if isinstance(part, str) else any_case(part.text) for part in token
    )


def _beginning(token: _Token) -> Beginning:
    first = token[0]
    text = first.text if isinstance(first, Exactly) else ""
    return Beginning(text, is_whole=len(token) == 1)
