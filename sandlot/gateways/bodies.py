"""Bodies of requests, read whole within a bound."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request

from sandlot.service.errors import Invalid

# As many bytes as the data plane reads.
LONGEST: Final = 50 * 1024 * 1024


class BodyTooLong(Invalid):
    """Raised when a body has more bytes than are read."""

    code = "too_long"
    status = 413


class BodyBroken(Invalid):
    """Raised when a client went away amid its body: nobody is there to be told."""


async def read_body(request: Request) -> bytes:
    """Return a request's body; an empty one counts as an empty object.

    Raises:
        BodyTooLong: it has more than `LONGEST` bytes.
        BodyBroken: not all of it came.
    """
    parts, length = list[bytes](), 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > LONGEST:
                raise BodyTooLong(f"a body has at most {LONGEST} bytes")
            parts.append(part)
    except ClientDisconnect as error:
        raise BodyBroken("not all of the body came") from error
    return b"".join(parts) or b"{}"


def first_problem(error: ValidationError) -> str:
    """Return the first thing that is wrong, and where."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    return f"{place}: {first['msg']}"
