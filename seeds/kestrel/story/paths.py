"""How a ticket goes: who takes it, who answers when, what changes, when it is solved.

Durations follow two log-normals (quick ones and slow ones), as measured on real desks; the
conversation is laid into them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.story.arrivals import to_working_time
from seeds.kestrel.story.model import Agent, Step, StoryComment, Ticket
from seeds.kestrel.story.topics import SLOWNESS

QUICK_SHARE = 0.362
# How often a ticket that got stuck is with somebody who leaves, if there is such a one.
PARTING_SHARE = 0.13
PRIORITIES = Weighted[str | None](
    {None: 0.42, "normal": 0.44, "low": 0.05, "high": 0.065, "urgent": 0.025}
)
# What an answer that is not the last one leaves a ticket as.
WAITING = Weighted({"pending": 0.66, "open": 0.26, "hold": 0.08})
QUICK_TRANSFERS = Weighted({0: 0.87, 1: 0.11, 2: 0.02})
SLOW_TRANSFERS = Weighted(
    {0: 0.30, 1: 0.35, 2: 0.145, 3: 0.09, 4: 0.055, 5: 0.035, 6: 0.017, 8: 0.008}
)
SLOW_MEDIAN = {0: 110.0, 1: 71.0, 2: 118.0, 3: 172.0}
# What matters more takes longer: it is the harder work that people raise.
PRIORITY_FACTOR = {"urgent": 2.6, "high": 1.7, "normal": 1.0, "low": 0.45, None: 0.95}
PRIORITY_QUICK = {"urgent": 0.5, "high": 0.72, "low": 1.25}
QUICK_REPLIES = Weighted({1: 0.80, 2: 0.16, 3: 0.04})
SLOW_REPLIES = Weighted({1: 0.47, 2: 0.28, 3: 0.14, 4: 0.07, 5: 0.03, 7: 0.01})
# How often a slow ticket with a single answer gets it at the very end, by transfers.
LATE = {0: 0.72, 1: 0.5, 2: 0.46}
# Automations count their hourly runs, of which the first counts 0: more than 24 and 96 of them.
ASK_AFTER = timedelta(hours=25)
CLOSE_AFTER = timedelta(hours=97)


def has_left(agent: Agent, at: datetime) -> bool:
    """Tell whether an agent works at the desk no more at a time."""
    return agent.left_at is not None and agent.left_at <= at


class AgentRoster:
    """The agents of the desk by group and time."""

    def __init__(self, staff: list[Agent], lateness: float) -> None:
        self.staff, self.lateness = staff, lateness
        self._groups: dict[str, list[Agent]] = {}
        for agent in staff:
            for group in agent.groups:
                self._groups.setdefault(group, []).append(agent)

    def somebody(
        self, rng: Random, group: str, at: datetime, other_than: int | None = None
    ) -> Agent:
        """Return an agent of a group who works there at a time."""
        there = [
            (agent, agent.weight * (1.0 if agent.groups[0] == group else 0.25))
            for agent in self._groups[group]
            if not has_left(agent, at) and agent.index != other_than
        ]
        if not there:
            return self._groups[group][0]
        return Weighted(there).draw(rng)

    def parting(self, group: str, at: datetime) -> list[Agent]:
        """Return the agents of a group who work there at a time, and have left since."""
        return [
            agent
            for agent in self._groups[group]
            if agent.left_at is not None and not has_left(agent, at)
        ]


@dataclass(slots=True)
class Path:
    """A ticket's course while it is being drawn."""

    ticket: Ticket
    rng: Random
    desk: AgentRoster
    home: str
    group: str
    priority: str | None
    assignee: Agent | None = None
    status: str = "new"
    steps: list[Step] = field(default_factory=list)
    handovers: list[tuple[datetime, Agent, str, StoryComment | None]] = field(default_factory=list)

    def agent_step(self, at: datetime, said: StoryComment | None = None, **changes: Any) -> Step:
        """Append an update by whoever has the ticket then."""
        self._hand_over(at)
        if self.assignee and has_left(self.assignee, at) and "assignee" not in changes:
            self.assignee = self.desk.somebody(self.rng, self.group, at)
            changes["assignee"] = self.assignee.index
        actor = self.assignee.index if self.assignee else 0
        step = Step(at, ("agent", actor), "web", said, changes)
        self._append(step)
        return step

    def person_step(self, at: datetime, said: StoryComment, **changes: Any) -> Step:
        """Append an update by the requester."""
        self._hand_over(at)
        channel = (
            "email" if self.ticket.channel in ("email", "api", "voice") else self.ticket.channel
        )
        step = Step(at, ("person", self.ticket.person), channel, said, changes)
        self._append(step)
        return step

    def _hand_over(self, until: datetime) -> None:
        """Append the hand-overs that come before a moment."""
        while self.handovers and self.handovers[0][0] < until:
            at, taker, group, said = self.handovers.pop(0)
            changes: dict[str, Any] = {"assignee": taker.index}
            if group != self.group:
                changes["group"] = group
            giver = self.assignee
            actor = taker if giver is None or has_left(giver, at) else giver
            self._append(Step(at, ("agent", actor.index), "web", said, changes))
            self.assignee, self.group = taker, group

    def _append(self, step: Step) -> None:
        if self.steps and step.at <= self.steps[-1].at:
            step.at = self.steps[-1].at + timedelta(seconds=self.rng.randrange(20, 240))
        self.status = step.changes.get("status", self.status)
        self.steps.append(step)

    @property
    def last(self) -> datetime:
        """When the ticket was last updated."""
        return self.steps[-1].at


