"""Answers that are files: whole or in part, and the signed addresses at which they lie."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from django.http import HttpResponse

from clones.core.accounts import secrets
from clones.core.operations import Call
from clones.core.operations.paging import location_of
from clones.core.server import server
from clones.tracker.domain.errors import Invalid

_RANGE: Final = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def signed_address(call: Call, number: int) -> str:
    """Return the address at which a file is sent to whoever has it, until the sandbox is reset."""
    row = call.request.sandbox
    token = secrets.mint(server().key, row.id, row.credential_epoch, "attachment", number)
    return f"{location_of(call.request)}?redirect=false&token={token}"


def signed_id(call: Call, token: str) -> str | None:
    """Return the id of the file that a token of this sandbox names, None if it is none."""
    claim = secrets.read(token)
    row = call.request.sandbox
    if claim is None or claim.kind != "attachment" or claim.sandbox != row.id:
        return None
    if not secrets.verify(server().key, row.credential_epoch, claim):
        return None
    return str(claim.number)


def redirect_to(address: str) -> HttpResponse:
    """Return the answer that names another address."""
    response = HttpResponse(status=303)
    response["Location"] = address
    return response


def send_file(data: bytes, *, name: str, mime_type: str, wanted: str | None = None) -> HttpResponse:
    """Return a file, or the range of it that is wanted (a `Range` header), as a download.

    Raises:
        Invalid: the range is malformed.
    """
    part = _part(wanted, len(data)) if wanted is not None else (0, len(data))
    if part is None:
        response = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{len(data)}"
        return response
    start, end = part
    response = HttpResponse(data[start:end], content_type=mime_type)
    if wanted is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
    response["Accept-Ranges"] = "bytes"
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response


def _part(wanted: str, size: int) -> tuple[int, int] | None:
    """Return where a range begins and ends, None if no byte lies in it."""
    found = _RANGE.fullmatch(wanted.strip())
    if found is None or found[1] == found[2] == "":
        raise Invalid("The Range header is malformed.")
    if found[1] == "":
        start, end = max(0, size - int(found[2])), size
    else:
        start = int(found[1])
        end = size if found[2] == "" else min(size, int(found[2]) + 1)
        if found[2] != "" and int(found[2]) < start:
            raise Invalid("The Range header is malformed.")
    return (start, end) if start < end else None
