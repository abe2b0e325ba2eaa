"""What a store has beside its tables: the journal and the indexes of words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import Index, Model

from clones.core import word_index
from clones.core.journal import journal
from clones.core.journal.layout import record_models
from clones.core.tenancy.context import current


def install_objects() -> None:
    """Give the bound store, whose tables are there, all that follows them."""
    journal().install()
    word_index.install()


def remove_objects() -> None:
    """Leave the bound store its tables alone, so that they can be altered."""
    word_index.uninstall()
    journal().uninstall()


@contextmanager
def loading() -> Iterator[None]:
    """Let the block write the first rows of an empty store, in the transaction at hand.

    The store gets its triggers and indexes after them: they are not journaled, and each index is
    made once instead of being kept row by row.
    """
    remove_objects()
    _run(_dropping())
    wrapper = current().wrapper
    with wrapper.loading():
        yield
        wrapper.check_waiting()
        _run(_indexing())
        install_objects()


def _dropping() -> Iterator[str]:
    """Return what drops the models' own indexes."""
    names = (connection.ops.quote_name(index.name) for _, index in _indexes())
    return (f"DROP INDEX {name}" for name in names)


def _indexing() -> Iterator[str]:
    """Return what makes them."""
    editor = connection.schema_editor()
    return (str(index.create_sql(model, editor)) for model, index in _indexes())


def _indexes() -> Iterator[tuple[type[Model], Index]]:
    """Yield the indexes that nothing needs while rows are written.

    One that begins with a reference is needed: while any row waits for what it refers to, SQLite
    looks at each new row for those that wait for it.
    """
    for model in record_models():
        for index in model._meta.indexes:
            begins = index.fields_orders[0][0] if index.fields_orders else None
            if begins is None or model._meta.get_field(begins).remote_field is None:
                yield model, index


def _run(statements: Iterator[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
