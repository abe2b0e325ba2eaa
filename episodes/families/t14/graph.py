"""Who blocks whom: drawn so that depth, direction, kind of link, state and scope all count.

A plan is a list of nodes; a node's place in it stands for its work item. Every node that is not to
be listed is due before the one that is due first, so a wrong turn gives a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

from episodes.families.t14.params import Params

# What a node is to the release. `blocker` blocks it by open ones alone, `behind` only by a closed
# one, `held` is blocked by what belongs to it, `near` only relates to it; `later` belongs to the
# release after it, `before_later` blocks that one.
Role = Literal[
    "own", "own_done", "blocker", "done", "behind", "held", "near", "later", "before_later"
]
OWN: Final = ("own", "own_done")
OF_THE_SPACE: Final = ("own", "own_done", "later")
# Days from the present: what is not to be listed is due before `FIRST`, the rest from then on.
EARLIEST: Final = -8
FIRST: Final = (7, 13)
SPAN: Final = 25
LEAST: Final = 3


@dataclass(slots=True)
class Node:
    """A work item to be: what it blocks and relates to, by place, and what is true of it.

    `due` is in days from the present, None for no due date.
    """

    role: Role
    blocks: list[int] = field(default_factory=list)
    relates: list[int] = field(default_factory=list)
    due: int | None = None
    elsewhere: bool = False
    nobody: bool = False
    bug: bool = False
    untouched: bool = False

    @property
    def done(self) -> bool:
        """Whether it is closed."""
        return self.role in {"own_done", "done"}

    def fits(self, scope: str) -> bool:
        """Tell whether it is of those that a scope lists."""
        held = {
            "elsewhere": self.elsewhere,
            "nobody": self.nobody,
            "bugs": self.bug,
            "untouched": self.untouched,
        }
        return held.get(scope, True)


Plan = list[Node]


def levels(plan: Plan, *, passes: bool) -> dict[int, int]:
    """Return how many links away each blocker of the release is, closed ones among them.

    `passes` is whether a chain goes on through what is closed.
    """
    found: dict[int, int] = {}
    reached = [place for place, node in enumerate(plan) if node.role == "own"]
    level = 0
    while reached:
        level += 1
        through = {one for one in reached if passes or not plan[one].done}
        reached = [
            place
            for place, node in enumerate(plan)
            if place not in found and node.role not in OWN and through & set(node.blocks)
        ]
        found.update(dict.fromkeys(reached, level))
    return found


def blockers(plan: Plan, *, passes: bool) -> list[int]:
    """Return the places of the open work items that block the release."""
    return [place for place in sorted(levels(plan, passes=passes)) if not plan[place].done]


def listed(plan: Plan, params: Params) -> list[int]:
    """Return the places of those that are to be listed."""
    found = blockers(plan, passes=params.passes)
    return [place for place in found if plan[place].fits(params.scope)]


def due_first(plan: Plan, places: Iterable[int]) -> int | None:
    """Return the place of the one that is due first, None if none of them is due at all."""
    dated = [(plan[place].due, place) for place in places if plan[place].due is not None]
    return min(dated)[1] if dated else None


def wrong_lists(plan: Plan, params: Params) -> dict[str, list[int]]:
    """Return what other readings of the goal would list, by what is wrong with them."""
    right = listed(plan, params)
    away = levels(plan, passes=params.passes)
    found = {
        "direct ones only": [place for place in right if away[place] == 1],
        "two links at most": [place for place in right if away[place] <= 2],
        "closed ones too": sorted({*right, *(place for place in away if plan[place].done)}),
        "chains the other way at closed ones": [
            place
            for place in blockers(plan, passes=not params.passes)
            if plan[place].fits(params.scope)
        ],
        "those of any kind": blockers(plan, passes=params.passes),
        "what only relates": sorted({*right, *_of(plan, "near")}),
        "what is blocked": _of(plan, "held"),
        "what is blocked as well": sorted({*right, *_of(plan, "held")}),
        "the release after it": _of(plan, "before_later"),
        "its own work too": sorted({*right, *_of(plan, "own")}),
        "those that are due": [place for place in right if plan[place].due is not None],
    }
    return {name: places for name, places in found.items() if places and places != right}


def _of(plan: Plan, role: Role) -> list[int]:
    return [place for place, node in enumerate(plan) if node.role == role]


def draw(params: Params, chance: Random) -> Plan:
    """Return a plan of a variant."""
    plan: Plan = []

    def add(role: Role, blocks: Iterable[int] = (), relates: Iterable[int] = ()) -> int:
        plan.append(Node(role, list(blocks), list(relates)))
        return len(plan) - 1

    own = [add("own") for _ in range(3)]
    chain = [add("blocker", own[:1])]
    while len(chain) < params.depth:
        chain.append(add("blocker", chain[-1:]))
    side = add("blocker", [own[1]])
    add("blocker", [side, chain[0]])
    add("blocker", [chance.choice(chain[:-1])])
    # A loop: from the release's own work to the end of the chain, or from the chain's beginning.
    plan[chance.choice((own[0], chain[0]))].blocks.append(chain[-1])
    # Behind a closed one stands what nothing else leads to; before another, what counts anyway.
    far = params.depth > 2 and chance.random() < 0.5
    shut = add("done", [chain[0] if far else own[1]])
    behind = add("behind", [shut])
    if params.depth > 3:
        add("behind", [behind])
    plan[side].blocks.append(add("done", [own[2]]))
    closed_own = add("own_done")
    if params.passes:
        plan[side].blocks.append(closed_own)
    else:
        add("behind", [closed_own])
    add("near", relates=own[:1])
    add("near", relates=chain[:1])
    plan[own[1]].blocks.append(add("held"))
    plan[side].blocks.append(add("held"))
    first = add("before_later", [add("later")])
    add("before_later", [first])
    _qualify(plan, params, chain, chance)
    return plan


def _qualify(plan: Plan, params: Params, chain: Sequence[int], chance: Random) -> None:
    """Say of each node what it is like, and when it is due."""
    counted = blockers(plan, passes=params.passes)
    inside = _inside(plan, params, counted, chain, chance)
    for place, node in enumerate(plan):
        fits = place in inside or place not in counted
        node.elsewhere = fits if params.scope == "elsewhere" else chance.random() < 0.4
        node.nobody = fits if params.scope == "nobody" else chance.random() < 0.3
        node.bug = fits if params.scope == "bugs" else chance.random() < 0.4
        node.untouched = fits if params.scope == "untouched" else chance.random() < 0.5
        if node.role in OF_THE_SPACE:
            node.elsewhere = False
        if node.done:
            node.untouched = False
    # One that only relates is somebody's, whatever is listed.
    next(node for node in plan if node.role == "near").nobody = False
    _date(plan, params, inside, chance)


def _inside(
    plan: Plan, params: Params, counted: Sequence[int], chain: Sequence[int], chance: Random
) -> set[int]:
    """Return which of the blockers are listed: the chain's end is, what it blocks is not."""
    if params.scope == "all":
        return set(counted)
    certain = [chain[-1], *(place for place in counted if plan[place].role == "behind")]
    rest = [place for place in counted if place not in {*certain, chain[-2]}]
    chance.shuffle(rest)
    fewest = max(LEAST - len(certain), 1)
    return {*certain, *rest[: chance.randrange(fewest, len(rest))]}


def _date(plan: Plan, params: Params, inside: set[int], chance: Random) -> None:
    """Set the due dates: the first is that of one that no link leads straight to the release."""
    away = levels(plan, passes=params.passes)
    first = chance.choice(sorted(place for place in inside if away[place] > 1))
    day = chance.randrange(*FIRST)
    others = chance.sample(sorted(inside - {first}), len(inside) - 1)
    later = chance.sample(range(day + 1, day + SPAN), len(others))
    for place, node in enumerate(plan):
        if place not in inside:
            node.due = chance.randrange(EARLIEST, day) if chance.random() < 0.85 else None
    for place, due in zip(others, later, strict=True):
        plan[place].due = due
    plan[others[0]].due = None
    plan[first].due = day
