"""A sandbox's rows, as they are or with some as they were (`clones.core.privacy.WorldRows`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from django.db.models import Model

from clones.core.journal import RowChange, journal
from clones.core.journal.canonical import canonical_row
from clones.core.privacy import Image
from episodes.tasks.footprint import RowWrite

# A table's rows by key; None stands for a row that there is not.
Images = Mapping[Any, Image | None]
# Of a look-up's values so many are asked for at a time.
AT_A_TIME: Final = 5_000


class RowsWith:
    """The rows of the bound sandbox, with some replaced: `others` returns those of a table."""

    def __init__(self, others: Callable[[str], Images] = lambda _table: {}) -> None:
        self._others = others

    def each(self, model: type[Model], *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield columns of all rows of a model."""
        yield from self.of(model, *columns)

    def of(
        self, model: type[Model], *columns: str, **where: Collection[Any]
    ) -> list[tuple[Any, ...]]:
        """Return columns of a model's rows in the order of their keys, the others last."""
        if not all(where.values()):
            return []
        others = self._others(model._meta.db_table)
        found = [row[1:] for row in _stored(model, columns, where) if row[0] not in others]
        matching = [
            image
            for image in others.values()
            if image is not None and all(image[name] in where[name] for name in where)
        ]
        return found + [tuple(image[name] for name in columns) for image in matching]


class ChangedRows(RowsWith):
    """The same rows, of which only those that are replaced are gone through."""

    def each(self, model: type[Model], *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield columns of the replaced rows of a model that are there."""
        for image in self._others(model._meta.db_table).values():
            if image is not None:
                yield tuple(image[name] for name in columns)


AS_THEY_ARE: Final = RowsWith()


def _stored(
    model: type[Model], columns: tuple[str, ...], where: Mapping[str, Collection[Any]]
) -> Iterator[tuple[Any, ...]]:
    rows = model._default_manager.order_by("pk").values_list("pk", *columns)
    wanted = {name: list(values) for name, values in where.items()}
    longest = max(wanted, key=lambda name: len(wanted[name]), default=None)
    if longest is None or len(wanted[longest]) <= AT_A_TIME:
        yield from rows.filter(**{f"{name}__in": values for name, values in wanted.items()})
        return
    values = wanted.pop(longest)
    for first in range(0, len(values), AT_A_TIME):
        part = {**wanted, longest: values[first : first + AT_A_TIME]}
        yield from rows.filter(**{f"{name}__in": held for name, held in part.items()})


class RowsSince:
    """The rows of the bound sandbox at its beginning, and now as if the agent had done nothing.

    `base` is the journal position of its beginning, and `writes` are the changes since the arranged
    state. A row that the agent touched counts as it was before, whatever became of it afterwards.
    """

    def __init__(self, base: int, writes: Iterable[RowWrite]) -> None:
        self._base = base
        self._writes = tuple(writes)
        self._images: dict[tuple[str, str], Images] = {}

    @cached_property
    def at_first(self) -> RowsWith:
        """The rows at the beginning."""
        return RowsWith(self._first_images)

    @cached_property
    def now(self) -> RowsWith:
        """The rows now, without what the agent did."""
        return RowsWith(lambda table: self._by_agent.get(table, {}))

    @cached_property
    def changed_at_first(self) -> ChangedRows:
        """The rows at the beginning that are not the same now."""
        return ChangedRows(self._first_images)

    @cached_property
    def changed_now(self) -> ChangedRows:
        """The rows now that were not the same at the beginning."""
        return ChangedRows(self._last_images)

    @cached_property
    def _changes(self) -> Mapping[str, list[RowChange]]:
        found = defaultdict(list)
        for change in journal().changes(self._base):
            found[change.table.name].append(change)
        return dict(found)

    @cached_property
    def _by_agent(self) -> Mapping[str, dict[Any, Image | None]]:
        firsts: defaultdict[str, dict[Any, Image | None]] = defaultdict(dict)
        for write in self._writes:
            if write.by_agent:
                firsts[write.table.name].setdefault(write.key, write.before)
        return dict(firsts)

    def _first_images(self, table: str) -> Images:
        """Return a table's rows at the beginning, of those that changed or the agent touched."""
        if ("first", table) not in self._images:
            # What the agent touched and is the same all the same is as it is.
            touched = self._by_agent.get(table, {})
            found = {
                write.key: write.after
                for write in self._writes
                if write.table.name == table and write.key in touched
            }
            for change in self._changes.get(table, ()):
                found[change.key] = canonical_row(change.table, change.before)
            self._images["first", table] = found
        return self._images["first", table]

    def _last_images(self, table: str) -> Images:
        """Return a table's rows now, of those that changed, without what the agent did."""
        if ("last", table) not in self._images:
            found = {
                change.key: canonical_row(change.table, change.after)
                for change in self._changes.get(table, ())
            }
            self._images["last", table] = {**found, **self._by_agent.get(table, {})}
        return self._images["last", table]
