"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from episodes.families.t04.kinds import PRIORITIES
from episodes.families.t04.planning import Item, best_plans
from episodes.families.t04.reading import (
    QUOTED,
    Guide,
    absences_of,
    guide_of,
    room_of,
    space_in,
)
from episodes.families.t04.words import ABSENCES, GUIDE, NAMED, goal_text
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of
from episodes.tasks.tracker_pages import (
    Page,
    description_on,
    entries_on,
    query,
    rows_on,
    spaces_on,
    within,
)

DATE: Final = re.compile(r"([A-Z][a-z]+ \d{1,2}, \d{4}) at")
BACKLOG: Final = "Backlog"


@dataclass(frozen=True, slots=True)
class Row:
    """Work as a row of the backlog shows it, and in which part of it."""

    key: str
    part: str
    who: str = ""
    priority: str = ""
    points: float | None = None


def in_browser(space: ActingSpace) -> None:
    """Read the guide, who is away and the work; plan it, tell the goal, finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = space.observe()
    name = space_in(space.goal, spaces_on(page))
    sprint = QUOTED.findall(space.goal)[0]
    page, texts = read_texts(space, page, name, "plan our sprints", GUIDE)
    guide = guide_of(texts)
    page, texts = read_texts(space, page, name, "away", ABSENCES)
    absences = absences_of(texts, guide.rates)
    blocked = blockers(space, page, name, guide.label)
    page = backlog(space, space.observe(), name, guide.label)
    rows = rows_in(page, sprint)
    held = [row for row in rows if row.part == sprint]
    room = room_of(guide, absences, *days_of(page, sprint))
    for row in held:
        room[row.who] -= row.points or 0
    planned = plan(rows, held, guide, room, blocked)
    page = fill(space, page, sprint, [row.key for row in planned])
    tell(space, page, sprint, goal_of([*held, *planned]))
    space.act("finish", status="done")


# Reading


def read_texts(
    space: ActingSpace, page: Page, name: str, words: str, title: str
) -> tuple[Page, list[str]]:
    """Find and read a work item of a space: its text, then what was said below it.

    Raises:
        NotOnPage: there is none of that title.
    """
    jql = f'project = "{name}" AND summary ~ "{words}" AND statusCategory != Done'
    page = query(space, page, jql)
    rows = [row for row in rows_on(page) if row.summary == title.format(space=name)]
    if not rows:
        raise NotOnPage(f"{name} has no {title}")
    page = space.act("browser_click", ref=rows[0].ref)
    return page, [description_on(page), *entries_on(page)]


def blockers(space: ActingSpace, page: Page, name: str, label: str) -> dict[str, frozenset[str]]:
    """Return the open work that blocks work of a label, by the key of what is blocked."""
    open_ones = "statusCategory != Done"
    jql = f'project = "{name}" AND labels = "{label}" AND {open_ones}'
    page = query(space, page, f'{jql} AND issueLinkType = "is blocked by"')
    found = {}
    for row in rows_on(page):
        jql = f'issue in linkedIssues({row.key}, "is blocked by") AND {open_ones}'
        page = query(space, page, jql)
        found[row.key] = frozenset(other.key for other in rows_on(page))
    return found


def backlog(space: ActingSpace, page: Page, name: str, label: str) -> Page:
    """Return the backlog of a space's board, with nothing but the work of a label."""
    link = ref_of(page, "link", f"^{re.escape(name)}$")
    page = space.act("browser_click", ref=link)
    page = space.act("browser_click", ref=ref_of(page, "link", f"^{BACKLOG}$"))
    box = ref_of(page, "combobox", "^Label$")
    return space.act("browser_select", ref=box, options=[label])


def rows_in(page: Page, sprint: str) -> list[Row]:
    """Return the rows of a sprint and of what is in none, as the backlog shows them."""
    found: list[Row] = []
    for part in (sprint, BACKLOG):
        for line in lines(within(page, "region", f"^{re.escape(part)}$")):
            if line.role == "checkbox" and line.name.startswith("Select "):
                found.append(Row(line.name.removeprefix("Select "), part))
            elif found and found[-1].part == part:
                found[-1] = _with(found[-1], line.name or line.text)
    return found


def _with(row: Row, words: str) -> Row:
    """Return a row with what one thing in it tells of it."""
    estimate = f"Estimate of {row.key}: "
    if words in PRIORITIES:
        return replace(row, priority=words)
    if words.startswith("Assignee: "):
        return replace(row, who=words.removeprefix("Assignee: "))
    if words.startswith(estimate) and words != f"{estimate}none":
        return replace(row, points=float(words.removeprefix(estimate)))
    return row


def days_of(page: Page, sprint: str) -> tuple[date, date]:
    """Return the first and the last day of a sprint.

    Raises:
        NotOnPage: the backlog does not show them.
    """
    text = page_text(within(page, "region", f"^{re.escape(sprint)}$"))
    found = DATE.findall(text)
    if len(found) < 2:
        raise NotOnPage(f"{sprint} has no dates")
    first, last = (datetime.strptime(f"{day} +0000", "%B %d, %Y %z").date() for day in found[:2])
    return first, last


# Planning


def plan(
    rows: Sequence[Row],
    held: Sequence[Row],
    guide: Guide,
    room: dict[str, float],
    blocked: dict[str, frozenset[str]],
) -> list[Row]:
    """Return the work of the backlog that is worth the most together."""
    there = {row.key for row in held}
    items = [
        Item(
            row.key,
            row.who,
            row.points,
            guide.worth[row.priority],
            blocked.get(row.key, frozenset()) - there,
        )
        for row in rows
        if row.part == BACKLOG and row.points is not None and row.who in guide.rates
    ]
    names = best_plans(items, room, 1)[0].names
    return [row for row in rows if row.key in names]


def goal_of(rows: Sequence[Row]) -> str:
    """Return the goal of a sprint that holds this work."""
    keys = [row.key for row in rows if row.priority == NAMED]
    return goal_text(sum(row.points or 0 for row in rows), keys)


def fill(space: ActingSpace, page: Page, sprint: str, keys: Sequence[str]) -> Page:
    """Select rows of the backlog and move them into a sprint."""
    for key in keys:
        page = space.act("browser_click", ref=ref_of(page, "checkbox", f"^Select {key}$"))
    box = ref_of(page, "combobox", "^What to do with the selected")
    page = space.act("browser_select", ref=box, options=[sprint])
    return space.act("browser_click", ref=ref_of(page, "button", "^Apply$"))


def tell(space: ActingSpace, page: Page, sprint: str, goal: str) -> Page:
    """Set the goal of a sprint."""
    menu = f"^Sprint actions for {re.escape(sprint)}$"
    page = space.act("browser_click", ref=ref_of(page, "button", menu))
    part = within(page, "menu", menu)
    page = space.act("browser_click", ref=ref_of(part, "menuitem", "^Edit sprint$"))
    box = ref_of(within(page, "dialog"), "textbox", "^Sprint goal$")
    page = space.act("browser_type", ref=box, text=goal)
    button = ref_of(within(page, "dialog"), "button", "^Update$")
    return space.act("browser_click", ref=button)