def walk(ticket: Ticket, rng: Random, desk: AgentRoster, home: str, *, routed: bool) -> None:
    """Draw the course of a ticket up to the present and keep it in `ticket.steps`.

    `home` is the group whose work it is; `routed` says that a trigger found it at once.
    """
    priority = PRIORITIES.draw(rng)
    path = Path(ticket, rng, desk, home, home if routed else "support", priority)
    quick = chance(rng, QUICK_SHARE * PRIORITY_QUICK.get(priority or "", 1.0))
    transfers = (QUICK_TRANSFERS if quick else SLOW_TRANSFERS).draw(rng)
    hours = _duration(rng, ticket, transfers, priority, late=None if quick else desk.lateness)
    open_ticket(path)
    neglected = not quick and chance(rng, 0.05)
    end = ticket.created + timedelta(hours=hours)
    if hours > 10:
        end = max(
            to_working_time(rng, end, "us" if chance(rng, 0.3) else "uk"),
            ticket.created + timedelta(hours=2),
        )
    if transfers == 0 and not routed and path.group != home and chance(rng, 0.66):
        path.group = home
        path.steps[0].changes["group"] = home
    _converse(path, transfers, end.replace(microsecond=0), quick=quick, neglected=neglected)
    if path.status == "solved":
        _afterwards(path)
    ticket.steps = [step for step in path.steps if step.at <= PRESENT - timedelta(minutes=2)]
    ticket.notes.update(
        quick=quick, transfers=transfers, hours=round(hours, 3), neglected=neglected
    )


def _duration(
    rng: Random, ticket: Ticket, transfers: int, priority: str | None, *, late: float | None
) -> float:
    """Return how many hours a ticket takes; `late` is the log sigma of those that are not quick."""
    if late is None:
        return max(lognormal(rng, 0.32, 1.49), 0.02)
    median = SLOW_MEDIAN.get(transfers, 268.0)
    factor = PRIORITY_FACTOR[priority] ** 0.85 * SLOWNESS.get(ticket.domain, 1.0) ** 0.5
    return max(lognormal(rng, median * factor, late), 0.4)


def open_ticket(path: Path) -> None:
    """Append the ticket's creation."""
    ticket = path.ticket
    changes: dict[str, Any] = {"status": "new", "priority": path.priority, "group": path.group}
    actor: tuple[str, Any] = ("person", ticket.person)
    if ticket.channel == "voice" or ticket.notes.get("forwarded"):
        taker = path.desk.somebody(path.rng, "support", ticket.created)
        actor = ("agent", taker.index)
        changes["group"] = path.group = "support"
    path.steps.append(Step(ticket.created, actor, ticket.channel, StoryComment("first"), changes))


