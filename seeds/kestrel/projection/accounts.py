"""Who may sign in, and the accounts that a sandbox hands out."""

from __future__ import annotations

from datetime import datetime

from clones.core.models import Account, Credential
from clones.mail.models import Mailbox
from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.catalogue import DOMAIN, FOUNDED
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.story.model import Agent, StoryPerson

HELPDESK_KINDS = ("password", "api_token", "oauth_token")


def write_accounts(
    writer: BulkWriter,
    ids: Identifiers,
    desk: DeskIds,
    *,
    staff: list[Agent],
    customers: Customers,
    listed: list[StoryPerson],
) -> None:
    """Write the sign-ins of staff, listed customers and the billing admin, and the mailboxes."""
    for agent in staff:
        account = _account(
            writer,
            ids,
            "helpdesk",
            subject=str(desk.agents[agent.index]),
            login=agent.email,
            role=agent.role,
            listed=agent.listed,
            active=agent.left_at is None,
            at=agent.since,
        )
        if agent.listed:
            _credentials(writer, ids, account, HELPDESK_KINDS)
    for person in listed:
        account = _account(
            writer,
            ids,
            "helpdesk",
            subject=str(customers.users[person.index]),
            login=person.email,
            role="end-user",
            listed=True,
            active=True,
            at=person.since,
        )
        _credentials(writer, ids, account, ("password", "api_token", "oauth_token"))
    account = _account(
        writer,
        ids,
        "billing",
        subject="acct_kestrel",
        login=f"finance@{DOMAIN}",
        role="admin",
        listed=True,
        active=True,
        at=FOUNDED,
    )
    _credentials(writer, ids, account, ("secret_key",))
    for agent in staff:
        if agent.listed:
            _mailbox(writer, ids, agent.email, agent.name, role="employee", at=agent.since)
    for person in listed:
        _mailbox(writer, ids, person.email, person.name, role="customer", at=person.since)


def _mailbox(
    writer: BulkWriter, ids: Identifiers, address: str, name: str, *, role: str, at: datetime
) -> None:
    """Write a mailbox that is handed out, with its sign-in."""
    number = ids.stamp(Mailbox, at)
    writer.add(Mailbox, {"id": number, "address": address.lower(), "name": name, "created_at": at})
    account = _account(
        writer,
        ids,
        "mail",
        subject=str(number),
        login=address,
        role=role,
        listed=True,
        active=True,
        at=at,
    )
    _credentials(writer, ids, account, ("password",))


def _account(
    writer: BulkWriter,
    ids: Identifiers,
    clone: str,
    *,
    subject: str,
    login: str,
    role: str,
    listed: bool,
    active: bool,
    at: datetime,
) -> int:
    number = ids.stamp(Account, at)
    writer.add(
        Account,
        {
            "id": number,
            "clone": clone,
            "subject": subject,
            "login": login.lower(),
            "role": role,
            "listed": listed,
            "active": active,
        },
    )
    return number


def _credentials(
    writer: BulkWriter, ids: Identifiers, account: int, kinds: tuple[str, ...]
) -> None:
    for kind in kinds:
        writer.add(
            Credential,
            {
                "id": ids.stamp(Credential, FOUNDED),
                "account_id": account,
                "kind": kind,
                "created_at": FOUNDED,
            },
        )
