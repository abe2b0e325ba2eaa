"""Pieces of work and how they went: made, taken up, put aside, done, forgotten."""

from __future__ import annotations

import math
from bisect import bisect_left
from datetime import datetime, timedelta
from random import Random
from typing import Any

from seeds.draw import Draws, Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering import people as who
from seeds.kestrel.engineering.labels import IssueLabels
from seeds.kestrel.engineering.model import Area, Engineer, Move, Release, Space, Work
from seeds.kestrel.engineering.requests import DeskStaff
from seeds.kestrel.engineering.talk import WorkTalk
from seeds.kestrel.engineering.text import WorkWriter, bank, mark

COUNTS = {"tiny": 120, "small": 1_200, "standard": 12_000, "large": 30_000}
DAYS = {"tiny": 260, "small": 900, "standard": 1_050, "large": 1_050}
TYPES = Weighted({"Bug": 0.36, "Story": 0.23, "Task": 0.27, "Sub-task": 0.14})
PRIORITIES = Weighted({"Highest": 0.02, "High": 0.12, "Medium": 0.74, "Low": 0.1, "Lowest": 0.02})
INFLATED = Weighted({"Highest": 0.21, "High": 0.36, "Medium": 0.36, "Low": 0.06, "Lowest": 0.01})
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
# Tickets of these numbers are gone: those of before the story.
ARCHIVED = (2, 90)
DONE = "Done"
FORGOTTEN = 0.19
LEVEL = "Payments only"
ESTIMATES = (3600, 7200, 14_400, 14_400, 28_800, 28_800, 57_600, 86_400, 144_000)


class Team:
    """The people of one space, at any time."""

    def __init__(self, space: Space, engineers: list[Engineer]) -> None:
        self.members = who.of_space(engineers, space.key) or engineers[:1]
        self.desk = who.reporters(engineers) or self.members
        self.apps = who.apps(engineers)
        self.all = [person for person in engineers if person.kind == "atlassian"]

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


def at_work(moment: datetime) -> datetime:
    """Return a moment of the same day at which people work; later ones stay later."""
    start = moment.replace(hour=7, minute=40, second=0, microsecond=0)
    passed = moment - moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return (start + passed * 0.46).replace(microsecond=0)


