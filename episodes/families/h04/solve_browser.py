"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h04.reading import TITLE, Verdict, decide, desks_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, conversation_on, search, to_internal_note
from episodes.tasks.page_reading import TreeNode, lines, ref_of
from episodes.tasks.rule_pages import choose

# How the dashboard puts that a first reply is due within the hour.
LEFT: Final = re.compile(r"^First reply \| \d{1,2}m$")
MACROS: Final = "First reply::"


def in_browser(space: ActingSpace) -> None:
    """Read the rules, then take from the dashboard what breaches next, until all is done.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = search(space, space.observe(), "PINNED first replies")
    page = space.act("browser_click", ref=ref_of(page, "link", "PINNED: first replies"))
    desks = desks_of("\n".join(conversation_on(page)))
    page = home(space, page)
    titles: list[str] = []
    for place in range(len(due_on(page))):
        if place:
            page = home(space, page)
        page = space.act("browser_click", ref=due_on(page)[0])
        said = conversation_on(page)
        if not titles:
            page = type_macro(space, page, MACROS)
            titles = [line.name for line in lines(page) if is_title(line)]
        verdict = decide(said, desks, titles)
        if verdict.macro is not None:
            page = answer(space, page, verdict.macro)
        else:
            page = hand_over(space, page, verdict)
    space.act("finish", status="done")


def home(space: ActingSpace, page: Page) -> Page:
    """Go to the dashboard."""
    return space.act("browser_click", ref=ref_of(page, "link", "^(?:Home|Dashboard)$"))


def due_on(page: Page) -> list[str]:
    """Return the links to what the dashboard shows as due within the hour, the nearest first."""
    found: list[str] = []
    link = None
    for line in lines(page):
        if line.role == "link":
            link = line.ref
        elif LEFT.match(line.text or line.name) and link is not None:
            found.append(link)
    return found


def type_macro(space: ActingSpace, page: Page, text: str) -> Page:
    """Write into the box of macros, which lists those whose titles have the text."""
    box = ref_of(page, "combobox", "^Apply macro$")
    return space.act("browser_type", ref=box, text=text)


def is_title(line: TreeNode) -> bool:
    """Tell whether a line is a macro for first replies in the list of macros."""
    return line.role == "option" and TITLE.match(line.name) is not None


def answer(space: ActingSpace, page: Page, title: str) -> Page:
    """Apply a macro, which fills in the reply and sets the status, and submit."""
    page = type_macro(space, page, title)
    option = ref_of(page, "option", f"^{re.escape(title)}$")
    page = space.act("browser_click", ref=option)
    return space.act("browser_click", ref=ref_of(page, "button", "^Submit as Pending$"))


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
