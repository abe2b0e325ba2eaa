"""How deals go: stage after stage, some passed by, now and then a step back, days put off."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from random import Random

from seeds.draw import Weighted, chance
from seeds.kestrel.sales.hours import working_moment
from seeds.kestrel.sales.model import LOST, WON, StageMove

# The stages that a deal goes through, and how often each is passed by.
PATH = (
    ("Prospecting", 0.25),
    ("Qualification", 0.1),
    ("Needs Analysis", 0.35),
    ("Value Proposition", 0.6),
    ("Id. Decision Makers", 0.7),
    ("Perception Analysis", 0.85),
    ("Proposal/Price Quote", 0.1),
    ("Negotiation/Review", 0.45),
)
PRICED = "Proposal/Price Quote"
BACK, UNPRICED = 0.06, 0.25
PUSHES = Weighted({0: 0.5, 1: 0.21, 2: 0.12, 3: 0.09, 4: 0.05, 5: 0.03})
PUT_OFF = (14, 21, 28, 30, 31, 45, 61, 90)


def stages_of(rng: Random, last: str | None) -> list[str]:
    """Return the stages that a deal came through; `last` is how it was decided, None if it is open.

    A won deal may have seen all of them, a lost one ended at any.
    """
    count = len(PATH) if last == WON else min(int(rng.triangular(0, len(PATH), 3)), len(PATH) - 1)
    names = [name for name, passed in PATH[: count + 1] if not chance(rng, passed)]
    names = names or [PATH[0][0]]
    if len(names) > 2 and chance(rng, BACK):
        place = rng.randrange(1, len(names) - 1)
        names.insert(place + 2, names[place])
    return names if last is None else [*names, last]


def walk_course(
    rng: Random,
    stages: list[str],
    start: datetime,
    end: datetime,
    *,
    zone: str,
    due: date,
    amount: int | None,
) -> tuple[list[StageMove], int]:
    """Return what a deal was from each moment on, and how often its day was put off.

    `end` is when it was decided, or the last time that it can have moved. `due` is the day that
    stands in it last.
    """
    decided = stages[-1] in (WON, LOST)
    between = stages[1:-1] if decided else stages[1:]
    marks = sorted(working_moment(rng, start, end, zone) for _ in between)
    moments = [start, *marks, *([end] if decided else [])]
    steps = list(zip(moments, stages, strict=True))
    count = PUSHES.draw(rng)
    pushes = sorted(working_moment(rng, start, end, zone) for _ in range(count))
    days = [due]
    for _ in range(count):
        days.insert(0, days[0] - timedelta(days=rng.choice(PUT_OFF)))
    first = max(days[0], start.date())
    days = [max(day, first) for day in days]
    unpriced = amount is not None and len(stages) > 2 and chance(rng, UNPRICED)
    found: list[StageMove] = []
    events = [(at, stage, 0) for at, stage in steps] + [(at, "", 1) for at in pushes]
    stage, put_off, priced = stages[0], 0, not unpriced
    for at, name, later in sorted(events, key=lambda event: event[0]):
        put_off += later
        stage = name or stage
        priced = priced or stage in (PRICED, "Negotiation/Review", WON, LOST)
        day = due if decided and at == end else days[min(put_off, count)]
        move = StageMove(at.replace(microsecond=0), stage, day, amount if priced else None)
        if found and found[-1].at == move.at:
            found[-1] = move
        else:
            found.append(move)
    if not found[-1].amount and amount and not decided:
        last = found[-1]
        found[-1] = StageMove(last.at, last.stage, last.due, amount)
    return found, put_off
