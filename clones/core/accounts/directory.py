"""The accounts that a sandbox hands out, with their secrets."""

from __future__ import annotations

from dataclasses import dataclass

from clones.core.accounts import secrets
from clones.core.models.accounts import Account
from clones.core.server import server
from clones.core.tenancy.registry import SandboxRow


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
    cards = []
    accounts = Account.objects.filter(listed=True, active=True).order_by("clone", "id")
    for account in accounts.prefetch_related("credentials"):
        found = {
            credential.kind: secrets.mint(
                server().key,
                row.id,
                row.credential_epoch,
                credential.kind,
                credential.id,
                own_client=own_client,
            )
            for credential in sorted(account.credentials.all(), key=lambda item: item.id)
            if credential.active
        }
        cards.append(
            AccountCard(account.clone, account.role, account.login, account.subject, found)
        )
    return cards
