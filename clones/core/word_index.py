"""Which rows may hold a word: an index of words beside a table, so that not every text is read.

What it answers is more than what is right, never less; where it may be more, the lookups of
`clones.core.lookups` decide. It knows words of ASCII letters, digits and underscores
(`clones.core.words` says what is between words); other texts are looked for without it. Triggers of
the indexed table keep it, through rewinds too, so it is in no journal and no digest. A store that
was made before there was one is read in full.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal

from django.db import connection
from django.db.models import BinaryField, IntegerField, JSONField, Model, Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Length
from django.db.models.lookups import Exact

from clones.core.journal.layout import record_models
from clones.core.words import BETWEEN, words_of

PREFIX: Final = "words_"
LONGEST: Final = 200  # characters of a word that PostgreSQL keeps
MOST: Final = 8  # words of a text that are asked for
PLAIN: Final = re.compile(r"[0-9A-Za-z_]+")

Part = Literal["word", "beginning", "anywhere"]
LOOKUPS: Final[dict[Part, str]] = {
    "word": "has_word",
    "beginning": "has_prefix",
    "anywhere": "icontains",
}


@dataclass(frozen=True, slots=True)
class WordIndex:
    """The index of the words of one column, or of several together; `key` is the primary key.

    The first index of a table has the table's name. `is_text` is false of a column of documents:
    SQLite keeps them as texts and has an index of them, PostgreSQL reads them. SQLite knows a row
    by `row`: its key, if that is a number.
    """

    name: str
    table: str
    key: str
    row: str
    columns: tuple[str, ...]
    is_text: bool

    @property
    def column(self) -> str | None:
        """The column that is indexed alone; None where there are several."""
        return self.columns[0] if len(self.columns) == 1 else None


@cache
def word_indexes() -> tuple[WordIndex, ...]:
    """Return the indexes that the models ask for, by `words`, the names of columns."""
    found = []
    for model in record_models():
        table, key = model._meta.db_table, str(model._meta.pk.column)
        row = key if isinstance(model._meta.pk, IntegerField) else "rowid"
        for place, given in enumerate(model.words):
            columns = (given,) if isinstance(given, str) else given
            name = f"{PREFIX}{table}_{columns[0]}" if place else PREFIX + table
            fields = [model._meta.get_field(column) for column in columns]
            is_text = not any(isinstance(field, JSONField) for field in fields)
            found.append(WordIndex(name, table, key, row, columns, is_text))
    return tuple(found)


def _quoted(column: str) -> str:
    """Return a column's name as statements of both engines have it."""
    return column if column.islower() else f'"{column}"'


# Making


def install() -> None:
    """Make the indexes of the bound store, of the rows it has."""
    make = {"sqlite": _sqlite, "postgresql": _postgres}[connection.vendor]
    with connection.cursor() as cursor:
        for statement in make():
            cursor.execute(statement)


def uninstall() -> None:
    """Remove the indexes of the bound store that are there."""
    with connection.cursor() as cursor:
        for index in word_indexes():
            if connection.vendor == "sqlite":
                for when in "iud":
                    cursor.execute(f"DROP TRIGGER IF EXISTS {index.name}_{when}")
                cursor.execute(f"DROP TABLE IF EXISTS {index.name}")
            else:
                cursor.execute(f"DROP INDEX IF EXISTS {index.name}")
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS core_words(text)")


def _sqlite() -> Iterator[str]:
    """Yield what makes the indexes on SQLite: without the texts, and without places in them."""
    options = f"unicode61 remove_diacritics 0 tokenchars ''_'' separators ''{_separators()}''"
    for index in word_indexes():
        name, table, key, row = index.name, index.table, _quoted(index.key), index.row
        columns = [_quoted(column) for column in index.columns]
        column, new, old = (
            ",".join(f"{side}{one}" for one in columns) for side in ("", "new.", "old.")
        )
        add = f"INSERT INTO {name}(rowid,{column})VALUES(new.{row},{new});"
        drop = f"INSERT INTO {name}({name},rowid,{column})VALUES('delete',old.{row},{old});"
        changed = " OR ".join(f"old.{one} IS NOT new.{one}" for one in columns)
        yield (
            f"CREATE VIRTUAL TABLE {name} USING fts5({column},content='',detail=none,columnsize=0,"
            f"tokenize='{options}')"
        )
        yield f"CREATE TRIGGER {name}_i AFTER INSERT ON {table} BEGIN {add}END"
        yield (
            f"CREATE TRIGGER {name}_u AFTER UPDATE OF {key},{column} ON {table}"
            f" WHEN {changed} OR old.{row}<>new.{row} BEGIN {drop}{add}END"
        )
        yield f"CREATE TRIGGER {name}_d AFTER DELETE ON {table} BEGIN {drop}END"
        yield f"INSERT INTO {name}(rowid,{column}) SELECT {row},{column} FROM {table}"  # noqa: S608 - model names


@cache
def _separators() -> str:
    """Return the letters and digits beyond ASCII that are between words for us."""
    found = re.compile(f"[{BETWEEN}]")
    return "".join(
        chr(code)
        for code in range(0x80, 0x20000)
        if unicodedata.category(chr(code))[0] in "LN" and found.match(chr(code))
    )


