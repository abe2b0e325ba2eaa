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
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from django.db import connection
from django.db.models import BinaryField, JSONField, Model, Q, QuerySet, Value
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
    """The index of one column's words; `key` is the table's primary key, an integer.

    The first column of a table gives its index the table's name. `is_text` is false of a column of
    documents: SQLite keeps them as texts and has an index of them, PostgreSQL reads them.
    """

    name: str
    table: str
    key: str
    column: str
    is_text: bool


@cache
def word_indexes() -> tuple[WordIndex, ...]:
    """Return the indexes that the models ask for, by `words`, the names of columns."""
    found = []
    for model in record_models():
        table, key = model._meta.db_table, str(model._meta.pk.column)
        for place, column in enumerate(model.words):
            name = f"{PREFIX}{table}_{column}" if place else PREFIX + table
            is_text = not isinstance(model._meta.get_field(column), JSONField)
            found.append(WordIndex(name, table, key, column, is_text))
    return tuple(found)


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
        name, table, column, key = index.name, index.table, index.column, index.key
        add = f"INSERT INTO {name}(rowid,{column})VALUES(new.{key},new.{column});"
        drop = f"INSERT INTO {name}({name},rowid,{column})VALUES('delete',old.{key},old.{column});"
        yield (
            f"CREATE VIRTUAL TABLE {name} USING fts5({column},content='',detail=none,columnsize=0,"
            f"tokenize='{options}')"
        )
        yield f"CREATE TRIGGER {name}_i AFTER INSERT ON {table} BEGIN {add}END"
        yield (
            f"CREATE TRIGGER {name}_u AFTER UPDATE OF {key},{column} ON {table}"
            f" WHEN old.{column} IS NOT new.{column} OR old.{key}<>new.{key} BEGIN {drop}{add}END"
        )
        yield f"CREATE TRIGGER {name}_d AFTER DELETE ON {table} BEGIN {drop}END"
        yield f"INSERT INTO {name}(rowid,{column}) SELECT {key},{column} FROM {table}"  # noqa: S608 - model names


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
            f" USING gin (core_words({index.column})) WITH (fastupdate = off)"
        )


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
        if index.table == model._meta.db_table and column in (None, index.column):
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
    if connection.vendor == "sqlite":
        match = " AND ".join(f'"{word}"' for word in asked.words)
        match += "*" if asked.last_begins else ""
        statement = f"SELECT rowid FROM {index.name} WHERE {index.name} MATCH %s"  # noqa: S608 - model names
    else:
        match = " & ".join(f"'{word}'" for word in asked.words)
        match += ":*" if asked.last_begins else ""
        statement = (
            f"SELECT {index.key} FROM {index.table}"  # noqa: S608 - model names
            f" WHERE core_words({index.column}) @@ %s::tsquery"
        )
    return Q(pk__in=RawSQL(statement, [match]))  # noqa: S611 - words of letters alone


def _is_told(index: WordIndex) -> Q:
    """Return the question whether the index has the very words of a row's text.

    On SQLite it has those of ASCII texts: its own notion of letters is another beyond.
    """
    if connection.vendor == "sqlite":
        return Q(Exact(Length(index.column), Length(Cast(index.column, BinaryField()))))
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
