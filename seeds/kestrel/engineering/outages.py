"""What incidents leave in the tracker: a bug at once, its doubles, a postmortem."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Release, Tie, Work, WorkComment
from seeds.kestrel.engineering.text import bank
from seeds.kestrel.engineering.work import Team
from seeds.kestrel.story.model import Incident, Ticket

ACTIONS = (
    "Alert on it within five minutes",
    "Write the runbook for next time",
    "Test the rollback",
    "Tell support before customers do",
    "Remove the single point of failure",
    "Add a test with the customer's file",
)


class Outages:
    """Makes the work of incidents, below the numbers that tickets name."""

    def __init__(
        self,
        draws: Draws,
        teams: dict[str, Team],
        releases: list[Release],
        tickets: list[Ticket],
    ) -> None:
        self.draws, self.teams, self.releases = draws, teams, releases
        self.tickets = tickets
        self.made: list[Work] = []
        self.ties: list[Tie] = []

    def make(self, incidents: list[Incident], first: int) -> None:
        """Make all; `first` is the index that the first piece of work gets."""
        for incident in incidents:
            rng = self.draws.rng("outage", incident.index)
            bug = self._bug(rng, incident, first + len(self.made))
            for _ in range(rng.choice((1, 2, 3))):
                self._double(rng, bug, first + len(self.made))
            self._postmortem(rng, incident, bug, first)

    def _add(self, work: Work) -> Work:
        self.made.append(work)
        return work

    def _bug(self, rng: Random, incident: Incident, index: int) -> Work:
        space = incident.key.partition("-")[0]
        team = self.teams[space]
        created = incident.onset + timedelta(minutes=rng.randrange(6, 58))
        reporter = team.somebody(rng, created, desk=True)
        named = [
            ticket.number
            for ticket in self.tickets
            if ticket.incident == incident.index and ticket.created < created + timedelta(hours=5)
        ][:3]
        numbers = ", ".join(f"#{number}" for number in named)
        blocks: list[Any] = [
            f"{incident.title}. Since about {incident.onset:%H:%M} UTC, tickets by the minute.",
            (
                "bullets",
                [f"Version: {incident.version}", f"Tickets: {numbers or 'see the problem'}"],
            ),
            ("code", "", bank("trace")[1].format(**_trace(rng))),
        ]
        owner = team.somebody(rng, created).index
        end = created + timedelta(hours=incident.hours * rng.uniform(0.8, 1.6))
        work = Work(
            index=index,
            space=space,
            type="Bug",
            created=created,
            reporter=reporter.index,
            start=_start("Bug", "Medium", owner),
            summary=incident.title[:200],
            blocks=blocks,
            incident=incident.index,
            tickets=tuple(named),
        )
        half = created + (end - created) * 0.3
        work.moves = [
            Move(created + timedelta(minutes=7), owner, {"status": "In Progress"}),
            Move(created + timedelta(minutes=12), reporter.index, {"priority": "High"}),
            Move(half, team.members[0].index, {"priority": "Highest"}),
            Move(half + timedelta(minutes=4), owner, said=WorkComment(["Found it, rolling back."])),
        ]
        coming = [
            item.name for item in self.releases if item.space == space and item.due > end.date()
        ]
        if coming:
            work.moves.append(Move(half + timedelta(minutes=9), owner, {"release": coming[0]}))
        if len(coming) > 1:
            moved = end + timedelta(days=2)
            work.moves.append(Move(moved, owner, {"release": coming[1]}))
        work.moves.append(Move(end, owner, {"resolution": "Done", "status": "Done"}))
        _settle(work)
        return self._add(work)

    def _double(self, rng: Random, bug: Work, index: int) -> None:
        team = self.teams[bug.space]
        created = bug.created + timedelta(minutes=rng.randrange(15, 1_200))
        reporter = team.somebody(rng, created, desk=True)
        work = Work(
            index=index,
            space=bug.space,
            type="Bug",
            created=created,
            reporter=reporter.index,
            start=_start("Bug", "Medium", None),
            summary=f"{rng.choice(('Customers: ', 'Same again? ', 'URGENT '))}{bug.summary}"[:200],
            blocks=["More tickets about this, please check whether it is the same."],
        )
        closed = created + timedelta(hours=rng.randrange(1, 40))
        closer = team.somebody(rng, closed).index
        work.moves = [Move(closed, closer, {"resolution": "Duplicate", "status": "Done"})]
        _settle(work)
        self._add(work)
        if work.moves:
            self.ties.append(Tie("Duplicate", index, bug.index, work.moves[-1].at))

    def _postmortem(self, rng: Random, incident: Incident, bug: Work, first: int) -> None:
        team = self.teams["OPS"]
        created = bug.created + timedelta(days=rng.randrange(2, 6))
        if created >= PRESENT:
            return
        owner = team.somebody(rng, created).index
        head = self._add(
            Work(
                index=first + len(self.made),
                space="OPS",
                type="Task",
                created=created,
                reporter=owner,
                start=_start("Task", "Medium", owner),
                summary=f"Postmortem: {incident.title}"[:200],
                blocks=[
                    ("heading", "Summary"),
                    f"{incident.title}, {incident.hours:.0f} hours.",
                    ("heading", "Actions"),
                    "See the sub-tasks.",
                ],
            )
        )
        head.moves = [
            Move(created + timedelta(days=9), owner, {"resolution": "Done", "status": "Done"})
        ]
        _settle(head)
        self.ties.append(Tie("Relates", head.index, bug.index, created + timedelta(minutes=3)))
        for text in rng.sample(ACTIONS, rng.randint(3, 5)):
            at = created + timedelta(minutes=rng.randrange(5, 50))
            action = self._add(
                Work(
                    index=first + len(self.made),
                    space="OPS",
                    type="Sub-task",
                    created=min(at, PRESENT - timedelta(minutes=9)),
                    reporter=owner,
                    start=_start("Sub-task", "Medium", team.somebody(rng, at).index),
                    summary=text,
                    blocks=[],
                    parent=head.index,
                )
            )
            if chance(rng, 0.5):
                done = at + timedelta(days=rng.randrange(3, 50))
                action.moves = [Move(done, owner, {"resolution": "Done", "status": "Done"})]
            _settle(action)


def _start(kind: str, priority: str, owner: int | None) -> dict[str, Any]:
    return {
        "status": "To Do",
        "type": kind,
        "priority": priority,
        "assignee": owner,
        "labels": (),
        "components": (),
        "release": None,
        "affects": None,
        "sprints": (),
        "points": None,
        "resolution": None,
        "due": None,
    }


def _settle(work: Work) -> None:
    """Leave out what lies in the future, whole seconds, by time."""
    work.moves = sorted(
        (move for move in work.moves if move.at < PRESENT), key=lambda move: move.at
    )
    for move in work.moves:
        move.at = move.at.replace(microsecond=0)
    work.created = min(work.created, PRESENT - timedelta(minutes=2)).replace(microsecond=0)


def _trace(rng: Random) -> dict[str, str]:
    return {
        "error": rng.choice(bank("error")),
        "reason": rng.choice(bank("reason")),
        "module": rng.choice(bank("module")),
        "function": rng.choice(bank("function")),
        "line": str(rng.randrange(20, 700)),
        "column": str(rng.randrange(4, 60)),
    }
