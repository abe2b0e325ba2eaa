"""Deals: those that were won are machines that stand with firms; others are open or lost.

A won deal has the day, the machines and the firm of a sale that was made, so that what it says
happened; the helpdesk shows the same machines. Sales that are not among the won deals were made in
the shop, or before deals were kept.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal, zipf
from seeds.kestrel.catalogue import MACHINES, PARTS, PRESENT, Machine
from seeds.kestrel.sales import numbers
from seeds.kestrel.sales.course import stages_of, walk_course
from seeds.kestrel.sales.hours import working_moment
from seeds.kestrel.sales.market import BEYOND
from seeds.kestrel.sales.model import LOST, WON, Deal, Market, Seller
from seeds.kestrel.story.model import Firm, StoryPerson, Unit

SOURCES = Weighted(
    {
        "Web": 0.36,
        "Partner Referral": 0.22,
        "Phone Inquiry": 0.19,
        "Other": 0.11,
        "Purchased List": 0.06,
        None: 0.06,
    }
)
KINDS = Weighted(
    {
        "Existing Customer - Upgrade": 0.6,
        "Existing Customer - Replacement": 0.33,
        "Existing Customer - Downgrade": 0.07,
    }
)
REGION_OF = {"US": "amer", "CA": "amer", "DE": "dach", "PL": "dach", "SE": "dach"}
STEPS = (
    "Send quote",
    "Call back after the holidays",
    "Waiting for budget approval",
    "Site visit",
    "Check extraction requirements",
    "Demo at the showroom",
    "Talk to the bursar",
    "Follow up on sample cuts",
    "send spec sheet",
    "Board decides",
    "ask about financing",
    "Second quote without rotary",
    "waiting on landlord re ventilation",
    "TBC",
)
LOSSES = Weighted(
    {"Other": 0.35, "Price": 0.24, "No decision": 0.18, "Competitor": 0.15, "Timing": 0.08}
)
ROLES = Weighted(
    {
        "Decision Maker": 0.26,
        "Evaluator": 0.18,
        "Technical Buyer": 0.17,
        "Economic Buyer": 0.12,
        "Business User": 0.12,
        "Influencer": 0.08,
        "Executive Sponsor": 0.03,
        None: 0.04,
    }
)
HOW_MANY = Weighted({0: 0.06, 1: 0.43, 2: 0.19, 3: 0.17, 4: 0.15})
NAMES = Weighted(
    {
        "{firm} - {machine}": 0.58,
        "{firm} {machine}": 0.2,
        "{firm}-": 0.06,
        "{machine} ({city})": 0.07,
        "{firm} / {machine} {watts}W": 0.09,
    }
)
DEALER_PRICE = 88  # percent of the list price that a dealer pays
# Of deals that are not won: with products, and what is estimated of those without.
WITH_LINES, ROUNDED, BLANK, ZERO = 0.78, 0.66, 0.14, 0.05
UPSCALE = 0.8  # how much likelier a dear machine is among deals that are not won
SMALL_WON = 66  # percent of the deals that were won
LEFT_STEP = 0.2  # of deals that were decided: a next step still stands there
LONGEST = timedelta(days=700)


SaleKey = tuple[int, str]


def dealer_price(cents: int) -> int:
    """Return what a dealer pays for what has a list price, in whole units."""
    return cents * DEALER_PRICE // 10_000 * 100


class Deals:
    """Makes the deals of a story, each from a generator of its own."""

    def __init__(self, draws: Draws, size: str, sellers: list[Seller], market: Market) -> None:
        self.draws, self.sellers, self.market = draws, sellers, market
        self.size = numbers.SALES_SIZES[size]
        self._known = [market.firms[key] for key in sorted(market.firms)]
        self._old = [firm for firm in self._known if firm.index < BEYOND]
        dear = [(one, one.weight * (one.price / 300_000) ** UPSCALE) for one in MACHINES[2:]]
        self._machines = Weighted(dear)

    def make(self, units: list[Unit], people: list[StoryPerson]) -> list[Deal]:
        """Return all deals, oldest first."""
        sales = self._sales(units, people)
        lost = [self._lost(index) for index in range(self.size.lost)]
        found = [self._won(key, sales[key]) for key in self._chosen(sales, lost)]
        stale = round(self.size.open * numbers.STALE)
        found += [self._open(index, is_stale=index < stale) for index in range(self.size.open)]
        found += lost
        found.sort(key=lambda deal: (deal.created, deal.name))
        for index, deal in enumerate(found):
            deal.index = index
        return found

    def _chosen(self, sales: dict[SaleKey, list[Unit]], lost: list[Deal]) -> list[SaleKey]:
        """Return which sales were deals: the latest ones, two small ones to a large one.

        Where half of all deals that were decided are small, small ones are then won twice as often
        as large ones.
        """
        wanted = self.size.won
        small = wanted * SMALL_WON // 100
        half = (wanted + len(lost)) // 2
        sums = sorted(deal.amount or 0 for deal in lost)
        border = sums[min(max(half - small, 0), len(sums) - 1)]
        when = {key: min(unit.bought for unit in sold) for key, sold in sales.items()}
        latest = sorted(sales, key=lambda key: (when[key], key), reverse=True)
        lesser = [key for key in latest if _price(sales[key]) < border]
        large = [key for key in latest if _price(sales[key]) >= border][: wanted - small]
        return [*lesser[: wanted - len(large)], *large]

    def _sales(
        self, units: list[Unit], people: list[StoryPerson]
    ) -> dict[tuple[int, str], list[Unit]]:
        """Return what was sold to each firm in each month: to the dealer where one sold it on."""
        sales: dict[tuple[int, str], list[Unit]] = {}
        seen = set()
        for unit in units:
            firm = unit.dealer or people[unit.owner].firm
            if firm is None or firm.index not in self.market.firms or unit.serial in seen:
                continue
            seen.add(unit.serial)
            sales.setdefault((firm.index, f"{unit.bought:%Y-%m}"), []).append(unit)
        return sales

    def _won(self, key: tuple[int, str], sold: list[Unit]) -> Deal:
        rng = self.draws.rng("won-deal", f"{key[0]}-{key[1]}")
        firm = self.market.firms[key[0]]
        closed = min(unit.bought for unit in sold).replace(microsecond=0)
        created = closed - timedelta(days=max(lognormal(rng, 38, 0.8), 1.5))
        deal = self._deal(rng, firm, created, sold[0].machine, len(sold), until=closed)
        lines: dict[str, tuple[int, int]] = {}
        for unit in sold:
            count, _ = lines.get(unit.machine.code, (0, 0))
            lines[unit.machine.code] = (count + 1, _price([unit]))
        deal.lines = [(code, count, price) for code, (count, price) in sorted(lines.items())]
        deal.amount = sum(count * price for _, count, price in deal.lines)
        deal.units, deal.closed, deal.due = sold, closed, closed.date()
        deal.next_step = rng.choice(STEPS) if chance(rng, LEFT_STEP) else None
        self._walk(rng, deal, WON, closed)
        return deal

    def _open(self, index: int, *, is_stale: bool) -> Deal:
        rng = self.draws.rng("open-deal", index)
        is_old = chance(rng, numbers.OLD_STALE if is_stale else numbers.OLD)
        days = rng.uniform(95, 380) if is_old else rng.uniform(1.5, 95)
        zone = self.sellers[1].zone
        first = PRESENT - timedelta(days=days)
        created = working_moment(rng, first - timedelta(days=4), first, zone)
        deal = self._unsold(rng, created, None)
        shift = lognormal(rng, 38, 0.8)
        deal.due = (PRESENT + timedelta(days=-max(shift, 1.2) if is_stale else shift)).date()
        deal.due = max(deal.due, created.date())
        deal.next_step = rng.choice(STEPS) if chance(rng, 0.33) else None
        # What lies has not moved for long.
        span = (PRESENT - created) * (rng.uniform(0.15, 0.7) if is_old else rng.uniform(0.5, 0.98))
        end = created + span
        if chance(rng, numbers.ABANDONED):
            end = self._abandon(rng, deal, created, end)
        self._walk(rng, deal, None, end)
        return deal

    def _abandon(self, rng: Random, deal: Deal, created: datetime, end: datetime) -> datetime:
        """Leave an open deal to somebody who has left since; return the last time it can move."""
        gone = [one for one in self.sellers if one.left_at and one.since < created < one.left_at]
        if not gone:
            return end
        seller = rng.choice(gone)
        deal.owner = seller.index
        return min(end, seller.left_at or end)

    def _lost(self, index: int) -> Deal:
        rng = self.draws.rng("lost-deal", index)
        zone = self.sellers[1].zone
        created = working_moment(rng, PRESENT - LONGEST, PRESENT - timedelta(days=3), zone)
        closed = created + timedelta(days=lognormal(rng, 56, 0.9))
        closed = min(closed, PRESENT - timedelta(hours=rng.randint(2, 60)))
        closed = max(closed, created + timedelta(minutes=20)).replace(microsecond=0)
        deal = self._unsold(rng, created, closed)
        deal.closed, deal.due = closed, closed.date()
        deal.next_step = rng.choice(STEPS) if chance(rng, LEFT_STEP) else None
        deal.loss = LOSSES.draw(rng) if chance(rng, 0.7) else None
        if deal.loss == "Competitor" or chance(rng, 0.06):
            deal.competitor = rng.randrange(len(self.market.rivals))
        self._walk(rng, deal, LOST, closed)
        return deal

    def _unsold(self, rng: Random, created: datetime, until: datetime | None) -> Deal:
        """Return a deal that sold nothing so far, with what it would sell."""
        is_new = self.market.prospects and chance(rng, 0.5)
        firm = zipf(rng, self.market.prospects if is_new else self._old, 0.35)
        machine = self._machines.draw(rng)
        count = 1 + chance(rng, 0.12) + 2 * (firm.dealer and chance(rng, 0.5))
        deal = self._deal(rng, firm, created, machine, count, until=until)
        price = dealer_price(machine.price) if firm.dealer else machine.price
        if chance(rng, WITH_LINES):
            deal.lines = [(machine.code, count, price)]
            if chance(rng, 0.25):
                code, _, each = rng.choice(PARTS)
                each = dealer_price(each) if firm.dealer else each
                deal.lines.append((code, rng.randint(1, 4), each))
            deal.amount = sum(number * each for _, number, each in deal.lines)
            return deal
        deal.amount = count * price
        if chance(rng, BLANK):
            deal.amount = None
        elif chance(rng, ZERO):
            deal.amount = 0
        elif chance(rng, ROUNDED):
            deal.amount = max(round(deal.amount, -5), 100_000)
        return deal

    def _deal(
        self,
        rng: Random,
        firm: Firm,
        created: datetime,
        machine: Machine,
        count: int,
        *,
        until: datetime | None,
    ) -> Deal:
        created = created.replace(microsecond=0)
        is_new = firm.since > created or firm.index >= BEYOND
        staff = self.market.staff.get(firm.index, [])
        there = [one for one in staff if one.left_at is None or one.left_at > (until or PRESENT)]
        chosen = rng.sample(there, k=min(HOW_MANY.draw(rng), len(there)))
        return Deal(
            -1,
            firm,
            [(person, ROLES.draw(rng)) for person in chosen],
            self._owner(rng, firm, created, until),
            _named(rng, firm, machine, count),
            machine.name,
            "New Customer" if is_new else KINDS.draw(rng),
            SOURCES.draw(rng),
            created,
            created.date(),
        )

    def _owner(self, rng: Random, firm: Firm, at: datetime, until: datetime | None) -> int:
        """Return who sold to a firm then: somebody of the region, the same ones more often."""
        region = REGION_OF.get(firm.country.code, "emea")
        end = until or PRESENT
        there = [one for one in self.sellers[2:] if one.was_there(at) and one.was_there(end)]
        own = [seller for seller in there if seller.region == region] or there
        return zipf(rng, own, 0.6).index if own else 0

    def _walk(self, rng: Random, deal: Deal, last: str | None, end: datetime) -> None:
        deal.moves, deal.pushes = walk_course(
            rng,
            stages_of(rng, last),
            deal.created,
            end,
            zone=self.sellers[deal.owner].zone,
            due=deal.due,
            amount=deal.amount,
        )


def _price(sold: list[Unit]) -> int:
    """Return what machines were sold for: dealers pay less."""
    return sum(
        unit.machine.price if unit.dealer is None else dealer_price(unit.machine.price)
        for unit in sold
    )


def _named(rng: Random, firm: Firm, machine: Machine, count: int) -> str:
    times = f"{count} x " if count > 1 else ""
    form = NAMES.draw(rng)
    return form.format(
        firm=firm.name, machine=f"{times}{machine.name}", city=firm.city, watts=machine.watts
    )[:120]
