"""Columns of lists of issues, as bodies name them: in JSON, or in a form with one for each.

{"columns": ["summary", "status"]}        what sites take; a bare list is refused
columns=summary&columns=status            what the description shows
"""

from __future__ import annotations

import io
from typing import Final

from django.http import QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError

from clones.core.operations import Call
from clones.core.strict_json import read_json
from clones.tracker.api.errors import PAYLOAD, Unreadable

FORM: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"
CONSUMES: Final = ("application/json", FORM, MULTIPART)


def columns_of(call: Call) -> list[str]:
    """Return the columns that a body names, each once; none if it says nothing of any.

    Raises:
        Unreadable: it is neither JSON nor a form that can be read, or JSON of another shape.
    """
    kind = call.request.content_type
    try:
        if kind == MULTIPART:
            found = _parts(call)
        elif kind == FORM:
            found = list(map(str, QueryDict(call.body).getlist("columns")))
        else:
            found = _named(call.body)
    except (ValueError, MultiPartParserError) as error:
        raise Unreadable(PAYLOAD) from error
    return list(dict.fromkeys(name for name in found if name))


def _parts(call: Call) -> list[str]:
    # The body has been read, so its form must be parsed from there.
    request = call.request
    parser = MultiPartParser(request.META, io.BytesIO(call.body), request.upload_handlers)
    values, _ = parser.parse()
    return [str(value) for value in values.getlist("columns")]


def _named(body: bytes) -> list[str]:
    given = read_json(body or b"{}")
    columns = given.get("columns") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(columns, list | None):
        raise ValueError("columns are a list in an object")
    if not all(isinstance(name, str) for name in columns or ()):
        raise ValueError("columns are texts")
    return columns or []