def _postgres() -> Iterator[str]:
    """Yield what makes the indexes on PostgreSQL: an index of an expression each.

    The function is said to be dear, so that the planner asks the index rather than it.
    """
    between = BETWEEN.replace("'", "''")
    words = f"regexp_split_to_table($1, '[{between}]+') word WHERE word <> ''"
    lexemes = f'array(SELECT left(lower(word COLLATE "C"), {LONGEST}) FROM {words})'  # noqa: S608 - constants
    yield (
        "CREATE OR REPLACE FUNCTION core_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE"
        f" PARALLEL SAFE COST 10000 AS $words$ SELECT array_to_tsvector({lexemes}) $words$"
    )
    for index in word_indexes():
        if not index.is_text:
            continue
        yield (
            f"CREATE INDEX {index.name} ON {index.table}"
            f" USING gin (core_words({_texts(index)})) WITH (fastupdate = off)"
        )


def _texts(index: WordIndex) -> str:
    """Return the texts that an index is of, as PostgreSQL joins them."""
    if index.column is not None:
        return _quoted(index.column)
    return " || ' ' || ".join(f"coalesce({_quoted(one)}, '')" for one in index.columns)


# Asking


def holding(rows: QuerySet[Any], text: str, part: Part, column: str | None = None) -> QuerySet[Any]:
    """Return the rows whose indexed column, the first or another, holds a text.

    `part` is how the text is meant: as whole words, as the beginning of words, or anywhere.

    Raises:
        LookupError: the column is not indexed, or none is of the rows' model.
    """
    index = _index_of(rows.model, column)
    read = Q(**{f"{index.column}__{LOOKUPS[part]}": text})
    asked = _question(text, part)
    if asked is None or not _is_there(index):
        return rows.filter(read)
    if asked.exact:
        read = _is_told(index) | read
    return rows.filter(_candidates(index, asked), read)


def _index_of(model: type[Model], column: str | None) -> WordIndex:
    for index in word_indexes():
        if index.table != model._meta.db_table or index.column is None:
            continue
        if column in (None, index.column):
            return index
    raise LookupError(f"{model._meta.label} has no index of words of {column}")


@dataclass(frozen=True, slots=True)
class _Question:
    """Words that any text that holds what is looked for has; the last may be a beginning.

    `exact` says that no other plain text has them.
    """

    words: tuple[str, ...]
    last_begins: bool
    exact: bool


def _question(text: str, part: Part) -> _Question | None:
    """Return what to ask an index for a text, None where it cannot tell."""
    if not text.isascii() or "\0" in text:
        return None
    words = words_of(text)
    begins_inside, ends_inside = bool(PLAIN.match(text)), bool(PLAIN.match(text[-1:]))
    if part == "anywhere" and begins_inside:
        words = words[1:]  # it may be the end of a longer word
    last_begins = bool(words) and part != "word" and ends_inside
    if len(words) > MOST:
        words, last_begins = words[:MOST], False
    if not words or max(map(len, words)) >= LONGEST:
        return None
    exact = part != "anywhere" and words == [text]
    return _Question(tuple(word.lower() for word in words), last_begins, exact)


def _candidates(index: WordIndex, asked: _Question) -> Q:
    sought = [Beginning(word, is_whole=True) for word in asked.words]
    if asked.last_begins:
        sought[-1] = Beginning(sought[-1].text, is_whole=False)
    statement, match = _naming(index, sought)
    return Q(pk__in=RawSQL(statement, [match]))  # noqa: S611 - words of letters alone


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a word of a text begins with, or the whole of it."""

    text: str
    is_whole: bool


def candidates(model: type[Model], sought: Sequence[Beginning]) -> tuple[str, str] | None:
    """Return a statement, and its parameter, that names the keys of rows that may have all words.

    It asks the first index of the model, whose columns may be several; None where the store has
    none, or where it cannot tell. Words of other than ASCII letters, digits and underscores are
    passed over.

    Raises:
        LookupError: the model has no index.
    """
    index = next((one for one in word_indexes() if one.table == model._meta.db_table), None)
    if index is None:
        raise LookupError(f"{model._meta.label} has no index of words")
    known = [
        replace(one, text=one.text.lower())
        for one in sought
        if PLAIN.fullmatch(one.text) and len(one.text) < LONGEST
    ][:MOST]
    return _naming(index, known) if known and _is_there(index) else None


def _naming(index: WordIndex, sought: Sequence[Beginning]) -> tuple[str, str]:
    """Return the statement that names the keys of rows whose indexed texts have some words."""
    if connection.vendor == "sqlite":
        match = " AND ".join(f'"{one.text}"{"" if one.is_whole else "*"}' for one in sought)
        statement = f"SELECT rowid FROM {index.name} WHERE {index.name} MATCH %s"  # noqa: S608 - model names
        if index.row != index.key:
            statement = (
                f"SELECT {_quoted(index.key)} FROM {index.table}"  # noqa: S608 - model names
                f" WHERE {index.row} IN ({statement})"
            )
    else:
        match = " & ".join(f"'{one.text}'{'' if one.is_whole else ':*'}" for one in sought)
        statement = (
            f"SELECT {_quoted(index.key)} FROM {index.table}"  # noqa: S608 - model names
            f" WHERE core_words({_texts(index)}) @@ %s::tsquery"
        )
    return statement, match


def _is_told(index: WordIndex) -> Q:
    """Return the question whether the index has the very words of a row's text.

    On SQLite it has those of ASCII texts: its own notion of letters is another beyond.
    """
    if connection.vendor == "sqlite":
        column = str(index.column)
        return Q(Exact(Length(column), Length(Cast(column, BinaryField()))))
    return Q(Value(True))


def _is_there(index: WordIndex) -> bool:
    """Tell whether the bound store has the index."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = %s", [index.name])
            return cursor.fetchone() is not None
        cursor.execute("SELECT to_regclass(%s)", [index.name])
        (found,) = cursor.fetchone()
        return found is not None
