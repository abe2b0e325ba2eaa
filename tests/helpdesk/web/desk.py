"""A small desk to open pages of: people, fields, macros, tickets with a past."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from clones.core import clock, ids
from clones.core.journal import act
from clones.core.models import SandboxState
from clones.helpdesk.domain import accounts, people
from clones.helpdesk.domain.setup import Installed, install_defaults
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.uploads import add_upload
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import (
    Group,
    Macro,
    Organization,
    Ticket,
    TicketField,
    User,
)
from tests.helpdesk.web.shelf import fill_shelf

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
MAIL = Via("email")
WEB = Via("web")


@dataclass(frozen=True, slots=True)
class Desk:
    """What tests name: keys, since rows are read anew in each test."""

    agent: int
    colleague: int
    customer: int
    charged: int
    broken: int
    closed: int
    product: int
    serial: int
    macro: int
    billing: int


def build_desk() -> Desk:
    """Write the desk into the bound store; the caller holds a write transaction."""
    SandboxState.objects.create(id=1, now=PRESENT - timedelta(days=30), seed="desk")
    with act(actor="test", label="people"):
        made = install_defaults(
            name="Kestrel Laser",
            subdomain="kestrel",
            owner_name="Olga Owens",
            owner_email="olga@kestrel.example",
            support_email="support@kestrel.example",
        )
        billing = _row(Group, name="Billing")
        agent = _agent("Ana Lima", "ana@kestrel.example", made.group, billing)
        colleague = _agent("Ben Okafor", "ben@kestrel.example", billing)
        accounts.open_account(made.owner, listed=True)
        product, serial = _fields(made)
        macro = _macro()
        customer = _customer("Mara Voss", "mara@acme.example", "Acme Works")
        accounts.open_account(customer, listed=True)
    with _at(PRESENT - timedelta(days=12)):
        closed = _invoice(agent, customer, product)
    with _at(PRESENT - timedelta(hours=5)):
        charged = _charged(colleague, customer, billing)
    with _at(PRESENT - timedelta(hours=2)):
        broken = _broken(agent, customer)
    with _at(PRESENT - timedelta(hours=1)):
        fill_shelf(made.owner, customer)
    clock.set_time(PRESENT)
    return Desk(
        agent=agent.id,
        colleague=colleague.id,
        customer=customer.id,
        charged=charged.id,
        broken=broken.id,
        closed=closed.id,
        product=product.id,
        serial=serial.id,
        macro=macro.id,
        billing=billing.id,
    )


@contextmanager
def _at(moment: datetime) -> Iterator[None]:
    """Move the clock there and write in one act."""
    clock.set_time(moment)
    with act(actor="test", label="past"):
        yield


def _macro() -> Macro:
    macro: Macro = _row(
        Macro,
        title="Refund::Duplicate charge",
        actions=[
            {"field": "comment_value", "value": "Hello {{ticket.requester.name}}, sorry."},
            {"field": "priority", "value": "high"},
            {"field": "current_tags", "value": "refund"},
            {"field": "status", "value": "pending"},
        ],
    )
    return macro


def _row(model: Any, **values: Any) -> Any:
    now = clock.now()
    return model.objects.create(id=ids.next_stamp(model), created_at=now, updated_at=now, **values)


def _agent(name: str, email: str, *groups: Group) -> User:
    user = people.add_user(name=name, email=email, role="agent", verified=True)
    user.default_group = groups[0]
    user.iana_time_zone = "UTC"
    user.save()
    for place, group in enumerate(groups):
        people.join_group(user, group, default=place == 0)
    accounts.open_account(user, listed=True)
    return user


def _customer(name: str, email: str, company: str | None = None) -> User:
    organization = None
    if company is not None:
        domain = email.partition("@")[2]
        organization = _row(Organization, name=company, domain_names=[domain], tags=["vip"])
    user = people.add_user(name=name, email=email, role="end-user", organization=organization)
    user.phone = "+44 20 7946 0018"
    user.notes = "Prefers to be written to."
    user.save()
    return user


def _fields(made: Installed) -> tuple[TicketField, TicketField]:
    product = _row(
        TicketField,
        type="tagger",
        title="Product area",
        position=20,
        required=True,
        options=[
            {"id": 1, "name": "Billing", "value": "area_billing", "default": False},
            {"id": 2, "name": "Laser head", "value": "area_laser", "default": False},
        ],
    )
    serial = _row(TicketField, type="text", title="Serial number", position=21)
    made.form.ticket_field_ids = [*made.form.ticket_field_ids, product.id, serial.id]
    made.form.save()
    return product, serial


def _invoice(agent: User, customer: User, product: TicketField) -> Ticket:
    ticket = _write(customer, "Where is my invoice?", "I cannot find the invoice of May.")
    values = {str(product.id): "area_billing"}
    changes = {"status": "solved", "assignee_id": agent.id, "custom_fields": values}
    said = NewComment("It is attached to the mail of 2 May.")
    update_ticket(ticket, actor=agent, changes=changes, comment=said, via=WEB)
    update_ticket(ticket, actor=None, changes={"status": "closed"}, via=WEB)
    return ticket


def _charged(colleague: User, customer: User, billing: Group) -> Ticket:
    ticket = _write(
        customer,
        "Charged twice for June",
        "Hello,\n\nmy card was charged twice on 14 June: 129.00 EUR each time.\n\nMara Voss",
    )
    changes = {"group_id": billing.id, "tags": ["billing"]}
    update_ticket(ticket, actor=colleague, changes=changes, via=WEB)
    note = NewComment("Looks like the retry of the card terminal.", public=False)
    update_ticket(ticket, actor=colleague, changes={}, comment=note, via=WEB)
    return ticket


def _broken(agent: User, customer: User) -> Ticket:
    ticket = _write(customer, "Laser head <b>smells</b>", "It smells & smokes.")
    upload = add_upload(
        actor=customer, file_name="smoke.html", content_type="text/html", data=b"<b>smoke</b>"
    )
    hostile = NewComment(
        None,
        '<p onclick="x()">See <img src="http://evil.example/p.png">'
        '<script>alert(1)</script><a href="javascript:x()">this</a>'
        ' <b class="badge">bold</b></p>',
        uploads=(upload.token,),
    )
    update_ticket(ticket, actor=customer, changes={}, comment=hostile, via=MAIL)
    changes = {"assignee_id": agent.id, "priority": "urgent", "type": "incident"}
    update_ticket(ticket, actor=agent, changes=changes, via=WEB)
    return ticket


def _write(requester: User, subject: str, body: str) -> Ticket:
    audit = create_ticket(
        actor=requester, changes={"subject": subject}, comment=NewComment(body), via=MAIL
    )
    return Ticket.objects.get(id=audit.ticket_id)


def write_many(customer: User, count: int) -> list[int]:
    """Write tickets for tests of long lists and return their numbers."""
    return [
        _write(customer, f"Question {number:03d}", f"About number {number}.").id
        for number in range(count)
    ]
