"""Deals with their products and histories, what was done about them, and leads."""

from __future__ import annotations

from typing import Any

from clones.crm.rules.organization import STAGES
from seeds.kestrel.projection.crm.customers import COUNTRY_NAMES, CrmCustomers
from seeds.kestrel.projection.crm.organization import CENTS, Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.sales.model import Deal, Sales, SalesActivity, StoryLead

_STAGES = {
    name: (chance, code, label, closed, won) for name, chance, code, label, closed, won in STAGES
}


class SalesRecords:
    """Writes what sales did."""

    def __init__(self, writer: CrmWriter, office: Office, customers: CrmCustomers) -> None:
        self.writer, self.office, self.customers = writer, office, customers
        self.deals: dict[int, str] = {}
        self._accounts: dict[int, str] = {}

    def write(self, sales: Sales) -> None:
        """Write deals, what was done about them, and leads, each kind oldest first."""
        for deal in sales.deals:
            self._write_deal(deal)
        for touch in sales.touches:
            self._write_touch(touch, sales.deals[touch.deal])
        for lead in sales.leads:
            self._write_lead(lead)

    def _write_deal(self, deal: Deal) -> None:
        owner = self.office.users[deal.owner]
        account = self.customers.accounts[deal.firm.index]
        last = deal.moves[-1].at
        key = self.writer.new_id("Opportunity")
        row: dict[str, Any] = {
            "Name": deal.name,
            "AccountId": account,
            "OwnerId": owner,
            "Type": deal.kind,
            "LeadSource": deal.source,
            "NextStep": deal.next_step,
            "CloseDate": deal.due,
            "FiscalYear": deal.due.year,
            "FiscalQuarter": (deal.due.month + 2) // 3,
            "Fiscal": f"{deal.due.year} {(deal.due.month + 2) // 3}",
            "HasOpportunityLineItem": bool(deal.lines),
            "Pricebook2Id": self.office.pricebook if deal.lines else None,
            **_at_stage(deal, deal.stage),
        }
        self.writer.add("Opportunity", row, by=owner, at=deal.created, changed=last, id=key)
        self.deals[deal.index] = key
        for move in deal.moves:
            shown = _at_stage(deal, move.stage)
            history = {
                name: shown[name]
                for name in ("StageName", "Amount", "Probability", "ExpectedRevenue")
            }
            history |= {
                "OpportunityId": key,
                "CloseDate": deal.due,
                "ForecastCategory": shown["ForecastCategory"],
            }
            self.writer.add("OpportunityHistory", history, by=owner, at=move.at)
        for code, count, price in deal.lines:
            line = {
                "OpportunityId": key,
                "PricebookEntryId": self.office.entries[code],
                "Product2Id": self.office.products[code],
                "ProductCode": code,
                "Quantity": float(count),
                "UnitPrice": price / CENTS,
                "ListPrice": price / CENTS,
                "TotalPrice": count * price / CENTS,
            }
            self.writer.add("OpportunityLineItem", line, by=owner, at=deal.created)
        contact = None if deal.contact is None else self.customers.contacts.get(deal.contact.index)
        if contact is not None:
            role = {"OpportunityId": key, "ContactId": contact, "IsPrimary": True}
            self.writer.add("OpportunityContactRole", role, by=owner, at=deal.created)

    def _write_touch(self, touch: SalesActivity, deal: Deal) -> None:
        owner = self.office.users[touch.owner]
        contact = None if deal.contact is None else self.customers.contacts.get(deal.contact.index)
        row = {
            "Subject": touch.subject,
            "WhatId": self.deals[deal.index],
            "WhoId": contact,
            "AccountId": self.customers.accounts[deal.firm.index],
            "OwnerId": owner,
            "Status": "Not Started" if touch.done is None else "Completed",
            "Priority": "Normal",
            "IsClosed": touch.done is not None,
            "TaskSubtype": touch.kind,
            "ActivityDate": touch.due,
        }
        self.writer.add("Task", row, by=owner, at=touch.created, changed=touch.done)

    def _write_lead(self, lead: StoryLead) -> None:
        owner = self.office.users[lead.owner]
        country = None if lead.country is None else COUNTRY_NAMES.get(lead.country, (lead.country,))
        row = {
            "FirstName": lead.given,
            "LastName": lead.family,
            "Name": " ".join(part for part in (lead.given, lead.family) if part),
            "Company": lead.company,
            "Title": lead.title,
            "Email": lead.email,
            "Phone": lead.phone,
            "City": lead.city,
            "Country": None if country is None else country[0],
            "LeadSource": lead.source,
            "Status": lead.status,
            "Rating": lead.rating,
            "OwnerId": owner,
        }
        self.writer.add("Lead", row, by=owner, at=lead.created, changed=lead.touched)


def _at_stage(deal: Deal, stage: str) -> dict[str, Any]:
    """Return what follows from the stage of a deal, and from its amount."""
    chance, code, label, closed, won = _STAGES[stage]
    amount = None if deal.amount is None else deal.amount / CENTS
    return {
        "StageName": stage,
        "Amount": amount,
        "Probability": chance,
        "ExpectedRevenue": None if amount is None else round(amount * chance / 100, 2),
        "ForecastCategory": code,
        "ForecastCategoryName": label,
        "IsClosed": closed,
        "IsWon": won,
    }
