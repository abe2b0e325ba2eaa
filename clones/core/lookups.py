"""Lookups that find the same on every engine; see `clones.core.words` for those of texts.

`in_csv` finds keys of a list that is one parameter, whatever its length: so it can be prepared.

`icontains`, `istartswith` and `iexact` fold all letters, not ASCII alone. `has_word` finds whole
words, `has_prefix` words by their prefixes. A plain LIKE comes first: it is cheap, and leaves
little for the pattern.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.db.models import BigIntegerField, CharField, ForeignKey, Lookup, TextField
from django.db.models.lookups import IContains, IExact, IStartsWith

from clones.core.words import any_case, is_folded_by_engines, other_case, word_pattern

if TYPE_CHECKING:
    AnyLookup = Lookup[Any]
else:
    AnyLookup = Lookup

LIKE = {"sqlite": "LIKE", "postgresql": "ILIKE"}
MATCHES = {"sqlite": "REGEXP", "postgresql": "~"}
IN_CSV = {
    "sqlite": "IN (SELECT value FROM json_each('[' || %s || ']'))",
    "postgresql": "= ANY(string_to_array(%s, ',')::bigint[])",
}
ESCAPED = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
# SQLite refuses longer patterns; nothing that is looked for is that long.
LIKE_LIMIT = 10_000


def _sql(lookup: AnyLookup, compiler: Any, connection: Any, like: str, pattern: str) -> Any:
    """Return the condition that the left side is like one text and matches a pattern."""
    # As it is: an engine's own comparison may be of the column in capitals.
    left, parameters = Lookup.process_lhs(lookup, compiler, connection)
    vendor = connection.vendor
    text = left if vendor == "sqlite" else f"({left})::text"
    statement = rf"({text} {LIKE[vendor]} %s ESCAPE '\' AND {text} {MATCHES[vendor]} %s)"
    return statement, [*parameters, like, *parameters, pattern]


def _like(text: str) -> str:
    """Return a text as a pattern of LIKE, any character for letters that LIKE does not fold."""
    return "".join(
        "_" if not letter.isascii() and other_case(letter) else letter.translate(ESCAPED)
        for letter in text
    )


class _Folding(AnyLookup):
    """Let the engine compare ASCII, which both fold alike, and patterns the rest."""

    around: ClassVar[tuple[str, str]]  # what stands around the text in the pattern of LIKE
    ends: ClassVar[tuple[str, str]]  # and in that of the match

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition as SQL."""
        wanted = self.rhs
        if not isinstance(wanted, str):
            return super().as_sql(compiler, connection)
        if "\0" in wanted or len(wanted) > LIKE_LIMIT:
            return "1 = 0", []
        if is_folded_by_engines(wanted):
            return super().as_sql(compiler, connection)
        (before, after), (begin, end) = self.around, self.ends
        like = before + _like(wanted) + after
        return _sql(self, compiler, connection, like, begin + any_case(wanted) + end)


class FoldingContains(_Folding, IContains):
    """Find a text anywhere, in any case."""

    around = ("%", "%")
    ends = ("", "")


class FoldingStartsWith(_Folding, IStartsWith):
    """Find a text at the beginning, in any case."""

    around = ("", "%")
    ends = ("^", "")


class FoldingExact(_Folding, IExact):
    """Find exactly a text, in any case."""

    around = ("", "")
    ends = ("^", r"\Z")


class HasWord(AnyLookup):
    """Find a text that begins and ends where words do, in any case."""

    lookup_name = "has_word"
    whole = True

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition as SQL."""
        wanted = str(self.rhs)
        if "\0" in wanted or not 0 < len(wanted) <= LIKE_LIMIT:
            return "1 = 0", []
        pattern = word_pattern(wanted, whole=self.whole)
        return _sql(self, compiler, connection, f"%{_like(wanted)}%", pattern)


class HasPrefix(HasWord):
    """Find a text that begins where a word does, in any case."""

    lookup_name = "has_prefix"
    whole = False


class InCsv(AnyLookup):
    """Find numbers that stand in a text, with commas between them: that of `key_list`."""

    lookup_name = "in_csv"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition as SQL."""
        left, parameters = self.process_lhs(compiler, connection)
        return f"{left} {IN_CSV[connection.vendor]}", [*parameters, self.rhs]


def key_list(keys: Iterable[int | None]) -> str:
    """Return keys as `in_csv` takes them, each once; None is left out."""
    return ",".join(str(key) for key in dict.fromkeys(keys) if key is not None)


def register() -> None:
    """Give columns these lookups: once, when the app is ready."""
    for keys in (BigIntegerField, ForeignKey):
        keys.register_lookup(InCsv)
    for field in (CharField, TextField):
        for lookup in (
            FoldingContains, FoldingStartsWith, FoldingExact, HasWord, HasPrefix
        ):  # fmt: skip
            field.register_lookup(lookup)
