"""The oracle in a browser: the release among the space's, then a query for each link further."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Final

from episodes.families.t14.reading import Listed, Wanted, version_of, wanted_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of
from episodes.tasks.tracker_acts import quoted
from episodes.tasks.tracker_pages import NavigatorRow, Page, query, rows_on, within

DAY: Final = re.compile(r"[A-Z][a-z]{2} \d{1,2}, \d{4}")
SCOPES: Final = {
    "elsewhere": "project != {space}",
    "nobody": "assignee IS EMPTY",
    "bugs": "issuetype = Bug",
    "untouched": 'statusCategory = "To Do"',
}


def in_browser(space: ActingSpace) -> None:
    """Find the release, follow the links from its open work, answer."""
    wanted = wanted_of(space.goal)
    where = f"project = {quoted(wanted.space)} AND fixVersion = {quoted(_release(space, wanted))}"
    own = [row.key for row in _found(space, f"{where} AND statusCategory != Done")]
    found = _chart(space, own, passes=wanted.passes)
    listed = f"key IN ({', '.join(found)}) AND statusCategory != Done"
    if wanted.scope in SCOPES:
        listed += f" AND {SCOPES[wanted.scope].format(space=quoted(wanted.space))}"
    rows = _found(space, f"{listed} ORDER BY due ASC")
    answer = {"blockers": sorted(row.key for row in rows), "first": _first(rows)}
    space.act("finish", status="done", answer=answer)


def _release(space: ActingSpace, wanted: Wanted) -> str:
    """Return the name of the release; where the goal does not say it, from the list of releases."""
    if wanted.name:
        return wanted.name
    page = space.observe()
    link = ref_of(within(page, "list", "^Spaces$"), "link", f"^{re.escape(wanted.space)}$")
    page = space.act("browser_click", ref=link)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Releases$"))
    return version_of(wanted, _versions(page))


def _versions(page: Page) -> Iterator[Listed]:
    """Yield the versions that the list of releases shows; archived ones are not among them."""
    table, nth = within(page, "table", "^Versions$"), 1
    while True:
        try:
            row = within(table, "row", nth=nth)
        except NotOnPage:
            return
        nth += 1
        text = page_text(row)
        name = next(line.name for line in lines(row) if line.role == "link")
        cells = [_parts(line.text) for line in lines(row) if line.role == "cells"]
        start, release, *rest = next(parts for parts in cells if len(parts) > 2)
        yield Listed(
            name=name,
            start=_day(start),
            release=_day(release),
            description=" ".join(rest),
            released="Unreleased" not in text,
            overdue="Overdue" in text,
        )


def _parts(text: str) -> list[str]:
    """Return what neighbouring cells hold; an empty last one leaves only its bar behind."""
    return [part.strip() for part in text.split("|")]


def _day(text: str) -> date | None:
    if not DAY.fullmatch(text):
        return None
    return datetime.strptime(f"{text} +0000", "%b %d, %Y %z").date()


def _found(space: ActingSpace, jql: str) -> list[NavigatorRow]:
    """Run a query in the navigator; once its box is there, in that."""
    page = space.observe()
    if not has(page, "combobox", "^JQL query$"):
        return rows_on(query(space, page, jql))
    box = ref_of(page, "combobox", "^JQL query$")
    return rows_on(space.act("browser_type", ref=box, text=jql, submit=True))


def _chart(space: ActingSpace, own: list[str], *, passes: bool) -> list[str]:
    """Return the keys of what blocks some work items, closed ones too if chains pass them."""
    seen, found, reached = set(own), list[str](), own
    while reached:
        linked = [f'issue IN linkedIssues({key}, "is blocked by")' for key in reached]
        jql = " OR ".join(linked)
        if not passes:
            jql = f"({jql}) AND statusCategory != Done"
        reached = [row.key for row in _found(space, f"{jql} ORDER BY key") if row.key not in seen]
        seen.update(reached)
        found += reached
    return found


def _first(rows: list[NavigatorRow]) -> str:
    """Return the key of the first of rows by due date: what has none stands last.

    Raises:
        NotOnPage: there is none.
    """
    if not rows:
        raise NotOnPage("nothing blocks the release")
    return rows[0].key
