"""What a release manager makes of the goal, of a list of versions, and of work items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

SPACE: Final = re.compile(r"\bthe (?P<space>[A-Z][\w& -]*?) release (?P<rest>.+)", re.DOTALL)
PLANNED: Final = re.compile(r"that is planned for (?P<day>\d{1,2} \w+ \d{4})")
NEXT: Final = re.compile(r"that is planned next")
STARTED: Final = re.compile(r"that was started on (?P<day>\d{1,2} \w+ \d{4})")
CALLED: Final = re.compile(r'that its description calls "(?P<name>[^"]+)"')
NAMED: Final = re.compile(r"(?P<name>[\w.-]*\w)")
PASSES: Final = "a chain goes on through it"
SCOPES: Final = (
    ("elsewhere", "List only those that belong to other spaces"),
    ("nobody", "List only those that nobody is assigned to"),
    ("bugs", "List only bugs"),
    ("untouched", "List only those on which work has not begun"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a goal asks for.

    The release of the space is known by its `name`, by the day on which it is `planned` or on which
    it was `started`, by what its description `called` it; by none of these it is the next one.
    """

    space: str
    name: str = ""
    planned: date | None = None
    started: date | None = None
    called: str = ""
    scope: str = "all"
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A version as lists show it; `overdue` is whether its day has passed without it."""

    name: str
    start: date | None
    release: date | None
    description: str
    released: bool
    overdue: bool


@dataclass(frozen=True, slots=True)
class Item:
    """A work item as the search shows it: `blockers` are the keys and states of what blocks it."""

    key: str
    space: str
    bug: bool
    nobody: bool
    category: str
    due: str
    blockers: tuple[tuple[str, bool], ...]

    @property
    def done(self) -> bool:
        """Whether it is closed."""
        return self.category == "done"


def wanted_of(goal: str) -> Wanted:
    """Return what a goal asks for.

    Raises:
        LookupError: it names no release.
    """
    found = SPACE.search(goal)
    if found is None:
        raise LookupError(f"the goal names no release: {goal}")
    scope = next((name for name, words in SCOPES if words in goal), "all")
    return Wanted(found["space"], **_release(found["rest"]), scope=scope, passes=PASSES in goal)


def _release(rest: str) -> dict[str, Any]:
    for name, pattern in (("planned", PLANNED), ("started", STARTED)):
        day = pattern.match(rest)
        if day is not None:
            return {name: datetime.strptime(f"{day['day']} +0000", "%d %B %Y %z").date()}
    called = CALLED.match(rest)
    if called is not None:
        return {"called": called["name"]}
    if NEXT.match(rest):
        return {}
    named = NAMED.match(rest)
    if named is None:
        raise LookupError(f"the goal names no release: {rest}")
    return {"name": named["name"]}


def version_of(wanted: Wanted, versions: Iterable[Listed]) -> str:
    """Return the name of the version that is meant.

    Raises:
        LookupError: none of them is, or several are.
    """
    if wanted.name:
        return wanted.name
    found = [one for one in versions if not one.released]
    if wanted.planned is not None:
        found = [one for one in found if one.release == wanted.planned]
    elif wanted.started is not None:
        found = [one for one in found if one.start == wanted.started]
    elif wanted.called:
        found = [one for one in found if wanted.called in one.description]
    else:
        dated = [(one.release, one) for one in found if one.release and not one.overdue]
        soonest = min((day for day, _ in dated), default=None)
        found = [one for day, one in dated if day == soonest]
    if len(found) != 1:
        raise LookupError(f"{len(found)} versions are as the goal says")
    return found[0].name


def item_of(row: dict[str, Any]) -> Item:
    """Return a work item of a search's answer."""
    fields = row["fields"]
    links = [
        link["inwardIssue"]
        for link in fields["issuelinks"]
        if link["type"]["inward"] == "is blocked by" and "inwardIssue" in link
    ]
    return Item(
        key=row["key"],
        space=fields["project"]["name"],
        bug=fields["issuetype"]["name"] == "Bug",
        nobody=fields["assignee"] is None,
        category=fields["status"]["statusCategory"]["key"],
        due=fields["duedate"] or "",
        blockers=tuple((one["key"], _is_done(one)) for one in links),
    )


def _is_done(linked: dict[str, Any]) -> bool:
    return bool(linked["fields"]["status"]["statusCategory"]["key"] == "done")


def fits(wanted: Wanted, item: Item) -> bool:
    """Tell whether a work item is of those that are to be listed."""
    held = {
        "elsewhere": item.space != wanted.space,
        "nobody": item.nobody,
        "bugs": item.bug,
        "untouched": item.category == "new",
    }
    return held.get(wanted.scope, True)


def answer_of(items: Sequence[Item]) -> dict[str, Any]:
    """Return the answer that a list of work items makes."""
    dated = sorted((item.due, item.key) for item in items if item.due)
    return {
        "blockers": sorted(item.key for item in items),
        "first": dated[0][1] if dated else "",
    }
