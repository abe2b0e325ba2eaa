"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, search
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of

SERIAL: Final = re.compile(r"\b[A-Z]{2}[A-Z0-9]{2}-\d{4}-\d{4}\b")
NUMBER: Final = re.compile(r"#(\d+)\b")
OPEN: Final = frozenset({"New", "Open", "Pending", "On-hold"})
# The last of the repeats came in a day ago at most.
RECENT: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Shown:
    """A ticket of the customer in the list beside the one that is open."""

    number: int
    subject: str
    status: str


def in_browser(space: ActingSpace) -> None:
    """Open the customer's unsolved tickets one after the other, then merge those of one machine.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_newest(space)
    newest = number_of(page)
    # The list beside a ticket has the newest first; the one that is open is not in it.
    others = [shown for shown in history(page) if shown.status in OPEN]
    machines: dict[str, list[int]] = {serial_of(page): [newest]}
    for shown in others:
        page = space.act("browser_click", ref=link_to(page, shown.number))
        machines.setdefault(serial_of(page), []).append(shown.number)
    repeats = max(machines.values(), key=len)
    *sources, target = repeats
    for source in sorted(sources):
        page = merge(space, page, source, target)
    space.act("finish", status="done")


def open_newest(space: ActingSpace) -> Page:
    """Search what came in lately, and open the ticket of the one whom the goal names."""
    page = space.observe()
    since = (datetime.fromisoformat(page["now"]) - RECENT).date()
    page = search(space, page, f"status<solved created>={since}")
    link = None
    for line in lines(page):
        if line.role == "link" and re.fullmatch(r"#\d+", line.name):
            link = line.ref
        elif line.role in ("cells", "cell") and link is not None:
            requester = (line.text or line.name).partition(" | ")[0].strip()
            if requester and requester in space.goal:
                return space.act("browser_click", ref=link)
    raise NotOnPage("nothing that came in lately is of anybody whom the goal names")


def number_of(page: Page) -> int:
    """Return the number of the ticket whose page it is."""
    return int(str(page["url"]).rstrip("/").rpartition("/")[2])


def serial_of(page: Page) -> str:
    """Return the serial number that the conversation names, empty if none."""
    text = page_text(page)
    said = text[text.find("Conversation") :]
    found = SERIAL.search(said)
    return found[0] if found is not None else ""


def history(page: Page) -> list[Shown]:
    """Return the customer's other tickets as the page lists them, newest first."""
    found: list[Shown] = []
    inside, status, subject = False, "", ""
    for line in lines(page):
        if line.role == "region":
            inside = line.name == "Interaction history"
        elif inside and line.role == "img":
            status = line.name
        elif inside and line.role == "link":
            subject = line.name
        elif inside and line.role == "text" and (number := NUMBER.match(line.text)):
            found.append(Shown(int(number[1]), subject, status))
    return found


def link_to(page: Page, number: int) -> str:
    """Return the ref of the link to one of the customer's other tickets.

    Raises:
        NotOnPage: the page lists no such ticket.
    """
    inside, ref = False, None
    for line in lines(page):
        if line.role == "region":
            inside = line.name == "Interaction history"
        elif inside and line.role == "link":
            ref = line.ref
        elif inside and line.role == "text" and line.text.startswith(f"#{number} ") and ref:
            return ref
    raise NotOnPage(f"no ticket #{number} is listed on {page.get('url')}")


def merge(space: ActingSpace, page: Page, source: int, target: int) -> Page:
    """Go to a ticket by its tab and merge it into another; return the page of that one."""
    if number_of(page) != source:
        page = space.act("browser_click", ref=ref_of(page, "link", rf"#{source}$"))
    page = space.act("browser_click", ref=ref_of(page, "button", "^Ticket options$"))
    page = space.act("browser_click", ref=ref_of(page, "menuitem", "^Merge into another"))
    page = space.act("browser_click", ref=ref_of(page, "button", rf"^Merge into #{target}\b"))
    return space.act("browser_click", ref=ref_of(page, "button", "^Confirm and Merge$"))
