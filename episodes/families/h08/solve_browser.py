"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from episodes.families.h08.reading import DOUBTFUL, REPLY, HeldMail, is_real, rules_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, search
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of

ADDRESS: Final = re.compile(r"[\w.'+-]+@[\w.-]+")
CELLS: Final = re.compile(r"^(?P<author>.*?) \| (?P<cause>[^|]+?) \| (?P<time>[^|]+)$")


@dataclass(frozen=True, slots=True)
class Row:
    """A mail in the list of suspended tickets."""

    subject: str
    sender: str
    cause: str


def in_browser(space: ActingSpace) -> None:
    """Read the rules, open what is doubtful, let in what is real, delete the rest.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = search(space, space.observe(), "PINNED held mail")
    page = space.act("browser_click", ref=ref_of(page, "link", "PINNED: held mail"))
    rules = rules_of(page_text(page))
    page = open_queue(space, page)
    real = []
    for row in list(rows(page)):
        page, mail = read(space, page, row)
        if is_real(mail, rules):
            real.append(row)
    junk = len(list(rows(page))) - len(real)
    page = recover(space, page, real)
    if junk:
        page = space.act("browser_click", ref=ref_of(page, "checkbox", "^Select all"))
        space.act("browser_click", ref=ref_of(page, "button", "^Delete$"))
    space.act("finish", status="done")


def open_queue(space: ActingSpace, page: Page) -> Page:
    """Go to the suspended tickets by the list of views."""
    page = space.act("browser_click", ref=ref_of(page, "link", "^Views$"))
    return space.act("browser_click", ref=ref_of(page, "link", "^Suspended tickets"))


def rows(page: Page) -> Iterator[Row]:
    """Yield the mails that the list shows, top to bottom."""
    subject: str | None = None
    for line in lines(page):
        if line.role == "checkbox" and line.name.startswith("Select "):
            subject = line.name.removeprefix("Select ")
        elif line.role == "cells" and subject is not None:
            found = CELLS.match(line.text)
            if found is not None:
                sender = ADDRESS.findall(found["author"])
                yield Row(subject, sender[-1] if sender else "", found["cause"])
            subject = None


def read(space: ActingSpace, page: Page, row: Row) -> tuple[Page, HeldMail]:
    """Open a mail where the list does not say enough; return the list again, and the mail."""
    content, owner = "", None
    if row.cause in (*DOUBTFUL, REPLY):
        page = space.act("browser_click", ref=_subject(page, row.subject))
        content = _content(page)
        if row.cause == REPLY:
            page = space.act("browser_click", ref=ref_of(page, "link", r"^#\d+$"))
            owner = _requester(page)
            page = space.act("browser_back")
        page = space.act("browser_back")
    return page, HeldMail(row.cause, row.sender, row.subject, content, owner)


def _subject(page: Page, subject: str) -> str:
    return ref_of(page, "link", f"^{re.escape(subject)}$")


def _content(page: Page) -> str:
    """Return the text of the mail that is open, without what the page says around it."""
    inside = False
    parts = []
    for line in lines(page):
        inside = inside or (line.role == "article" and line.name == "Mail")
        if inside:
            parts.append(line.text)
    return "\n".join(parts)


def _requester(page: Page) -> str:
    """Return the address of the requester of the ticket that is open.

    Raises:
        NotOnPage: the page shows none.
    """
    for line in lines(page):
        if line.role == "combobox" and line.name == "Requester":
            found = ADDRESS.search(line.text)
            if found is not None:
                return found[0]
    raise NotOnPage(f"no requester is shown on {page.get('url')}")


def recover(space: ActingSpace, page: Page, real: list[Row]) -> Page:
    """Let mails in for their senders; return the list of what is left."""
    if not real:
        return page
    for row in real:
        name = f"^Select {re.escape(row.subject)}$"
        page = space.act("browser_click", ref=ref_of(page, "checkbox", name))
    page = space.act("browser_click", ref=ref_of(page, "button", "^Recover automatically$"))
    # A single one leads on to its ticket.
    return page if has(page, "heading", "^Suspended tickets$") else open_queue(space, page)
