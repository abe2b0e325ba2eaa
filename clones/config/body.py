"""Read a request's body whole before anybody works on the request."""

from __future__ import annotations

import io
from typing import Any, Final

WHOLE: Final = "whole"
BROKEN: Final = "broken"
LEFT: Final = "left"


def read_body(scope: dict[str, Any], limit: int) -> str:
    """Put a request's body, read whole, in the place of what it is read from.

    Returns `WHOLE`; or `BROKEN`, where the client went away amid its body: such a request must not
    be worked on, since half of a form or of a file may pass for a whole one; or `LEFT`, where the
    body is longer than `limit` bytes and stays unread.

    A body in chunks gets the length by which Django reads. It is measured once it is there: granian
    tells a broken one from a short one only if it is asked for all of it, and then by nothing at
    all, so that an empty body in chunks passes for a broken one.
    """
    source = scope["wsgi.input"]
    told = scope.get("CONTENT_LENGTH")
    if told is None and "HTTP_TRANSFER_ENCODING" not in scope:
        return WHOLE
    if told is None:
        data: bytes = source.read()
        if not data:
            return BROKEN
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
