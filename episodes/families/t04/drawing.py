"""What people can do and what there is to do, drawn until only care finds the best plan.

People and work are places in lists here, days are counted from the sprint's first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from episodes.families.t04.kinds import PRIORITIES, Priority
from episodes.families.t04.params import Blocked, Params
from episodes.families.t04.planning import (
    ENOUGH,
    Item,
    Plan,
    best_plans,
    greedy_plan,
)
from episodes.tasks.personas import CannotArrange

PEOPLE: Final = 3
EACH: Final = 4
# Points of work, and what people do on a working day, by the weeks of the sprint.
POINTS: Final[Mapping[int, tuple[int, ...]]] = {2: (1, 2, 3, 3, 5, 8), 3: (2, 3, 5, 5, 8, 13)}
RATES: Final = ((1.0, 1.0, 0.5), (1.0, 0.5, 1.0), (0.5, 1.0, 1.0), (1.0, 1.0, 1.0))
WEIGHTS: Final = (2, 3, 4, 3)
TRIES: Final = 4000
WEEK: Final = 5


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody who is not there from a day to another, both counted from the sprint's first.

    `off` says that it was taken back.
    """

    who: int
    first: int
    last: int
    off: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """Work as it is drawn: whose it is, how many points, of which priority."""

    who: int
    points: int
    priority: Priority


@dataclass(frozen=True, slots=True)
class Deal:
    """One instance's numbers.

    `items` may be planned, save what open work blocks that nobody plans: `shut` is the place of
    that, None if there is none. `chain` are places of items each of which is blocked by the one
    after it; `freed` is an item whose blocker is done, `backed` one that work in the sprint blocks.
    `held` is in the sprint already.
    """

    rates: tuple[float, ...]
    absences: tuple[Absence, ...]
    held: tuple[Work, ...]
    items: tuple[Work, ...]
    chain: tuple[int, ...]
    shut: int | None
    freed: int
    backed: int | None


def deal(params: Params, chance: Random) -> Deal:
    """Draw an instance's numbers, anew until no shortcut finds a plan that is good enough.

    Raises:
        CannotArrange: none was found.
    """
    for _ in range(TRIES):
        found = _drawn(params, chance)
        if _takes_care(params, found):
            return found
    raise CannotArrange(f"no plan of {TRIES} that were drawn takes care to find")


def working_day(place: int) -> int:
    """Return which day of the calendar the n-th working day is, both counted from a Monday."""
    return place // WEEK * 7 + place % WEEK


def days_here(weeks: int, absences: Sequence[Absence], who: int) -> int:
    """Return on how many working days of a sprint somebody is there."""
    gone = [one for one in absences if one.who == who and not one.off]
    days = [working_day(place) for place in range(weeks * WEEK)]
    return sum(not any(one.first <= day <= one.last for one in gone) for day in days)


def room_of(params: Params, found: Deal, absences: Sequence[Absence]) -> dict[int, float]:
    """Return how many points each person can take in the sprint, with what is in it."""
    return {
        who: rate * days_here(params.weeks, absences, who) for who, rate in enumerate(found.rates)
    }


def left_of(found: Deal, room: Mapping[int, float]) -> dict[int, float]:
    """Return what is left of room once those who have work in the sprint have done that."""
    left = dict(room)
    for work in found.held:
        left[work.who] -= work.points
    return left


def items_of(params: Params, found: Deal) -> list[Item[int]]:
    """Return the work that may be planned, each with what blocks it; -1 is nothing of it."""
    worth = params.worth()
    needs: dict[int, set[int]] = {}
    for blocked, blocker in zip(found.chain, found.chain[1:], strict=False):
        needs.setdefault(blocked, set()).add(blocker)
    if found.shut is not None:
        needs.setdefault(found.shut, set()).add(-1)
    return [
        Item(place, work.who, work.points, worth[work.priority], frozenset(needs.get(place, ())))
        for place, work in enumerate(found.items)
    ]


# Drawing


def _drawn(params: Params, chance: Random) -> Deal:
    pool = POINTS[params.weeks]
    items = [
        Work(who, chance.choice(pool), chance.choices(PRIORITIES, WEIGHTS)[0])
        for who in range(PEOPLE)
        for _ in range(EACH)
    ]
    chain, rest = _chain(params.blocked, chance)
    # What is blocked looks worth it, and what blocks it does not.
    for place in chain[:-1]:
        items[place] = replace(items[place], points=chance.choice(pool[:4]), priority="Highest")
    last = chain[-1]
    items[last] = replace(items[last], points=chance.choice(pool[2:5]), priority="Low")
    shut = rest.pop() if params.blocked in ("outside", "running") else None
    if shut is not None:
        items[shut] = replace(items[shut], points=chance.choice(pool[:3]), priority="Highest")
    held = [
        Work(who, chance.choice(pool[1:4]), chance.choice(PRIORITIES))
        for who in chance.sample(range(PEOPLE), params.held)
    ]
    return Deal(
        rates=chance.choice(RATES),
        absences=_absences(params, chance),
        held=tuple(held),
        items=tuple(items),
        chain=tuple(chain),
        shut=shut,
        freed=rest.pop(),
        backed=rest.pop() if held else None,
    )


