"""A sandbox's rows, with or without what the agent did (`clones.core.privacy.WorldRows`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Model

from clones.core.privacy import Image
from episodes.tasks.footprint import RowWrite


class RowsWithout:
    """The rows of the bound sandbox as if some changes had not been made; of none as they are."""

    def __init__(self, undone: Iterable[RowWrite] = ()) -> None:
        self._firsts: dict[str, dict[Any, Image | None]] = {}
        for write in undone:
            self._firsts.setdefault(write.table.name, {}).setdefault(write.key, write.before)

    def of(
        self, model: type[Model], *columns: str, **where: Collection[Any]
    ) -> list[tuple[Any, ...]]:
        """Return columns of a model's rows in the order of their keys, those undone last."""
        firsts = self._firsts.get(model._meta.db_table, {})
        wanted = {f"{name}__in": list(values) for name, values in where.items()}
        rows = model._default_manager.filter(**wanted).order_by("pk").values_list("pk", *columns)
        found = [row[1:] for row in rows if row[0] not in firsts]
        undone = [
            image
            for image in firsts.values()
            if image is not None and all(image[name] in where[name] for name in where)
        ]
        return found + [tuple(image[name] for name in columns) for image in undone]
