"""The columns that the list of a filter's results shows."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.column_bodies import CONSUMES, columns_of
from clones.tracker.api.operations import actor, operation
from clones.tracker.domain import filters
from clones.tracker.domain.errors import NotFound

PATH = "/rest/api/3/filter/{id}/columns"


@operation(
    "getColumns",
    "GET",
    PATH,
    summary="List the columns of a filter.",
    access="anyone",
)
def get_columns(call: Call) -> list[dict[str, Any]]:
    """List a filter's columns; those of fields that are gone are left out."""
    found = filters.find_filter(actor(call), call.path["id"])
    if found.columns is None:
        raise NotFound("No columns are set for this filter.")
    names = filters.column_names(actor(call))
    return [{"label": names[id], "value": id} for id in found.columns if id in names]


@operation(
    "setColumns",
    "PUT",
    PATH,
    summary="Set the columns of a filter.",
    raw_body=True,
    consumes=CONSUMES,
)
def set_columns(call: Call) -> None:
    """Set a filter's columns."""
    found = filters.find_filter(actor(call), call.path["id"])
    filters.set_columns(found, columns_of(call), actor=actor(call))


@operation(
    "resetColumns",
    "DELETE",
    PATH,
    summary="Let a filter show the usual columns.",
    status=204,
)
def reset_columns(call: Call) -> None:
    """Take a filter's columns back."""
    found = filters.find_filter(actor(call), call.path["id"])
    filters.reset_columns(found, actor=actor(call))
