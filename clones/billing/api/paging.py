"""Lists as the vendor pages them: newest first, from a cursor that is an object's id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from clones.billing.api.parameters import Listing, Range
from clones.billing.api.presenters.shapes import Body, list_body
from clones.billing.errors import ConflictingParameters, UnknownReference
from clones.core.operations.paging import part
from clones.core.sightings import Kind

Row = TypeVar("Row", bound=Model)
Present = Callable[[Any, Kind], Body]


def page_of(
    rows: QuerySet[Row],
    paging: Listing,
    *,
    url: str,
    kind: str,
    present: Present,
    key_of: Callable[[str], str] = str,
) -> Body:
    """Return one page of rows that have `created` and `id`.

    `kind` is what the vendor calls such an object, and `key_of` tells the id of the row that is
    shown under an id.

    Raises:
        ConflictingParameters: both cursors are given.
        UnknownReference: the cursor names no such object.
    """
    after, before = _cursors(paging)
    if before is not None:
        cursor = _cursor(rows, before, "ending_before", kind, key_of)
        newer = rows.filter(Q(created__gt=cursor[0]) | Q(created=cursor[0], id__gt=cursor[1]))
        shown, more = part(newer.order_by("created", "id"), 0, paging.limit)
        shown.reverse()
    else:
        if after is not None:
            cursor = _cursor(rows, after, "starting_after", kind, key_of)
            rows = rows.filter(Q(created__lt=cursor[0]) | Q(created=cursor[0], id__lt=cursor[1]))
        shown, more = part(rows.order_by("-created", "-id"), 0, paging.limit)
    return list_body(url, [present(row, "list") for row in shown], has_more=more)


def page_of_sequence(
    rows: Sequence[Row], paging: Listing, *, url: str, kind: str, present: Present
) -> Body:
    """Return one page of rows that are in their order already.

    Raises:
        ConflictingParameters: both cursors are given.
        UnknownReference: the cursor names no such row.
    """
    after, before = _cursors(paging)
    keys = [str(row.pk) for row in rows]
    for param, cursor in (("starting_after", after), ("ending_before", before)):
        if cursor is not None and cursor not in keys:
            raise UnknownReference(param, kind, cursor)
    if before is not None:
        end = keys.index(before)
        start = max(end - paging.limit, 0)
        shown, has_more = rows[start:end], start > 0
    else:
        start = keys.index(after) + 1 if after is not None else 0
        shown, has_more = rows[start : start + paging.limit], len(rows) > start + paging.limit
    return list_body(url, [present(row, "list") for row in shown], has_more=has_more)


def _cursors(paging: Listing) -> tuple[str | None, str | None]:
    """Return the ids that a page follows and precedes: one of them at most."""
    if paging.starting_after is not None and paging.ending_before is not None:
        raise ConflictingParameters(("ending_before", "starting_after"))
    return paging.starting_after, paging.ending_before


def within(rows: QuerySet[Row], field: str, period: Range | None) -> QuerySet[Row]:
    """Return the rows whose time lies within the bounds, counted in whole seconds as shown."""
    if period is None:
        return rows
    for bound, lookup in (("gt", "gt"), ("gte", "gte"), ("lt", "lt"), ("lte", "lte")):
        moment = getattr(period, bound)
        if moment is not None:
            whole = moment.replace(microsecond=999_999) if bound in ("gt", "lte") else moment
            rows = rows.filter(**{f"{field}__{lookup}": whole})
    return rows


def _cursor(
    rows: QuerySet[Row], id: str, param: str, kind: str, key_of: Callable[[str], str]
) -> tuple[Any, str]:
    every = rows.model._default_manager
    found: tuple[Any, str] | None = every.filter(pk=key_of(id)).values_list("created", "pk").first()
    if found is None:
        raise UnknownReference(param, kind, id)
    return found
