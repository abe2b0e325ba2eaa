"""Plant the guides, who is away, and the work: what may be planned, and what only looks so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.sprints import move_all
from clones.tracker.models import User
from clones.tracker.queries.rights import Rights
from episodes.families.t04 import words
from episodes.families.t04.drawing import Deal
from episodes.families.t04.params import Params
from episodes.families.t04.space_context import POINTS, SpaceContext, Sprints, ago, day_of
from episodes.tasks.tracker_planting import History, Planted, fresh


@dataclass(slots=True)
class Written:
    """What was planted: both texts, the work in the order of its deal, what is in the sprint.

    `lures` may not be planned: by what they lack.
    """

    guide: Planted
    away: Planted
    items: list[Planted]
    held: list[Planted]
    lures: dict[str, Planted] = field(default_factory=dict)


class Planter:
    """Writes one instance, in the order of what happened."""

    def __init__(
        self, params: Params, found: Deal, ground: SpaceContext, sprints: Sprints, chance: Random
    ) -> None:
        self.params, self.deal, self.ground, self.sprints = params, found, ground, sprints
        self.chance = chance
        self.history = History()
        self.texts: Iterator[str] = iter(chance.sample(words.SUMMARIES, len(words.SUMMARIES)))

    def write(self) -> Written:
        """Write texts, work, links and sprints, and return them as they stand."""
        ground = self.ground
        guide = self._guide()
        away = self._absences()
        made = [
            self._work(ground.people[work.who], work.points, work.priority)
            for work in (*self.deal.items, *self.deal.held)
        ]
        count = len(self.deal.items)
        written = Written(guide, away, made[:count], made[count:])
        written.lures = self._lures()
        self._link(written)
        self.history.write()
        self._fill(written)
        return written

    # Texts

    def _guide(self) -> Planted:
        ground, params = self.ground, self.params
        lead, name = ground.space.lead, words.GUIDE.format(space=ground.space.name)
        other = next(label for label in words.LABELS if label != ground.label)
        old = self.history.make(
            ground.space, "Task", name,
            by=lead, at=ago(300, self.chance), description=words.OLD_GUIDE.format(label=other),
        )  # fmt: skip
        done = ago(120, self.chance)
        self.history.say(old, lead, words.OLD_END, at=done)
        self.history.move(old, "Done", by=lead, at=done + timedelta(minutes=4), resolution="Done")
        in_text = params.place == "description"
        people = zip(ground.people, self.deal.rates, strict=True)
        text = words.guide_text(
            ground.label,
            params.worth() if in_text else params.before(),
            [(person.display_name, rate) for person, rate in people],
            ground.space.name,
        )
        guide = self.history.make(
            ground.space, "Task", name, by=lead, at=ago(119, self.chance), description=text
        )
        if not in_text:
            said = f"{words.REPLACED}\n\n{words.worth_lines(params.worth())}"
            self.history.say(guide, lead, said, at=ago(30, self.chance))
        return guide

    def _absences(self) -> Planted:
        ground = self.ground
        away = self.history.make(
            ground.space,
            "Task",
            words.ABSENCES.format(space=ground.space.name),
            by=ground.space.lead,
            at=ago(118, self.chance),
            description=words.LISTED,
        )
        for absence in self.deal.absences:
            person = ground.people[absence.who]
            days = {
                "first": words.day_text(day_of(self.sprints.next, absence.first)),
                "last": words.day_text(day_of(self.sprints.next, absence.last)),
            }
            text = self.chance.choice(words.AWAY).format(name=person.display_name, **days)
            self.history.say(away, person, text, at=ago(self.chance.randrange(9, 20), self.chance))
            if absence.off:
                back = words.HERE.format(name=person.display_name, **days)
                self.history.say(away, person, back, at=ago(3, self.chance))
        return away

    # Work

    def _work(
        self,
        person: User | None,
        points: int | None,
        priority: str,
        *,
        labelled: bool = True,
    ) -> Planted:
        values: dict[str, Any] = {"priority": priority, "assignee": person}
        if points is not None:
            values[POINTS] = float(points)
        if labelled:
            values["labels"] = (self.ground.label,)
        return self.history.make(
            self.ground.space,
            "Bug" if self.chance.random() < 0.3 else "Task",
            next(self.texts),
            by=self.chance.choice([*self.ground.people, self.ground.other]),
            at=ago(self.chance.randrange(22, 90), self.chance),
            **values,
        )

    def _lures(self) -> dict[str, Planted]:
        """Write what looks as if it might be planned, or stands in the way."""
        one, other, third = self.ground.people
        found = {
            "unsized": self._work(one, None, "Highest"),
            "nobody's": self._work(None, 1, "Highest"),
            "a stranger's": self._work(self.ground.other, 1, "High"),
            "running": self._work(other, 1, "Highest"),
            "unlabelled": self._work(third, 1, "Highest", labelled=False),
            "open": self._work(other, 3, "Low", labelled=False),
            "done": self._work(one, 2, "High"),
        }
        self.history.move(found["done"], "Done", by=one, at=ago(12, self.chance), resolution="Done")
        return found

    def _link(self, written: Written) -> None:
        """Let work block other work, as it was dealt; and some links that are in nobody's way."""
        items, lures, drawn = written.items, written.lures, self.deal
        pairs = [
            (items[blocker], items[blocked])
            for blocked, blocker in zip(drawn.chain, drawn.chain[1:], strict=False)
        ]
        if drawn.shut is not None:
            name = "running" if self.params.blocked == "running" else "open"
            pairs.append((lures[name], items[drawn.shut]))
        pairs.append((lures["done"], items[drawn.freed]))
        if drawn.backed is not None:
            pairs.append((written.held[0], items[drawn.backed]))
        # The other way round: planned work may block what is not.
        pairs.append((items[drawn.freed], lures["open"]))
        lead = self.ground.space.lead
        for blocker, blocked in pairs:
            at = ago(self.chance.randrange(13, 20), self.chance)
            self.history.link(blocker, "Blocks", blocked, by=lead, at=at)
        at = ago(13, self.chance)
        self.history.link(items[drawn.chain[-1]], "Relates", lures["unlabelled"], by=lead, at=at)

    def _fill(self, written: Written) -> None:
        """Put into the sprints what is in them already."""
        lead = Rights(self.ground.space.lead)
        with clock.at(ago(5, self.chance)), act(actor="world", label="tracker"):
            move_all([fresh(written.lures["running"].made)], self.sprints.running, lead)
            if written.held:
                move_all([fresh(one.made) for one in written.held], self.sprints.next, lead)
        for planted in self.history.planted:
            planted.issue = fresh(planted.made)
