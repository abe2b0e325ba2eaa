"""What colleagues ask the IT desk, and how it goes: each request is one case, told to its end."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from seeds.draw import Weighted, chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Engineer, Move, RequestDetails, Work, WorkComment

FILE = Path(__file__).with_name("requests.toml")
WAITING = "Waiting for support"
ENDS = Weighted({"fixed": 0.6, "asked": 0.2, "again": 0.08, "silent": 0.07, "cancelled": 0.05})
PRIORITIES = Weighted({"Highest": 0.02, "High": 0.1, "Medium": 0.8, "Low": 0.08})
RATINGS = Weighted({5: 0.55, 4: 0.27, 3: 0.1, 2: 0.05, 1: 0.03})
RATED = 0.2
# Only this form asks how urgent it is; of others agents change the priority, if anybody.
WITH_PRIORITY = "Get IT help"


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def _cases() -> Weighted[int]:
    return Weighted([(place, case["weight"]) for place, case in enumerate(_data()["case"])])


@dataclass(slots=True)
class Words:
    """Fills the sentences of one request: what it speaks of stays the same throughout."""

    rng: Random
    facts: dict[str, str]

    @classmethod
    def of(cls, rng: Random, people: list[Engineer], os: tuple[str, ...]) -> Words:
        """Return the words of a new request."""
        facts = {name: rng.choice(values) for name, values in _data()["words"].items()}
        facts |= {
            "asset": f"KL-{rng.randrange(1200, 4900)}",
            "client": f"{rng.randrange(4, 7)}.{rng.randrange(0, 10)}.{rng.randrange(0, 40)}",
            "code": str(rng.randrange(1000, 9800)),
            "hour": f"{rng.randrange(9, 17)}:{rng.choice(('00', '15', '30', '45'))}",
            "number": str(rng.choice((2, 3, 4, 5, 6, 8, 10, 12))),
            "percent": str(rng.randrange(31, 70)),
            "person": rng.choice(people).given,
            "os": rng.choice(os),
        }
        return cls(rng, facts)

    def one(self, lines: list[str]) -> str:
        """Return one of some sentences, filled."""
        return self.rng.choice(lines).format(**self.facts)

    def some(self, lines: list[str], least: int, most: int) -> list[str]:
        """Return some of the sentences, filled."""
        count = min(self.rng.randint(least, most), len(lines))
        return [text.format(**self.facts) for text in self.rng.sample(lines, count)]


@dataclass(slots=True)
class DeskStaff:
    """Who asks and who answers: `askers` and `agents` of a time are chosen among these."""

    askers: list[Engineer]
    staff: list[Engineer]
    agents: list[Engineer]
    os: tuple[str, ...]

    def request(self, rng: Random, index: int, space: str, created: datetime) -> Work:
        """Return a request with all that becomes of it up to the present."""
        asker = self._asker(rng, created)
        words = Words.of(rng, self.staff, self.os)
        case = _data()["case"][_cases().draw(rng)]
        channel = "portal" if chance(rng, 0.86) else "email"
        form = case["form"] if channel == "portal" else "Emailed request"
        priority = PRIORITIES.draw(rng) if form == WITH_PRIORITY else "Medium"
        work = Work(
            index=index,
            space=space,
            type="Service request",
            created=created,
            reporter=asker.index,
            start=_start(priority),
            summary=words.one(case["titles"]),
            blocks=_body(words, case),
            asked=RequestDetails(form, channel, self._participants(rng, asker, created)),
        )
        if form == "Request a new account" and chance(rng, 0.5):
            work.start["due"] = (created + timedelta(days=rng.randrange(3, 21))).date()
        _Course(rng, work, words, case, self._agent(rng, created)).run()
        return work

    def _asker(self, rng: Random, at: datetime) -> Engineer:
        pool = self.staff if chance(rng, 0.18) else self.askers
        there = _there(pool, at) or pool
        return rng.choices(there, [max(person.weight, 0.1) for person in there])[0]

    def _agent(self, rng: Random, at: datetime) -> Engineer:
        there = _there(self.agents, at + timedelta(days=20)) or self.agents[:1]
        return rng.choices(there, [max(person.weight, 0.1) for person in there])[0]

    def _participants(self, rng: Random, asker: Engineer, at: datetime) -> tuple[int, ...]:
        if not chance(rng, 0.1):
            return ()
        there = [person for person in _there(self.askers, at) if person is not asker]
        return (rng.choice(there).index,) if there else ()


def _there(pool: list[Engineer], at: datetime) -> list[Engineer]:
    return [one for one in pool if one.since <= at and (one.left_at is None or at < one.left_at)]


def _start(priority: str) -> dict[str, Any]:
    return {
        "status": WAITING,
        "type": "Service request",
        "priority": priority,
        "assignee": None,
        "labels": (),
        "components": (),
        "release": None,
        "affects": None,
        "sprints": (),
        "points": None,
        "resolution": None,
        "due": None,
    }


def _body(words: Words, case: dict[str, Any]) -> list[Any]:
    data = _data()
    lines = [
        words.one(data["greeting"]),
        *words.some(case["asks"], 1, 3),
        words.one(data["hurry"]),
    ]
    if chance(words.rng, 0.06):
        return []
    return [" ".join(line for line in lines if line)]


@dataclass(slots=True)
class _Course:
    """How one request goes: steps follow each other; what lies in the future is not told yet."""

    rng: Random
    work: Work
    words: Words
    case: dict[str, Any]
    agent: Engineer
    now: datetime = PRESENT

    def run(self) -> None:
        """Add the moves."""
        self.words.facts["agent"] = self.agent.given
        self.now = self.work.created
        end = ENDS.draw(self.rng)
        if end == "cancelled":
            self._cancel()
            return
        self._wait(lognormal(self.rng, 1.4, 1.2))
        self._move(self.agent.index, assignee=self.agent.index, status="In Progress")
        if chance(self.rng, 0.55):
            self._say(self.agent.index, "taken", minutes=4)
        if chance(self.rng, 0.06):
            self._raise()
        if chance(self.rng, 0.14):
            self._wait(lognormal(self.rng, 16, 0.7))
            self._say(self.work.reporter, "chase", minutes=1)
        if end in ("asked", "silent"):
            self._ask(answered=end == "asked")
        if end != "silent":
            self._fix(again=end == "again")

    def _wait(self, hours: float) -> None:
        """Let time pass; most of it while people work."""
        self.now += timedelta(hours=hours)
        if self.now.hour >= 17 or self.now.hour < 7:
            self.now += timedelta(hours=(31 - self.now.hour) % 24, minutes=self.rng.randrange(50))
        while self.now.weekday() > 4:
            self.now += timedelta(days=1)

    def _move(self, actor: int, **changes: Any) -> None:
        self._add(Move(self.now, actor, changes))

    def _add(self, move: Move) -> None:
        move.at = move.at.replace(microsecond=0)
        if move.at < PRESENT:
            self.work.moves.append(move)

    def _speak(self, actor: int, text: str, *, public: bool = True) -> None:
        self._add(Move(self.now, actor, said=WorkComment([text], public)))

    def _say(self, actor: int, bank: str, *, minutes: int) -> None:
        self.now += timedelta(minutes=self.rng.randint(minutes, minutes + 9))
        self._speak(actor, self.words.one(_data()[bank]))

    def _raise(self) -> None:
        self.now += timedelta(minutes=self.rng.randrange(3, 40))
        before = self.work.start["priority"]
        self._move(self.agent.index, priority="High" if before != "High" else "Highest")

    def _ask(self, *, answered: bool) -> None:
        """Ask back, and wait for the customer."""
        self.now += timedelta(minutes=self.rng.randrange(5, 90))
        self._speak(self.agent.index, self.case["question"].format(**self.words.facts))
        self.now += timedelta(seconds=self.rng.randrange(5, 40))
        self._move(self.agent.index, status="Waiting for customer")
        if answered:
            self._wait(lognormal(self.rng, 6, 1.1))
            self._speak(self.work.reporter, self.words.one(self.case["answers"]))
            self.now += timedelta(seconds=self.rng.randrange(5, 60))
            self._move(self.work.reporter, status=WAITING)
            return
        self.now += timedelta(days=self.rng.randrange(5, 12))
        self._say(self.agent.index, "gone", minutes=1)
        self._resolve()

    def _fix(self, *, again: bool) -> None:
        if chance(self.rng, 0.3):
            self.now += timedelta(minutes=self.rng.randrange(10, 200))
            self._speak(self.agent.index, self.words.one(self.case["notes"]), public=False)
        self._wait(lognormal(self.rng, 5, 1.4))
        self._speak(self.agent.index, self.words.one(self.case["fixes"]))
        if again:
            self._wait(lognormal(self.rng, 3, 0.9))
            self._say(self.work.reporter, "still", minutes=1)
            self._wait(lognormal(self.rng, 4, 0.9))
            self._say(self.agent.index, "again", minutes=1)
        if chance(self.rng, 0.58):
            self._wait(lognormal(self.rng, 2, 1.0))
            self._say(self.work.reporter, "thanks", minutes=1)
        # Some are forgotten once they work.
        if not chance(self.rng, 0.03):
            self.now += timedelta(minutes=self.rng.randrange(1, 240))
            self._resolve()

    def _resolve(self) -> None:
        if self.work.at_the_end("status") == "Waiting for customer" or self.now < PRESENT:
            self._move(self.agent.index, resolution="Done", status="Resolved")
        rated = self.now + timedelta(hours=self.rng.uniform(0.2, 30))
        if rated < PRESENT and chance(self.rng, RATED) and self.work.asked is not None:
            score = RATINGS.draw(self.rng)
            text = self.words.one(_data()["rated"]) if score > 2 else ""
            self.work.asked.rating = (rated.replace(microsecond=0), score, text)

    def _cancel(self) -> None:
        self._wait(lognormal(self.rng, 3, 1.0))
        self._say(self.work.reporter, "cancel", minutes=1)
        self.now += timedelta(seconds=self.rng.randrange(5, 60))
        self._move(self.work.reporter, resolution="Won't Do", status="Canceled")
