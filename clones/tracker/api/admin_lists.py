"""What the lists of admins share: which rows are asked for, and in which order."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, QuerySet
from django.db.models.functions import Lower
from pydantic import Field

from clones.core import resources
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Body, Query
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Project

Id = resources.Id
ORDERS: Final[dict[str, Any]] = {"name": Lower("name"), "id": F("id")}


class AdminBody(Body, coerce_numbers_to_str=True):
    """A body of an administration's operation, in which ids may be numbers, too."""


class ListQuery(Query):
    """Filters, order and expansions of an administration's list: ids, a part of the name."""

    id: CommaList[Id] | None = None
    text: str | None = Field(None, alias="queryString")
    order: str | None = Field(None, alias="orderBy")
    expand: CommaList[str] = []


class IdQuery(Query):
    """Filter of an administration's list: the ids of its rows."""

    id: CommaList[Id] | None = None


def ordered(rows: QuerySet[Any], order: str | None, *, default: str = "id") -> QuerySet[Any]:
    """Return rows by name or id, as the query says: `-name` is downward.

    Raises:
        Invalid: rows are in no such order.
    """
    # A plus that was not escaped in an address is a blank.
    text = (order or default).strip().removeprefix("+")
    column = ORDERS.get(text.removeprefix("-"))
    if column is None:
        raise Invalid(f"The value '{order}' is invalid for the parameter 'orderBy'.")
    if text.startswith("-"):
        return rows.order_by(column.desc(), "-id")
    return rows.order_by(column.asc(), "id")


def matching(rows: QuerySet[Any], asked: ListQuery) -> QuerySet[Any]:
    """Return the rows of a list that are asked for, in their order."""
    if asked.id:
        rows = rows.filter(id__in=asked.id)
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    return ordered(rows, asked.order)


def project_of(id: str | None) -> Project:
    """Return the space with an id that a body names; in the trash it cannot be set up.

    Raises:
        NotFound: there is none.
    """
    return one_of(Project.objects.filter(deleted_at=None), id, "The project was not found.")
