"""Browser sessions: a row, and a cookie that proves it in this sandbox and epoch only."""

from __future__ import annotations

from clones.core import clock, ids
from clones.core.accounts import secrets
from clones.core.accounts.authentication import Authenticated
from clones.core.models.accounts import Account, Session
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow


def start_session(account: Account) -> Session:
    """Record a sign-in."""
    now = clock.now()
    return Session.objects.create(
        id=ids.next_stamp(Session), account=account, created_at=now, authenticated_at=now
    )


def end_session(session: Session) -> None:
    """Record a sign-out."""
    session.ended_at = clock.now()
    session.save(update_fields=["ended_at"])


def session_cookie(session: Session, row: SandboxRow, *, own_client: bool = True) -> str:
    """Return the cookie value of a session."""
    return secrets.mint(
        server().key, row.id, row.credential_epoch, "session", session.id, own_client=own_client
    )


def csrf_token(session: Session, row: SandboxRow) -> str:
    """Return the anti-forgery token of a session."""
    return secrets.mint(server().key, row.id, row.credential_epoch, "csrf", session.id)


def form_token(found: Authenticated, row: SandboxRow) -> str:
    """Return the anti-forgery token of whoever calls: their session's, or one that opens nothing.

    A caller without a session needs none, and vendors give one all the same.
    """
    if found.session is not None:
        return csrf_token(found.session, row)
    return secrets.mint(
        server().key, row.id, row.credential_epoch, "csrf", found.account.id, own_client=False
    )