class Works:
    """Makes the work of every space."""

    def __init__(
        self,
        draws: Draws,
        size: str,
        spaces: tuple[Space, ...],
        engineers: list[Engineer],
        tickets: list[tuple[datetime, int]],
    ) -> None:
        self.draws, self.spaces, self.engineers = draws, spaces, engineers
        # When tickets came in, and their numbers, by time.
        self.tickets = tickets
        self.count = COUNTS[size]
        self.first = (PRESENT - timedelta(days=DAYS[size])).replace(hour=6, minute=0)
        self.teams = {space.key: Team(space, engineers) for space in spaces}
        self.labels = IssueLabels(draws)
        self.talk = WorkTalk(self.teams, at_work)
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
        epics = max(1 if count < 60 else 2, count // 55, min(count // 28, 8))
        rng = self.draws.rng("work-times", space.key)
        last = PRESENT if not space.fate else self.first + (PRESENT - self.first) * 0.45
        times = sorted(working_moment(rng, self.first, last) for _ in range(count))
        if space.type == "service_desk":
            self._requests(space, times)
            return
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

    def _requests(self, space: Space, times: list[datetime]) -> None:
        team = self.teams[space.key]
        desk = DeskStaff(who.customers(self.engineers), team.all, team.members, bank("os"))
        for place, created in enumerate(times):
            rng = self.draws.rng("work", f"{space.key}-{place}")
            work = desk.request(rng, len(self.made), space.key, created)
            self._around(rng, work, team, outside=False)
            self.made.append(work)

    def _kind(self, rng: Random, space: Space, place: int, *, every: int) -> str:
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
        writer = WorkWriter.about(rng, area, self._facts(rng, space, releases, created))
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
        Course(rng, work, space, team, releases=releases, facts=writer.facts).run()
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
            "next": next((item.name for item in releases if item.due > at.date()), "summer"),
            "person": person.given,
            "key": self._other(rng, space),
            "ticket": self._ticket(rng, at),
        }

    def _other(self, rng: Random, space: Space) -> str:
        """Return a mark for the key of some older work, mostly of the same space."""
        mine = [item.index for item in self.made[-400:] if item.space == space.key]
        return mark(rng.choice(mine)) if mine else "the old tracker"

    def _ticket(self, rng: Random, at: datetime) -> str:
        """Return the number of a ticket of the weeks before, or of one long archived."""
        place = bisect_left(self.tickets, (at, 0))
        if place < 3:
            return f"#{rng.randrange(*ARCHIVED)}"
        return f"#{self.tickets[max(place - rng.randrange(1, 60), 0)][1]}"

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
        if chance(rng, 0.38):
            same = chance(rng, 0.4) and reporter.space == space.key
            owner = (reporter if same else self.teams[space.key].somebody(rng, created)).index
        found: dict[str, Any] = {
            "status": "To Do",
            "type": kind,
            "priority": space.level((INFLATED if space.inflated else PRIORITIES).draw(rng)),
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
        if kind != "Epic" and chance(rng, 0.15):
            found["estimate"] = rng.choice(ESTIMATES)
        if kind != "Sub-task" and chance(rng, space.secret):
            found["security"] = LEVEL
        if chance(rng, 0.06):
            found["due"] = (created + timedelta(days=rng.randrange(5, 90))).date()
        return found

    def _affected(self, rng: Random, work: Work, releases: list[Release]) -> None:
        past = [item.name for item in releases if item.start <= work.created.date()]
        if work.type == "Bug" and past and chance(rng, 0.32):
            work.start["affects"] = past[-1]

    def _around(self, rng: Random, work: Work, team: Team, *, outside: bool = True) -> None:
        """Add who watches and wants it, and the files that came with it.

        Who made it or speaks on it watches it as well: that needs no telling.
        """
        count = min(int(rng.expovariate(1.1)), 6) if outside else 0
        others = rng.sample(team.all, min(count, len(team.all)))
        work.watchers = tuple(sorted(person.index for person in others))
        if outside and chance(rng, 0.05):
            voters = rng.sample(team.all, min(rng.choice((1, 1, 2, 4)), len(team.all)))
            work.votes = tuple(sorted(person.index for person in voters))
        if chance(rng, 0.11 if outside else 0.06):
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
        self,
        rng: Random,
        work: Work,
        space: Space,
        team: Team,
        *,
        releases: list[Release],
        facts: dict[str, str],
    ) -> None:
        self.rng, self.work, self.space, self.team = rng, work, space, team
        self.releases, self.facts = releases, facts
        self.owner: int | None = work.start["assignee"]

    def run(self) -> None:
        """Add the moves."""
        if self.work.type == "Epic":
            self._epic()
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
        # Some nobody ever takes up, and of what is old nobody closes it either.
        forgotten = chance(rng, FORGOTTEN)
        if begin >= PRESENT or forgotten:
            return
        self._take(begin)
        if chance(rng, 0.035):
            self._flag(begin, min(done, PRESENT))
        if self.space.review and chance(rng, 0.8):
            between = begin + (done - begin) * rng.uniform(0.5, 0.95)
            self._move(between, {"status": "In Review"})
        if done < PRESENT:
            self._finish(done)

    def _flag(self, begin: datetime, end: datetime) -> None:
        """Mark that something stands in its way, and mostly take that back."""
        at = begin + (end - begin) * self.rng.uniform(0.1, 0.5)
        self._move(at, {"flag": True})
        if chance(self.rng, 0.7):
            self._move(at + (end - at) * self.rng.uniform(0.2, 0.8), {"flag": False})

    def _finish(self, done: datetime) -> None:
        rng = self.rng
        resolution = RESOLUTIONS.draw(rng)
        # The order is that of the screen: the resolution first, the status last.
        changes: dict[str, Any] = {"resolution": resolution, "status": DONE}
        # Some drag a card to the last column of a board whose way there sets nothing.
        if resolution == DONE and chance(rng, 0.04):
            del changes["resolution"]
        coming = [item.name for item in self.releases if item.due >= done.date()]
        if resolution == DONE and "resolution" in changes and coming and chance(rng, 0.68):
            changes = {"resolution": resolution, "release": coming[0], "status": DONE}
        self._move(done, changes)
        if chance(rng, 0.052):
            again = done + timedelta(days=lognormal(rng, 4, 1.0))
            self._move(again, {"resolution": None, "status": "To Do"})
            last = again + timedelta(days=lognormal(rng, 9, 1.0))
            if last < PRESENT:
                self._move(again + (last - again) * 0.6, {"status": "In Progress"})
                self._move(last, {"resolution": DONE, "status": DONE})

    def _take(self, at: datetime) -> None:
        changes: dict[str, Any] = {}
        if self.owner is None and chance(self.rng, 0.83):
            self.owner = self.team.somebody(self.rng, at).index
            changes["assignee"] = self.owner
        self._move(at, {**changes, "status": "In Progress"})

    def _epic(self) -> None:
        rng, work = self.rng, self.work
        # A third of them nobody closes, and nobody looks at any more.
        if chance(rng, 0.2):
            return
        begin = work.created + timedelta(days=lognormal(rng, 14, 0.8))
        self._move(begin, {"status": "In Progress"})
        end = begin + timedelta(days=lognormal(rng, 150, 0.5))
        if end < PRESENT and chance(rng, 0.74):
            self._move(end, {"resolution": DONE, "status": DONE})
            return
        lately = PRESENT - timedelta(days=rng.uniform(3, 160))
        if lately > begin and chance(rng, 0.5):
            # It changes hands: somebody still wants it.
            self._move(lately, {"assignee": self.team.somebody(rng, lately).index})

    def _on_the_side(self) -> None:
        rng, work = self.rng, self.work
        end = min(work.moves[-1].at if work.moves else PRESENT, PRESENT)
        if chance(rng, 0.09):
            ladder = self.space.levels
            rank = ladder.index(work.start["priority"])
            up = (chance(rng, 0.72) or rank == 0) and rank < len(ladder) - 1
            other = ladder[rank + 1 if up else rank - 1]
            self._aside(end, {"priority": other})
        if chance(rng, 0.07):
            self._aside(end, {"summary": self._clearer()[:240]})
        if chance(rng, 0.08) and self.owner is not None:
            at = self._between(end)
            self.work.moves.append(
                Move(at, self.owner, {"assignee": self.team.somebody(rng, at).index})
            )
        if work.start["points"] and chance(rng, 0.1):
            self._aside(end, {"points": POINTS.draw(rng)})

    def _clearer(self) -> str:
        """Return a title that says more."""
        facts, text = self.facts, self.work.summary
        forms = [f"{text} ({facts['version']})", f"{facts['area']}: {text}", f"{text}, see spec"]
        if self.work.type == "Bug":
            forms += [f"{text} on {facts['os']}", f"{text} when {facts['machine']} is selected"]
        return self.rng.choice(forms)

    def _aside(self, end: datetime, changes: dict[str, Any]) -> None:
        at = self._between(end)
        self.work.moves.append(Move(at, self.team.somebody(self.rng, at).index, changes))

    def _between(self, end: datetime) -> datetime:
        span = max((end - self.work.created).total_seconds(), 120)
        seconds = int(span * self.rng.uniform(0.02, 0.98))
        at = at_work(self.work.created + timedelta(seconds=seconds))
        at = max(at, self.work.created + timedelta(seconds=45))
        return min(at, PRESENT - timedelta(minutes=3))

    def _move(self, at: datetime, changes: dict[str, Any]) -> None:
        at = max(at_work(at), self.work.created + timedelta(seconds=50))
        if at >= PRESENT:
            return
        actor = self.owner if self.owner is not None and chance(self.rng, 0.8) else None
        if actor is None:
            actor = self.team.somebody(self.rng, at).index
        self.work.moves.append(Move(at, actor, changes))
