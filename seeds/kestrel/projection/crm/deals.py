"""Deals with their products, the people who take part, and how they came to stand as they do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from clones.crm.rules.organization import STAGES
from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.crm.contacts import CrmContacts
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.organization import CENTS, Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.timeline import Timeline
from seeds.kestrel.sales.model import Deal, StageMove
from seeds.kestrel.story.trade import RATES
from seeds.ledger import Ledger

TABLE = "crm_opportunity"
# Of deals without products: the sum is in another currency, or ten times too much.
OTHER_CURRENCY, TENFOLD = 0.035, 0.015
DATA_TYPES = {"StageName": "DynamicEnum", "Amount": "Currency", "CloseDate": "DateOnly"}
FUNDING = Weighted({"Own funds": 0.5, "Leasing": 0.25, "Grant": 0.15, "Bank": 0.1})
_STAGES = {
    name: (chance, code, label, closed, won) for name, chance, code, label, closed, won in STAGES
}


class CrmDeals:
    """Writes opportunities; they are found by the story's numbers."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        customers: CrmCustomers,
        contacts: CrmContacts,
        timeline: Timeline,
        campaigns: dict[int, str],
    ) -> None:
        self.writer, self.draws, self.ledger = writer, draws, ledger
        self.customers, self.contacts, self.timeline = customers, contacts, timeline
        self.office: Office = customers.office
        self.campaigns = campaigns
        self.deals: dict[int, str] = {}

    def write(self, deals: list[Deal]) -> None:
        """Write all deals, oldest first."""
        for deal in deals:
            self._write_deal(deal)

    def _write_deal(self, deal: Deal) -> None:
        rng = self.draws.rng("crm-deal", deal.index)
        owner = self.office.users[deal.owner]
        key = self.deals[deal.index] = self.writer.new_id("Opportunity", skip=rng.randrange(3))
        wrong = self._misread(deal, key)
        shown = [self._shown(move, wrong) for move in deal.moves]
        histories = self._write_history(deal, key, owner, shown)
        book = self.office.book_of(deal.firm)
        stages = [move for place, move in enumerate(deal.moves) if _is_new(deal.moves, place)]
        touched = self.timeline.last.get(("deal", deal.index))
        due = deal.moves[-1].due
        row: dict[str, Any] = {
            "Name": deal.name,
            "AccountId": self.customers.accounts[deal.firm.index],
            "ContactId": self._first_contact(deal),
            "OwnerId": owner,
            "Type": deal.kind,
            "LeadSource": deal.source,
            "CampaignId": None if deal.campaign is None else self.campaigns[deal.campaign],
            "NextStep": deal.next_step,
            **_when(due),
            **shown[-1],
            **_forecast(deal.moves[-1]),
            "HasOpportunityLineItem": bool(deal.lines),
            "TotalOpportunityQuantity": float(sum(count for _, count, _ in deal.lines)) or None,
            "Pricebook2Id": self.office.pricebooks[book] if deal.lines else None,
            "LastStageChangeDate": stages[-1].at,
            "LastActivityDate": touched,
            "HasOpenActivity": deal.index in self.timeline.open,
            "HasOverdueTask": deal.index in self.timeline.overdue,
            **histories,
        }
        last = deal.moves[-1].at
        self.writer.add("Opportunity", row, by=owner, at=deal.created, changed=last, id=key)
        rival = None if deal.competitor is None else self.customers.rivals[deal.competitor]
        values = {
            "Loss_Reason__c": deal.loss,
            "Competitor__c": rival,
            "Push_Count__c": float(deal.pushes) if deal.pushes else None,
            "Funding_Source__c": FUNDING.draw(rng) if chance(rng, 0.3) else None,
        }
        self.writer.give("Opportunity", key, values)
        self._write_lines(deal, key, owner, book)
        self._write_roles(deal, key, owner)

    def _misread(self, deal: Deal, key: str) -> float:
        """Return what a deal's sum is multiplied by, for one that somebody got wrong."""
        rng = self.draws.rng("crm-misread", deal.index)
        if deal.lines or not deal.amount:
            return 1.0
        currency = deal.firm.country.currency
        if currency != "eur" and chance(rng, OTHER_CURRENCY):
            factor, kind = RATES[currency], "crm_amount_currency"
        elif chance(rng, TENFOLD):
            factor, kind = 10.0, "crm_amount_tenfold"
        else:
            return 1.0
        true = deal.amount / CENTS
        self.ledger.add(kind, TABLE, key, "Amount", true, round(true * factor, 2))
        return factor

    @staticmethod
    def _shown(move: StageMove, factor: float) -> dict[str, Any]:
        """Return what a deal said of itself from a moment on."""
        chance_, code, _, _, _ = _STAGES[move.stage]
        amount = None if move.amount is None else round(move.amount / CENTS * factor, 2)
        return {
            "StageName": move.stage,
            "Amount": amount,
            "Probability": chance_,
            "ExpectedRevenue": None if amount is None else round(amount * chance_ / 100, 2),
            "ForecastCategory": code,
        }

    def _write_history(
        self, deal: Deal, key: str, owner: str, shown: list[dict[str, Any]]
    ) -> dict[str, str]:
        """Write a row for each time a deal changed; return those of the last sum and day."""
        found: dict[str, str] = {}
        for place, (move, values) in enumerate(zip(deal.moves, shown, strict=True)):
            before = deal.moves[place - 1] if place else None
            row = {"OpportunityId": key, "CloseDate": move.due, **values}
            if before is not None:
                row |= {"PrevAmount": shown[place - 1]["Amount"], "PrevCloseDate": before.due}
                self._note_fields(key, owner, move, before, (shown[place - 1], values))
            id = self.writer.add("OpportunityHistory", row, by=owner, at=move.at)
            if before is not None and before.amount != move.amount:
                found["LastAmountChangedHistoryId"] = id
            if before is not None and before.due != move.due:
                found["LastCloseDateChangedHistoryId"] = id
        return found

    def _note_fields(
        self,
        key: str,
        owner: str,
        move: StageMove,
        before: StageMove,
        shown: tuple[dict[str, Any], dict[str, Any]],
    ) -> None:
        """Write what changed of a deal, field by field."""
        changes: list[tuple[str, Any, Any]] = [("CloseDate", before.due, move.due)]
        changes += [(name, shown[0][name], shown[1][name]) for name in ("StageName", "Amount")]
        for name, old, new in changes:
            if old != new:
                kind = DATA_TYPES[name]
                self.writer.note(
                    "Opportunity", key, name, kind, by=owner, at=move.at, old=old, new=new
                )

    def _first_contact(self, deal: Deal) -> str | None:
        return None if deal.contact is None else self.contacts.contacts.get(deal.contact.index)

    def _write_lines(self, deal: Deal, key: str, owner: str, book: str) -> None:
        at = min(deal.created + timedelta(minutes=12), PRESENT)
        for place, (code, count, price) in enumerate(deal.lines, start=1):
            line = {
                "OpportunityId": key,
                "SortOrder": place,
                "PricebookEntryId": self.office.entries[book, code],
                "Product2Id": self.office.products[code],
                "ProductCode": code,
                "Name": f"{deal.name} {self.office.named[code]}"[:376],
                "Quantity": float(count),
                "UnitPrice": price / CENTS,
                "ListPrice": self.office.listed[book, code],
                "TotalPrice": count * price / CENTS,
            }
            self.writer.add("OpportunityLineItem", line, by=owner, at=at)

    def _write_roles(self, deal: Deal, key: str, owner: str) -> None:
        for place, (person, role) in enumerate(deal.contacts):
            row = {
                "OpportunityId": key,
                "ContactId": self.contacts.contacts[person.index],
                "Role": role,
                "IsPrimary": place == 0,
            }
            self.writer.add("OpportunityContactRole", row, by=owner, at=deal.created)


def _is_new(moves: list[StageMove], place: int) -> bool:
    return place == 0 or moves[place - 1].stage != moves[place].stage


def _when(due: Any) -> dict[str, Any]:
    quarter = (due.month + 2) // 3
    return {
        "CloseDate": due,
        "FiscalYear": due.year,
        "FiscalQuarter": quarter,
        "Fiscal": f"{due.year} {quarter}",
    }


def _forecast(move: StageMove) -> dict[str, Any]:
    _, _, label, closed, won = _STAGES[move.stage]
    return {"ForecastCategoryName": label, "IsClosed": closed, "IsWon": won}
