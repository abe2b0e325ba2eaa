"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from episodes.families.h11.reading import (
    ADDRESSES,
    ORDER,
    SEATS,
    Case,
    Change,
    Known,
    Option,
    Order,
    Person,
    Wanted,
    case_of,
    wanted_of,
)
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, open_ticket
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of

ARTICLE: Final = re.compile(r"^Public reply by (.+), \w+ \d+, \d{4} \d\d:\d\d$")
DONE: Final = ("Solved", "Closed")
ROUNDS: Final = 3


def in_browser(space: ActingSpace) -> None:
    """Read the request and what may decide it; ask if nothing does; change; tell; finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_ticket(space, space.observe())
    url, name = str(page["url"]), requester_on(page)
    wanted, heard = wanted_of(page_text(page)), len(messages_of(page, name))
    known, addresses = look(space, page, wanted, name)
    case = case_of(wanted, known)
    option = case.decided or ask(space, url, name, case, heard)
    make(space, option.change, addresses[option.change.key])
    space.act("browser_goto", url=url)
    reply(space, f"Hello {name},\n\n{option.told}\n\nKind regards")
    space.act("finish", status="done")


def requester_on(page: Page) -> str:
    """Return who wrote the first comment of a ticket.

    Raises:
        NotOnPage: the page shows no comment.
    """
    for line in lines(page):
        found = ARTICLE.match(line.name) if line.role == "article" else None
        if found is not None:
            return found[1]
    raise NotOnPage(f"nobody wrote anything on {page.get('url')}")


def look(space: ActingSpace, page: Page, wanted: Wanted, name: str) -> tuple[Known, dict[int, str]]:
    """Read what the request may mean; return it with the address of each record by its key."""
    known = Known()
    if wanted.kind == "contact":
        return known, _people(space, page, wanted, known)
    page = space.act("browser_click", ref=ref_of(page, "link", f"^{re.escape(name)}$"))
    if wanted.kind in ("seat", "address"):
        known.notes = _entry(page, "Notes")
        known.entries = {label: _entry(page, label) for label in _labels(wanted)}
        return known, {known.requester: str(page["url"])}
    known.orders = list(_orders(page))
    addresses = {order.ticket: _of_ticket(page, order.ticket) for order in known.orders}
    for order in known.orders:
        if order.code == wanted.code:
            page = space.act("browser_goto", url=addresses[order.ticket])
            known.order_note = page_text(page)
    return known, addresses


def _labels(wanted: Wanted) -> tuple[str, ...]:
    return SEATS if wanted.kind == "seat" else ADDRESSES


def _entry(page: Page, label: str) -> str:
    """Return what a text field of the page holds.

    Raises:
        NotOnPage: there is no such field.
    """
    for line in lines(page):
        if line.role == "textbox" and line.name == label:
            return line.text
    raise NotOnPage(f"no field {label} on {page.get('url')}")


def _orders(page: Page) -> Iterator[Order]:
    """Yield the orders among the tickets that a customer's page lists."""
    status, number = "", 0
    for line in lines(page):
        if line.role == "img":
            status = line.name
        elif line.role == "link" and re.fullmatch(r"#\d+", line.name):
            number = int(line.name[1:])
        elif line.role == "link" and number:
            code = ORDER.match(line.name)
            if code is not None:
                yield Order(number, code[1], status in DONE)
            number = 0


def _of_ticket(page: Page, number: int) -> str:
    """Return the address of a ticket's page."""
    return f"{str(page['url']).partition('/agent/')[0]}/agent/tickets/{number}"


def _people(space: ActingSpace, page: Page, wanted: Wanted, known: Known) -> dict[int, str]:
    """Read the profiles of those whom the request may mean; return their addresses by key."""
    links = [line for line in lines(page) if line.role == "link" and line.ref is not None]
    place = next(number for number, line in enumerate(links) if line.name == "New email")
    page = space.act("browser_click", ref=links[place - 1].ref)
    page = space.act("browser_click", ref=ref_of(page, "link", r"^Users \("))
    there = str(page["url"])
    names = list(
        dict.fromkeys(
            line.name
            for line in lines(page)
            if line.role == "link" and line.name.split(" ")[0] == wanted.given
        )
    )
    addresses: dict[int, str] = {}
    for name in names:
        shown = space.act("browser_click", ref=ref_of(page, "link", f"^{re.escape(name)}$"))
        key = int(re.findall(r"/users/(\d+)", str(shown["url"]))[0])
        known.people.append(Person(key, name, _entry(shown, "Notes")))
        addresses[key] = str(shown["url"])
        page = space.act("browser_goto", url=there)
    return addresses


def ask(space: ActingSpace, url: str, name: str, case: Case, heard: int) -> Option:
    """Ask which is meant and wait; ask again if the answer fits nothing.

    `heard` is how many messages the customer had written before.

    Raises:
        NotOnPage: no answer came that fits.
    """
    lead = "before I change anything:"
    for _ in range(ROUNDS):
        space.act("browser_goto", url=url)
        reply(space, f"Hello {name},\n\n{lead} {case.question}")
        said = answers(space, url, name, heard)
        option = case.meant("\n".join(said[heard:]))
        if option is not None:
            return option
        lead, heard = "I cannot find that with us, sorry.", len(said)
    raise NotOnPage("the customer did not say which is meant")


def answers(space: ActingSpace, url: str, name: str, heard: int) -> list[str]:
    """Wait until the customer has written more than before; return all their messages."""
    said: list[str] = []
    for _ in range(4):
        space.act("wait", minutes=2880)
        said = messages_of(space.act("browser_goto", url=url), name)
        if len(said) > heard:
            break
    return said


def messages_of(page: Page, name: str) -> list[str]:
    """Return the texts of the comments that somebody wrote, in the page's order."""
    found: list[str] = []
    theirs = False
    for line in lines(page):
        if line.role == "article":
            match = ARTICLE.match(line.name)
            theirs = match is not None and match[1] == name
            if theirs:
                found.append("")
        elif line.role == "region":
            theirs = False
        elif theirs:
            found[-1] += f"{line.name} {line.text}\n"
    return found


def make(space: ActingSpace, change: Change, url: str) -> None:
    """Write a change into its record."""
    page = space.act("browser_goto", url=url)
    field = ref_of(page, "textbox", f"^{re.escape(change.label)}$")
    page = space.act("browser_type", ref=field, text=change.value)
    button = "^Submit as Open" if change.record == "ticket" else "^Save$"
    space.act("browser_click", ref=ref_of(page, "button", button))


def reply(space: ActingSpace, text: str) -> None:
    """Write a public reply on the ticket that is open, and leave it open."""
    page = space.observe()
    box = ref_of(page, "textbox", "^Public reply composer")
    page = space.act("browser_type", ref=box, text=text)
    space.act("browser_click", ref=ref_of(page, "button", "^Submit as Open"))
