"""The columns that the list of a filter's results shows."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from clones.core.operations import Call
from clones.core.strict_json import read_json
from clones.tracker.api.operations import actor, operation
from clones.tracker.domain import filters
from clones.tracker.domain.errors import Invalid, NotFound

PATH = "/rest/api/3/filter/{id}/columns"
JSON = "application/json"


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
)
def set_columns(call: Call) -> None:
    """Set a filter's columns: a form with a value for each, or JSON."""
    found = filters.find_filter(actor(call), call.path["id"])
    filters.set_columns(found, _columns(call), actor=actor(call))


def _columns(call: Call) -> list[str]:
    body: bytes = call.body
    kind = call.request.headers.get("Content-Type", "")
    if kind.startswith("multipart/form-data"):
        # The body has been read, so its form must be parsed from there.
        _, _, boundary = kind.partition("boundary=")
        return _parts(body, boundary.strip('"').encode())
    try:
        text = body.decode()
        if not kind.startswith(JSON):
            return parse_qs(text).get("columns", [])
        given = read_json(text or "{}")
    except ValueError as error:
        raise Invalid("The columns cannot be read.") from error
    columns = given.get("columns", []) if isinstance(given, dict) else given
    if not isinstance(columns, list) or not all(isinstance(one, str) for one in columns):
        raise Invalid("The columns cannot be read.")
    return columns


def _parts(body: bytes, boundary: bytes) -> list[str]:
    found = []
    for part in body.split(b"--" + boundary):
        head, _, value = part.partition(b"\r\n\r\n")
        if b'name="columns"' in head:
            found.append(value.removesuffix(b"\r\n").decode("utf-8", "replace"))
    return found


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
