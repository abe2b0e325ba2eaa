"""The one entry of the API, and the address of attachments."""

from __future__ import annotations

import re
import time
from urllib.parse import quote

from django.http import HttpResponse, HttpResponseNotFound

from clones.core.accounts import secrets
from clones.core.operations import Operations
from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.api.dialect import HelpdeskDialect
from clones.helpdesk.api.operations import OPERATIONS
from clones.helpdesk.models import Attachment

DIALECT = HelpdeskDialect()
# What stands in the place of a file that was redacted, without a word in it.
REDACTED = "redacted.txt"
# Clients that join addresses write two where one is meant, and the vendor takes them for one.
SLASHES = re.compile("/{2,}")


def operations() -> Operations:
    """Return the registry with every operation of the API in it."""
    return OPERATIONS


def api(request: SandboxRequest, rest: str = "") -> HttpResponse:
    """Answer an API request."""
    started = time.perf_counter()
    path = SLASHES.sub("/", request.path).rstrip("/")
    response = OPERATIONS.dispatch(request, DIALECT, path=path)
    response["x-runtime"] = f"{time.perf_counter() - started:.6f}"
    return response


def attachment(request: SandboxRequest, token: str) -> HttpResponse:
    """Send a file. Its token is the only credential, and proves this sandbox and episode."""
    claim = secrets.read(token)
    row = request.sandbox
    if (
        claim is None
        or claim.kind != "attachment"
        or claim.sandbox != row.id
        or not secrets.verify(server().key, row.credential_epoch, claim)
    ):
        return _gone()
    found = Attachment.objects.select_related("blob").filter(id=claim.number).first()
    if found is None:
        return _gone()
    if found.deleted:
        response, name = HttpResponse(b"", content_type="text/plain"), REDACTED
    else:
        response = HttpResponse(bytes(found.blob.data), content_type=found.content_type)
        name = found.file_name
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response


def _gone() -> HttpResponse:
    return HttpResponseNotFound("Not found", content_type="text/plain")
