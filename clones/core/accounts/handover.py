"""Hand-overs: how one clone's page opens another's on behalf of whoever is signed in.

A hand-over names the sandbox, the account that hands over and (by its key) the clone it is meant
for. It is valid there, in that sandbox's credential epoch only. The clone that receives one acts as
its own listed account: the two clones have no accounts in common.
"""

from __future__ import annotations

import hashlib
import hmac

from clones.core.accounts import secrets
from clones.core.accounts.authentication import Authenticated
from clones.core.models.accounts import Account
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow

PARAMETER = "handover"


def mint_handover(
    row: SandboxRow, clone: str, account_number: int, *, own_client: bool = True
) -> str:
    """Return a hand-over to `clone` from an account of another clone.

    `own_client` is False where the control plane's own copies of secrets are used (see
    `secrets.mint`).
    """
    return secrets.mint(
        _key(clone), row.id, row.credential_epoch, "handover", account_number, own_client=own_client
    )


def read_handover(text: str, clone: str, row: SandboxRow) -> secrets.Claim | None:
    """Return what a hand-over to `clone` claims, None when it proves nothing in this sandbox."""
    claim = secrets.read(text)
    if (
        claim is None
        or claim.kind != "handover"
        or claim.sandbox != row.id
        or not secrets.verify(_key(clone), row.credential_epoch, claim)
    ):
        return None
    return claim


def authenticate_handover(text: str, clone: str, row: SandboxRow) -> Authenticated | None:
    """Return the account as which a hand-over acts in `clone`, or None.

    It is the first that the clone lists, as long as the account that handed over is active.
    """
    claim = read_handover(text, clone, row)
    if claim is None or not Account.objects.filter(id=claim.number, active=True).exists():
        return None
    account = Account.objects.filter(clone=clone, listed=True, active=True).order_by("id").first()
    return None if account is None else Authenticated(account, None, None, claim.own_client)


def form_token(row: SandboxRow, account: Account) -> str:
    """Return the anti-forgery token of the forms shown to a hand-over that acts as `account`."""
    return secrets.mint(_key(account.clone), row.id, row.credential_epoch, "csrf", account.id)


def _key(clone: str) -> bytes:
    return hmac.new(server().key, f"handover|{clone}".encode(), hashlib.sha256).digest()