def _chain(blocked: Blocked, chance: Random) -> tuple[list[int], list[int]]:
    """Return the places of a chain, of work of as many people, and those of all other work."""
    length = 3 if blocked == "chain" else 2
    chain = [who * EACH + chance.randrange(EACH) for who in chance.sample(range(PEOPLE), length)]
    rest = [place for place in range(PEOPLE * EACH) if place not in chain]
    chance.shuffle(rest)
    return chain, rest


def _absences(params: Params, chance: Random) -> tuple[Absence, ...]:
    one, other = chance.sample(range(PEOPLE), 2)
    days = params.weeks * WEEK
    match params.away:
        case "within":
            return (_within(one, days, chance),)
        case "early":
            last = working_day(chance.randrange(1, 4))
            return (Absence(one, -chance.randrange(2, 6), last),)
        case "late":
            first = working_day(days - chance.randrange(2, 5))
            return (Absence(one, first, working_day(days - 1) + chance.randrange(3, 8)),)
        case "stays":
            plans = replace(_within(one, days, chance), off=True)
            return (plans, _within(other, days, chance))
        case "before":
            back = -chance.randrange(3, 6)
            return (Absence(one, back - chance.randrange(2, 8), back), _within(other, days, chance))


def _within(who: int, days: int, chance: Random) -> Absence:
    length = chance.randrange(2, 5)
    first = chance.randrange(days - length + 1)
    return Absence(who, working_day(first), working_day(first + length - 1))


# Taking care


def _takes_care(params: Params, found: Deal) -> bool:
    """Tell whether the best plan stands alone, and whoever overlooks something misses it."""
    items = items_of(params, found)
    room = left_of(found, room_of(params, found, found.absences))
    if min(room.values()) < 1:
        return False
    best, second = best_plans(items, room)
    enough = ENOUGH * best.worth
    if second.worth >= enough or not _tells_something(found, best, items):
        return False
    if max(_short_ways(items, room)) >= enough:
        return False
    # What is worth more than the best plan is none.
    careless = _careless(params, found, items, room)
    believing = params.away != "stays" or _of_the_gullible(params, found, items) < enough
    return min(careless) > best.worth and believing


def _tells_something(found: Deal, best: Plan[int], items: Sequence[Item[int]]) -> bool:
    """Tell whether a plan has work of the first priority, of everybody, and leaves some out."""
    work = [found.items[place] for place in best.names]
    first = any(one.priority == PRIORITIES[0] for one in work)
    everybody = {one.who for one in work} == set(range(PEOPLE))
    return first and everybody and len(best.names) <= len(items) - 3


def _short_ways(items: Sequence[Item[int]], room: Mapping[int, float]) -> list[int]:
    """Return what the plans are worth of who takes what seems best, equals in several orders."""
    found = []
    for place in range(len(items)):
        mixed = [*items[place:], *items[:place]]
        mixed = mixed[::-1] if place % 2 else mixed
        found.append(greedy_plan(mixed, room, lambda item: -item.worth).worth)
        found.append(greedy_plan(mixed, room, lambda item: -item.worth / item.points).worth)
    return found


def _careless(
    params: Params, found: Deal, items: Sequence[Item[int]], room: Mapping[int, float]
) -> list[int]:
    """Return what the plans seem worth of who does not ask what is blocked or who is away.

    Where work is in the sprint, whoever does not look at it is among them.
    """
    free = [replace(item, needs=frozenset()) for item in items]
    always = left_of(found, room_of(params, found, ()))
    plans = [best_plans(free, room, 1), best_plans(items, always, 1)]
    if found.held:
        plans.append(best_plans(items, room_of(params, found, found.absences), 1))
    return [plan[0].worth for plan in plans]


def _of_the_gullible(params: Params, found: Deal, items: Sequence[Item[int]]) -> int:
    """Return what the plan is worth of who counts an absence that was taken back."""
    absences = [replace(one, off=False) for one in found.absences]
    room = left_of(found, room_of(params, found, absences))
    return best_plans(items, room, 1)[0].worth
