"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.t02.request import Request, read_request
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of
from episodes.tasks.tracker_pages import Page, query, rows_on

OWN: Final = 'assignee = currentUser() AND statusCategory = "To Do" ORDER BY created DESC'
EVERYBODY: Final = "My organization"


def in_browser(space: ActingSpace) -> None:
    """Save the filter through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = _request(space, query(space, space.observe(), OWN))
    asked = read_request(page_text(page))
    page = query(space, page, asked.jql)
    page = space.act("browser_click", ref=_opener(page, "Save filter"))
    box = ref_of(page, "textbox", "^Filter name")
    page = space.act("browser_type", ref=box, text=asked.name)
    page = space.act("browser_click", ref=ref_of(page, "button", "^Save$"))
    page = space.act("browser_click", ref=ref_of(page, "link", "^Details and sharing$"))
    box = ref_of(page, "combobox", "^Add viewers$")
    page = space.act("browser_select", ref=box, options=[_audience(asked)])
    space.act("browser_click", ref=ref_of(page, "button", "^Save$"))
    space.act("finish", status="done")


def _request(space: ActingSpace, page: Page) -> Page:
    """Open the work item of whoever the goal names."""
    for row in rows_on(page):
        reporters = [part.strip() for part in row.words.split("|")]
        if any(len(name) > 4 and name in space.goal for name in reporters):
            return space.act("browser_click", ref=row.ref)
    raise NotOnPage("nothing that is mine was asked for by anybody whom the goal names")


def _audience(asked: Request) -> str:
    kind, name = asked.share
    return EVERYBODY if kind == "loggedin" else name


def _opener(page: Page, words: str) -> str:
    """Return the ref of what opens a part of a page by these words, whatever its role.

    Raises:
        NotOnPage: nothing says them.
    """
    pattern = re.compile(rf"^{re.escape(words)}$")
    for line in lines(page):
        if line.ref is not None and pattern.match(line.name or line.text):
            return line.ref
    raise NotOnPage(f"nothing says {words!r} on {page.get('url')}")
