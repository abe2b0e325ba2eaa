"""How a careful release manager finds what blocks a release: from goal, accounts and acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from episodes.families.t14.reading import (
    Item,
    Listed,
    Wanted,
    answer_of,
    fits,
    item_of,
    version_of,
    wanted_of,
)
from episodes.families.t14.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import quoted, search
from sandlot.service import Space

FIELDS: Final = ("project", "issuetype", "assignee", "status", "duedate", "issuelinks")
FAR: Final = 99


def by_api(space: ActingSpace) -> None:
    """Find the release, follow the links from its open work, answer."""
    space = RetryingSpace(space, {})
    wanted = wanted_of(space.goal)
    found = chart(space, open_work(space, wanted), passes=wanted.passes)
    listed = [item for item in found if not item.done and fits(wanted, item)]
    space.act("finish", status="done", answer=answer_of(listed))


def release_name(space: ActingSpace, wanted: Wanted) -> str:
    """Return the name of the release that is meant; looked up where the goal does not say it."""
    if wanted.name:
        return wanted.name
    return version_of(wanted, versions(space, wanted))


def versions(space: ActingSpace, wanted: Wanted) -> list[Listed]:
    """Return the versions of the space that is meant."""
    spaces = space.act("tracker_searchProjects", query=wanted.space)["body"]["values"]
    key = next(one["key"] for one in spaces if one["name"] == wanted.space)
    rows = space.act("tracker_getProjectVersions", projectIdOrKey=key)["body"]
    return [
        Listed(
            name=row["name"],
            start=_day(row.get("startDate")),
            release=_day(row.get("releaseDate")),
            description=row.get("description", ""),
            released=row["released"] or row["archived"],
            overdue=row.get("overdue", False),
        )
        for row in rows
    ]


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def open_work(space: ActingSpace, wanted: Wanted, name: str | None = None) -> list[Item]:
    """Return the open work items of the release that is meant, or of the one of another name."""
    name = release_name(space, wanted) if name is None else name
    return items(
        space,
        f"project = {quoted(wanted.space)} AND fixVersion = {quoted(name)}"
        " AND statusCategory != Done",
    )


def items(space: ActingSpace, jql: str) -> list[Item]:
    """Return the work items that a query finds."""
    return [item_of(row) for row in search(space, jql, *FIELDS)]


def named(space: ActingSpace, keys: Iterable[str]) -> list[Item]:
    """Return the work items of these keys."""
    return items(space, f"key in ({', '.join(keys)}) ORDER BY key")


def chart(space: ActingSpace, start: list[Item], *, passes: bool, far: int = FAR) -> list[Item]:
    """Return what blocks some work items, at most so many links away, closed ones among it.

    Args:
        space: where it is looked up.
        start: the work items, which are not returned.
        passes: whether chains go on through what is closed; else closed ones are not looked up.
        far: how many links are followed.
    """
    seen = {item.key for item in start}
    found: list[Item] = []
    reached = start
    for _ in range(far):
        ahead = {key for item in reached for key, done in item.blockers if passes or not done}
        if not ahead - seen:
            return found
        reached = named(space, sorted(ahead - seen))
        seen |= ahead
        found += reached
    return found


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
