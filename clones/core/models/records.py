"""The base of every table of a sandbox."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from django.db import models
from django.db.models.base import ModelState

from clones.core.rows import insert_rows, update_row

JournalKind = Literal["record", "ambient", "none"]
Row = TypeVar("Row", bound=models.Model)


class RecordManager(models.Manager[Row]):
    """The manager of a table of a sandbox."""

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        """Write new rows, whose keys are set, and return them.

        Without options it is one statement for all, made once per model.

        Raises:
            IntegrityError: a key or a unique value is taken.
        """
        rows = list(objs)
        if args or kwargs:
            return super().bulk_create(rows, *args, **kwargs)
        insert_rows(rows)
        return rows


class Record(models.Model):
    """A row of a sandbox.

    `journal` says what the journal makes of the table:
    `record`: undone by a rewind, shown in diffs, part of fingerprints;
    `ambient`: undone by a rewind, in no diff (sessions, drafts, counters, the clock itself).
    `words` names the columns whose words are indexed (`clones.core.word_index`): each alone, or
    those of a tuple together.
    Every primary key is given by `clones.core.ids`, never by the database.
    """

    journal: ClassVar[JournalKind] = "record"
    words: ClassVar[tuple[str | tuple[str, ...], ...]] = ()

    if not TYPE_CHECKING:  # each model's own is typed by the plugin of django-stubs
        objects = RecordManager()

    class Meta:
        abstract = True

    def save(
        self,
        force_insert: bool | tuple[models.base.ModelBase, ...] = False,  # noqa: FBT001, FBT002 - Django's
        force_update: bool = False,  # noqa: FBT001, FBT002 - Django's
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Write the row as Django does, by a statement that is made once per model.

        On PostgreSQL it may wait for the next statement, which then raises what is wrong with it.
        The end of `transaction.atomic()` is one, so errors are caught around such a block, as
        Django has it for any; `tests/project` sees to that.

        Raises:
            IntegrityError: its key or a unique value is taken.
            RowGone: it was read, and is not there any more.
        """
        if force_insert:
            insert_rows([self])
        elif self._state.adding:
            super().save(using=using, update_fields=update_fields)
        elif update_fields is None:
            update_row(self, _beside_key(type(self)))
        else:
            names = _attnames(type(self))
            update_row(self, [names[name] for name in update_fields])

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any
    ) -> Self:
        """Make a row of a query's columns.

        Whole rows get their columns at once: no model of ours has receivers of its making, or
        fields that are set otherwise, for whose sake Django sets them one by one.
        """
        names = _columns(cls)
        if len(values) != len(names):
            return super().from_db(db, field_names, values, **kwargs)
        row = cls.__new__(cls)
        state = row._state = ModelState()
        state.adding = False
        state.db = db
        vars(row).update(zip(names, values, strict=True))
        return row


class DirtyFieldsRecord(Record):
    """A record whose rows know what was loaded: `save` writes the columns that changed.

    A column that is set to what it holds costs SQLite the rewriting of each index it stands in.
    Lists and mappings are written always: they may have been changed in place.
    """

    loaded_columns: dict[str, Any] | None = None

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write the row, or what changed of it, and remember what it holds now."""
        if not (args or options or self._state.adding):
            options["update_fields"] = self.changed_columns()
        super().save(*args, **options)
        if self.loaded_columns is not None:
            names, written = _attnames(type(self)), options.get("update_fields")
            for name in names if written is None else written:
                self.loaded_columns[names[name]] = getattr(self, names[name])

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any
    ) -> Self:
        """Make a row of a query's columns."""
        row = super().from_db(db, field_names, values, **kwargs)
        row.loaded_columns = dict(zip(field_names, values, strict=True))
        return row

    def changed_columns(self) -> Sequence[str]:
        """Return the columns that hold something else than was loaded, all if nothing was."""
        loaded, names = self.loaded_columns, _beside_key(type(self))
        if loaded is None:
            return names
        return [
            name
            for name in names
            if isinstance(value := getattr(self, name), list | dict)
            or value != loaded.get(name, loaded)
        ]

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Load anew as any model does, and forget what was loaded before."""
        super().refresh_from_db(*args, **kwargs)
        self.loaded_columns = None


@cache
def _attnames(model: type[models.Model]) -> dict[str, str]:
    """Return the attname of each column, by it and by the name of the field."""
    fields = model._meta.concrete_fields
    return {name: field.attname for field in fields for name in (field.name, field.attname)}


@cache
def _beside_key(model: type[models.Model]) -> tuple[str, ...]:
    fields = model._meta.concrete_fields
    return tuple(field.attname for field in fields if not field.primary_key)


@cache
def _columns(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)


class AmbientRecord(Record):
    """A row that a rewind undoes and no diff shows."""

    journal: ClassVar[JournalKind] = "ambient"

    class Meta:
        abstract = True
