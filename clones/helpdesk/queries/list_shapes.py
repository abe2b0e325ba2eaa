"""Counts and keys of lists whose querysets are the same for one shape: each is compiled once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from django.db.models import QuerySet

from clones.core.shapes import EVER, Shapes

_SHAPES = Shapes()


def count_of_shape(shape: Hashable, rows: QuerySet[Any]) -> int:
    """Return how many rows a list of a shape has."""
    return _SHAPES.count(shape, lambda moment, key: rows, EVER)


def keys_of_shape(shape: Hashable, rows: QuerySet[Any], start: int, end: int) -> list[int]:
    """Return the primary keys of a part of a list of a shape, in the list's order."""
    return _SHAPES.keys(shape, lambda moment, key: rows, EVER, start, end)
