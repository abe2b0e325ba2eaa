"""Whose turn it is: the requests that count, numbered by rows of the sandbox.

The numbers are rows, so rewinds and snapshots hold them, and a replay meets the same faults at the
same requests. Each clone counts its own: a page and a frame in it load side by side.
"""

from __future__ import annotations

from django.http import HttpRequest

from clones.core import randomness
from clones.core.faults.plan import Fault, fault_at
from clones.core.state import read_state
from clones.core.vendors import Clone

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def may_strike(request: HttpRequest, clone: Clone) -> bool:
    """Tell whether a request is of the sort that faults are for.

    They are for calls of the API and for whole pages. What a page asks for by itself (drafts,
    previews, type-ahead) meets none: how often it asks is a matter of milliseconds, and replays
    would differ.
    """
    if request.method not in WRITES and request.method != "GET":
        return False
    if clone.is_ambient(request.path):
        return False
    return clone.is_api(request.path) or _is_page(request)


def draw(request: HttpRequest, setting: str, clone: Clone) -> Fault | None:
    """Count the request and return what it meets. The caller holds a write transaction."""
    number = randomness.turn(f"faults.{clone.name}")
    return fault_at(
        setting,
        read_state().seed,
        clone.name,
        number,
        write=request.method in WRITES,
        page=not clone.is_api(request.path),
    )


def _is_page(request: HttpRequest) -> bool:
    """Tell whether a browser asks for a document to show, not a script for a part of one."""
    accepts = request.headers.get("Accept", "")
    return "text/html" in accepts and "HX-Request" not in request.headers
