"""Requests to an API that a browser may have been tricked into: sent with a page's session."""

from __future__ import annotations

from clones.core.accounts.sessions import csrf_token
from clones.core.tenancy.middleware import READS, SandboxRequest


def is_forged(request: SandboxRequest) -> bool:
    """Tell whether a write comes with a session and without that session's token."""
    found = request.authenticated
    if found is None or found.session is None or request.method in READS:
        return False
    return request.headers.get("X-CSRF-Token") != csrf_token(found.session, request.sandbox)
