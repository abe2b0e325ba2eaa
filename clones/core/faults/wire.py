"""What happens to an answer on its way: it is late, or the connection ends instead of it.

A response carries it as a remark, and whoever serves the application makes it real: a WSGI
application has no hold on its connection, and must not sleep while others wait.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseBase


@dataclass(frozen=True, slots=True)
class Wire:
    """The answer comes after `seconds`; with `hangs_up` the connection ends then, unanswered."""

    seconds: float = 0.0
    hangs_up: bool = False


# What the request log has for a status where none was sent.
UNANSWERED = 599


def on_wire(response: HttpResponseBase, wire: Wire) -> None:
    """Say what happens to a response on its way."""
    response.__dict__["wire"] = wire


def unanswered(seconds: float) -> HttpResponse:
    """Return what stands for no answer at all: the connection ends after `seconds`."""
    response = HttpResponse(status=UNANSWERED)
    on_wire(response, Wire(seconds, hangs_up=True))
    return response


def wire_of(response: object) -> Wire | None:
    """Return what happens to a response on its way, None if it goes straight."""
    found: Wire | None = getattr(response, "wire", None)
    return found
