"""What sellers did and mean to do: calls, mails, tasks and meetings, and their notes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sales.hours import quarter_hour, working_moment
from seeds.kestrel.sales.model import (
    LOST,
    WON,
    Deal,
    Market,
    SalesActivity,
    Seller,
    StoryLead,
)
from seeds.kestrel.sales.numbers import SILENT, TOUCHES
from seeds.kestrel.sales.words import SalesWriter
from seeds.kestrel.story.model import Firm, StoryPerson

CALL, EMAIL, TASK, MEETING = "Call", "Email", "Task", "Event"
KINDS = Weighted({CALL: 0.36, EMAIL: 0.39, TASK: 0.15, MEETING: 0.10})
LEAD_KINDS = Weighted({CALL: 0.42, EMAIL: 0.44, TASK: 0.12, MEETING: 0.02})
BANKS = {CALL: "call", EMAIL: "email", TASK: "task", MEETING: "meeting"}
PHASES = ("early", "middle", "late")
SENTENCES = Weighted({0: 0.42, 1: 0.27, 2: 0.2, 3: 0.11})
MOST, HELD_BY_ANOTHER, WITHOUT_PERSON = 90, 0.06, 0.12
# Of leads that somebody looked at; of firms in each two years; what lies ahead of an open deal.
TOUCHED_LEADS, CARED_FOR, AHEAD = 0.62, 0.22, 0.55
MINUTES = Weighted({30: 0.42, 45: 0.13, 60: 0.33, 90: 0.08, 120: 0.04})


class Touches:
    """Makes the activities of a story, each deal's and each lead's from a generator of its own."""

    def __init__(self, draws: Draws, sellers: list[Seller], market: Market) -> None:
        self.draws, self.sellers, self.market = draws, sellers, market

    def make(self, deals: list[Deal], leads: list[StoryLead]) -> list[SalesActivity]:
        """Return all activities, oldest first."""
        found = [touch for deal in deals for touch in self._of_deal(deal)]
        found += [touch for lead in leads for touch in self._of_lead(lead)]
        for key in sorted(self.market.firms):
            found += self._of_firm(self.market.firms[key])
        return sorted(found, key=lambda one: (one.at, one.deal or 0, one.lead or 0, one.subject))

    def _of_deal(self, deal: Deal) -> Iterator[SalesActivity]:
        rng = self.draws.rng("touches", deal.index)
        if chance(rng, SILENT):
            return
        outcome = {WON: "won", LOST: "lost"}.get(deal.stage, "open")
        end = deal.closed or deal.moves[-1].at
        if deal.closed is None:
            end = min(end + timedelta(days=lognormal(rng, 9, 0.9)), PRESENT)
            end = min(end, self.sellers[deal.owner].left_at or end)
        end = max(end, deal.created + timedelta(minutes=30))
        mean = TOUCHES[outcome]
        # A gamma-mixed Poisson: some deals are talked about all the time.
        count = max(min(round(rng.gammavariate(1.5, mean / 1.5)), MOST), 1)
        writer = SalesWriter.about(rng, deal.firm, self.market, machine=deal.machine)
        people = [person for person, _ in deal.contacts]
        zone = self.sellers[deal.owner].zone
        span = max((end - deal.created).total_seconds(), 1.0)
        moments = sorted(working_moment(rng, deal.created, end, zone) for _ in range(count))
        for place, at in enumerate(moments):
            part = (at - deal.created).total_seconds() / span
            phase = PHASES[min(int(part * 3), 2)]
            bank = f"text_{phase}"
            if place == count - 1 and outcome != "open" and part > 0.8:
                bank = f"text_{outcome}"
            person = self._person(rng, people)
            writer.with_people(people, person)
            yield self._one(
                rng,
                writer,
                KINDS.draw(rng),
                phase,
                bank,
                at=min(at, deal.closed or PRESENT),
                owner=self._hand(rng, deal.owner, at),
                deal=deal.index,
                person=person,
            )
        if outcome == "open" and chance(rng, AHEAD):
            person = self._person(rng, people)
            writer.with_people(people, person)
            yield self._ahead(rng, writer, deal, end, person)

    def _ahead(
        self,
        rng: Random,
        writer: SalesWriter,
        deal: Deal,
        noted: datetime,
        person: StoryPerson | None,
    ) -> SalesActivity:
        """Return what a seller still means to do; its day may have passed by now."""
        phase = rng.choice(PHASES[1:])
        due = noted + timedelta(days=rng.randint(1, 21))
        meets = chance(rng, 0.2) and due > PRESENT
        starts = quarter_hour(
            working_moment(rng, due, due + timedelta(days=3), self.sellers[deal.owner].zone)
        )
        return SalesActivity(
            MEETING if meets else TASK,
            writer.line(f"{'meeting' if meets else 'task'}_{phase}"),
            None,
            deal.owner,
            noted.replace(microsecond=0),
            due.date(),
            None,
            deal=deal.index,
            person=person,
            urgent=chance(rng, 0.1),
            starts=starts if meets else None,
            minutes=MINUTES.draw(rng) if meets else 0,
            place=writer.line("places") if meets else None,
        )

    def _of_lead(self, lead: StoryLead) -> Iterator[SalesActivity]:
        rng = self.draws.rng("lead-touches", lead.index)
        if lead.owner is None or lead.touched <= lead.created:
            return
        if lead.status.startswith("Open") or not chance(rng, TOUCHED_LEADS):
            return
        end = min(lead.touched, self.sellers[lead.owner].left_at or lead.touched)
        if end <= lead.created:
            return
        writer = SalesWriter.about(
            rng, None, self.market, machine=lead.interest or "", name=lead.company
        )
        writer.facts |= {"given": lead.given} if lead.given else {}
        count = 1 + min(int(rng.expovariate(0.7)), 6)
        zone = self.sellers[lead.owner].zone
        for at in sorted(working_moment(rng, lead.created, end, zone) for _ in range(count)):
            kind = LEAD_KINDS.draw(rng)
            yield self._one(
                rng,
                writer,
                kind,
                "",
                "text_lead",
                at=at,
                owner=lead.owner,
                lead=lead.index,
                line=f"lead_{BANKS[kind]}",
            )

    def _of_firm(self, firm: Firm) -> Iterator[SalesActivity]:
        rng = self.draws.rng("firm-touches", firm.index)
        if not chance(rng, 0.9 if firm.dealer else CARED_FOR):
            return
        first = max(firm.since, PRESENT - timedelta(days=730)) + timedelta(days=30)
        if first >= PRESENT:
            return
        there = [one for one in self.sellers[2:] if one.was_there(first) and one.was_there(PRESENT)]
        owner = rng.choice(there).index if there else 0
        staff = self.market.staff.get(firm.index, [])
        writer = SalesWriter.about(rng, firm, self.market, machine="")
        count = 1 + min(int(rng.expovariate(0.35 if not firm.dealer else 0.12)), 24)
        zone = self.sellers[owner].zone
        for at in sorted(working_moment(rng, first, PRESENT, zone) for _ in range(count)):
            here = [one for one in staff if one.since <= at and (one.left_at or PRESENT) >= at]
            person = self._person(rng, here)
            writer.with_people(here, person)
            kind = KINDS.draw(rng)
            yield self._one(
                rng,
                writer,
                kind,
                "",
                "text_care",
                at=at,
                owner=owner,
                firm=firm.index,
                person=person,
                line=f"care_{BANKS[kind]}",
            )

    def _one(
        self,
        rng: Random,
        writer: SalesWriter,
        kind: str,
        phase: str,
        bank: str,
        *,
        at: datetime,
        owner: int,
        deal: int | None = None,
        lead: int | None = None,
        firm: int | None = None,
        person: StoryPerson | None = None,
        line: str = "",
    ) -> SalesActivity:
        """Return something that was done at a moment: noted then, a meeting some days before."""
        subject = writer.line(line or f"{BANKS[kind]}_{phase}")
        text = writer.note(bank, SENTENCES.draw(rng)) or None
        calls = kind == CALL
        meets = kind == MEETING
        return SalesActivity(
            kind,
            subject,
            text,
            owner,
            at,
            at.date(),
            at,
            deal=deal,
            lead=lead,
            firm=firm,
            person=person,
            urgent=kind == TASK and chance(rng, 0.06),
            inbound=calls and chance(rng, 0.18),
            minutes=MINUTES.draw(rng) if meets else max(int(lognormal(rng, 5, 0.9)), 1),
            starts=quarter_hour(at) if meets else None,
            place=writer.line("places") if meets and chance(rng, 0.6) else None,
            result=writer.line("results") if calls and chance(rng, 0.3) else None,
        )

    def _hand(self, rng: Random, owner: int, at: datetime) -> int:
        """Return who did it: now and then a colleague."""
        if chance(rng, HELD_BY_ANOTHER):
            region = self.sellers[owner].region
            others = [one for one in self.sellers[2:] if one.region == region and one.was_there(at)]
            return rng.choice(others).index if others else owner
        return owner

    @staticmethod
    def _person(rng: Random, people: list[StoryPerson]) -> StoryPerson | None:
        """Return whom it was with: mostly the first of them."""
        if not people or chance(rng, WITHOUT_PERSON):
            return None
        return people[0] if chance(rng, 0.6) else rng.choice(people)
