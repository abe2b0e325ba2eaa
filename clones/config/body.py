"""Read a request's body whole before anybody works on the request."""

from __future__ import annotations

import io
from typing import Any, Final

from clones.config.connection_guard import GUARD, TooManyReads

# Bytes of a body that the data plane takes.
LONGEST_BODY: Final = 50 * 1024 * 1024
WHOLE: Final = "whole"
BROKEN: Final = "broken"
LEFT: Final = "left"
TOO_LONG: Final = "too long"
TOO_MANY: Final = "too many"


def read_body(scope: dict[str, Any], limit: int) -> str:
    """Put a request's body, read whole, in the place of what it is read from.

    Returns `WHOLE`; or `BROKEN`, where the client went away amid its body: such a request must not
    be worked on, since half of a form or of a file may pass for a whole one; or `LEFT`, where the
    body is longer than `limit` bytes and stays unread; `TOO_LONG`, where one in chunks was far
    longer and was ended; or `TOO_MANY`, where the peer sends too many bodies at a time.

    A body in chunks gets the length by which Django reads. It is measured once it is there: granian
    tells a broken one from a short one only if it is asked for all of it, and then by nothing at
    all, so that an empty body in chunks passes for a broken one.
    """
    told = scope.get("CONTENT_LENGTH")
    if told in (None, "0") and "HTTP_TRANSFER_ENCODING" not in scope:
        return WHOLE
    try:
        port = int(scope.get("SERVER_PORT") or 0)
        with GUARD.reading(scope.get("REMOTE_ADDR", ""), scope.get("HTTP_HOST", ""), port):
            return _read(scope, told, limit)
    except TooManyReads:
        return TOO_MANY


def _read(scope: dict[str, Any], told: str | None, limit: int) -> str:
    source = scope["wsgi.input"]
    if told is None:
        cuts = GUARD.cuts()
        with GUARD.in_chunks(limit):
            data: bytes = source.read()
        if not data:
            return BROKEN if GUARD.cuts() == cuts else TOO_LONG
        scope["CONTENT_LENGTH"] = str(len(data))
    else:
        length = int(told)  # granian answers 400 to what is no number
        if length > limit:
            return LEFT
        data = source.read(length)
        if len(data) < length:
            return BROKEN
    scope["wsgi.input"] = io.BytesIO(data)
    return WHOLE
