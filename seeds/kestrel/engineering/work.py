"""Pieces of work and how they went: made, taken up, put aside, done, forgotten."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering import people as who
from seeds.kestrel.engineering.labels import Labels
from seeds.kestrel.engineering.model import Area, Engineer, Move, Release, Space, Work
from seeds.kestrel.engineering.talk import Talk
from seeds.kestrel.engineering.text import Writer

COUNTS = {"tiny": 120, "small": 1_200, "standard": 12_000, "large": 30_000}
DAYS = {"tiny": 260, "small": 560, "standard": 1_050, "large": 1_050}
TYPES = Weighted({"Bug": 0.36, "Story": 0.23, "Task": 0.27, "Sub-task": 0.14})
PRIORITIES = Weighted({"Highest": 0.02, "High": 0.12, "Medium": 0.74, "Low": 0.1, "Lowest": 0.02})
INFLATED = Weighted({"Highest": 0.21, "High": 0.36, "Medium": 0.36, "Low": 0.06, "Lowest": 0.01})
LADDER = ("Lowest", "Low", "Medium", "High", "Highest")
RESOLUTIONS = Weighted(
    {"Done": 0.83, "Won't Do": 0.085, "Duplicate": 0.055, "Cannot Reproduce": 0.03}
)
POINTS = Weighted(
    {1: 0.18, 2: 0.15, 3: 0.18, 5: 0.19, 8: 0.14, 13: 0.06, 4: 0.04, 6: 0.02, 10: 0.02}
)
WEEKDAYS = (0.16, 0.24, 0.18, 0.2, 0.17, 0.025, 0.025)
HOURS = Weighted(
    {7: 2, 8: 8, 9: 14, 10: 15, 11: 13, 12: 7, 13: 10, 14: 13, 15: 12, 16: 9, 17: 5, 18: 2, 21: 1}
)
DONE = "Done"


class Team:
    """The people of one space, at any time."""

    def __init__(self, space: Space, engineers: list[Engineer]) -> None:
        self.members = who.of_space(engineers, space.key) or engineers[:1]
        self.desk = who.reporters(engineers) or self.members
        self.apps = who.apps(engineers)
        self.all = [person for person in engineers if person.kind != "app"]

    def somebody(self, rng: Random, at: datetime, *, desk: bool = False) -> Engineer:
        """Return somebody who was there at a time, busier people more often."""
        pool = self.desk if desk else self.members
        there = [
            person
            for person in pool
            if person.since <= at and (person.left_at is None or at < person.left_at)
        ]
        there = there or [self.members[0]]
        return rng.choices(there, [max(person.weight, 0.05) for person in there])[0]


def working_moment(rng: Random, first: datetime, last: datetime) -> datetime:
    """Return a moment between two, on a day and at an hour when people work."""
    days = max((last - first).days, 1)
    for _ in range(12):
        # More is made of late than at the beginning.
        day = first + timedelta(days=int(days * math.sqrt(rng.uniform(0.05, 1))))
        if rng.random() < WEEKDAYS[day.weekday()] / 0.24:
            break
    moment = day.replace(
        hour=HOURS.draw(rng), minute=rng.randrange(60), second=rng.randrange(60), microsecond=0
    )
    return min(max(moment, first), last - timedelta(minutes=rng.randrange(1, 400)))


class Works:
    """Makes the work of every space."""

    def __init__(
        self, draws: Draws, size: str, spaces: tuple[Space, ...], engineers: list[Engineer]
    ) -> None:
        self.draws, self.spaces, self.engineers = draws, spaces, engineers
        self.count = COUNTS[size]
        self.first = (PRESENT - timedelta(days=DAYS[size])).replace(hour=6, minute=0)
        self.teams = {space.key: Team(space, engineers) for space in spaces}
        self.labels = Labels(draws)
        self.talk = Talk(self.teams)
        self.made: list[Work] = []

    def make(self, releases: list[Release]) -> list[Work]:
        """Return all work, by time of its making."""
        for space in self.spaces:
            mine = [release for release in releases if release.space == space.key]
            self._space(space, mine)
        self.made.sort(key=lambda item: (item.created, item.index))
        return self.made

    def _space(self, space: Space, releases: list[Release]) -> None:
        count = max(round(self.count * space.share), 3)
        epics = 0 if space.type == "service_desk" else max(1 if count < 60 else 2, count // 55)
        rng = self.draws.rng("work-times", space.key)
        times = sorted(working_moment(rng, self.first, PRESENT) for _ in range(count))
        parents: list[Work] = []
        heads: list[Work] = []
        for place, created in enumerate(times):
            rng = self.draws.rng("work", f"{space.key}-{place}")
            kind = self._kind(rng, space, place, every=max(count // max(epics, 1), 1))
            item = self._one(rng, space, kind, created=created, releases=releases)
            if kind == "Epic":
                heads.append(item)
            elif kind == "Sub-task":
                self._put_below(rng, item, parents[-40:])
            elif heads and chance(rng, 0.34):
                item.parent = rng.choice(heads[-6:]).index
            if kind in ("Story", "Task", "Bug"):
                parents.append(item)
            self.made.append(item)

    def _kind(self, rng: Random, space: Space, place: int, *, every: int) -> str:
        if space.type == "service_desk":
            return "Service request"
        if place % every == 0:
            return "Epic"
        found = TYPES.draw(rng)
        return "Task" if found == "Sub-task" and place < 3 else found

    def _put_below(self, rng: Random, item: Work, parents: list[Work]) -> None:
        if not parents:
            item.type = item.start["type"] = "Task"
            return
        item.parent = rng.choice(parents).index

    def _one(
        self, rng: Random, space: Space, kind: str, *, created: datetime, releases: list[Release]
    ) -> Work:
        team, area = self.teams[space.key], rng.choice(space.areas)
        reporter = team.somebody(rng, created, desk=chance(rng, 0.38 if kind == "Bug" else 0.1))
        if space.type == "service_desk":
            reporter = rng.choice(
                [person for person in team.all if person.since <= created] or team.all
            )
        writer = Writer.about(rng, area, self._facts(rng, space, releases, created))
        work = Work(
            index=len(self.made),
            space=space.key,
            type=kind,
            created=created,
            reporter=reporter.index,
            start=self._start(rng, space, kind, area=area, reporter=reporter, created=created),
            summary=writer.title(kind),
            blocks=writer.description(kind),
        )
        if kind != "Sub-task" and chance(rng, 0.28):
            work.start["labels"] = self.labels.some(rng, writer.facts["thing"])
        self._affected(rng, work, releases)
        Course(rng, work, space, team, releases).run()
        self.talk.add(rng, work, space, writer)
        self._around(rng, work, team)
        return work

    def _facts(
        self, rng: Random, space: Space, releases: list[Release], at: datetime
    ) -> dict[str, str]:
        past = [item.name for item in releases if item.released and item.released <= at.date()]
        names = past[-3:] or ["the last release"]
        person = rng.choice(self.teams[space.key].all)
        return {
            "version": names[-1] if chance(rng, 0.7) else rng.choice(names),
            "version_before": names[0],
            "person": person.given,
            "key": f"{space.key}-{rng.randrange(20, 190)}",
            "ticket": f"#{rng.randrange(900, 21_000)}",
        }

    def _start(
        self,
        rng: Random,
        space: Space,
        kind: str,
        *,
        area: Area,
        reporter: Engineer,
        created: datetime,
    ) -> dict[str, Any]:
        owner: int | None = None
        if chance(rng, 0.42):
            same = chance(rng, 0.4) and reporter.space == space.key
            owner = (reporter if same else self.teams[space.key].somebody(rng, created)).index
        found: dict[str, Any] = {
            "status": "Waiting for support" if space.type == "service_desk" else "To Do",
            "type": kind,
            "priority": (INFLATED if space.inflated else PRIORITIES).draw(rng),
            "assignee": owner,
            "labels": (),
            "components": (area.name,) if chance(rng, 0.67) else (),
            "release": None,
            "affects": None,
            "sprints": (),
            "points": None,
            "resolution": None,
            "due": None,
        }
        if kind == "Story" and chance(rng, 0.7):
            found["points"] = POINTS.draw(rng)
        if kind in ("Task", "Bug") and space.way == "scrum" and chance(rng, 0.45):
            found["points"] = POINTS.draw(rng)
        if chance(rng, 0.06):
            found["due"] = (created + timedelta(days=rng.randrange(5, 90))).date()
        return found

    def _affected(self, rng: Random, work: Work, releases: list[Release]) -> None:
        past = [item.name for item in releases if item.start <= work.created.date()]
        if work.type == "Bug" and past and chance(rng, 0.32):
            work.start["affects"] = past[-1]

    def _around(self, rng: Random, work: Work, team: Team) -> None:
        """Add who watches and wants it, and the files that came with it."""
        count = min(int(rng.expovariate(1.1)), 6)
        others = rng.sample(team.all, min(count, len(team.all)))
        own = {work.reporter, *(move.actor for move in work.moves if move.said)}
        known = {person.index for person in team.all}
        work.watchers = tuple(sorted((own & known) | {person.index for person in others}))
        if chance(rng, 0.05):
            voters = rng.sample(team.all, min(rng.choice((1, 1, 2, 4)), len(team.all)))
            work.votes = tuple(sorted(person.index for person in voters))
        if chance(rng, 0.11):
            name, kind = rng.choice(
                (
                    ("screenshot.png", "image/png"),
                    ("image.png", "image/png"),
                    ("studio.log", "text/plain"),
                    ("crash.txt", "text/plain"),
                    ("drawing.dxf", "application/dxf"),
                )
            )
            work.files = ((name, kind),)


class Course:
    """How one piece of work goes."""

    def __init__(
        self, rng: Random, work: Work, space: Space, team: Team, releases: list[Release]
    ) -> None:
        self.rng, self.work, self.space, self.team = rng, work, space, team
        self.releases = releases
        self.owner: int | None = work.start["assignee"]

    def run(self) -> None:
        """Add the moves."""
        if self.work.type == "Epic":
            self._epic()
        elif self.space.type == "service_desk":
            self._service()
        else:
            self._software()
        self._on_the_side()
        self.work.moves.sort(key=lambda move: move.at)

    def _software(self) -> None:
        rng, work = self.rng, self.work
        days = lognormal(rng, 0.25, 1.6) if chance(rng, 0.22) else lognormal(rng, 44, 1.35)
        done = work.created + timedelta(days=days)
        begin = work.created + (done - work.created) * rng.uniform(0.25, 0.93)
        if begin - work.created > timedelta(days=25):
            # Most of the time it lay about; the work itself takes a fortnight or two.
            begin = max(begin, done - timedelta(days=lognormal(rng, 6, 0.8)))
        forgotten = chance(rng, 0.1)
        if begin >= PRESENT or forgotten:
            return
        self._take(begin)
        if chance(rng, 0.5):
            between = begin + (done - begin) * rng.uniform(0.5, 0.95)
            self._move(between, {"status": "In Review"})
        if done < PRESENT:
            self._finish(done)

    def _finish(self, done: datetime) -> None:
        rng = self.rng
        resolution = RESOLUTIONS.draw(rng)
        changes: dict[str, Any] = {"status": DONE, "resolution": resolution}
        # Some drag a card to the last column of a board whose way there sets nothing.
        if resolution == DONE and chance(rng, 0.04):
            changes["resolution"] = None
        coming = [item.name for item in self.releases if item.due >= done.date()]
        if resolution == DONE and coming and chance(rng, 0.66):
            changes["release"] = coming[0]
        self._move(done, changes)
        if chance(rng, 0.052):
            again = done + timedelta(days=lognormal(rng, 4, 1.0))
            self._move(again, {"status": "To Do", "resolution": None})
            last = again + timedelta(days=lognormal(rng, 9, 1.0))
            if last < PRESENT:
                self._move(again + (last - again) * 0.6, {"status": "In Progress"})
                self._move(last, {"status": DONE, "resolution": DONE})

    def _take(self, at: datetime) -> None:
        changes: dict[str, Any] = {"status": "In Progress"}
        if self.owner is None and chance(self.rng, 0.9):
            self.owner = self.team.somebody(self.rng, at).index
            changes["assignee"] = self.owner
        self._move(at, changes)

    def _epic(self) -> None:
        rng, work = self.rng, self.work
        # A third of them nobody closes, and nobody looks at any more.
        if chance(rng, 0.2):
            return
        begin = work.created + timedelta(days=lognormal(rng, 14, 0.8))
        self._move(begin, {"status": "In Progress"})
        end = begin + timedelta(days=lognormal(rng, 150, 0.5))
        if end < PRESENT and chance(rng, 0.62):
            self._move(end, {"status": DONE, "resolution": DONE})

    def _service(self) -> None:
        rng, work = self.rng, self.work
        first = work.created + timedelta(hours=lognormal(rng, 3, 1.2))
        if first >= PRESENT:
            return
        self.owner = self.team.somebody(rng, first).index
        self._move(first, {"status": "In Progress", "assignee": self.owner})
        at = first
        if chance(rng, 0.34):
            at = first + timedelta(hours=lognormal(rng, 5, 1.0))
            self._move(at, {"status": "Waiting for customer"})
        done = at + timedelta(hours=lognormal(rng, 20, 1.3))
        if done < PRESENT and not chance(rng, 0.05):
            self._move(done, {"status": "Resolved", "resolution": DONE})

    def _on_the_side(self) -> None:
        rng, work = self.rng, self.work
        end = min(work.moves[-1].at if work.moves else PRESENT, PRESENT)
        if chance(rng, 0.09):
            rank = LADDER.index(work.start["priority"])
            other = LADDER[min(rank + 1, 4)] if chance(rng, 0.72) else LADDER[max(rank - 1, 0)]
            self._aside(end, {"priority": other})
        if chance(rng, 0.06) and " in " not in work.summary:
            self._aside(end, {"summary": f"{work.summary} (was: unclear)"[:240]})
        if chance(rng, 0.08) and self.owner is not None:
            at = self._between(end)
            self.work.moves.append(
                Move(at, self.owner, {"assignee": self.team.somebody(rng, at).index})
            )
        if work.start["points"] and chance(rng, 0.1):
            self._aside(end, {"points": POINTS.draw(rng)})

    def _aside(self, end: datetime, changes: dict[str, Any]) -> None:
        at = self._between(end)
        self.work.moves.append(Move(at, self.team.somebody(self.rng, at).index, changes))

    def _between(self, end: datetime) -> datetime:
        span = max((end - self.work.created).total_seconds(), 120)
        seconds = int(span * self.rng.uniform(0.02, 0.98))
        return min(self.work.created + timedelta(seconds=seconds), PRESENT - timedelta(minutes=3))

    def _move(self, at: datetime, changes: dict[str, Any]) -> None:
        at = at.replace(microsecond=0)
        if at >= PRESENT:
            return
        actor = self.owner if self.owner is not None and chance(self.rng, 0.8) else None
        if actor is None:
            actor = self.team.somebody(self.rng, at).index
        self.work.moves.append(Move(at, actor, changes))
