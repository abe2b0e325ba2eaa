"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from episodes.families.h05.reading import limits_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import (
    Page,
    answer_and_solve,
    open_ticket,
    search,
    to_internal_note,
)
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of

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


def explain(space: ActingSpace, page: Page, cause: str, words: str) -> None:
    """Record the cause, tell the customer, solve, finish."""
    field = ref_of(page, "combobox", "^Resolution reason$")
    page = space.act("browser_select", ref=field, options=[LABELS[cause]])
    answer_and_solve(space, page, words)
