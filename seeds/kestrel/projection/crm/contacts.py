"""Contacts: the people in the firms that sales knows, with what time and typing did to them."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.crm import mess
from seeds.kestrel.projection.crm.customers import CrmCustomers
from seeds.kestrel.projection.crm.records import CrmWriter
from seeds.kestrel.projection.crm.timeline import Timeline
from seeds.kestrel.projection.crm.truths import Truths
from seeds.kestrel.sales.model import Market
from seeds.kestrel.sales.slips import misspelt_name, misspelt_number, nickname
from seeds.kestrel.story.model import Firm, StoryPerson
from seeds.kestrel.story.people import FREE_MAIL, slug
from seeds.ledger import Ledger

TABLE = "crm_contact"
TITLES = Weighted(
    {
        "Owner": 0.25,
        "Director": 0.13,
        "Workshop Manager": 0.16,
        "Technician": 0.13,
        "Purchasing": 0.11,
        "Office Manager": 0.1,
        "Designer": 0.12,
    }
)
SCHOOL_TITLES = Weighted(
    {
        "Head of D&T": 0.3,
        "Teacher": 0.25,
        "Technician": 0.25,
        "Bursar": 0.12,
        "Head of Department": 0.08,
    }
)
TWICE, ORPHANED, JUNKED, IMPORTED = 0.105, 0.045, 0.02, 0.012
# What is missing: title, phone, source, mail, and the postal address as a whole.
NO_TITLE, NO_PHONE, NO_SOURCE, NO_MAIL, NO_ADDRESS = 0.28, 0.12, 0.17, 0.07, 0.46
OLD_PHONE, DEAD_MAIL, BOUNCED, GONE = 0.06, 0.16, 0.3, 0.02
OPTED_OUT = 0.08
# How the second of two contacts differs from the first.
TWINS = Weighted(
    {
        "other_name": 0.15,
        "nickname": 0.17,
        "typo": 0.24,
        "personal_mail": 0.17,
        "moved_company": 0.1,
        "initial": 0.17,
    }
)


class CrmContacts:
    """Writes contacts; they are found by the story's numbers."""

    def __init__(
        self,
        writer: CrmWriter,
        draws: Draws,
        ledger: Ledger,
        *,
        customers: CrmCustomers,
        market: Market,
        timeline: Timeline,
        truths: Truths,
    ) -> None:
        self.writer, self.draws, self.ledger = writer, draws, ledger
        self.customers, self.office = customers, customers.office
        self.market, self.timeline, self.truths = market, timeline, truths
        self.contacts: dict[int, str] = {}
        self.rows: dict[int, dict[str, Any]] = {}
        self._live: set[str] = {person.email for person in market.people.values()}

    def write(self) -> None:
        """Write all contacts, in the order in which they came to be known."""
        since, people = self.timeline.people, self.market.people
        for key in sorted(people, key=lambda one: (since[one], one)):
            firm = people[key].firm
            if firm is not None:
                self._write_person(people[key], firm, since[key])

    def _write_person(self, person: StoryPerson, firm: Firm, at: datetime) -> None:
        rng = self.draws.rng("crm-contact", person.index)
        by = self.customers.owners[firm.index]
        maker = self._maker(by, at)
        key = self.contacts[person.index] = self.writer.new_id("Contact", skip=rng.randrange(3))
        if chance(rng, IMPORTED):
            midnight = at.replace(hour=0, minute=0, second=0)
            self.ledger.add("crm_import", TABLE, key, "CreatedDate", f"{at}", f"{midnight}")
            at, maker = midnight, self.office.users[0]
        row: dict[str, Any] = {
            "AccountId": self.customers.accounts[firm.index],
            "OwnerId": by,
            **_named(mess.cased(rng, person.given), mess.cased(rng, person.family)),
            "Email": None if chance(rng, NO_MAIL) else person.email,
            "LeadSource": None
            if chance(rng, NO_SOURCE)
            else Weighted({"Web": 0.5, "Partner Referral": 0.3, "Phone Inquiry": 0.2}).draw(rng),
            "LastActivityDate": self.timeline.last.get(("person", person.index)),
        }
        if row["LastName"] != person.family:
            self.ledger.add("crm_name_case", TABLE, key, "LastName", person.family, row["LastName"])
        self._fill(rng, row, person, firm)
        self._decay(rng, row, person, firm, key=key, at=at)
        for name in ("Title", "Phone", "Department"):
            said = mess.junk(rng, JUNKED)
            if said is not None:
                said = rng.choice(mess.JUNK_PHONES) if name == "Phone" else said
                self.ledger.add("crm_junk_value", TABLE, key, name, row.get(name), said)
                row[name] = said
        changed = min(at + timedelta(days=lognormal(rng, 90, 1.2)), PRESENT)
        self.rows[person.index] = row
        self.writer.add("Contact", row, by=maker, at=at, changed=changed, id=key)
        language = person.language if chance(rng, 0.3) else None
        values = {
            "Newsletter__c": chance(rng, 0.4) or None,
            "Preferred_Language__c": language,
            "Operator__c": chance(rng, 0.15) or None,
        }
        self.writer.give("Contact", key, values)
        if chance(rng, TWICE):
            self._write_twin(rng, person, firm, at, key)

    def _maker(self, owner: str, at: datetime) -> str:
        """Return who made a record: its owner if they were there then."""
        for seller in self.office.sellers:
            if self.office.users[seller.index] == owner and seller.was_there(at):
                return owner
        return self.office.users[0]

    def _fill(self, rng: Random, row: dict[str, Any], person: StoryPerson, firm: Firm) -> None:
        """Fill what people are asked for; what belongs together is there or missing together."""
        if not chance(rng, NO_TITLE):
            titles = SCHOOL_TITLES if firm.segment == "school" else TITLES
            row["Title"] = titles.draw(rng)
            if chance(rng, 0.25):
                row["Department"] = rng.choice(("Production", "Purchasing", "Design", "Office"))
        if person.phone is not None and not chance(rng, NO_PHONE):
            row["Phone"] = mess.shaped(rng, person.phone)
        else:
            phone = mess.switchboard(self.draws, firm)
            if phone is not None and chance(rng, 0.55):
                row["Phone"] = phone
        if not chance(rng, NO_ADDRESS):
            row |= {
                "MailingStreet": mess.street(self.customers.half, self.draws, firm),
                "MailingCity": firm.city,
                "MailingPostalCode": mess.postal_code(self.draws, firm),
                "MailingState": mess.state_name(rng, self.draws, firm),
                "MailingCountry": mess.country_name(rng, firm.country.code),
            }
        if chance(rng, OPTED_OUT):
            for name in ("HasOptedOutOfEmail", "DoNotCall"):
                if self.writer.has("Contact", name):
                    row[name] = name == "HasOptedOutOfEmail" or chance(rng, 0.4)

    def _decay(
        self,
        rng: Random,
        row: dict[str, Any],
        person: StoryPerson,
        firm: Firm,
        *,
        key: str,
        at: datetime,
    ) -> None:
        """Let time have its way: people leave, addresses and numbers are of long ago."""
        add = self.ledger.add
        phone = row.get("Phone")
        if phone is not None and chance(rng, OLD_PHONE):
            row["Phone"] = misspelt_number(rng, phone)
            add("crm_phone_wrong", TABLE, key, "Phone", phone, row["Phone"])
        has_left = person.left_at is not None and person.left_at < PRESENT
        if has_left:
            add("crm_contact_left", TABLE, key, "AccountId", None, firm.name)
        elif row["Email"] is not None and chance(rng, DEAD_MAIL):
            row["Email"] = self._former_mail(rng, person)
            add("crm_email_dead", TABLE, key, "Email", person.email, row["Email"])
            has_left = True
        elif person.index in self.truths.writers and chance(rng, GONE):
            row["Description"] = "No longer at the company."
            add("crm_gone_writes", TABLE, key, "Description", None, row["Description"])
        elif chance(rng, ORPHANED):
            add("crm_contact_orphan", TABLE, key, "AccountId", row["AccountId"], None)
            row["AccountId"] = None
        if has_left and row["Email"] is not None and chance(rng, BOUNCED):
            first = max(at, person.left_at or at)
            row["EmailBouncedDate"] = first + (PRESENT - first) * rng.random()
            row["EmailBouncedReason"] = rng.choice(
                ("550 5.1.1 User unknown", "5.1.1 mailbox unavailable", "Recipient not found")
            )
            row["IsEmailBounced"] = True

    def _former_mail(self, rng: Random, person: StoryPerson) -> str:
        """Return an address that somebody had once, and nobody has now."""
        given, family = slug(person.given) or "x", slug(person.family) or "y"
        while True:
            number = rng.randrange(2, 99)
            found = f"{rng.choice((given, given[0]))}.{family}{number}@{FREE_MAIL.draw(rng)}"
            if found not in self._live:
                return found

    def _write_twin(
        self, rng: Random, person: StoryPerson, firm: Firm, first: datetime, original: str
    ) -> None:
        """Write a contact of somebody who has one, as somebody made it who did not look."""
        at = first + timedelta(days=lognormal(rng, 110, 1.0))
        if at >= PRESENT:
            at = first + (PRESENT - first) * rng.uniform(0.2, 0.95)
        at = at.replace(microsecond=0)
        there = [one for one in self.office.sellers if one.was_there(at)]
        by = self.office.users[rng.choice(there).index]
        kind = TWINS.draw(rng)
        given, family = person.given, person.family
        email: str | None = person.email if chance(rng, 0.25) else None
        if kind == "other_name":
            given, family, email = "", rng.choice(("Office", "Workshop", "Reception")), person.email
        elif kind == "nickname":
            given = nickname(given) or given
        elif kind == "typo":
            family = misspelt_name(rng, family)
            email = f"{slug(given) or 'x'}.{slug(family) or 'y'}@{firm.domain}"
        elif kind == "personal_mail":
            email = f"{slug(given) or 'x'}.{slug(family) or 'y'}@{FREE_MAIL.draw(rng)}"
        elif kind == "initial":
            given = f"{given[:1]}."
        account = self.customers.twins.get(firm.index) if chance(rng, 0.5) else None
        moved = kind == "moved_company"
        row = {
            "AccountId": None if moved else account or self.customers.accounts[firm.index],
            "OwnerId": by,
            **_named(given, family),
            "Email": email,
            "Phone": person.phone if chance(rng, 0.3) else None,
            "LeadSource": rng.choice(("Web", "Phone Inquiry", None)),
            "Description": "Used to work elsewhere, check." if moved else None,
        }
        key = self.writer.add("Contact", row, by=by, at=at)
        self.ledger.add(f"crm_contact_twice_{kind}", TABLE, key, "Id", original, key)


def _named(given: str, family: str) -> dict[str, str | None]:
    """Return the names of a record: the parts and the whole."""
    return {
        "FirstName": given or None,
        "LastName": family,
        "Name": " ".join(part for part in (given, family) if part),
    }
