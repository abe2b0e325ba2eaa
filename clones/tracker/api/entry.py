"""The one entry of the API: every version of the platform's leads to the same operations."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from django.http import HttpResponse

from clones.core.operations import Operations
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.api.dialect import TrackerDialect
from clones.tracker.api.operations import OPERATIONS

DIALECT: Final = TrackerDialect()
# Where something can be made and sites have no list of it: they know no such endpoint, and do not
# speak of the method.
_NO_LISTS: Final = frozenset({"/rest/api/3/filter"})
_VERSIONED: Final = re.compile(r"/rest/api/(?:2|latest)/")


def operations() -> Operations:
    """Return the registry with every operation of the API in it."""
    return OPERATIONS


def api(request: SandboxRequest, rest: str = "") -> HttpResponse:
    """Answer an API request."""
    path = _VERSIONED.sub("/rest/api/3/", request.path, count=1)
    if request.method == "GET" and path.rstrip("/") in _NO_LISTS:
        return DIALECT.refuse(request, "unknown_path")
    response = OPERATIONS.dispatch(request, DIALECT, path=path)
    if request.method != "OPTIONS" or response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        return response
    allowed = HttpResponse(content_type="text/html;charset=UTF-8")
    allowed["Allow"] = f"{response['Allow']}, OPTIONS"
    return allowed
