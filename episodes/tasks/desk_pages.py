"""What oracles do on the helpdesk's pages again and again: by roles and names, as people do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, ref_of

Page = Mapping[str, Any]


def open_ticket(space: ActingSpace, page: Page) -> Page:
    """Search for new tickets and open the one whose requester the goal names."""
    page = search(space, page, "status:new")
    link = None
    for line in lines(page):
        if line.role == "link" and re.fullmatch(r"#\d+", line.name):
            link = line.ref
        elif line.role in ("cells", "cell") and link is not None:
            requester = (line.text or line.name).partition(" | ")[0].strip()
            if requester and requester in space.goal:
                return space.act("browser_click", ref=link)
    raise NotOnPage("no new ticket is of anybody whom the goal names")


def search(space: ActingSpace, page: Page, text: str) -> Page:
    """Search the helpdesk."""
    box = ref_of(page, "searchbox", "Search Helpdesk")
    return space.act("browser_type", ref=box, text=text, submit=True)


def to_internal_note(space: ActingSpace, page: Page) -> Page:
    """Switch the composer to an internal note."""
    page = space.act("browser_click", ref=ref_of(page, "button", "^Public reply$"))
    role = "menuitemradio" if has(page, "menuitemradio", "^Internal note") else "menuitem"
    return space.act("browser_click", ref=ref_of(page, role, "^Internal note"))


def answer_and_solve(space: ActingSpace, page: Page, words: str) -> None:
    """Take the ticket, reply, submit as solved, finish."""
    page = space.act("browser_click", ref=ref_of(page, "button", "^take it$"))
    text = f"Hello,\n\n{words}\n\nSorry for the trouble."
    page = space.act(
        "browser_type", ref=ref_of(page, "textbox", "^Public reply composer"), text=text
    )
    page = space.act("browser_click", ref=ref_of(page, "button", "^Submit as another status"))
    space.act("browser_click", ref=ref_of(page, "menuitem", "^Submit as Solved"))
    space.act("finish", status="done")


def conversation_on(page: Page) -> list[str]:
    """Return what a ticket's page shows of its conversation, oldest first."""
    found: list[list[str]] = []
    inside = False
    for line in lines(page):
        if line.role == "article":
            found.append([])
            inside = True
        elif line.role == "region":
            inside = False
        elif inside and line.role == "paragraph":
            # A page runs the lines of a list together.
            text = line.text or line.name
            found[-1].append(text.replace(" - ", "\n- ") if text.startswith("- ") else text)
    return ["\n\n".join(paragraphs) for paragraphs in found]
