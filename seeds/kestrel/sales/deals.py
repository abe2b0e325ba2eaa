"""Deals: those that were won are the machines that stand with firms; others are open or lost.

A won deal has the day, the machines and the firm of a sale that was made, so that what it says
happened; the helpdesk shows the same machines.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal, zipf
from seeds.kestrel.catalogue import MACHINES, PARTS, PRESENT, Machine
from seeds.kestrel.sales.model import Deal, SalesActivity, Seller, StageMove
from seeds.kestrel.story.model import Firm, StoryPerson, Unit
from seeds.kestrel.story.people import moment_between

# The stages that a deal goes through, how often each is passed by, and what a deal that ends there
# is worth the trouble: the share of lost deals that were lost at it.
PATH = (
    ("Prospecting", 0.25),
    ("Qualification", 0.1),
    ("Needs Analysis", 0.35),
    ("Value Proposition", 0.6),
    ("Id. Decision Makers", 0.7),
    ("Perception Analysis", 0.85),
    ("Proposal/Price Quote", 0.1),
    ("Negotiation/Review", 0.45),
)
WON, LOST = "Closed Won", "Closed Lost"
SOURCES = Weighted(
    {
        "Web": 0.31,
        "Partner Referral": 0.28,
        "Phone Inquiry": 0.19,
        "Other": 0.13,
        "Purchased List": 0.06,
        None: 0.03,
    }
)
KINDS = Weighted(
    {
        "New Customer": 0.5,
        "Existing Customer - Upgrade": 0.3,
        "Existing Customer - Replacement": 0.16,
        "Existing Customer - Downgrade": 0.04,
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
)
SUBJECTS = {
    "Call": ("Call", "Call: sample cuts", "Left voicemail", "Call about lead time", "Intro call"),
    "Email": ("Email: quote", "Email: brochure", "Email: follow up", "Email: delivery dates"),
    "Task": ("Prepare quote", "Book demo", "Send samples", "Check stock", "Chase PO"),
}
KIND_OF_TOUCH = Weighted({"Call": 0.42, "Email": 0.38, "Task": 0.2})
OPEN_SHARE, LOST_SHARE = 0.4, 0.85  # of a world's firms: deals that are open, that were lost
STALE = 0.3  # of open deals: their day has passed


class Deals:
    """Makes the deals of a story, each from a generator of its own."""

    def __init__(
        self, draws: Draws, sellers: list[Seller], firms: list[Firm], people: list[StoryPerson]
    ) -> None:
        self.draws, self.sellers, self.firms = draws, sellers, firms
        self._staff: dict[int, list[StoryPerson]] = {}
        for person in people:
            if person.firm is not None and not person.shared:
                self._staff.setdefault(person.firm.index, []).append(person)

    def make(self, units: list[Unit], people: list[StoryPerson]) -> list[Deal]:
        """Return all deals, oldest first."""
        found = [self._won(key, sold) for key, sold in sorted(self._sales(units, people).items())]
        for share, is_open in ((OPEN_SHARE, True), (LOST_SHARE, False)):
            found += [
                self._other(index, is_open=is_open) for index in range(int(len(self.firms) * share))
            ]
        found.sort(key=lambda deal: (deal.created, deal.name))
        for index, deal in enumerate(found):
            deal.index = index
        return found

    def _sales(
        self, units: list[Unit], people: list[StoryPerson]
    ) -> dict[tuple[int, str], list[Unit]]:
        """Return what was sold to each firm in each month: to the dealer where one sold it on."""
        sales: dict[tuple[int, str], list[Unit]] = {}
        seen = set()
        for unit in units:
            firm = unit.dealer or people[unit.owner].firm
            if firm is None or unit.serial in seen:
                continue
            seen.add(unit.serial)
            sales.setdefault((firm.index, f"{unit.bought:%Y-%m}"), []).append(unit)
        return sales

    def _won(self, key: tuple[int, str], sold: list[Unit]) -> Deal:
        rng = self.draws.rng("won-deal", f"{key[0]}-{key[1]}")
        firm = self.firms[key[0]]
        closed = min(unit.bought for unit in sold)
        created = closed - timedelta(days=max(lognormal(rng, 34, 0.8), 1.5))
        lines: dict[str, tuple[int, int]] = {}
        for unit in sold:
            count, _ = lines.get(unit.machine.code, (0, 0))
            lines[unit.machine.code] = (count + 1, unit.machine.price)
        deal = self._deal(rng, firm, created, _named(firm, sold[0].machine, len(sold)))
        deal.lines = [(code, count, price) for code, (count, price) in sorted(lines.items())]
        deal.amount = sum(count * price for _, count, price in deal.lines)
        deal.closed = closed
        deal.moves = _moves(rng, created, closed, [stage for stage, _ in PATH], WON)
        deal.due = closed.date()
        return deal

    def _other(self, index: int, *, is_open: bool) -> Deal:
        rng = self.draws.rng("open-deal" if is_open else "lost-deal", index)
        firm = zipf(rng, self.firms, 0.5)
        machine = Weighted([(machine, machine.weight) for machine in MACHINES[2:]]).draw(rng)
        reach = 150 if is_open else 700
        created = moment_between(rng, max(firm.since, PRESENT - timedelta(days=reach)), PRESENT)
        count = 1 + chance(rng, 0.2) + 2 * (firm.dealer and chance(rng, 0.5))
        deal = self._deal(rng, firm, created, _named(firm, machine, count))
        if chance(rng, 0.86):
            deal.lines = [(machine.code, count, machine.price)]
            if chance(rng, 0.25):
                code, _, price = rng.choice(PARTS)
                deal.lines.append((code, rng.randint(1, 4), price))
            deal.amount = sum(count * price for _, count, price in deal.lines)
        last = min(int(rng.triangular(0, len(PATH), 2)), len(PATH) - 1)
        names = [stage for stage, _ in PATH[: last + 1]]
        if is_open:
            deal.moves = _moves(rng, created, PRESENT, names[:-1], names[-1])
            days = lognormal(rng, 30, 0.7)
            shift = -days if chance(rng, STALE) else days
            deal.due = (PRESENT + timedelta(days=shift)).date()
            deal.next_step = rng.choice(STEPS) if chance(rng, 0.45) else None
            return deal
        closed = created + timedelta(days=lognormal(rng, 48, 0.9))
        closed = min(closed, PRESENT - timedelta(hours=rng.randint(2, 90)))
        closed = max(closed, created + timedelta(minutes=20))
        deal.closed, deal.due = closed, closed.date()
        deal.moves = _moves(rng, created, closed, names, LOST)
        return deal

    def _deal(self, rng: Random, firm: Firm, created: datetime, name: str) -> Deal:
        staff = [one for one in self._staff.get(firm.index, ()) if one.since <= PRESENT]
        contact = rng.choice(staff) if staff and chance(rng, 0.88) else None
        return Deal(
            -1,
            firm,
            contact,
            self._owner(rng, firm, created),
            name,
            KINDS.draw(rng),
            SOURCES.draw(rng),
            created,
            created.date(),
            [],
        )

    def _owner(self, rng: Random, firm: Firm, at: datetime) -> int:
        """Return who sold to a firm then: somebody of the region, the same ones more often."""
        region = REGION_OF.get(firm.country.code, "emea")
        there = [
            seller
            for seller in self.sellers[2:]
            if seller.since <= at and (seller.left_at is None or seller.left_at > at)
        ]
        own = [seller for seller in there if seller.region == region] or there
        return zipf(rng, own, 0.6).index if own else 1


def make_touches(draws: Draws, deals: list[Deal]) -> list[SalesActivity]:
    """Return what sellers did about each deal, and what they still mean to do, oldest first."""
    found = []
    for deal in deals:
        rng = draws.rng("touches", deal.index)
        end = deal.closed or PRESENT
        for _ in range(min(int(lognormal(rng, 3.2, 0.9)), 24)):
            kind = KIND_OF_TOUCH.draw(rng)
            at = moment_between(rng, deal.created, end)
            is_done = deal.closed is not None or chance(rng, 0.8)
            ahead = timedelta(days=rng.randint(0, 12))
            found.append(
                SalesActivity(
                    deal.index,
                    deal.owner,
                    rng.choice(SUBJECTS[kind]),
                    kind,
                    at,
                    at.date() if is_done else (at + ahead).date(),
                    min(at + timedelta(minutes=rng.randint(1, 90)), end) if is_done else None,
                )
            )
    return sorted(found, key=lambda touch: (touch.created, touch.deal, touch.subject))


def _named(firm: Firm, machine: Machine, count: int) -> str:
    times = f"{count} x " if count > 1 else ""
    return f"{firm.name} - {times}{machine.name}"[:120]


def _moves(
    rng: Random, start: datetime, end: datetime, stages: list[str], last: str
) -> list[StageMove]:
    """Return when a deal came to each stage: it begins with the first that it did not pass by."""
    passed = dict(PATH)
    kept = [stage for stage in stages if not chance(rng, passed[stage])]
    kept = kept or stages[:1] or [last]
    if kept[-1] != last:
        kept.append(last)
    span = end - start
    marks = sorted(rng.random() for _ in kept[1:-1])
    moments = [start, *(start + span * mark for mark in marks)]
    if len(kept) > 1:
        is_decided = last in (WON, LOST)
        moments.append(end if is_decided else start + span * rng.uniform(max([*marks, 0.0]), 1.0))
    return [
        StageMove(at.replace(microsecond=0), stage) for at, stage in zip(moments, kept, strict=True)
    ]
