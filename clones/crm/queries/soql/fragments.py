"""Pieces of SQL with their parameters, and how values of plans become parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import connection


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of a statement, and the parameters of its placeholders in their order."""

    text: str
    parameters: tuple[Any, ...] = ()

    def format(self, *others: Sql) -> Sql:
        """Return this text with others in place of its `{}`; its own parameters come last."""
        given = tuple(one for other in others for one in other.parameters)
        return Sql(self.text.format(*(other.text for other in others)), given + self.parameters)


NOTHING = Sql("1 = 0")
EVERYTHING = Sql("1 = 1")


def joined(pieces: Iterable[Sql], between: str) -> Sql:
    """Return pieces one after the other, with a text between them."""
    found = list(pieces)
    parameters = tuple(one for piece in found for one in piece.parameters)
    return Sql(between.join(piece.text for piece in found), parameters)


def listed(values: Sequence[Any]) -> Sql:
    """Return placeholders for values, between commas."""
    return Sql(", ".join(["%s"] * len(values)), tuple(values))


def quoted(name: str) -> str:
    """Return the name of a table or column as statements have it."""
    return connection.ops.quote_name(name)


def parameter(value: Any) -> Any:
    """Return a value of a plan as the engine takes it."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, date):
        return connection.ops.adapt_datefield_value(value)
    return float(value) if isinstance(value, Decimal) else value
