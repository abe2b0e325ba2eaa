"""One planted work item of T01: what is true of it, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from clones.tracker.models import Component, Project, User, Version
from episodes.families.t01 import words
from episodes.tasks.tracker_planting import History, Planted, in_office_hours, priority_named

PRIORITIES: Final = ("Highest", "High", "Medium", "Low", "Lowest")
LOGS: Final = (25, 40, 50, 75, 95, 110, 130, 155, 170, 205)


@dataclass(frozen=True, slots=True)
class Values:
    """What is true of a work item, by which it may be told from others.

    `logs` are minutes of work, `versions` those it was planned for in turn, `priorities` its first
    and its last, `hands` who had it in turn, `builds` what was said first and what is right.
    """

    code: str
    builds: tuple[str, str]
    logs: tuple[int, int]
    versions: tuple[Version, Version]
    priorities: tuple[str, str]
    hands: tuple[User, User, User]


@dataclass(slots=True)
class Case:
    """One work item to plant: who filed what where, and so many days ago.

    `born` is the space where it was filed, if another; `end` how it was closed at last.
    """

    space: Project
    summary: str
    text: str
    reporter: User
    component: Component
    age: int
    values: Values
    end: str = "Done"
    born: Project | None = None
    planted: Planted | None = None
    former: str = ""
    taken: datetime | None = None
    done: datetime | None = None

    @property
    def issue(self) -> Planted:
        """The planted issue.

        Raises:
            LookupError: it is not planted yet.
        """
        if self.planted is None:
            raise LookupError("this case is not planted yet")
        return self.planted

    def plant(self, history: History, present: datetime, chance: Random) -> None:
        """Tell a history what happened: filed, given on twice, closed, opened again, closed."""
        values = self.values
        first, second, last = values.hands
        at = Days(present, self.age, chance)
        opened = at.next(0)
        bug = history.make(
            self.born or self.space,
            "Bug",
            self.summary,
            by=self.reporter,
            at=opened,
            description=words.report(self.text, values.code),
            assignee=first,
            priority=values.priorities[0],
        )
        self.planted = bug
        history.say(bug, self.reporter, words.SEEN.format(build=values.builds[0]), at=at.next(0))
        if self.born is not None:
            history.then(opened + timedelta(hours=5), lambda: self._note_key(bug))
            moved = opened + timedelta(hours=5, minutes=1)
            history.relocate(bug, self.space, by=self.reporter, at=moved)
        history.change(bug, first, at=at.next(2), components=(self.component,))
        priority = priority_named(values.priorities[1])
        history.change(bug, first, at=at.next(1), priority=priority)
        history.assign(bug, second, by=first, at=at.next(2))
        text = words.CORRECTED.format(build=values.builds[1])
        history.say(bug, self.reporter, text, at=at.next(1))
        history.log(bug, second, values.logs[0], at=at.next(2))
        self.taken = at.next(3)
        history.assign(bug, last, by=second, at=self.taken)
        history.move(bug, "In Progress", by=last, at=at.next(1))
        history.log(bug, last, values.logs[1], at=at.next(2))
        history.change(bug, last, at=at.next(1), fixVersions=(values.versions[0],))
        history.move(bug, "Close", by=last, at=at.next(1), resolution="Done")
        history.say(bug, self.reporter, words.BACK, at=at.next(3))
        history.move(bug, "To Do", by=self.reporter, at=at.next(0))
        history.change(bug, last, at=at.next(2), fixVersions=(values.versions[1],))
        text = words.MERGED.format(version=values.versions[1].name)
        history.say(bug, last, text, at=at.next(1))
        self.done = at.next(1)
        history.move(bug, "Close", by=last, at=self.done, resolution=self.end)

    def _note_key(self, bug: Planted) -> None:
        self.former = bug.key


class Days:
    """Moments of working days, one after another, from so many days ago on."""

    def __init__(self, present: datetime, age: int, chance: Random) -> None:
        self.chance = chance
        self.at = in_office_hours(present - timedelta(days=age), chance.randrange(60, 420))

    def next(self, days: int) -> datetime:
        """Return a later moment, so many days on; on the same day some minutes later."""
        if days == 0:
            self.at += timedelta(minutes=self.chance.randrange(2, 9))
            return self.at
        later = self.at + timedelta(days=days)
        moment = later.replace(hour=8, minute=0) + timedelta(minutes=self.chance.randrange(60, 420))
        weekend = max(moment.isoweekday() - 5, 0)
        if weekend:
            moment += timedelta(days=3 - weekend)
        self.at = moment.replace(second=0, microsecond=0)
        return self.at


def draw_values(
    chance: Random,
    versions: Sequence[Version],
    people: Sequence[User],
    priorities: Sequence[str],
    number: int,
) -> Values:
    """Draw what is true of a case; of one instance no two cases share a value that is asked for."""
    one, other = versions[2 * number], versions[2 * number + 1]
    first, second = priorities[number], priorities[number - 1]
    hands = people[3 * number : 3 * number + 3]
    major = chance.randrange(3, 9)
    base = chance.randrange(1000, 8000) * 10
    return Values(
        code=f"KX{chance.randrange(1000, 9999)}{'ABCD'[number]}",
        builds=(f"{major}.{number}.{base + 3}", f"{major}.{number}.{base + 8}"),
        logs=(chance.choice(LOGS), chance.choice(LOGS) + 7 * (number + 1)),
        versions=(one, other),
        priorities=(first, second),
        hands=(hands[0], hands[1], hands[2]),
    )
