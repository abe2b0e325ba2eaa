"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from episodes.families.t05.kinds import BLOCKED, KINDS, Kind
from episodes.families.t05.reading import NAMES, Rule, rule_of, space_in
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, page_text, ref_of
from episodes.tasks.tracker_pages import (
    Page,
    entries_on,
    open_issue,
    query,
    rows_on,
    set_choice,
    spaces_on,
    within,
)

OPEN: Final = "statusCategory != Done AND issuetype not in subTaskIssueTypes()"
FREE: Final = f"(labels is EMPTY OR labels != {BLOCKED})"
OF_KIND: Final[Mapping[Kind, str]] = {
    "blocked": f"labels = {BLOCKED}",
    "bug": f"{FREE} AND issuetype = Bug",
    "started": f'{FREE} AND issuetype != Bug AND statusCategory = "In Progress"',
    "untouched": f'{FREE} AND issuetype != Bug AND statusCategory = "To Do"',
}


def in_browser(space: ActingSpace) -> None:
    """Read the guide and the work; move what is carried over, complete, start, finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = space.observe()
    name = space_in(space.goal, spaces_on(page))
    page, rule = read_rule(space, page, name)
    old, new = sprints_named(space)
    for key in carried(space, page, old, rule):
        page = open_issue(space, space.observe(), key)
        page = set_choice(space, page, "Sprint", new)
    page = backlog(space, space.observe(), name)
    page = complete(space, page, old)
    start(space, backlog(space, page, name), new, rule.weeks)
    space.act("finish", status="done")


def sprints_named(space: ActingSpace) -> tuple[str, str]:
    """Return the names of the two sprints in the goal, the old one first: they are numbered.

    Raises:
        NotOnPage: the goal does not name two.
    """
    names = list(dict.fromkeys(NAMES.findall(space.goal)))
    if len(names) != 2:
        raise NotOnPage(f"the goal names {len(names)} sprints")
    first, second = sorted(names, key=_number)
    return first, second


def _number(name: str) -> int:
    found = re.search(r"(\d+)$", name)
    return int(found[1]) if found else 0


def read_rule(space: ActingSpace, page: Page, name: str) -> tuple[Page, Rule]:
    """Find and read the guide of a space: its text, then what was said below it."""
    page = query(space, page, f'project = "{name}" AND summary ~ "close our sprints"')
    rows = rows_on(page)
    if not rows:
        raise NotOnPage("there is no guide to closing sprints")
    page = space.act("browser_click", ref=rows[0].ref)
    said = entries_on(page)
    if has(page, "button", "^Newest first$"):
        said = said[::-1]
    texts = said if any("lasts" in text for text in said) else [page_text(page)]
    return page, rule_of(texts)


def carried(space: ActingSpace, page: Page, old: str, rule: Rule) -> list[str]:
    """Return the keys of the unfinished work of a sprint that the rule carries over."""
    kinds = " OR ".join(f"({OF_KIND[kind]})" for kind in KINDS if kind in rule.carried)
    page = query(space, page, f'sprint = "{old}" AND {OPEN} AND ({kinds})')
    return [row.key for row in rows_on(page)]


def backlog(space: ActingSpace, page: Page, name: str) -> Page:
    """Return the backlog of a space's board."""
    link = ref_of(page, "link", f"^{re.escape(name)}$")
    page = space.act("browser_click", ref=link)
    return space.act("browser_click", ref=ref_of(page, "link", "^Backlog$"))


def complete(space: ActingSpace, page: Page, old: str) -> Page:
    """Complete a sprint: what is open and still in it goes to the backlog."""
    part = within(page, "region", f"^{re.escape(old)}$")
    page = space.act("browser_click", ref=ref_of(part, "button", "^Complete sprint$"))
    dialog = within(page, "dialog")
    if has(dialog, "combobox", "^Move open"):
        box = ref_of(dialog, "combobox", "^Move open")
        page = space.act("browser_select", ref=box, options=["Backlog"])
    done = ref_of(within(page, "dialog"), "button", "^Complete sprint$")
    return space.act("browser_click", ref=done)


def start(space: ActingSpace, page: Page, new: str, weeks: int) -> Page:
    """Start a sprint now, for so many weeks."""
    part = within(page, "region", f"^{re.escape(new)}$")
    page = space.act("browser_click", ref=ref_of(part, "button", "^Start sprint$"))
    box = ref_of(within(page, "dialog"), "combobox", "^Duration$")
    lasts = f"{weeks} week{'s' * (weeks > 1)}"
    page = space.act("browser_select", ref=box, options=[lasts])
    return space.act("browser_click", ref=ref_of(within(page, "dialog"), "button", "^Start$"))
