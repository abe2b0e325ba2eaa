"""From what a request presents to an account."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from django.http import HttpRequest

from clones.core.accounts import secrets
from clones.core.accounts.passwords import check_password
from clones.core.models.accounts import Account, Credential, Session
from clones.core.prepared import Prepared
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow


@dataclass(frozen=True, slots=True)
class Presented:
    """A secret as presented: `login` is None where the scheme carries none (bearer, secret key)."""

    secret: str
    login: str | None
    kinds: tuple[str, ...]

    @property
    def claim(self) -> secrets.Claim | None:
        """What the secret says of itself, or None when it is not one of ours."""
        return secrets.read(self.secret)


@dataclass(frozen=True, slots=True)
class Authenticated:
    """An account, how it proved itself, and whether the agent's own client did."""

    account: Account
    credential: int | None
    session: Session | None
    own_client: bool


_CREDENTIAL: Prepared[Credential] = Prepared(
    lambda number, kind, clone: Credential.objects.select_related("account").filter(
        id=number, kind=kind, active=True, account__clone=clone, account__active=True
    ),
    int,
    str,
    str,
)
_SESSION: Prepared[Session] = Prepared(
    lambda number, clone: Session.objects.select_related("account").filter(
        id=number, ended_at=None, account__clone=clone, account__active=True
    ),
    int,
    str,
)


def basic_parts(request: HttpRequest) -> tuple[str, str] | None:
    """Return (user, password) of a Basic authorization header, or None."""
    scheme, _, rest = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, colon, password = base64.b64decode(rest, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return (user, password) if colon else None


def basic_header(user: str, password: str) -> dict[str, str]:
    """Return the Basic authorization header of a user and password."""
    text = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {"Authorization": f"Basic {text}"}


def bearer_text(request: HttpRequest) -> str | None:
    """Return the token of a Bearer authorization header, or None."""
    scheme, _, rest = request.headers.get("Authorization", "").partition(" ")
    return rest.strip() if scheme.lower() == "bearer" and rest else None


def authenticate(presented: Presented, clone: str, row: SandboxRow) -> Authenticated | None:
    """Return the account that a secret proves in this sandbox, or None."""
    claim = presented.claim
    if claim is None:
        return _by_chosen_password(presented, clone)
    if (
        claim.sandbox != row.id
        or claim.kind not in presented.kinds
        or not secrets.verify(server().key, row.credential_epoch, claim)
    ):
        return None
    credential = _CREDENTIAL.first(claim.number, claim.kind, clone)
    if credential is None:
        return None
    account = credential.account
    if presented.login is not None and presented.login.lower() != account.login.lower():
        return None
    return Authenticated(account, credential.id, None, claim.own_client)


def authenticate_session(cookie: str, clone: str, row: SandboxRow) -> Authenticated | None:
    """Return the account signed in with a session cookie, or None."""
    claim = secrets.read(cookie)
    if (
        claim is None
        or claim.sandbox != row.id
        or claim.kind != "session"
        or not secrets.verify(server().key, row.credential_epoch, claim)
    ):
        return None
    session = _SESSION.first(claim.number, clone)
    if session is None:
        return None
    return Authenticated(session.account, None, session, claim.own_client)


def _by_chosen_password(presented: Presented, clone: str) -> Authenticated | None:
    if "password" not in presented.kinds or presented.login is None:
        return None
    account = Account.objects.filter(
        clone=clone, login=presented.login.lower(), active=True
    ).first()
    if account is None or not check_password(account, presented.secret):
        return None
    return Authenticated(account, None, None, True)
