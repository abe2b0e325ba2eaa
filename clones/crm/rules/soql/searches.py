"""The parts of a SOSL search, as it was typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from clones.crm.rules.soql.nodes import (
    NOWHERE,
    Condition,
    DataCategory,
    FieldPath,
    LiteralValue,
    OrderItem,
    SelectItem,
    TextSpan,
)

FieldsSearched = Literal["ALL", "NAME", "EMAIL", "PHONE", "SIDEBAR"]


@dataclass(frozen=True, slots=True)
class Returned:
    """An object of RETURNING, with what is shown of its records; without items, their ids."""

    object: FieldPath
    items: tuple[SelectItem, ...] = ()
    where: Condition | None = None
    listview: str | None = None
    order_by: tuple[OrderItem, ...] = ()
    limit: int | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class SearchOption:
    """What stands after WITH: `SNIPPET`, `NETWORK IN (...)`, `DIVISION = '...'` and the like."""

    name: str
    values: tuple[LiteralValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """A whole SOSL search. `term` is what stands between the braces, escapes and all.

    Without `returned`, ids of all searchable objects are asked for.
    """

    term: str
    fields: FieldsSearched = "ALL"
    returned: tuple[Returned, ...] = ()
    options: tuple[SearchOption, ...] = ()
    data_categories: tuple[DataCategory, ...] = ()
    limit: int | None = None
    updates: tuple[str, ...] = ()
    term_span: TextSpan = field(default=NOWHERE, compare=False, repr=False)
    source: str = field(default="", compare=False, repr=False)
