"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from episodes.families.h05.reading import limits_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of

Page = Mapping[str, Any]

ROW: Final = re.compile(
    r"(?P<day>\d{1,2} \w{3} \d{4}), (?P<time>\d\d:\d\d)"
    r" \| \D?(?P<sum>[\d,]+\.\d\d) (?P<currency>[A-Z]{3})"
    r" \| (?P<text>.*?) (?P<id>ch_\w+) \| (?P<status>\w+) \| (?P<card>[^|]+)"
)
LABELS: Final = {
    "proration": "Upgrade proration",
    "subscriptions": "Two subscriptions",
    "refunded": "Already refunded",
    "currency": "Shown in two currencies",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One charge as the billing panel shows it."""

    id: str
    at: datetime
    sum: str
    currency: str
    text: str
    refunded: bool

    @property
    def money(self) -> str:
        """The sum with its currency."""
        return f"{self.sum} {self.currency}"

    @property
    def day(self) -> str:
        """The day as a reply words it."""
        return self.at.strftime("%d %B %Y").lstrip("0")


def in_browser(space: ActingSpace) -> None:
    """Put the double charge right through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_ticket(space, space.observe())
    complaint, rows = page_text(page), charges_on(page)
    pair = _pair(rows, complaint)
    if pair is None:
        explain(space, page, "currency", _once(rows, complaint))
        return
    earlier, later = pair
    texts = f"{earlier.text} {later.text}".lower()
    if "proration" in texts:
        words = (
            f"these are two different charges: {earlier.money} for your plan, and {later.money} for"
            f" the upgrade of {later.day}, prorated for the rest of the period."
        )
        explain(space, page, "proration", words)
    elif "workshop a" in texts:
        words = (
            "you have two subscriptions, one for each workshop, and both fell due on"
            f" {later.day}: {earlier.money} and {later.money}."
        )
        explain(space, page, "subscriptions", words)
    elif later.refunded:
        words = (
            f"we did take {later.money} twice on {later.day}, and a colleague has refunded the"
            " second charge already. The refund is on its way to your card."
        )
        explain(space, page, "refunded", words)
    else:
        refund_and_tell(space, page, later)


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


def charges_on(page: Page) -> list[Row]:
    """Return the charges that the billing panel shows, newest first."""
    found = []
    for line in lines(page):
        match = ROW.search(line.text)
        if line.role == "cells" and match is not None:
            at = datetime.strptime(f"{match['day']} {match['time']} +0000", "%d %b %Y %H:%M %z")
            refunded = match["status"] == "Refunded"
            found.append(
                Row(match["id"], at, match["sum"], match["currency"], match["text"], refunded)
            )
    return found


def _pair(rows: list[Row], complaint: str) -> tuple[Row, Row] | None:
    """Return two charges of one sum within a few days, one that the complaint names if any."""
    named = [row for row in rows if row.money in complaint]
    candidates = named or rows
    for place, later in enumerate(candidates):
        for earlier in candidates[place + 1 :]:
            if later.money == earlier.money and (later.at - earlier.at).days < 4:
                return earlier, later
    return None


def _once(rows: list[Row], complaint: str) -> str:
    """Return the words for one charge that the bank shows twice."""
    charge = next(row for row in rows if row.money in complaint)
    return (
        f"there is only one charge of {charge.money} on {charge.day}. We settle it in another"
        " currency, so some banks show both sums: the money was taken once."
    )


def refund_and_tell(space: ActingSpace, page: Page, charge: Row) -> None:
    """Check the policy, ask the lead if it says so, refund, reply, solve, finish."""
    url = str(page["url"])
    page = search(space, page, "PINNED refund policy")
    page = space.act("browser_click", ref=ref_of(page, "link", "PINNED: refund policy"))
    limits = limits_of(page_text(page))
    page = space.act("browser_goto", url=url)
    age = (datetime.fromisoformat(page["now"]) - charge.at).days
    total = float(charge.sum.replace(",", ""))
    beyond = limits.own_limit is not None and total > limits.own_limit
    if beyond or age > limits.window_days:
        page = ask_lead(space, page, charge, url)
    page = space.act("browser_click", ref=ref_of(page, "button", f"^Refund {charge.id}"))
    page = space.act(
        "browser_select", ref=ref_of(page, "combobox", "^Reason$"), options=["Duplicate"]
    )
    page = space.act("browser_click", ref=ref_of(page, "button", r"^Refund \D?[\d,]+\.\d\d$"))
    words = (
        f"you are right: we took the payment of {charge.day} twice. I have refunded"
        f" {charge.money} on charge {charge.id}. It will be on your statement within two to five"
        " working days."
    )
    answer_and_solve(space, page, words)


def ask_lead(space: ActingSpace, page: Page, charge: Row, url: str) -> Page:
    """Leave a note for the lead, wait for the yes, and return the ticket's page.

    Raises:
        NotOnPage: the lead did not agree.
    """
    note = f"Please approve the refund of {charge.money} on charge {charge.id} (double charge)."
    page = to_internal_note(space, page)
    page = space.act("browser_type", ref=ref_of(page, "textbox", "composer$"), text=note)
    space.act("browser_click", ref=ref_of(page, "button", "^Submit as Open"))
    for _ in range(4):
        space.act("wait", minutes=2880)
        page = space.act("browser_goto", url=url)
        notes = [line for line in lines(page) if line.role == "article" and "nternal" in line.name]
        if len(notes) > 1:
            return page
    raise NotOnPage("the lead did not answer")


def to_internal_note(space: ActingSpace, page: Page) -> Page:
    """Switch the composer to an internal note."""
    page = space.act("browser_click", ref=ref_of(page, "button", "^Public reply$"))
    role = "menuitemradio" if has(page, "menuitemradio", "^Internal note") else "menuitem"
    return space.act("browser_click", ref=ref_of(page, role, "^Internal note"))


def explain(space: ActingSpace, page: Page, cause: str, words: str) -> None:
    """Record the cause, tell the customer, solve, finish."""
    field = ref_of(page, "combobox", "^Resolution reason$")
    page = space.act("browser_select", ref=field, options=[LABELS[cause]])
    answer_and_solve(space, page, words)


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