def _converse(path: Path, transfers: int, end: datetime, *, quick: bool, neglected: bool) -> None:
    rng, ticket = path.rng, path.ticket
    replies = (QUICK_REPLIES if quick else SLOW_REPLIES).draw(rng)
    span = (end - ticket.created).total_seconds()
    late = replies == 1 and (quick or chance(rng, LATE.get(transfers, 0.52)))
    first = end if late else ticket.created + timedelta(seconds=span * _first_share(rng, span))
    alone = quick and transfers == 0 and replies == 1
    if not alone:
        _take(path, first, span)
        _transfer(path, transfers, end)
        if late and not quick and chance(rng, 0.28):
            _chase(path, end)
    if neglected:
        _neglect(path, first)
        return
    if late:
        _settle(path, end, alone=alone)
        return
    marks = sorted(rng.random() ** 0.8 for _ in range(max(replies - 2, 0)))
    times = [first, *(first + (end - first) * mark for mark in marks), end][: max(replies, 2)]
    _exchange(path, times, replies)


def _first_share(rng: Random, span: float) -> float:
    """Return how far into its life a ticket of `span` seconds gets its first answer."""
    wanted = lognormal(rng, 3.6 * 3600, 1.15)
    return min(max(wanted / max(span, 60.0), 0.03), 0.6)


def _take(path: Path, first: datetime, span: float) -> None:
    """Let somebody take the ticket, before or with the first answer."""
    rng, ticket = path.rng, path.ticket
    wait = min(
        (first - ticket.created).total_seconds() * rng.uniform(0.1, 0.9), lognormal(rng, 2400, 1.2)
    )
    at = ticket.created + timedelta(seconds=max(int(wait), 15))
    agent = path.desk.somebody(rng, path.group, at)
    path.assignee = agent
    path.agent_step(at, None, assignee=agent.index, status="open", **_fields(path, 0.5))


def _transfer(path: Path, transfers: int, end: datetime) -> None:
    """Plan how the ticket is handed on, ending with somebody of the group whose work it is."""
    rng = path.rng
    begin = path.last
    group, owner = path.group, path.assignee
    for turn in range(transfers):
        share = (turn + rng.uniform(0.2, 0.8)) / (transfers + 1)
        at = (begin + (end - begin) * share * 0.8).replace(microsecond=0)
        wanted = path.home
        if turn < transfers - 1:
            wanted = rng.choice((group, path.home, "escalations", "support"))
        elif chance(rng, 0.22):
            wanted = rng.choice(("escalations", group))
        taker = path.desk.somebody(rng, wanted, at, other_than=owner.index if owner else None)
        if owner is not None and taker.index == owner.index:
            continue
        owner, group = taker, wanted
        said = StoryComment("handover", public=False) if chance(rng, 0.5) else None
        path.handovers.append((at, owner, wanted, said))


def _chase(path: Path, end: datetime) -> None:
    rng = path.rng
    at = path.last + (end - path.last) * rng.uniform(0.3, 0.85)
    path.person_step(at.replace(microsecond=0), StoryComment("chase"))


def _neglect(path: Path, first: datetime) -> None:
    """Leave the ticket where it got stuck."""
    rng = path.rng
    if chance(rng, 0.7):
        path.agent_step(
            first,
            StoryComment(rng.choice(("ask", "promise"))),
            status=rng.choice(("open", "pending", "hold")),
        )
        if path.status == "pending" and chance(rng, 0.5):
            at = path.last + timedelta(hours=lognormal(rng, 20, 1))
            path.person_step(at.replace(microsecond=0), StoryComment("answer"), status="open")
    at = path.last + timedelta(hours=rng.uniform(1, 30))
    parting = path.desk.parting(path.group, at)
    if parting and chance(rng, PARTING_SHARE):
        # Somebody takes it on who then leaves: what nobody looks for stays with them.
        taker = rng.choice(parting)
        path.agent_step(at.replace(microsecond=0), None, assignee=taker.index)
        path.assignee = taker


def _fields(path: Path, odds: float) -> dict[str, Any]:
    """Return what an agent fills in about a ticket, with the given odds."""
    rng = path.rng
    changes: dict[str, Any] = {}
    if "category" not in path.ticket.notes and chance(rng, odds):
        path.ticket.notes["category"] = True
        changes["category"] = True
    if chance(rng, 0.03):
        changes["priority"] = rng.choice(("high", "normal", "urgent"))
    return changes


def _settle(path: Path, end: datetime, *, alone: bool) -> None:
    """Answer once and solve."""
    changes = {"status": "solved", **_fields(path, 0.9)}
    if alone:
        path.assignee = path.desk.somebody(path.rng, path.group, end)
        changes["assignee"] = path.assignee.index
    path.agent_step(end, StoryComment("resolve"), **changes)


