"""The one entry of the API: every version of the platform's leads to the same operations."""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from http import HTTPStatus
from importlib import import_module
from typing import Final

from django.http import HttpResponse

from clones.core.operations import Operations
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker import api as api_room
from clones.tracker import domain as domain_room
from clones.tracker.api.dialect import TrackerDialect
from clones.tracker.api.operations import OPERATIONS

DIALECT: Final = TrackerDialect()
_VERSIONED: Final = re.compile(r"/rest/api/(?:2|latest)/")


@cache
def operations() -> Operations:
    """Return the registry with every operation of the API in it.

    Importing a module registers its operations, jobs and listeners: each one of the two rooms is
    imported, those of the domain first, by name.
    """
    for room in (domain_room, api_room):
        found = pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
        for name in sorted(module.name for module in found):
            if name != __name__:
                import_module(name)
    return OPERATIONS


def api(request: SandboxRequest, rest: str = "") -> HttpResponse:
    """Answer an API request."""
    path = _VERSIONED.sub("/rest/api/3/", request.path, count=1)
    response = OPERATIONS.dispatch(request, DIALECT, path=path)
    if request.method != "OPTIONS" or response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        return response
    allowed = HttpResponse(content_type="text/html;charset=UTF-8")
    allowed["Allow"] = f"{response['Allow']}, OPTIONS"
    return allowed
