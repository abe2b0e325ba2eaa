"""Leads, those that became deals among them, and campaigns with who was in them."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, chance
from seeds.kestrel.projection.crm import mess
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.organization import CENTS
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.timeline import Timeline
from seeds.kestrel.sales.model import CampaignMove, Deal, Sales, SalesCampaign, StoryLead
from seeds.ledger import Ledger

TABLE = "crm_lead"
# What a member shows of the lead or contact that it is.
COPIED = ("FirstName", "LastName", "Title", "Email", "Phone", "LeadSource")
SCORED, LETTERS = 0.54, "DCBA"


class CrmLeads:
    """Writes leads and campaigns; they are found by the story's numbers."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        customers: CrmCustomers,
        contacts: CrmContacts,
        timeline: Timeline,
    ) -> None:
        self.writer, self.draws, self.ledger = writer, draws, ledger
        self.customers, self.contacts, self.timeline = customers, contacts, timeline
        self.office = customers.office
        self.leads: dict[int, str] = {}
        self.campaigns: dict[int, str] = {}
        self._rows: dict[int, dict[str, Any]] = {}

    def name_campaigns(self, campaigns: list[SalesCampaign]) -> None:
        """Give campaigns their ids, which deals refer to."""
        for one in campaigns:
            self.campaigns[one.index] = self.writer.new_id("Campaign")

    def write_leads(self, sales: Sales, deals: dict[int, str]) -> None:
        """Write all leads, oldest first."""
        for lead in sales.leads:
            key = self.leads[lead.index] = self.writer.new_id("Lead")
        for lead in sales.leads:
            key = self.leads[lead.index]
            rng = self.draws.rng("crm-lead", lead.index)
            row = self._rows[lead.index] = self._lead_row(rng, lead, key)
            if lead.deal is not None:
                row |= self._converted(sales.deals[lead.deal], deals[lead.deal])
            queued = lead.owner is None
            by = self.office.users[0 if lead.owner is None else lead.owner]
            row["OwnerId"] = self.office.queues["Lead"] if queued else by
            row["IsUnreadByOwner"] = lead.status.startswith("Open")
            at, changed = lead.created, max(lead.touched, lead.created)
            self.writer.add("Lead", row, by=by, at=at, changed=changed, id=key)
            if not lead.status.startswith("Open") and changed > at:
                said: dict[str, Any] = {"by": by, "at": changed, "old": "Open - Not Contacted"}
                self.writer.note("Lead", key, "Status", "DynamicEnum", new=lead.status, **said)
            self._give(rng, lead, key)
            self._record(lead, key)

    def _lead_row(self, rng: Random, lead: StoryLead, key: str) -> dict[str, Any]:
        country = None if lead.country is None else mess.country_name(rng, lead.country)
        row: dict[str, Any] = {
            "FirstName": lead.given,
            "LastName": lead.family,
            "Name": " ".join(part for part in (lead.given, lead.family) if part),
            "Company": lead.company,
            "Title": lead.title,
            "Email": lead.email,
            "Phone": lead.phone,
            "City": lead.city,
            "Country": country,
            "LeadSource": lead.source,
            "Status": lead.status,
            "Rating": lead.rating,
            "LastActivityDate": self.timeline.last.get(("lead", lead.index)),
        }
        for name in ("Title", "Phone"):
            said = mess.junk(rng, 0.015)
            if said is not None and not lead.junk and lead.deal is None:
                said = rng.choice(mess.JUNK_PHONES) if name == "Phone" else said
                self.ledger.add("crm_junk_value", TABLE, key, name, row[name], said)
                row[name] = said
        return row

    def _converted(self, deal: Deal, key: str) -> dict[str, Any]:
        person = deal.contact
        return {
            "IsConverted": True,
            "ConvertedDate": deal.created.date(),
            "ConvertedAccountId": self.customers.accounts[deal.firm.index],
            "ConvertedContactId": None if person is None else self.contacts.contacts[person.index],
            "ConvertedOpportunityId": key,
        }

    def _give(self, rng: Random, lead: StoryLead, key: str) -> None:
        """Give a lead the fields of the organization's own: scores are there together or not."""
        values: dict[str, Any] = {"Interest__c": lead.interest}
        if chance(rng, SCORED) and not lead.junk:
            fit = rng.randint(5, 60) + (30 if lead.deal is not None else 0)
            values |= {
                "Fit_Score__c": float(fit),
                "Activity_Score__c": float(rng.randint(0, 70)),
                "Grade__c": LETTERS[min(fit // 25, 3)],
            }
        if chance(rng, 0.004):
            values["Import_Batch__c"] = "2019-B"
        self.writer.give("Lead", key, values)

    def _record(self, lead: StoryLead, key: str) -> None:
        """Put into the ledger what a lead is not."""
        if lead.junk:
            self.ledger.add("crm_lead_junk", TABLE, key, "LastName", None, lead.family)
        if lead.twin is not None:
            first = self.leads[lead.twin]
            self.ledger.add(f"crm_lead_twice_{lead.repeats}", TABLE, key, "Id", first, key)
        if lead.person is not None:
            contact = self.contacts.contacts.get(lead.person)
            self.ledger.add(f"crm_lead_twice_{lead.repeats}", TABLE, key, "Id", contact, key)

    def write_campaigns(self, sales: Sales) -> None:
        """Write campaigns with their statuses and members."""
        deals: dict[int, list[Deal]] = defaultdict(list)
        for deal in sales.deals:
            if deal.campaign is not None:
                deals[deal.campaign].append(deal)
        for campaign in sales.campaigns:
            self._write_campaign(sales, campaign, deals[campaign.index])

    def _write_campaign(self, sales: Sales, campaign: SalesCampaign, deals: list[Deal]) -> None:
        key, by = self.campaigns[campaign.index], self.office.users[campaign.owner]
        moves = campaign.members
        leads = [move for move in moves if move.lead is not None]
        won = [deal for deal in deals if deal.is_won]
        above = campaign.parent
        row = {
            "Name": campaign.name,
            "ParentId": None if above is None else self.campaigns[above],
            "Type": campaign.kind,
            "Status": campaign.status,
            "IsActive": campaign.status != "Completed",
            "StartDate": campaign.starts,
            "EndDate": campaign.ends,
            "BudgetedCost": float(campaign.budget) or None,
            "ActualCost": None if campaign.cost is None else float(campaign.cost),
            "NumberSent": float(campaign.sent),
            "Description": campaign.text or None,
            "OwnerId": by,
            "NumberOfLeads": len(leads),
            "NumberOfConvertedLeads": sum(
                sales.leads[move.lead].deal is not None for move in leads if move.lead is not None
            ),
            "NumberOfContacts": len(moves) - len(leads),
            "NumberOfResponses": sum(move.responded is not None for move in moves),
            "NumberOfOpportunities": len(deals),
            "NumberOfWonOpportunities": len(won),
            "AmountAllOpportunities": sum(deal.amount or 0 for deal in deals) / CENTS,
            "AmountWonOpportunities": sum(deal.amount or 0 for deal in won) / CENTS,
        }
        self.writer.add("Campaign", row, by=by, at=campaign.created, id=key)
        for place, (label, answered) in enumerate(campaign.statuses, start=1):
            status = {
                "CampaignId": key,
                "Label": label,
                "SortOrder": place,
                "IsDefault": place == 1,
                "HasResponded": answered,
            }
            at = campaign.created + timedelta(seconds=place)
            self.writer.add("CampaignMemberStatus", status, by=by, at=at)
        for move in moves:
            self._write_member(sales, move, key, by)

    def _write_member(self, sales: Sales, move: CampaignMove, campaign: str, by: str) -> None:
        row: dict[str, Any] = {
            "CampaignId": campaign,
            "Status": move.status,
            "HasResponded": move.responded is not None,
            "FirstRespondedDate": move.responded,
        }
        if move.lead is not None:
            lead = sales.leads[move.lead]
            row["LeadId"] = row["LeadOrContactId"] = self.leads[move.lead]
            known = self._rows[move.lead]
            row |= {name: known.get(name) for name in COPIED}
            row |= {"CompanyOrAccount": lead.company, "Type": "Lead"}
            if lead.deal is not None and (person := sales.deals[lead.deal].contact) is not None:
                row["ContactId"] = self.contacts.contacts[person.index]
        elif move.person is not None:
            person = move.person
            row["ContactId"] = row["LeadOrContactId"] = self.contacts.contacts[person.index]
            known = self.contacts.rows[person.index]
            row |= {name: known.get(name) for name in COPIED}
            row["Type"] = "Contact"
            if person.firm is not None:
                row["CompanyOrAccount"] = self.customers.names[person.firm.index]
        row["Name"] = " ".join(filter(None, (row["FirstName"], row["LastName"])))
        self.writer.add("CampaignMember", row, by=by, at=move.at, changed=move.responded)