def _exchange(path: Path, times: list[datetime], replies: int) -> None:
    """Let agent and customer answer each other, the last time to solve the ticket."""
    rng = path.rng
    for turn, moment in enumerate(times):
        at = moment.replace(microsecond=0)
        if turn == len(times) - 1:
            _finish(path, at, replies)
            return
        intent = rng.choice(("ask", "ask", "advise", "advise", "promise"))
        status = WAITING.draw(rng)
        path.agent_step(at, StoryComment(intent), status=status, **_fields(path, 0.3))
        if chance(rng, 0.30):
            path.agent_step(
                at + timedelta(seconds=rng.randrange(60, 3000)),
                StoryComment("finding", public=False),
            )
        following = times[turn + 1]
        answer = at + (following - at) * rng.uniform(0.15, 0.85)
        if replies > 1 and chance(rng, 0.78):
            said = StoryComment(
                "answer" if intent == "ask" else rng.choice(("still", "still", "answer"))
            )
            path.person_step(answer.replace(microsecond=0), said, status="open")


def _finish(path: Path, at: datetime, replies: int) -> None:
    """Solve after an exchange: with a last answer, or silently when all was said."""
    rng = path.rng
    if replies > 1:
        path.agent_step(at, StoryComment("resolve"), status="solved", **_fields(path, 0.95))
        return
    if chance(rng, 0.5) and path.last < at:
        thanks = path.last + (at - path.last) * rng.uniform(0.3, 0.95)
        path.person_step(thanks.replace(microsecond=0), StoryComment("worked"), status="open")
    said = StoryComment("silence", public=False) if chance(rng, 0.45) else None
    path.agent_step(at, said, status="solved", **_fields(path, 0.95))


def _afterwards(path: Path) -> None:
    """Let the solved ticket be reopened or not, rated or not, and closed."""
    rng = path.rng
    if chance(rng, 0.047):
        wait = timedelta(hours=min(lognormal(rng, 9, 1.1), 90))
        thanks = chance(rng, 0.34)
        path.person_step(
            (path.last + wait).replace(microsecond=0),
            StoryComment("thanks" if thanks else "reopen"),
            status="open",
        )
        path.ticket.notes["reopened"] = "thanks" if thanks else "still broken"
        again = to_working_time(
            rng, path.last + timedelta(hours=lognormal(rng, 2 if thanks else 26, 1.0)), "uk"
        )
        said = None if thanks else StoryComment("resolve")
        path.agent_step(max(again, path.last + timedelta(minutes=2)), said, status="solved")
    solved = path.last
    if chance(rng, 0.62) and path.ticket.channel != "api":
        path.steps.append(
            Step(
                next_run(solved) + ASK_AFTER,
                ("system", "automation"),
                "rule",
                None,
                {"satisfaction": "offered"},
                "survey",
            )
        )
        _rate(path, path.last)
    close = next_run(solved) + CLOSE_AFTER
    path.steps.append(
        Step(
            max(close, path.last + timedelta(minutes=1)),
            ("system", "automation"),
            "rule",
            None,
            {"status": "closed"},
            "close",
        )
    )


def _rate(path: Path, asked: datetime) -> None:
    rng, notes = path.rng, path.ticket.notes
    if not chance(rng, 0.185):
        return
    bad = (
        0.045
        + 0.42 * (notes.get("reopened") == "still broken")
        + 0.055
        * min(len({s.changes["assignee"] for s in path.steps if "assignee" in s.changes}) - 1, 4)
    )
    bad += 0.08 * (path.ticket.incident is not None)
    score = "bad" if chance(rng, min(bad, 0.8)) else "good"
    comment = chance(rng, 0.33 if score == "bad" else 0.13)
    at = asked + timedelta(hours=min(lognormal(rng, 7, 1.0), 60))
    path.steps.append(
        Step(
            at.replace(microsecond=0),
            ("person", path.ticket.person),
            "web",
            None,
            {"satisfaction": score, "satisfaction_comment": comment},
        )
    )


def next_run(moment: datetime) -> datetime:
    """Return the next hourly run of the automations, 23 minutes past."""
    run = moment.replace(minute=23, second=0, microsecond=0)
    return run if run >= moment else run + timedelta(hours=1)
