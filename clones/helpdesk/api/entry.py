"""The one entry of the API, and the address of attachments."""

from __future__ import annotations

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


def operations() -> Operations:
    """Return the registry with every operation of the API in it."""
    return OPERATIONS


def api(request: SandboxRequest, rest: str = "") -> HttpResponse:
    """Answer an API request."""
    started = time.perf_counter()
    response = OPERATIONS.dispatch(request, DIALECT)
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
    found = Attachment.objects.select_related("blob").filter(id=claim.number, deleted=False).first()
    if found is None:
        return _gone()
    response = HttpResponse(bytes(found.blob.data), content_type=found.content_type)
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(found.file_name)}"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response


def _gone() -> HttpResponse:
    return HttpResponseNotFound("Not found", content_type="text/plain")
