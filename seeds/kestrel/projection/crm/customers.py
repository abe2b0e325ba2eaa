"""Accounts: the firms that sales knows, as sellers typed them in, and those that compete.

What is missing is missing in blocks, some firms are there twice, some values say nothing; whatever
is not true is in the ledger.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import FOUNDED, PRESENT
from seeds.kestrel.projection.crm import mess
from seeds.kestrel.projection.crm.organization import Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.timeline import Timeline
from seeds.kestrel.projection.crm.truths import Truths
from seeds.kestrel.sales.deals import REGION_OF
from seeds.kestrel.sales.market import BEYOND
from seeds.kestrel.sales.model import Market, Seller
from seeds.kestrel.sales.slips import misspelt_name
from seeds.kestrel.story.model import Firm
from seeds.kestrel.story.people import slug
from seeds.ledger import Ledger
from seeds.pools import Half

INDUSTRIES = {
    "workshop": "Manufacturing",
    "signs": "Media",
    "gifts": "Retail",
    "school": "Education",
    "makerspace": "Not For Profit",
    "manufacturer": "Manufacturing",
    "models": "Construction",
    "jewellery": "Retail",
    "packaging": "Manufacturing",
    "dealer": "Machinery",
}
TABLE = "crm_account"
TWICE, LEFT_OWNER, OTHER_NAME, JUNKED, IMPORTED = 0.085, 0.125, 0.09, 0.02, 0.012
# What is missing: the address; industry, and with it staff and turnover; phone; website.
NO_ADDRESS, NO_INDUSTRY, NO_STAFF, NO_TURNOVER, NO_PHONE, NO_SITE = (
    0.16,
    0.34,
    0.25,
    0.28,
    0.2,
    0.25,
)
PLAN_WRONG, CHURNED_WRONG, SAID_HEALTHY = 0.05, 0.02, 0.45
# How the second of two accounts differs from the first.
TWINS = Weighted(
    {"spelling": 0.42, "typo": 0.22, "city": 0.16, "trading_name": 0.14, "merged_company": 0.06}
)
ENDINGS = ("Ltd", "GmbH", "Inc", "Group", "Holding")


class CrmCustomers:
    """Writes accounts; they are found by the story's numbers."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        half: Half,
        office: Office,
        market: Market,
        timeline: Timeline,
        truths: Truths,
    ) -> None:
        self.writer, self.draws, self.ledger, self.office = writer, draws, ledger, office
        self.half, self.market, self.timeline, self.truths = half, market, timeline, truths
        self.accounts: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.rivals: list[str] = []
        self.owners: dict[int, str] = {}
        self.twins: dict[int, str] = {}

    def write(self) -> None:
        """Write all accounts, those who compete first."""
        admin = self.office.users[0]
        for place, name in enumerate(self.market.rivals):
            row = {
                "Name": name,
                "Type": "Other",
                "Industry": "Machinery",
                "OwnerId": admin,
                "Website": f"www.{slug(name)}.example",
                "Description": "Competitor.",
            }
            at = FOUNDED + timedelta(days=30 + 97 * place)
            key = self.writer.add("Account", row, by=admin, at=at)
            self.writer.give("Account", key, {"Segment__c": "Competitor"})
            self.rivals.append(key)
        since = self.timeline.firms
        for index in sorted(self.market.firms, key=lambda one: (since[one], one)):
            self._write_firm(self.market.firms[index], since[index])

    def seller_of(self, rng: Random, firm: Firm, at: datetime) -> Seller:
        """Return who has an account: of those who left, some still do."""
        sellers = self.office.sellers
        gone = [one for one in sellers[2:] if one.left_at is not None and one.left_at > at]
        if gone and chance(rng, LEFT_OWNER):
            return rng.choice(gone)
        region = REGION_OF.get(firm.country.code, "emea")
        there = [one for one in sellers[2:] if one.left_at is None]
        own = [one for one in there if one.region == region] or there
        return rng.choice(own or sellers[:1])

    def _write_firm(self, firm: Firm, at: datetime) -> None:
        rng = self.draws.rng("crm-account", firm.index)
        owner = self.seller_of(rng, firm, at)
        by = self.owners[firm.index] = self.office.users[owner.index]
        maker = by if owner.was_there(at) else self.office.users[0]
        key = self.accounts[firm.index] = self.writer.new_id("Account", skip=rng.randrange(3))
        if chance(rng, IMPORTED):
            midnight = at.replace(hour=0, minute=0, second=0)
            self.ledger.add("crm_import", TABLE, key, "CreatedDate", f"{at}", f"{midnight}")
            at, maker = midnight, self.office.users[0]
        row = self._firm_row(rng, firm, key, by)
        last = self.timeline.last.get(("firm", firm.index))
        row["LastActivityDate"] = last
        changed = min(at + timedelta(days=lognormal(rng, 160, 1.1)), PRESENT)
        self.writer.add("Account", row, by=maker, at=at, changed=changed, id=key)
        self.writer.give("Account", key, self._own_fields(rng, firm, key))
        if owner.left_at is not None:
            self.ledger.add("crm_owner_left", TABLE, key, "OwnerId", None, by)
        if chance(rng, TWICE):
            self._write_twin(rng, firm, at, key)

    def _firm_row(self, rng: Random, firm: Firm, key: str, owner: str) -> dict[str, Any]:
        is_customer = firm.index < BEYOND
        name = firm.name
        if is_customer and firm.spellings and chance(rng, OTHER_NAME):
            name = rng.choice(firm.spellings)
            self.ledger.add("crm_account_name", TABLE, key, "Name", firm.name, name)
        self.names[firm.index] = name
        kind = "Channel Partner / Reseller" if firm.dealer else "Customer - Direct"
        row: dict[str, Any] = {
            "Name": name,
            "OwnerId": owner,
            "Type": kind if is_customer else "Prospect",
            "Website": None if chance(rng, NO_SITE) else f"www.{firm.domain}",
            "AccountSource": Weighted({"Web": 0.4, "Partner Referral": 0.2, None: 0.4}).draw(rng),
            "Rating": Weighted({"Hot": 0.07, "Warm": 0.17, "Cold": 0.1, None: 0.66}).draw(rng),
        }
        if not chance(rng, NO_ADDRESS):
            row |= {
                "BillingStreet": mess.street(self.half, self.draws, firm),
                "BillingCity": firm.city,
                "BillingPostalCode": mess.postal_code(self.draws, firm),
                "BillingState": mess.state_name(rng, self.draws, firm),
                "BillingCountry": mess.country_name(rng, firm.country.code),
            }
        if not chance(rng, NO_INDUSTRY):
            row["Industry"] = INDUSTRIES[firm.segment]
            if not chance(rng, NO_STAFF):
                row["NumberOfEmployees"] = max(int(lognormal(rng, 14, 1.1)), 1)
                if not chance(rng, NO_TURNOVER):
                    row["AnnualRevenue"] = round(lognormal(rng, 900_000, 1.2), -3)
        phone = mess.switchboard(self.draws, firm)
        if phone is not None and not chance(rng, NO_PHONE):
            row["Phone"] = mess.shaped(rng, phone)
        self._spoil(rng, key, row)
        return row

    def _spoil(self, rng: Random, key: str, row: dict[str, Any]) -> None:
        """Put a value that says nothing where somebody had to write something."""
        for name in ("Website", "Industry", "Phone"):
            said = mess.junk(rng, JUNKED)
            if said is not None:
                said = rng.choice(mess.JUNK_PHONES) if name == "Phone" else said
                self.ledger.add("crm_junk_value", TABLE, key, name, row.get(name), said)
                row[name] = said

    def _own_fields(self, rng: Random, firm: Firm, key: str) -> dict[str, Any]:
        values: dict[str, Any] = {
            "Segment__c": firm.segment.capitalize() if chance(rng, 0.8) else None,
            "Fax_Opt_In__c": True if chance(rng, 0.003) else None,
        }
        if firm.index >= BEYOND:
            return values
        values["ERP_Number__c"] = erp_number(firm)
        if firm.dealer:
            values["Dealer_Code__c"] = f"D-{firm.country.code}{firm.index % 1000:03d}"
        values["Machines_Installed__c"] = self.truths.machines.get(firm.index)
        plan = self.truths.plans.get(firm.index)
        if plan is not None:
            said = plan
            if chance(rng, PLAN_WRONG):
                said = rng.choice([one for one in self.truths.plan_names if one != plan])
                self.ledger.add("crm_plan", "crm_customvalues", key, "Studio_Plan__c", plan, said)
            values["Studio_Plan__c"] = said
        is_active = firm.index in self.truths.writing
        if is_active and chance(rng, CHURNED_WRONG):
            self.ledger.add(
                "crm_churned_active", "crm_customvalues", key, "Health__c", "Good", "Churned"
            )
            values["Health__c"] = "Churned"
        elif chance(rng, SAID_HEALTHY):
            values["Health__c"] = Weighted({"Good": 0.82, "At Risk": 0.18}).draw(rng)
        return values

    def _write_twin(self, rng: Random, firm: Firm, first: datetime, original: str) -> None:
        """Write an account of a firm that has one, as somebody made it who did not look."""
        at = first + timedelta(days=lognormal(rng, 120, 0.9))
        if at >= PRESENT:
            at = first + (PRESENT - first) * rng.uniform(0.2, 0.95)
        there = [one for one in self.office.sellers if one.was_there(at)]
        by = self.office.users[rng.choice(there).index]
        kind = TWINS.draw(rng)
        row: dict[str, Any] = {"Name": _other_name(rng, firm, kind), "Type": "Prospect"}
        row["OwnerId"] = by
        if chance(rng, 0.5):
            row["BillingCity"] = firm.city
            row["BillingCountry"] = mess.country_name(rng, firm.country.code)
        if chance(rng, 0.3):
            row["Website"] = f"www.{firm.domain}"
        key = self.writer.add("Account", row, by=by, at=at.replace(microsecond=0))
        self.twins[firm.index] = key
        if firm.index < BEYOND and chance(rng, 0.4):
            self.writer.give("Account", key, {"ERP_Number__c": erp_number(firm)})
        self.ledger.add(f"crm_account_twice_{kind}", TABLE, key, "Id", original, key)


def erp_number(firm: Firm) -> str:
    """Return the number that a firm has in the company's books."""
    return f"K{10_000 + firm.index * 7}"


def _other_name(rng: Random, firm: Firm, kind: str) -> str:
    """Return what the second account of a firm is called."""
    if kind == "spelling" and firm.spellings:
        return rng.choice(firm.spellings)
    if kind == "city":
        return f"{firm.name} {firm.city}"
    if kind == "trading_name":
        return firm.domain.partition(".")[0].replace("-", " ").title().replace(" ", "")
    if kind == "merged_company":
        return f"{firm.name.partition(' ')[0]} {rng.choice(ENDINGS)}"
    words = firm.name.split(" ")
    place = rng.randrange(len(words))
    words[place] = misspelt_name(rng, words[place])
    return " ".join(words)
