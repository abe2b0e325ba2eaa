"""Sprints of the scrum spaces: what was promised, what was added, what was carried over."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Iteration, Move, Space, Work
from seeds.kestrel.engineering.text import bank
from seeds.kestrel.engineering.work import Team

LENGTH = 14
EVENING = 60  # minutes after a sprint's end in which somebody is still there
LATER = 0.6  # of what was not done goes back first, and is taken up again after the start
LONGEST = 4  # sprints that one piece of work goes through
UNSEEN = 0.2  # of what was not planned


class Sprints:
    """Puts work into sprints: each in those during which it was under way, some only planned."""

    def __init__(self, draws: Draws, teams: dict[str, Team], first: datetime) -> None:
        self.draws, self.teams, self.first = draws, teams, first
        self.made: list[Iteration] = []

    def make(self, spaces: tuple[Space, ...], work: list[Work]) -> list[Iteration]:
        """Return all sprints; the work's moves are told of them."""
        for space in spaces:
            if space.way == "scrum":
                mine = self._calendar(space)
                self._fill(space, mine, [item for item in work if item.space == space.key])
        return self.made

    def _calendar(self, space: Space) -> list[Iteration]:
        rng = self.draws.rng("sprints", space.key)
        start = (self.first + timedelta(days=8)).replace(hour=9, minute=30, second=0, microsecond=0)
        start -= timedelta(days=start.weekday() - 1)
        found: list[Iteration] = []
        while start < PRESENT + timedelta(days=LENGTH):
            number = len(found) + 1
            end = start + timedelta(days=LENGTH, hours=6)
            closed = _closed(end, rng.randrange(5, 900))
            area = rng.choice(space.areas).name
            goal = rng.choice(bank("goal")).format(area=area, version="the next version")
            name = self._name(rng, space, number, start)
            # One sprint at a time: the next one is started when the one before is completed.
            begun = start + timedelta(minutes=rng.randrange(0, 300))
            before = found[-1] if found else None
            free = before is None or before.completed is not None
            if before is not None and before.completed is not None:
                begun = max(begun, before.completed + timedelta(minutes=5 + begun.minute % 20))
            ended = closed < PRESENT
            state = "closed" if ended else "active" if free and begun < PRESENT else "future"
            found.append(
                Iteration(
                    len(self.made),
                    space.key,
                    name,
                    goal,
                    begun,
                    end,
                    closed if ended else None,
                    state,
                )
            )
            self.made.append(found[-1])
            start += timedelta(days=LENGTH)
        return found

    def _name(self, rng: Random, space: Space, number: int, start: datetime) -> str:
        if chance(rng, 0.05):
            return rng.choice(("Bug bash", "Hardening", "Offsite sprint", f"{space.lead} catch-up"))
        if space.key == "CLD":
            return f"CLD {start:%Y}-W{start.isocalendar().week:02d}"
        return f"{space.key} Sprint {number}"

    def _fill(self, space: Space, calendar: list[Iteration], work: list[Work]) -> None:
        for item in work:
            if item.type in ("Epic", "Sub-task"):
                continue
            rng = self.draws.rng("sprint-work", item.index)
            begin, done = _span(item)
            if begin is None:
                self._only_planned(rng, item, calendar)
                continue
            touched = [
                sprint
                for sprint in calendar
                if sprint.state != "future"
                and sprint.start < (done or PRESENT)
                and (sprint.completed or sprint.end) > begin
            ]
            if not touched or chance(rng, 0.12):
                continue
            self._put(rng, item, touched[:LONGEST], begin, done)

    def _put(
        self,
        rng: Random,
        item: Work,
        touched: list[Iteration],
        begin: datetime,
        done: datetime | None,
    ) -> None:
        """Put work into the sprints in which it was under way."""
        first = touched[0]
        planned = chance(rng, 0.75) and item.created < first.start - timedelta(hours=3)
        # Most of what comes up meanwhile is done beside the sprint.
        if not planned and chance(rng, UNSEEN):
            return
        known: list[int] = []
        for sprint in touched:
            if sprint is first:
                at = first.start - timedelta(hours=rng.uniform(0.5, 40))
                if not planned:
                    at = max(begin - timedelta(minutes=rng.randrange(2, 90)), first.start)
            else:
                before = touched[touched.index(sprint) - 1]
                at = before.completed or sprint.start
                if chance(rng, LATER):
                    at = sprint.start + timedelta(hours=rng.uniform(0.5, 60))
            at = max(at, item.created + timedelta(minutes=1)).replace(microsecond=0)
            if at >= PRESENT or (sprint is not first and done is not None and done <= at):
                break
            if at <= sprint.start:
                sprint.committed.append(item.index)
            sprint.work.append(item.index)
            known.append(sprint.index)
            lead = self.teams[item.space].members[0].index
            item.moves.append(Move(at, lead, {"sprints": tuple(known)}))
        item.moves.sort(key=lambda move: move.at)

    def _only_planned(self, rng: Random, item: Work, calendar: list[Iteration]) -> None:
        """Put some of what was never begun into a sprint, and mostly out of it again."""
        later = [sprint for sprint in calendar if sprint.start > item.created + timedelta(days=1)]
        if not later or not chance(rng, 0.42):
            return
        sprint = rng.choice(later[:6])
        at = (sprint.start - timedelta(hours=rng.uniform(1, 30))).replace(microsecond=0)
        at = max(at, item.created + timedelta(minutes=1))
        if at >= PRESENT:
            return
        lead = self.teams[item.space].members[0].index
        item.moves.append(Move(at, lead, {"sprints": (sprint.index,)}))
        if at <= sprint.start:
            sprint.committed.append(item.index)
        out = sprint.start + timedelta(days=rng.uniform(1, LENGTH - 2))
        if sprint.state == "closed" and chance(rng, 0.45):
            item.moves.append(Move(out.replace(microsecond=0), lead, {"sprints": ()}))
        else:
            sprint.work.append(item.index)
        item.moves.sort(key=lambda move: move.at)


def _closed(end: datetime, minutes: int) -> datetime:
    """Return when a sprint is completed that ends then: the same afternoon, or the next morning."""
    if minutes <= EVENING:
        return end + timedelta(minutes=minutes)
    morning = (end + timedelta(days=1)).replace(hour=7, minute=10)
    return morning + timedelta(minutes=(minutes - EVENING) // 8)


def _span(item: Work) -> tuple[datetime | None, datetime | None]:
    """Return when work was taken up, and when it was last done; None if it is not."""
    moved = [(move.at, move.changes["status"]) for move in item.moves if "status" in move.changes]
    begun = [at for at, status in moved if status != "To Do"]
    if not begun:
        return None, None
    return begun[0], moved[-1][0] if moved[-1][1] == "Done" else None
