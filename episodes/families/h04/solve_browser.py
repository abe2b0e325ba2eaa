"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from episodes.families.h04.reading import TITLE, Verdict, decide, desks_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, conversation_on, search, to_internal_note
from episodes.tasks.page_reading import lines, ref_of
from episodes.tasks.rule_pages import choose

# How the dashboard puts that something is due within the hour.
LEFT: Final = re.compile(r"\bFirst reply\b.*?(?<![\w-])\d{1,2}m\b")


def in_browser(space: ActingSpace) -> None:
    """Read the rules, then take from the dashboard what breaches next until nothing does.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = search(space, space.observe(), "PINNED first replies")
    page = space.act("browser_click", ref=ref_of(page, "link", "PINNED: first replies"))
    desks = desks_of("\n".join(conversation_on(page)))
    page = home(space, page)
    while (link := next_due(page)) is not None:
        page = space.act("browser_click", ref=link)
        page = work_on(space, page, desks)
        page = home(space, page)
    space.act("finish", status="done")


def home(space: ActingSpace, page: Page) -> Page:
    """Go to the dashboard."""
    return space.act("browser_click", ref=ref_of(page, "link", "^(?:Home|Dashboard)$"))


def next_due(page: Page) -> str | None:
    """Return the ref of the ticket whose first reply breaches next within the hour, or None."""
    link = None
    for line in lines(page):
        if line.role == "link":
            link = line.ref
        elif LEFT.search(line.text or line.name):
            return link
    return None


def work_on(space: ActingSpace, page: Page, desks: Mapping[str, str]) -> Page:
    """Apply the macro that answers the ticket at hand, or hand it over; submit."""
    titles = [line.name for line in lines(page) if line.role == "option" and TITLE.match(line.name)]
    verdict = decide(conversation_on(page), desks, titles)
    if verdict.macro is not None:
        page = choose(space, page, "Apply macro", verdict.macro)
        return space.act("browser_click", ref=ref_of(page, "button", "^Submit as Pending$"))
    return hand_over(space, page, verdict)


def hand_over(space: ActingSpace, page: Page, verdict: Verdict) -> Page:
    """Write a note, choose the group, submit."""
    page = to_internal_note(space, page)
    note = ref_of(page, "textbox", "^Internal note composer")
    page = space.act("browser_type", ref=note, text=note_of(verdict))
    page = choose(space, page, "Assignee", str(verdict.group))
    return space.act("browser_click", ref=ref_of(page, "button", "^Submit as Open$"))


def note_of(verdict: Verdict) -> str:
    """Return the note that goes with what is handed over."""
    return f"Not for the first line, please take over. Serial number: {verdict.serial}"
