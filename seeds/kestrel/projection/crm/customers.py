"""Accounts and contacts: the firms and people of the story, as sellers typed them in.

What is missing is missing in blocks, some firms are there twice, some numbers and addresses are of
long ago; every such thing is in the ledger.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.crm.organization import Office
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.sales.deals import REGION_OF
from seeds.kestrel.sales.model import Seller
from seeds.kestrel.story.model import Firm, StoryPerson
from seeds.ledger import Ledger

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
COUNTRY_NAMES = {
    "GB": ("United Kingdom", "UK", "GB", "England"),
    "US": ("United States", "USA", "US"),
    "DE": ("Germany", "Deutschland"),
    "NL": ("Netherlands", "The Netherlands"),
}
TITLES = Weighted(
    {
        "Owner": 0.22,
        "Director": 0.13,
        "Workshop Manager": 0.15,
        "Technician": 0.12,
        "Head of D&T": 0.06,
        "Purchasing": 0.1,
        "Office Manager": 0.1,
        "Designer": 0.12,
    }
)
TWICE, LEFT_OWNER, OLD_PHONE, NO_DETAILS = 0.035, 0.5, 0.06, 0.2


class CrmCustomers:
    """Writes accounts and contacts; they are found by the story's numbers."""

    def __init__(self, writer: CrmWriter, draws: Draws, ledger: Ledger, office: Office) -> None:
        self.writer, self.draws, self.ledger, self.office = writer, draws, ledger, office
        self.accounts: dict[int, str] = {}
        self.contacts: dict[int, str] = {}

    def write(self, firms: list[Firm], people: list[StoryPerson]) -> None:
        """Write the accounts of all firms, and the contacts of those who work there."""
        for firm in sorted(firms, key=lambda one: (one.since, one.index)):
            self._write_firm(firm)
        for person in sorted(people, key=lambda one: (one.since, one.index)):
            if person.firm is not None and not person.shared:
                self._write_person(person, person.firm)

    def _owner(self, rng: Random, firm: Firm) -> Seller:
        """Return who has the account: of those who left, some still do."""
        region = REGION_OF.get(firm.country.code, "emea")
        sellers = self.office.sellers
        own = [one for one in sellers[2:] if one.region == region and one.since <= firm.since]
        found = rng.choice(own or [sellers[1]])
        if found.left_at is not None and not chance(rng, LEFT_OWNER):
            staying = [one for one in own if one.left_at is None]
            return rng.choice(staying or [sellers[1]])
        return found

    def _write_firm(self, firm: Firm) -> None:
        rng = self.draws.rng("crm-account", firm.index)
        owner = self._owner(rng, firm)
        changed = min(firm.since + timedelta(days=lognormal(rng, 160, 1.1)), PRESENT)
        row = self._firm_row(rng, firm, self.office.users[owner.index])
        by = self.office.users[owner.index]
        key = self.writer.add("Account", row, by=by, at=firm.since, changed=changed)
        self.accounts[firm.index] = key
        if owner.left_at is not None:
            self.ledger.add("crm_owner_left", "crm_account", key, "OwnerId", None, by)
        if chance(rng, TWICE) and firm.spellings:
            name = rng.choice(firm.spellings)
            at = firm.since + timedelta(days=lognormal(rng, 120, 0.9))
            if at < PRESENT:
                self._write_twin(rng, firm, name, at, key)

    def _write_twin(self, rng: Random, firm: Firm, name: str, at: datetime, original: str) -> None:
        owner = rng.choice([one for one in self.office.sellers[1:] if one.since <= at])
        by = self.office.users[owner.index]
        row = {"Name": name, "Type": "Prospect", "OwnerId": by}
        if chance(rng, 0.5):
            row["BillingCity"] = firm.city
        key = self.writer.add("Account", row, by=by, at=at)
        self.ledger.add("crm_account_twice", "crm_account", key, "Id", original, key)

    def _firm_row(self, rng: Random, firm: Firm, owner: str) -> dict[str, Any]:
        row: dict[str, Any] = {
            "Name": firm.name,
            "OwnerId": owner,
            "Type": "Channel Partner / Reseller" if firm.dealer else "Customer - Direct",
            "Website": f"www.{firm.domain}" if chance(rng, 0.7) else None,
        }
        if chance(rng, 1 - NO_DETAILS):
            country = rng.choice(COUNTRY_NAMES.get(firm.country.code, (firm.country.code,)))
            row |= {
                "Industry": INDUSTRIES[firm.segment],
                "BillingCity": firm.city,
                "BillingCountry": country,
                "NumberOfEmployees": max(int(lognormal(rng, 14, 1.1)), 1),
            }
        if chance(rng, 0.35):
            row["Rating"] = Weighted({"Hot": 0.2, "Warm": 0.5, "Cold": 0.3}).draw(rng)
        if chance(rng, 0.2):
            row["AnnualRevenue"] = round(lognormal(rng, 900_000, 1.2), -3)
        return row

    def _write_person(self, person: StoryPerson, firm: Firm) -> None:
        rng = self.draws.rng("crm-contact", person.index)
        owner = self._owner(rng, firm)
        by = self.office.users[owner.index]
        row: dict[str, Any] = {
            "AccountId": self.accounts[firm.index],
            "FirstName": person.given or None,
            "LastName": person.family,
            "Name": " ".join(part for part in (person.given, person.family) if part),
            "Email": person.email if chance(rng, 0.93) else None,
            "Title": TITLES.draw(rng) if chance(rng, 0.62) else None,
            "Phone": person.phone,
            "OwnerId": by,
            "LeadSource": Weighted({"Web": 0.4, "Partner Referral": 0.2, None: 0.4}).draw(rng),
        }
        old = person.phone is not None and chance(rng, OLD_PHONE)
        if old and person.phone is not None:
            row["Phone"] = _misspelt(rng, person.phone)
        changed = min(person.since + timedelta(days=lognormal(rng, 90, 1.2)), PRESENT)
        key = self.writer.add("Contact", row, by=by, at=person.since, changed=changed)
        self.contacts[person.index] = key
        if old:
            self.ledger.add(
                "crm_phone_wrong", "crm_contact", key, "Phone", person.phone, row["Phone"]
            )
        if person.left_at is not None and person.left_at < PRESENT:
            self.ledger.add("crm_contact_left", "crm_contact", key, "AccountId", None, firm.name)


def _misspelt(rng: Random, phone: str) -> str:
    """Return a number with two neighbouring digits changed over, or one lost."""
    places = [place for place, one in enumerate(phone) if one.isdigit()]
    place = rng.choice(places[2:-1] or places)
    if chance(rng, 0.5):
        return phone[:place] + phone[place + 1 :]
    return phone[:place] + phone[place + 1 : place + 2] + phone[place] + phone[place + 2 :]
