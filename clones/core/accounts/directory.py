"""The accounts that a sandbox hands out, with their secrets."""

from __future__ import annotations

from dataclasses import dataclass

from clones.core.accounts import secrets
from clones.core.models.accounts import Account, Credential
from clones.core.prepared import Prepared
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow

_LISTED: Prepared[Account] = Prepared(
    lambda: Account.objects.filter(listed=True, active=True).order_by("clone", "id")
)
_CREDENTIALS: Prepared[tuple[int, str, int]] = Prepared(
    lambda: (
        Credential.objects.filter(active=True, account__listed=True, account__active=True)
        .order_by("id")
        .values_list("account_id", "kind", "id")
    )
)


@dataclass(frozen=True, slots=True)
class AccountCard:
    """One handed-out account: `secrets` by credential kind."""

    clone: str
    role: str
    login: str
    subject: str
    secrets: dict[str, str]


def account_cards(row: SandboxRow, *, own_client: bool = True) -> list[AccountCard]:
    """Return the listed accounts of the bound sandbox, in (clone, account) order.

    `own_client` is False for the control plane's own copies, whose requests are not steps.
    """
    key, epoch = server().key, row.credential_epoch
    cards = {
        account.id: AccountCard(account.clone, account.role, account.login, account.subject, {})
        for account in _LISTED.all()
    }
    for account, kind, number in _CREDENTIALS.all():
        secret = secrets.mint(key, row.id, epoch, kind, number, own_client=own_client)
        # The first of a kind is the one to hand out; people may have made others since.
        cards[account].secrets.setdefault(kind, secret)
    return list(cards.values())
