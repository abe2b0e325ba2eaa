"""Cases: what sales sees of tickets, as the helpdesk has them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import GROUPS
from seeds.kestrel.projection.crm.after_sale import CrmAfterSale
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.sales.model import ServiceCase
from seeds.kestrel.story.topics import TOPICS
from seeds.ledger import Ledger

TABLE, FIRST = "crm_case", 1_000
ORIGINS = {"voice": "Phone", "email": "Email", "web": "Web", "chat": "Web", "api": "Web"}
TYPES = {"hardware": "Mechanical", "dealers": "Other", "logistics": "Other"}
REASONS = {"hardware": "Breakdown", "dealers": "Other", "logistics": "Other"}
_TOPICS = {topic.key: topic for topic in TOPICS}
NOTED, QUEUED = 0.6, 0.08


class CrmCases:
    """Writes cases with what was noted on them, oldest first."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        customers: CrmCustomers,
        contacts: CrmContacts,
        after_sale: CrmAfterSale,
    ) -> None:
        self.writer, self.draws, self.ledger = writer, draws, ledger
        self.customers, self.contacts, self.after_sale = customers, contacts, after_sale
        self.office = customers.office

    def write(self, cases: list[ServiceCase]) -> None:
        """Write all cases."""
        for number, case in enumerate(cases, start=1):
            self._write_case(case, number)
        self.writer.count("Case", len(cases))

    def _write_case(self, case: ServiceCase, number: int) -> None:
        ticket, person = case.ticket, case.person
        rng = self.draws.rng("crm-case-row", ticket.number)
        firm = person.firm
        if firm is None:
            return
        owner = self.customers.owners[firm.index]
        topic = _TOPICS[ticket.topic]
        contact = self.contacts.rows[person.index]
        machine = case.unit.machine.name if case.unit is not None else ""
        subject = topic.label.rpartition("::")[2]
        serial = "" if case.unit is None else case.unit.serial
        open_queue = not case.closed and chance(rng, QUEUED)
        key = self.writer.new_id("Case", skip=rng.randrange(2))
        row: dict[str, Any] = {
            "CaseNumber": f"{FIRST + number:08d}",
            "AccountId": self.customers.accounts[firm.index],
            "ContactId": self.contacts.contacts[person.index],
            "ContactEmail": contact.get("Email"),
            "ContactPhone": contact.get("Phone"),
            "AssetId": self.after_sale.assets.get(serial),
            "EntitlementId": self.after_sale.covered.get(serial),
            "ProductId": None
            if case.unit is None
            else self.office.products[case.unit.machine.code],
            "Subject": f"{subject} - {machine}" if machine and chance(rng, 0.7) else subject,
            "Status": case.status,
            "IsClosed": case.closed is not None,
            "ClosedDate": case.closed,
            "IsEscalated": case.status == "Escalated",
            "Origin": ORIGINS.get(ticket.channel),
            "Priority": "Medium" if chance(rng, 0.85) else rng.choice(("High", "Low")),
            "Type": TYPES[topic.group] if chance(rng, 0.5) else None,
            "Reason": REASONS[topic.group] if chance(rng, 0.4) else None,
            "OwnerId": self.office.queues["Case"] if open_queue else owner,
        }
        if case.named is not None:
            row["Description"] = f"Helpdesk ticket #{case.named}"
        self.writer.add("Case", row, by=owner, at=case.created, changed=case.closed, id=key)
        self._give(case, key)
        if case.closed is not None:
            said: dict[str, Any] = {
                "by": owner,
                "at": case.closed,
                "old": "New",
                "new": case.status,
            }
            self.writer.note("Case", key, "Status", "DynamicEnum", **said)
        if case.forgotten:
            self.ledger.add("crm_case_open", TABLE, key, "Status", "Closed", case.status)
        if chance(rng, NOTED):
            self._note(case, key, owner)

    def _give(self, case: ServiceCase, key: str) -> None:
        """Give a case the number that it is known by."""
        if case.named is not None:
            self.writer.give("Case", key, {"Helpdesk_Ticket__c": str(case.named)})
            if case.named != case.ticket.number:
                self.ledger.add(
                    "crm_case_ticket",
                    "crm_customvalues",
                    key,
                    "Helpdesk_Ticket__c",
                    str(case.ticket.number),
                    str(case.named),
                )

    def _note(self, case: ServiceCase, key: str, owner: str) -> None:
        """Note which group of the helpdesk had the ticket first."""
        first = [step for step in case.ticket.steps if "group" in step.changes]
        if not first or first[0].at > case.created:
            return
        group = GROUPS[first[0].changes["group"]][0]
        body = {"ParentId": key, "CommentBody": f"With {group}.", "IsPublished": False}
        at = case.created + timedelta(minutes=2)
        if case.closed is None or at < case.closed:
            self.writer.add("CaseComment", body, by=owner, at=at)
