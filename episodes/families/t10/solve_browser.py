"""How a careful agent sets a board up: by roles and names, as a person finds things.

There is no other way: the vendor's public API reads a board's set-up and does not change it.
"""

from __future__ import annotations

import re
from typing import Final

from episodes.families.t10.request import Column, Quick, Request, read_request
from episodes.tasks.acting import ActingSpace
from episodes.tasks.careful_pages import CarefulPages
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of
from episodes.tasks.tracker_pages import Page, query, rows_on, within

OWN: Final = 'assignee = currentUser() AND statusCategory = "To Do" ORDER BY created DESC'
LANES: Final = {"none": "None", "assignee": "Assignees", "parent": "Epics", "project": "Spaces"}
UNMAPPED: Final = "Unmapped"
SETTINGS: Final = "^(Board settings|Configure board)$"


def in_browser(space: ActingSpace) -> None:
    """Set the board up through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    space = CarefulPages(space)
    asked = asked_for(space)
    page = settings_of(space, asked.board)
    page = set_columns(space, page, asked)
    page = tab(space, page, "Quick filters")
    for quick in asked.quick:
        page = add_filter(space, page, quick)
    page = tab(space, page, "Swimlanes")
    set_lanes(space, page, asked)
    space.act("finish", status="done")


def asked_for(space: ActingSpace) -> Request:
    """Return what the work item that the goal speaks of asks for."""
    page = query(space, space.observe(), OWN)
    for row in rows_on(page):
        people = [part.strip() for part in row.words.split("|")]
        if any(len(name) > 4 and name in space.goal for name in people):
            return read_request(page_text(space.act("browser_click", ref=row.ref)))
    raise NotOnPage("nothing that is mine was asked for by anybody whom the goal names")


def settings_of(space: ActingSpace, board: str) -> Page:
    """Open the columns of a board's settings, by the list of boards."""
    page = space.observe()
    page = space.act("browser_click", ref=ref_of(page, "link", "^(View all boards|Boards)$"))
    page = space.act("browser_click", ref=ref_of(page, "link", f"^{re.escape(board)}$"))
    for role in ("link", "menuitem"):
        if has(page, role, SETTINGS):
            break
    else:
        page = space.act("browser_click", ref=ref_of(page, "button", "^(More|Board) actions"))
    role = "menuitem" if has(page, "menuitem", SETTINGS) else "link"
    page = space.act("browser_click", ref=ref_of(page, role, SETTINGS))
    return tab(space, page, "Columns")


def tab(space: ActingSpace, page: Page, name: str) -> Page:
    """Go to a page of a board's settings."""
    part = within(page, "navigation", "^Board settings$")
    return space.act("browser_click", ref=ref_of(part, "link", f"^{name}$"))


def set_columns(space: ActingSpace, page: Page, asked: Request) -> Page:
    """Give the board its columns: as many as wanted, named and limited in turn, then statuses."""
    while len(columns_on(page)) < len(asked.columns):
        page = add_column(space, page, f"Column {len(columns_on(page)) + 1}")
    while len(columns_on(page)) > len(asked.columns):
        page = delete_column(space, page, columns_on(page)[0])
    for place, column in enumerate(asked.columns):
        page = edit_column(space, page, columns_on(page)[place], column)
    return map_statuses(space, page, asked)


def columns_on(page: Page) -> list[str]:
    """Return the names of a board's columns, from left to right."""
    prefix = "Edit column "
    names = [line.name for line in lines(page) if line.role == "link"]
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def add_column(space: ActingSpace, page: Page, name: str) -> Page:
    """Add a column; it stands before the last one."""
    page = space.act("browser_click", ref=ref_of(page, "link", "^Add column$"))
    form = _form(page)
    page = space.act("browser_type", ref=ref_of(form, "textbox", "^Name"), text=name)
    return space.act("browser_click", ref=ref_of(_form(page), "button", "^Add$"))


def delete_column(space: ActingSpace, page: Page, name: str) -> Page:
    """Delete a column."""
    link = ref_of(page, "link", f"^Delete column {re.escape(name)}$")
    page = space.act("browser_click", ref=link)
    return space.act("browser_click", ref=ref_of(_form(page), "button", "^Delete$"))


def edit_column(space: ActingSpace, page: Page, name: str, column: Column) -> Page:
    """Give a column another name and limits."""
    link = ref_of(page, "link", f"^Edit column {re.escape(name)}$")
    page = space.act("browser_click", ref=link)
    fields = [("textbox", "^Name", column.name)]
    fields += [
        ("textbox", f"^{word} work items", limit)
        for word, limit in (("Minimum", column.minimum), ("Maximum", column.maximum))
        if limit
    ]
    for role, pattern, text in fields:
        page = space.act("browser_type", ref=ref_of(_form(page), role, pattern), text=text)
    return space.act("browser_click", ref=ref_of(_form(page), "button", "^Save$"))


def map_statuses(space: ActingSpace, page: Page, asked: Request) -> Page:
    """Put every status into its column, what is not named into none."""
    wanted = {status: column.name for column in asked.columns for status in column.statuses}
    prefix = "Column of "
    boxes = [line.name for line in lines(page) if line.role == "combobox"]
    for status in [name.removeprefix(prefix) for name in boxes if name.startswith(prefix)]:
        box = ref_of(page, "combobox", f"^Column of {re.escape(status)}$")
        options = [wanted.get(status, UNMAPPED)]
        page = space.act("browser_select", ref=box, options=options)
    return page


def add_filter(space: ActingSpace, page: Page, quick: Quick) -> Page:
    """Add a quick filter."""
    page = space.act("browser_click", ref=ref_of(page, "link", "^Add quick filter$"))
    for pattern, text in (("^Name", quick.name), ("^JQL", quick.jql)):
        page = space.act("browser_type", ref=ref_of(_form(page), "textbox", pattern), text=text)
    return space.act("browser_click", ref=ref_of(_form(page), "button", "^Add$"))


def set_lanes(space: ActingSpace, page: Page, asked: Request) -> Page:
    """Say what swimlanes are based on."""
    box = ref_of(page, "combobox", "^Base swimlanes on$")
    return space.act("browser_select", ref=box, options=[LANES[asked.lanes]])


def _form(page: Page) -> Page:
    """Return the dialog of a page if one is open, else all of it."""
    return within(page, "dialog") if has(page, "dialog", "") else page
