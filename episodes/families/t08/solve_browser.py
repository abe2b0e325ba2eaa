"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from episodes.families.t08.reading import (
    GUIDE,
    Guide,
    guide_of,
    likest,
    resolution_of,
    space_of,
    value_of,
)
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text
from episodes.tasks.tracker_pages import (
    KEY,
    Page,
    change_status,
    comment,
    entries_on,
    key_on,
    open_issue,
    query,
    rows_on,
    set_choice,
    set_text,
    spaces_on,
    status_on,
    within,
)

ROUNDS: Final = 6
OPEN: Final = "statusCategory != Done"


def in_browser(space: ActingSpace) -> None:
    """Read the work and the guide; do what its steps ask for, one after another; finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = meant(space)
    key, said, parts = key_on(page), said_on(page), open_parts(page)
    page, guide = read_guide(space, page, key)
    resolution = resolution_of(said)
    for part in parts:
        page = open_issue(space, page, part)
        page = change_status(space, page, "Close", choices={"Resolution": resolution})
    page = open_issue(space, page, key)
    if status_on(page) == "To Do":
        page = change_status(space, page, "Start progress")
    page = fill(space, page, guide, value_of(guide.field, said))
    page = change_status(space, page, "Send to review")
    if guide.approver is not None:
        page = ask(space, page, guide.approver, key)
    change_status(space, page, "Close", choices={"Resolution": resolution})
    space.act("finish", status="done")


def meant(space: ActingSpace) -> Page:
    """Return the page of the work that the goal means."""
    name = named_space(space)
    page = query(
        space, space.observe(), f'assignee = currentUser() AND {OPEN} AND project = "{name}"'
    )
    mine = rows_on(page)
    chosen = mine[likest(space.goal, [row.summary for row in mine])]
    return space.act("browser_click", ref=chosen.ref)


def named_space(space: ActingSpace) -> str:
    """Return the longest of the names of spaces in the sidebar that the goal holds."""
    return space_of(space.goal, spaces_on(space.observe()))


def said_on(page: Page) -> list[str]:
    """Return what was said on an issue, oldest first."""
    found = entries_on(page)
    return found[::-1] if has(page, "button", "^Newest first$") else found


def open_parts(page: Page) -> list[str]:
    """Return the keys of an issue's sub-tasks that its page does not show as done."""
    found: list[str] = []
    key = ""
    for line in lines(within(page, "region", "^Subtasks")):
        if line.role == "listitem":
            key = ""
        if line.role == "link" and KEY.match(line.name):
            key = line.name
        if key and re.search(r"\b(To Do|In Progress|In Review)\b", f"{line.name} {line.text}"):
            found.append(key)
            key = ""
    return found


def read_guide(space: ActingSpace, page: Page, key: str) -> tuple[Page, Guide]:
    """Find and read the guide of the space."""
    words = '(summary ~ "work" OR summary ~ "Done")'
    where = f"project = {key.partition('-')[0]} AND {OPEN} AND {words}"
    page = query(space, page, f"{where} ORDER BY created DESC")
    rows = [row for row in rows_on(page) if GUIDE.match(row.summary)]
    if not rows:
        raise NotOnPage("there is no guide to closing work")
    page = space.act("browser_click", ref=rows[0].ref)
    today = datetime.fromisoformat(str(page["now"])).date()
    return page, guide_of(page_text(page), said_on(page), today)


def fill(space: ActingSpace, page: Page, guide: Guide, value: str | float) -> Page:
    """Fill the field that review asks for."""
    if guide.field == "Fix versions":
        return set_choice(space, page, guide.field, str(value))
    text = f"{value:g}" if isinstance(value, float) else value
    return set_text(space, page, guide.field, text)


def ask(space: ActingSpace, page: Page, approver: str, key: str) -> Page:
    """Give the work to whoever approves it, say what there is to look at, and wait for it.

    Raises:
        NotOnPage: nobody approves it.
    """
    page = set_choice(space, page, "Assignee", approver)
    comment(space, page, "Ready for your approval: all that was agreed here is done.")
    for _ in range(ROUNDS):
        space.act("wait", minutes=1440)
        page = open_issue(space, space.observe(), key)
        if status_on(page) == "Approved":
            return page
    raise NotOnPage("nobody approved the work")
