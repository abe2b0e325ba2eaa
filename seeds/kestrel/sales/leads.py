"""Leads: people who asked or were put on a list.

Some became the people of deals, some are there twice, some are customers already, some are nobody.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal, zipf
from seeds.kestrel.catalogue import COUNTRIES, MACHINES, PRESENT
from seeds.kestrel.sales.hours import working_moment
from seeds.kestrel.sales.model import Deal, Market, SalesCampaign, Seller, StoryLead
from seeds.kestrel.sales.numbers import CONVERTED, LEAD_TWICE, SALES_SIZES
from seeds.kestrel.sales.slips import misspelt_name, nickname
from seeds.kestrel.story.people import FREE_MAIL, TRADES, moment_between, slug
from seeds.pools import Half, pool

# Shares with a tail, as lists grow in years: values that nobody chose on purpose among them.
SOURCES = Weighted(
    {
        "Web": 0.41,
        "Purchased List": 0.2,
        "Phone Inquiry": 0.12,
        "Partner Referral": 0.08,
        "Other": 0.06,
        "web": 0.02,
        "Trade Show": 0.02,
        "Laser Expo 2024": 0.01,
        "LinkedIn": 0.01,
        None: 0.07,
    }
)
CONVERTED_SOURCES = Weighted({"Web": 0.38, "Partner Referral": 0.34, "Phone Inquiry": 0.28})
STATUSES = Weighted(
    {
        "Open - Not Contacted": 0.34,
        "Working - Contacted": 0.26,
        "Closed - Not Converted": 0.4,
    }
)
TITLES = (
    "Owner",
    "Head of Design & Technology",
    "Workshop Manager",
    "Purchasing",
    "Director",
    "Teacher",
    "Technician",
    "Production Manager",
    "Founder",
    "owner",
    "MD",
)
JUNK = (
    ("test", "test", "test", "test@test.example"),
    ("asdf", "asdf", "asdf", "asdf@asdf.example"),
    ("SEO", "Expert", "Rank No. 1 Agency", "growth@rankfast.example"),
    ("Mickey", "Mouse", "n/a", "no@thanks.example"),
    ("x", "x", "-", "x@x.example"),
    (None, "testone", "TEST DO NOT USE", None),
    ("Bulk", "Sales", "Cheap Toner Direct", "offers@toner-direct.example"),
)
REACH = timedelta(days=720)
QUEUED, FULL, FULL_CONVERTED, JUNKED, FROM_CAMPAIGN = 0.62, 0.5, 0.78, 0.025, 0.17
# How the second of two leads differs from the first.
REPEATS = Weighted(
    {
        "other_name": 0.15,
        "nickname": 0.15,
        "typo": 0.2,
        "company_ending": 0.2,
        "personal_mail": 0.1,
        "moved_company": 0.05,
    }
)
ALREADY_CONTACT = 0.15


class Leads:
    """Makes the leads of a story."""

    def __init__(
        self,
        draws: Draws,
        half: Half,
        sellers: list[Seller],
        market: Market,
        campaigns: list[SalesCampaign],
    ) -> None:
        self.draws, self.half, self.sellers, self.market = draws, half, sellers, market
        self.campaigns = [one for one in campaigns if one.cost]
        self._contacts = [market.people[key] for key in sorted(market.people)]

    def make(self, size: str, deals: list[Deal]) -> list[StoryLead]:
        """Return the leads, oldest first, those that became something among them."""
        count = SALES_SIZES[size].leads
        found = self._converted(deals, round(count * CONVERTED))
        twins = round(count * LEAD_TWICE * (1 - ALREADY_CONTACT))
        already = round(count * LEAD_TWICE * ALREADY_CONTACT)
        fresh = count - len(found) - twins - already
        first = [self._fresh(self.draws.rng("lead", index)) for index in range(fresh)]
        originals = [one for one in first if not one.junk and one.email is not None]
        for index in range(twins):
            rng = self.draws.rng("lead-twin", index)
            found.append(self._twin(rng, originals[index * 7 % len(originals)]))
        found += [self._contact(self.draws.rng("lead-contact", index)) for index in range(already)]
        return self._numbered(first, found)

    @staticmethod
    def _numbered(first: list[StoryLead], others: list[StoryLead]) -> list[StoryLead]:
        """Return all leads in order, each knowing by its index which one it repeats."""
        for place, lead in enumerate([*first, *others]):
            lead.index = place
        found = sorted([*first, *others], key=lambda lead: (lead.created, lead.index))
        places = {lead.index: place for place, lead in enumerate(found)}
        for lead in found:
            lead.twin = None if lead.twin is None else places[first[lead.twin].index]
        for place, lead in enumerate(found):
            lead.index = place
        return found

    def _converted(self, deals: list[Deal], count: int) -> list[StoryLead]:
        """Return what deals began with: of as many deals, each with somebody else."""
        seen: set[int] = set()
        found: list[StoryLead] = []
        ordered = sorted(
            deals, key=lambda deal: (deal.kind != "New Customer", deal.index * 37 % 101)
        )
        for deal in ordered:
            person = deal.contact
            if person is None or person.index in seen or len(found) == count:
                continue
            seen.add(person.index)
            rng = self.draws.rng("lead-of-deal", deal.index)
            ago = timedelta(days=min(lognormal(rng, 5, 1.0), 90), minutes=rng.randint(20, 400))
            created = (deal.created - ago).replace(microsecond=0)
            lead = self._asked(rng, created, full=chance(rng, FULL_CONVERTED))
            lead.given, lead.family, lead.email = person.given, person.family, person.email
            lead.company, lead.phone = deal.firm.name, person.phone if lead.title else None
            if lead.city is not None:
                lead.city, lead.country = deal.firm.city, deal.firm.country.code
            lead.source = CONVERTED_SOURCES.draw(rng)
            lead.owner, lead.deal, lead.interest = deal.owner, deal.index, deal.machine
            lead.status, lead.touched = "Closed - Converted", deal.created
            self._from_campaign(rng, lead)
            deal.source, deal.campaign = lead.source, lead.campaign
            found.append(lead)
        return found

    def _from_campaign(self, rng: Random, lead: StoryLead) -> None:
        """Let a lead come from a campaign that ran when it came."""
        day = lead.created.date()
        near = [
            one
            for one in self.campaigns
            if one.starts <= day <= one.ends + timedelta(days=12) and one.kind != "Email"
        ]
        if near and chance(rng, 0.6):
            lead.campaign = rng.choice(near).index

    def _asked(self, rng: Random, created: datetime, *, full: bool) -> StoryLead:
        """Return a lead as a form or a list has it: what is asked for is there together or not."""
        country = Weighted([(one, one.weight) for one in COUNTRIES]).draw(rng)
        given = rng.choice(pool(self.half, f"given_{country.names}"))
        family = rng.choice(pool(self.half, f"family_{country.names}"))
        trade = rng.choice(TRADES[rng.choice(tuple(TRADES))])
        company = f"{rng.choice(pool(self.half, 'firm_stems'))} {trade}"
        asked = full or chance(rng, 0.7)
        interest = Weighted([(one.name, one.weight) for one in MACHINES[2:]]).draw(rng)
        return StoryLead(
            0,
            given if chance(rng, 0.94) else None,
            family,
            company,
            rng.choice(TITLES) if full and chance(rng, 0.95) else None,
            f"{slug(given) or 'x'}.{slug(family) or 'y'}@{slug(company)}.example"
            if asked
            else None,
            f"+{rng.randint(30, 49)} {rng.randint(100, 999)} {rng.randint(100_000, 999_999)}"
            if full and chance(rng, 0.9)
            else None,
            country.code if full else None,
            rng.choice(pool(self.half, f"city_{country.names}")) if full else None,
            SOURCES.draw(rng),
            STATUSES.draw(rng),
            Weighted({"Hot": 0.08, "Warm": 0.22, "Cold": 0.25, None: 0.45}).draw(rng),
            None,
            created,
            created,
            interest if chance(rng, 0.42) else None,
        )

    def _fresh(self, rng: Random) -> StoryLead:
        if self.campaigns and chance(rng, FROM_CAMPAIGN):
            drawn = rng.choice(self.campaigns)
            first = datetime.combine(drawn.starts, drawn.created.timetz())
            last = min(first + timedelta(days=(drawn.ends - drawn.starts).days + 6), PRESENT)
            created = moment_between(rng, first, last)
        else:
            drawn = None
            created = moment_between(rng, PRESENT - REACH, PRESENT - timedelta(hours=1))
        lead = self._asked(rng, created, full=chance(rng, FULL))
        if drawn is not None:
            lead.campaign = drawn.index
            lead.source = "Trade Show" if drawn.kind == "Trade Show" else lead.source
        if chance(rng, JUNKED):
            self._spoil(rng, lead)
        self._owned(rng, lead)
        return lead

    @staticmethod
    def _spoil(rng: Random, lead: StoryLead) -> None:
        """Make a lead one of nobody."""
        lead.given, lead.family, lead.company, lead.email = rng.choice(JUNK)
        lead.title = lead.phone = lead.country = lead.city = lead.rating = lead.interest = None
        lead.source, lead.junk = "Web", True

    def _owned(self, rng: Random, lead: StoryLead) -> None:
        """Give a lead to who was there when it came, or leave it with the queue."""
        there = [one for one in self.sellers[2:] if one.was_there(lead.created)]
        owner = zipf(rng, there, 0.7) if there else self.sellers[0]
        lead.owner = owner.index
        age = (PRESENT - lead.created).days
        if lead.status.startswith("Open"):
            if age > 150 and chance(rng, 0.45):
                lead.status = "Closed - Not Converted"
            elif chance(rng, QUEUED):
                lead.owner = None
                return
            else:
                return
        end = min(lead.created + timedelta(days=lognormal(rng, 7, 1.2)), PRESENT)
        end = min(end, owner.left_at or end)
        lead.touched = working_moment(rng, lead.created, end, owner.zone)

    def _contact(self, rng: Random) -> StoryLead:
        """Return a lead of somebody who is a contact already."""
        person = rng.choice(self._contacts)
        first = max(person.since, PRESENT - REACH) + timedelta(days=1)
        created = moment_between(rng, min(first, PRESENT - timedelta(days=1)), PRESENT)
        lead = self._asked(rng, created, full=chance(rng, FULL))
        lead.given, lead.family = person.given or None, person.family
        lead.email = person.email if lead.email is not None and chance(rng, 0.6) else None
        lead.company = person.firm.name if person.firm is not None else lead.company
        lead.person, lead.repeats = person.index, "already_contact"
        self._owned(rng, lead)
        return lead

    def _twin(self, rng: Random, first: StoryLead) -> StoryLead:
        """Return a lead that somebody made again, some time after the first one."""
        created = first.created + timedelta(days=lognormal(rng, 40, 1.3), hours=1)
        if created >= PRESENT:
            created = moment_between(rng, first.created, PRESENT)
        found = replace(
            first,
            created=created.replace(microsecond=0),
            touched=created.replace(microsecond=0),
            status=STATUSES.draw(rng),
            source=SOURCES.draw(rng),
            repeats=REPEATS.draw(rng),
            twin=first.index,
            deal=None,
            campaign=None,
        )
        _differ(rng, found)
        self._owned(rng, found)
        return found


def _differ(rng: Random, lead: StoryLead) -> None:
    """Make a second lead differ from the first one as its kind of repetition has it."""
    domain = (lead.email or "").partition("@")[2]
    if lead.repeats == "other_name":
        lead.given, lead.family = None, rng.choice(("Office", "Workshop", "Info", "Reception"))
    elif lead.repeats == "nickname":
        lead.given = nickname(lead.given)
        lead.email = lead.email if chance(rng, 0.4) else f"{slug(lead.given or 'x')}@{domain}"
    elif lead.repeats == "typo":
        lead.family = misspelt_name(rng, lead.family)
        lead.email = f"{slug(lead.given or 'x')}.{slug(lead.family) or 'y'}@{domain}"
    elif lead.repeats == "company_ending":
        lead.company = (
            f"{lead.company}{rng.choice((' Ltd', ', Inc.', ' GmbH', ' Limited', ' Co.'))}"
        )
        lead.email = lead.email if chance(rng, 0.3) else None
    elif lead.repeats == "personal_mail":
        free = FREE_MAIL.draw(rng)
        lead.email = f"{slug(lead.given or 'x')}.{slug(lead.family) or 'y'}@{free}"
    else:
        lead.company, lead.email = "", None
        lead.company = f"{lead.family} {rng.choice(('Design', 'Consulting', 'Workshop'))}"
