"""Every ticket of the history: who wrote when about what, in the order of their numbers."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.story import arrivals
from seeds.kestrel.story.facts import PAID, set_charge, ticket_facts
from seeds.kestrel.story.incidents import report_times
from seeds.kestrel.story.model import (
    Agent,
    Incident,
    Payer,
    Step,
    StoryComment,
    StoryPerson,
    Ticket,
)
from seeds.kestrel.story.paths import CLOSE_AFTER, AgentRoster, next_run, walk
from seeds.kestrel.story.topics import BY_DOMAIN, TOPICS, WEIGHTS, Topic
from seeds.kestrel.story.whole import Story
from seeds.text.bank import cases

CHANNELS = Weighted(
    {"email": 0.56, "web": 0.18, "chat": 0.15, "voice": 0.06, "api": 0.04, "social": 0.01}
)
REPORTED = ("beam", "motion", "quality", "shipping", "dealer", "update", "connect")
REPEATED = 0.030
# How often tickets before one were deleted for good, and how often that was a wave of spam.
DELETED, SPAM_WAVES = 0.35, 0.01
BEFORE = (150, 400)  # so many tickets are gone between the very first and the story's


def capped(
    weights: list[tuple[StoryPerson, float]], share: float
) -> list[tuple[StoryPerson, float]]:
    """Return weights of which none is more than a share of their sum."""
    most = share * sum(weight for _, weight in weights)
    return [(person, min(weight, most)) for person, weight in weights]


def raised(
    weights: list[tuple[StoryPerson, float]], share: float
) -> list[tuple[StoryPerson, float]]:
    """Return weights of which the greatest is at least a share of their sum."""
    busiest, most = max(weights, key=lambda pair: pair[1])
    others = sum(weight for _, weight in weights) - most
    least = max(most, others * share / (1 - share))
    return [(person, least if person is busiest else weight) for person, weight in weights]


def number_tickets(draws: Draws, tickets: list[Ticket]) -> None:
    """Give the tickets numbers, leaving gaps where others were deleted, as spam is in waves.

    Of the time before the story only the very first is kept, as accounts keep it.
    """
    number = 0
    for position, ticket in enumerate(tickets):
        rng = draws.rng("gap", position)
        wave, single = chance(rng, SPAM_WAVES), chance(rng, DELETED)
        gone = rng.randrange(15, 60) if wave else rng.randrange(1, 7) if single else 0
        if position == 1:
            gone += draws.rng("gap", "before").randrange(*BEFORE)
        number += 1 + (gone if position else 0)
        ticket.number = number


class Stories:
    """Draws the tickets of one world."""

    def __init__(self, story: Story) -> None:
        self.draws, self.size = story.draws, story.size
        self.people, self.staff = story.people, story.staff
        self.incidents, self.doubles = story.incidents, story.doubles
        people, payers = story.people, story.payers
        self.payers = {payer.person: payer for payer in payers}
        self.by_firm = {
            firm.index: payer for payer in payers if (firm := people[payer.person].firm) is not None
        }
        self.desk = AgentRoster(story.staff, story.size.lateness)
        writing = [(person, person.weight) for person in people]
        self.all = Weighted(raised(capped(writing, 0.018), story.size.loudest))
        self.paying = Weighted(
            capped([(people[payer.person], people[payer.person].weight) for payer in payers], 0.025)
        )
        dealers = [
            (person, person.weight) for person in people if person.firm and person.firm.dealer
        ]
        self.dealing = Weighted(capped(dealers, 0.2) or [(people[0], 1.0)])
        self.charges = {charge.index: charge for payer in payers for charge in payer.charges}

    def make(self) -> list[Ticket]:
        """Return the tickets in the order of their creation, numbered with gaps."""
        tickets = [*self._doubles(), *self._reports()]
        repeats = int(self.size.tickets * REPEATED)
        topics = Weighted(WEIGHTS)
        drawn = []
        for key in range(self.size.tickets - len(tickets) - repeats):
            rng = self.draws.rng("ticket", key)
            topic = topics.draw(rng)
            drawn.append((rng, topic, self._requester(rng, topic)))
        asking = [(rng, person.iana) for rng, _, person in drawn]
        moments = arrivals.moments(self.draws, self.size, asking)
        for key, ((rng, topic, person), created) in enumerate(zip(drawn, moments, strict=True)):
            ticket = self._ticket(rng, key, topic, person=person, created=created)
            if ticket.channel == "api" and chance(rng, 0.5):
                ticket.created = created.replace(hour=0, minute=0, second=0)
            tickets.append(ticket)
        for turn in range(repeats):
            tickets.append(
                self._repeat(turn, tickets[self.draws.rng("repeat", turn).randrange(len(tickets))])
            )
        tickets += self._problems()
        tickets.sort(key=lambda ticket: (ticket.created, ticket.key))
        number_tickets(self.draws, tickets)
        for ticket in tickets:
            if "problem" not in ticket.notes:
                self._walk(ticket)
            self._settle_double(ticket)
        self._merge(tickets)
        self._follow_up(tickets)
        return tickets

    def _problems(self) -> list[Ticket]:
        """Return the collecting tickets that the desk opens for incidents."""
        found = []
        for incident in self.incidents:
            rng = self.draws.rng("problem", incident.index)
            created = incident.onset + timedelta(
                minutes=rng.randrange(18, 70), seconds=rng.randrange(60)
            )
            agent = self.desk.somebody(rng, "escalations", created)
            topic = BY_DOMAIN[incident.domain][0]
            facts = {
                "version": incident.version,
                "key": incident.key,
                "title": incident.title,
                "machine": "Kite 60",
            }
            ticket = Ticket(
                4_000_000 + incident.index,
                created,
                0,
                "web",
                incident.domain,
                topic.key,
                "en",
                facts,
            )
            ticket.incident = incident.index
            ticket.notes |= {"problem": incident.index, "agent": agent.index, "type": "problem"}
            actor = ("agent", agent.index)
            ticket.steps = [
                Step(
                    created,
                    actor,
                    "web",
                    StoryComment("problem", public=False),
                    {
                        "status": "open",
                        "group": "escalations",
                        "assignee": agent.index,
                        "priority": rng.choice(("high", "urgent")),
                    },
                )
            ]
            end = (incident.onset + timedelta(hours=incident.hours)).replace(microsecond=0)
            end = max(end, created + timedelta(minutes=40))
            for share in sorted(rng.random() for _ in range(rng.randrange(1, 4))):
                at = (created + (end - created) * share).replace(microsecond=0)
                ticket.steps.append(Step(at, actor, "web", StoryComment("finding", public=False)))
            ticket.steps += _ends(end, actor)
            ticket.steps = [
                step for step in ticket.steps if step.at <= PRESENT - timedelta(minutes=2)
            ]
            found.append(ticket)
        return found

    def _settle_double(self, ticket: Ticket) -> None:
        """Refund what is owed when the ticket about it was solved."""
        if "double" not in ticket.notes:
            return
        double = next(item for item in self.doubles if item.index == ticket.notes["double"])
        charge = self.charges[double.second]
        solved = [step.at for step in ticket.steps if step.changes.get("status") == "solved"]
        if double.owed and not charge.refunds and solved:
            charge.refunds.append((charge.amount, solved[0] - timedelta(seconds=95), "duplicate"))

    def _requester(self, rng: Random, topic: Topic) -> StoryPerson:
        if topic.domain in PAID:
            return self.paying.draw(rng)
        if topic.domain == "dealer":
            return self.dealing.draw(rng)
        return self.all.draw(rng)

    def payer_of(self, person: StoryPerson) -> Payer | None:
        """Return the paying account of a person or of their firm."""
        found = self.payers.get(person.index)
        if found is None and person.firm is not None:
            found = self.by_firm.get(person.firm.index)
        return found

    def _ticket(
        self,
        rng: Random,
        key: int,
        topic: Topic,
        *,
        person: StoryPerson,
        created: datetime,
        incident: Incident | None = None,
    ) -> Ticket:
        channel = CHANNELS.draw(rng)
        if channel == "api" and topic.domain not in REPORTED:
            channel = "email"
        payer = self.payer_of(person)
        facts = ticket_facts(rng, person, payer, topic=topic, created=created, incident=incident)
        language = person.language if channel not in ("voice", "api") else "en"
        ticket = Ticket(
            key, created, person.index, channel, topic.domain, topic.key, language, facts
        )
        ticket.incident = incident.index if incident else None
        ticket.notes["forwarded"] = channel == "email" and chance(rng, 0.03)
        ticket.notes["case"] = rng.choice(cases(topic.domain)[topic.key])
        if topic.key == "duplicate_charge" and not incident:
            ticket.notes["cause"] = "hold"
        if chance(rng, 0.07):
            ticket.notes["second"] = rng.choice(
                [other for other in BY_DOMAIN if other != topic.domain]
            )
        if chance(rng, 0.005):
            ticket.notes["test"] = True
        return ticket

    def _reports(self) -> list[Ticket]:
        """Return what people wrote about incidents."""
        found = []
        for incident in self.incidents:
            burst = self.draws.rng("burst", incident.index)
            topics = Weighted(
                [(topic, 1.0 / (rank + 1)) for rank, topic in enumerate(BY_DOMAIN[incident.domain])]
            )
            blamed = Weighted(WEIGHTS)
            for number, moment in enumerate(report_times(burst, incident)):
                key = 1_000_000 + incident.index * 10_000 + number
                rng = self.draws.rng("ticket", key)
                topic = blamed.draw(rng) if chance(rng, 0.12) else topics.draw(rng)
                person = self.all.draw(rng)
                found.append(
                    self._ticket(rng, key, topic, person=person, created=moment, incident=incident)
                )
        return found

    def _doubles(self) -> list[Ticket]:
        """Return the tickets about charges that look like one too many."""
        topic = next(topic for topic in TOPICS if topic.key == "duplicate_charge")
        found = []
        for double in self.doubles:
            rng = self.draws.rng("ticket", f"double-{double.index}")
            second = self.charges[double.second]
            payer = next(payer for payer in self.payers.values() if payer.index == double.payer)
            created = second.created + timedelta(hours=lognormal(rng, 30, 0.9))
            begin = self.size.start
            if not begin < created < PRESENT - timedelta(minutes=30):
                continue
            ticket = self._ticket(
                rng,
                2_000_000 + double.index,
                topic,
                person=self.people[payer.person],
                created=created.replace(microsecond=0),
            )
            set_charge(ticket.facts, second)
            ticket.notes |= {"double": double.index, "cause": double.cause}
            found.append(ticket)
        return found

    def _repeat(self, turn: int, first: Ticket) -> Ticket:
        """Return the same person writing again about the same thing."""
        rng = self.draws.rng("repeat-ticket", turn)
        wait = timedelta(hours=min(lognormal(rng, 7, 1.2), 60))
        created = min(first.created + wait, PRESENT - timedelta(minutes=rng.randrange(4, 60)))
        again = Ticket(
            3_000_000 + turn,
            created.replace(microsecond=0),
            first.person,
            rng.choice(("email", "email", "web", "chat")),
            first.domain,
            first.topic,
            first.language,
            dict(first.facts),
        )
        again.incident = first.incident
        again.notes |= {key: first.notes[key] for key in ("case", "cause") if key in first.notes}
        again.notes["repeats"] = first.key
        return again

    def _walk(self, ticket: Ticket) -> None:
        rng = self.draws.rng("path", ticket.key)
        group = next(topic.group for topic in TOPICS if topic.key == ticket.topic)
        if chance(rng, 0.17):
            group = rng.choice(("support", "support", "studio", "hardware", "escalations"))
        walk(ticket, rng, self.desk, group, routed=chance(rng, 0.48))

    def _merge(self, tickets: list[Ticket]) -> None:
        """Merge half of the repeats into the first ticket, if it was still open then."""
        by_key = {ticket.key: ticket for ticket in tickets}
        for ticket in tickets:
            if "repeats" not in ticket.notes:
                continue
            rng = self.draws.rng("merge", ticket.key)
            first = by_key[ticket.notes["repeats"]]
            at = ticket.created + timedelta(hours=lognormal(rng, 1.5, 0.8))
            at = at.replace(microsecond=0)
            if (
                at >= PRESENT
                or not chance(rng, 0.75)
                or first.number > ticket.number
                or not _is_open(first, at)
            ):
                continue
            agent = self.desk.somebody(rng, "support", at)
            said = StoryComment("merged", public=True)
            ticket.steps = [
                ticket.steps[0],
                Step(
                    at,
                    ("agent", agent.index),
                    "web",
                    said,
                    {
                        "status": "closed",
                        "assignee": agent.index,
                        "group": agent.groups[0],
                        "add_tags": ["closed_by_merge"],
                    },
                ),
            ]
            ticket.notes["merged_into"] = first.number
            self._tell_target(first, ticket, at, agent)

    def _tell_target(self, first: Ticket, source: Ticket, at: datetime, agent: Agent) -> None:
        said = StoryComment("merge_target", public=False, text=str(source.number))
        step = Step(at, ("agent", agent.index), "web", said)
        later = [index for index, other in enumerate(first.steps) if other.at > step.at]
        first.steps.insert(later[0] if later else len(first.steps), step)

    def _follow_up(self, tickets: list[Ticket]) -> None:
        """Make some later tickets follow-ups of closed ones of the same person."""
        closed: dict[int, Ticket] = {}
        for ticket in tickets:
            before = closed.get(ticket.person)
            earlier = before is not None and before.steps[-1].at < ticket.created
            if before and earlier and chance(self.draws.rng("follow-up", ticket.key), 0.055):
                ticket.notes["follows"] = before.number
                ticket.channel = "closed_ticket"
                ticket.steps[0].channel = "closed_ticket"
            if ticket.steps and ticket.steps[-1].changes.get("status") == "closed":
                closed[ticket.person] = ticket


def _is_open(ticket: Ticket, at: datetime) -> bool:
    status = "new"
    for step in ticket.steps:
        if step.at > at:
            break
        status = step.changes.get("status", status)
    return status not in ("solved", "closed")


def _ends(end: datetime, actor: tuple[str, int]) -> list[Step]:
    """Return how a ticket ends: solved by somebody, closed by the account's automation."""
    closed = next_run(end) + CLOSE_AFTER
    automation = ("system", "automation")
    return [
        Step(end, actor, "web", None, {"status": "solved"}),
        Step(closed, automation, "rule", None, {"status": "closed"}, "close"),
    ]
