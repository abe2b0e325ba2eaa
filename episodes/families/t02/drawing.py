"""Work items on each side of each edge of a wish, drawn as plans that can then be made.

A plan is {"space", "type", "path" (statuses, the first one first), "resolved", "priority",
"repriced" (days ago, None: never), "assignee", "former" (who had it before, ""), "labels",
"components", "version" ("planned", "shipped" or ""), "sprint", "due" (days from today or None),
"age" (days)}. Times are never within hours of an edge, nor of where the edge is a week later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from random import Random
from typing import Any, Final

from episodes.families.t02.reading import Condition, belongs, holds

DRAWS: Final = 3000
TODO: Final = "To Do"
DOING: Final = "In Progress"
DONE: Final = "Done"
# The ways that work takes: what it was, in turn, and where it stands.
PATHS: Final = (
    (TODO,),
    (TODO, DOING),
    (TODO, DONE),
    (TODO, DOING, DONE),
    (TODO, DOING, TODO),
    (TODO, DONE, DOING),
    (TODO, DOING, DONE, TODO),
    (TODO, DONE, DOING, DONE),
)
CATEGORIES: Final = {TODO: "new", DOING: "indeterminate", DONE: "done"}
PRIORITIES: Final = ("Lowest", "Low", "Medium", "High", "Highest")
TYPES: Final = ("Bug", "Story", "Task")
# How far beyond an edge what lies outside of it may be, and how much of it is near.
BEYOND: Final = 28
NEAR: Final = 0.6
WEEK: Final = 7

Plan = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Land:
    """What plans are made of: ids of the world's own things, by their names.

    `spaces` maps each key to {"components": [ids], "planned": [ids], "types": [names]}; spaces
    beside those of the wish are among them. `priorities`, `types` and `statuses` are by name.
    """

    spaces: Mapping[str, Mapping[str, list[str]]]
    priorities: Mapping[str, str]
    types: Mapping[str, str]
    statuses: Mapping[str, str]
    sprint: str
    people: tuple[str, ...]
    labels: tuple[str, ...]


class Drawer:
    """Draws plans around a wish: near its edges rather than far from it."""

    def __init__(
        self, conditions: Iterable[Condition], land: Land, now: datetime, zone: tzinfo
    ) -> None:
        self._conditions = list(conditions)
        self._land = land
        self._now = now
        self._zone = zone

    def around(self, chance: Random, count: int) -> list[Plan]:
        """Return plans on each side of each edge, as many inside as outside, in random order.

        For each condition that must hold there is one that fails by it alone, for each of the
        others one that is in by it alone, and one that has none of them.
        """
        edges: dict[int, Plan] = {}
        plain: dict[bool, list[Plan]] = {True: [], False: []}
        for _ in range(DRAWS):
            plan = self._plan(chance)
            row = shape(plan, self._land, self._now, self._zone)
            verdicts = [holds(each, row, self._now, self._zone) for each in self._conditions]
            edge = self._edge(verdicts)
            if edge is not None and edge not in edges:
                edges[edge] = plan
            else:
                plain[belongs(self._conditions, row, self._now, self._zone)].append(plan)
            enough = min(len(side) for side in plain.values()) >= count
            if enough and len(edges) == len(self._conditions) + 1:
                break
        found = list(edges.values())
        inside = sum(self._is_inside(plan) for plan in found)
        found += plain[True][: max(count - count // 2 - inside, 0)]
        found += plain[False][: max(count - len(found), 0)]
        chance.shuffle(found)
        return found

    def _is_inside(self, plan: Plan) -> bool:
        row = shape(plan, self._land, self._now, self._zone)
        return belongs(self._conditions, row, self._now, self._zone)

    def _edge(self, verdicts: Sequence[bool]) -> int | None:
        """Return the place of the condition at whose edge verdicts lie, None for no edge.

        It is -1 where nothing is wrong but that none holds of which one must.
        """
        sides = [each["side"] for each in self._conditions]
        failing = [
            place for place, side in enumerate(sides) if side == "all" and not verdicts[place]
        ]
        meeting = [place for place, side in enumerate(sides) if side == "any" and verdicts[place]]
        if len(failing) == 1 and meeting:
            return failing[0]
        if failing or len(meeting) > 1:
            return None
        return meeting[0] if meeting else -1

    def _plan(self, chance: Random) -> Plan:
        """Return a plan, each of whose parts is as wished for more often than not."""
        plan = self._anything(chance)
        for each in self._conditions:
            wished = chance.random() < (0.8 if each["side"] == "all" else 0.4)
            Bringing(self._land, chance, plan, each, wished).bring()
        plan["path"] = self._path(chance, plan.pop("wants"))
        if plan["resolved"] is None:
            plan["resolved"] = plan["path"][-1] == DONE and chance.random() < 0.6
        if plan["path"][-1] != DONE:
            plan["resolved"] = False
        if plan["type"] not in self._land.spaces[plan["space"]]["types"]:
            plan["type"] = "Task"
        own = self._land.spaces[plan["space"]]["components"]
        plan["components"] = [key for key in plan["components"] if key in own]
        if plan["version"] == "planned" and not self._land.spaces[plan["space"]]["planned"]:
            plan["version"] = ""
        if plan["repriced"] is not None and plan["repriced"] >= plan["age"]:
            # What changed is older than its change, unless its age was asked for, too.
            plan["age"] = plan["repriced"] + 1.0
        if plan["repriced"] is not None and plan["priority"] == "Medium":
            plan["priority"] = "Low"
        return plan

    def _anything(self, chance: Random) -> Plan:
        space = chance.choice(sorted(self._land.spaces))
        parts = self._land.spaces[space]["components"]
        return {
            "space": space,
            "type": chance.choice(TYPES),
            "wants": [],
            "resolved": None,
            "priority": chance.choice(PRIORITIES),
            "repriced": None if chance.random() < 0.8 else _days(chance, 0, 60),
            "assignee": chance.choice(["", *self._land.people]),
            "former": "" if chance.random() < 0.7 else chance.choice(self._land.people),
            "labels": [label for label in self._land.labels if chance.random() < 0.25],
            "components": [chance.choice(parts)] if parts and chance.random() < 0.7 else [],
            "version": chance.choice(("planned", "shipped", "")),
            "sprint": chance.random() < 0.3,
            "due": None if chance.random() < 0.5 else chance.randrange(-20, 60),
            "age": _days(chance, 1, 90),
        }

    def _path(self, chance: Random, wants: list[Callable[[tuple[str, ...]], bool]]) -> list[str]:
        found = [path for path in PATHS if all(want(path) for want in wants)]
        return list(chance.choice(found or PATHS))


@dataclass(frozen=True, slots=True)
class Bringing:
    """Brings a plan to meet one condition (`wished`), or not to; a method for each thing asked."""

    land: Land
    chance: Random
    plan: Plan
    each: Condition
    wished: bool

    def bring(self) -> None:
        """Change the plan."""
        BRINGERS[self.each["about"]](self)

    def space(self) -> None:
        """Move to a space."""
        keys = [
            key for key in sorted(self.land.spaces) if (key in self.each["values"]) is self.wished
        ]
        if keys:
            self.plan["space"] = self.chance.choice(keys)

    def category(self) -> None:
        """End in a status of a category."""
        fits = (self.each["test"] == "one_of") is self.wished
        self.plan["wants"].append(
            lambda path: (CATEGORIES[path[-1]] in self.each["values"]) is fits
        )

    def resolution(self) -> None:
        """End with a resolution, or without."""
        self.plan["resolved"] = not self.wished
        if not self.wished:
            self.plan["wants"].append(lambda path: path[-1] == DONE)

    def status(self) -> None:
        """Come through a status."""
        name = self.each["words"][0]
        self.plan["wants"].append(lambda path: (name in path) is self.wished)

    def priority(self) -> None:
        """Have a priority, or have got it lately."""
        if self.each["test"] == "changed":
            days = self.each["days"]
            self.plan["repriced"] = _around(self.chance, days, inside=self.wished)
            if not self.wished and self.chance.random() < 0.5:
                self.plan["repriced"] = None
            return
        names = {key: name for name, key in self.land.priorities.items()}
        fits = [
            names[key]
            for key in self.land.priorities.values()
            if (key in self.each["values"]) is self.wished
        ]
        self.plan["priority"] = self.chance.choice(sorted(fits))

    def assignee(self) -> None:
        """Have an assignee, or have had one."""
        if self.each["test"] == "blank":
            self.plan["assignee"] = "" if self.wished else self.chance.choice(self.land.people)
            if self.wished and self.chance.random() < 0.6:
                self.plan["former"] = ""
            return
        (person,) = self.each["values"]
        others = [one for one in self.land.people if one != person]
        self.plan["assignee"], self.plan["former"] = (
            self.chance.choice(["", *others]),
            self.chance.choice(others),
        )
        if self.wished:
            self.plan[self.chance.choice(("assignee", "former", "former"))] = person

    def due(self) -> None:
        """Be due by a day."""
        days = self.each["days"]
        if self.wished:
            self.plan["due"] = days - self.chance.randrange(0, 30)
        else:
            near = days + self.chance.randrange(1, WEEK + 1)
            far = self.chance.choice((None, days + self.chance.randrange(1, BEYOND)))
            self.plan["due"] = near if self.chance.random() < NEAR else far

    def created(self) -> None:
        """Be young."""
        self.plan["age"] = _around(self.chance, self.each["days"], inside=self.wished)

    def unreleased(self) -> None:
        """Be planned for a version."""
        self.plan["version"] = "planned" if self.wished else self.chance.choice(("shipped", ""))

    def labels(self) -> None:
        """Have labels."""
        if self.each["test"] == "blank":
            self.plan["labels"] = [] if self.wished else [self.chance.choice(self.land.labels)]
            return
        rest = [label for label in self.plan["labels"] if label not in self.each["values"]]
        self.plan["labels"] = rest + (
            [self.chance.choice(self.each["values"])] if self.wished else []
        )

    def components(self) -> None:
        """Be about a component."""
        parts = self.land.spaces[self.plan["space"]]["components"]
        if self.each["test"] == "blank":
            self.plan["components"] = (
                [] if self.wished or not parts else [self.chance.choice(parts)]
            )
            return
        (part,) = self.each["values"]
        rest = [key for key in self.plan["components"] if key != part]
        self.plan["components"] = [*rest, part] if self.wished and part in parts else rest

    def type(self) -> None:
        """Be of a type."""
        names = [
            name for name in TYPES if (self.land.types[name] in self.each["values"]) is self.wished
        ]
        self.plan["type"] = self.chance.choice(names)

    def sprints(self) -> None:
        """Be in a sprint that runs."""
        self.plan["sprint"] = self.wished


BRINGERS: Final[Mapping[str, Callable[[Bringing], None]]] = {
    "space": Bringing.space,
    "category": Bringing.category,
    "resolution": Bringing.resolution,
    "status": Bringing.status,
    "priority": Bringing.priority,
    "assignee": Bringing.assignee,
    "due": Bringing.due,
    "created": Bringing.created,
    "unreleased": Bringing.unreleased,
    "labels": Bringing.labels,
    "components": Bringing.components,
    "type": Bringing.type,
    "sprints": Bringing.sprints,
}


def _days(chance: Random, first: int, last: int) -> float:
    """Return a number of days that is not within hours of a whole one."""
    return chance.randrange(first, last) + chance.uniform(0.25, 0.75)


def _around(chance: Random, edge: int, *, inside: bool) -> float:
    """Return days ago on one side of an edge, mostly in the week next to it."""
    if inside:
        first = max(edge - WEEK, 0) if chance.random() < NEAR else 0
        return _days(chance, first, edge)
    last = edge + WEEK if chance.random() < NEAR else edge + BEYOND
    return _days(chance, edge, last)


def shape(plan: Plan, land: Land, now: datetime, zone: tzinfo) -> dict[str, Any]:
    """Return the row that a plan comes to once it is made."""
    path, due = plan["path"], plan["due"]
    assignees = [plan["former"], plan["assignee"]] if plan["former"] else [plan["assignee"]]
    local = now.astimezone(zone).date()
    return {
        "space": plan["space"],
        "category": CATEGORIES[path[-1]],
        "resolution": "set" if plan["resolved"] else "",
        "type": land.types[plan["type"]],
        "priority": land.priorities[plan["priority"]],
        "assignee": plan["assignee"],
        "labels": sorted(set(plan["labels"])),
        "components": plan["components"],
        "unreleased": ["one"] if plan["version"] == "planned" else [],
        "sprints": [land.sprint] if plan["sprint"] else [],
        "created": now - timedelta(days=plan["age"]),
        "due": None if due is None else local + timedelta(days=due),
        "past": {"status": [land.statuses[name] for name in path], "assignee": assignees},
        "repriced": [] if plan["repriced"] is None else [now - timedelta(days=plan["repriced"])],
    }
