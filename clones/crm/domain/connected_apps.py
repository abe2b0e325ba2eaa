"""Connected apps: programs that sign in for a user, and what they are given for it.

An app is a credential of the account that it runs as. Its secret, the tokens and the codes that it
is given are derived from their rows as any secret of a sandbox, and end with them.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from clones.core import clock, ids
from clones.core.accounts import secrets
from clones.core.digits import whole_number
from clones.core.ids import base62_text
from clones.core.models import Account, Credential
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow
from clones.crm.errors import CrmError
from clones.crm.models import AppCertificate, rows_of
from clones.crm.rules.assertions import RsaKey, read_certificate
from clones.crm.rules.tokens import CONSUMER, DIGITS, SANDBOX

APP: Final = "secret_key"
ACCESS: Final = "api_token"
GRANT: Final = "oauth_token"  # a refresh token, or a code that stands for one
_CODE_LASTS: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class App:
    """A connected app: its key, its secret and the account that it runs as."""

    number: int
    id: str
    account: Account

    def has_secret(self, text: str, row: SandboxRow) -> bool:
        """Tell whether a text is the app's secret in a sandbox."""
        claim = secrets.read(text)
        if claim is None or (claim.sandbox, claim.kind, claim.number) != (row.id, APP, self.number):
            return False
        return secrets.verify(server().key, row.credential_epoch, claim)


def app_id(secret: str) -> str:
    """Return the key of the app that has a secret, which tells nothing of it but its sandbox.

    Raises:
        ValueError: the text is no secret.
    """
    claim = secrets.read(secret)
    if claim is None:
        raise ValueError("no secret")
    proof = int.from_bytes(hashlib.sha256(f"consumer|{secret}".encode()).digest())
    sandbox = claim.sandbox.removeprefix(SANDBOX)
    return f"{CONSUMER}{claim.number:0{DIGITS}d}{sandbox}{base62_text(proof % 62**30, 30)}"


def find_app(id: str, row: SandboxRow) -> App | None:
    """Return the app that has a key, None if there is none."""
    place = len(CONSUMER)
    number = whole_number(id[place : place + DIGITS], digits=DIGITS)
    if number is None or not id.startswith(CONSUMER):
        return None
    found = (
        Credential.objects.select_related("account")
        .filter(id=number, kind=APP, active=True, account__clone="crm", account__active=True)
        .first()
    )
    if found is None:
        return None
    wanted = app_id(secret_of(found, row))
    if not hmac.compare_digest(wanted.encode(), id.encode(errors="replace")):
        return None
    return App(found.id, wanted, found.account)


def secret_of(credential: Credential, row: SandboxRow, *, own_client: bool = True) -> str:
    """Return the secret of a credential in a sandbox."""
    kind, epoch = credential.kind, row.credential_epoch
    return secrets.mint(server().key, row.id, epoch, kind, credential.id, own_client=own_client)


def open_session(account: Account, *, app: int | None = None) -> Credential:
    """Give an account a token of its own for the API, to an app (by its number) or to nobody's.

    Its user has signed in with that.
    """
    rows_of("User").filter(Id=account.subject).update(
        LastLoginDate=clock.now().replace(microsecond=0)
    )
    return _issue(account, ACCESS, f"session|{app or ''}")


def end_session(number: int) -> None:
    """End a token that a sign-in gave; the one that the sandbox hands out stays."""
    Credential.objects.filter(
        id=number, kind=ACCESS, active=True, description__startswith="session|"
    ).update(active=False)


def give_code(account: Account, app: App, *, address: str, challenge: str) -> Credential:
    """Give an app the code that a user allows it, good for one address and a quarter of an hour."""
    return _issue(account, GRANT, f"code|{app.number}|{_terms(address, challenge)}")


def take_code(number: int, app: App, *, address: str, challenge: str) -> Account | None:
    """Use a code up, and return who gave it; None if it is none, or was given for another use."""
    found = _granted(number, f"code|{app.number}|{_terms(address, challenge)}")
    if found is None or clock.now() - found.created_at > _CODE_LASTS:
        return None
    found.active = False
    found.save()
    return found.account


def give_refresh(account: Account, app: App) -> Credential:
    """Let an app sign in for an account again and again."""
    return _issue(account, GRANT, f"refresh|{app.number}")


def find_refresh(number: int, app: App) -> Account | None:
    """Return whom an app may sign in for by a grant, None if it may not."""
    found = _granted(number, f"refresh|{app.number}")
    return None if found is None else found.account


def end_refresh(number: int) -> None:
    """End a grant, and the tokens that its app had of it."""
    found = Credential.objects.filter(id=number, kind=GRANT, active=True).first()
    if found is None:
        return
    found.active = False
    found.save()
    app = found.description.split("|")[1]
    Credential.objects.filter(
        account=found.account_id, kind=ACCESS, description=f"session|{app}"
    ).update(active=False)


def keep_certificate(app: App, pem: str) -> None:
    """Let assertions be checked by a certificate that the app signs by its key.

    Raises:
        CrmError: it is none, or none of RSA.
    """
    try:
        read_certificate(pem)
    except ValueError:
        raise CrmError("The certificate is not valid", code="INVALID_CERTIFICATE") from None
    AppCertificate(id=app.number, pem=pem, updated_at=clock.now()).save()


def own_app(account: Account) -> App | None:
    """Return the app that runs as an account, without its key; None if it has none."""
    found = Credential.objects.filter(account=account, kind=APP, active=True).order_by("id").first()
    return None if found is None else App(found.id, "", account)


def key_of(app: App) -> RsaKey | None:
    """Return the key by which assertions of an app are checked, None where it has none."""
    found = AppCertificate.objects.filter(id=app.number).values_list("pem", flat=True).first()
    return None if found is None else read_certificate(found)


def approved_user(app: App, login: str) -> Account | None:
    """Return a user whom an app may sign in for without asking: who runs it, or once allowed it."""
    found = Account.objects.filter(clone="crm", login=login.lower(), active=True).first()
    if found is None or found.id == app.account.id:
        return found
    allowed = Credential.objects.filter(
        account=found, kind=GRANT, active=True, description=f"refresh|{app.number}"
    )
    return found if allowed.exists() else None


def _issue(account: Account, kind: str, description: str) -> Credential:
    return Credential.objects.create(
        id=ids.next_stamp(Credential),
        account=account,
        kind=kind,
        description=description,
        created_at=clock.now(),
    )


def _granted(number: int, description: str) -> Credential | None:
    return (
        Credential.objects.select_related("account")
        .filter(id=number, kind=GRANT, active=True, description=description, account__active=True)
        .first()
    )


def _terms(address: str, challenge: str) -> str:
    return hashlib.sha256(f"{challenge}|{address}".encode()).hexdigest()
