"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from episodes.families.t15.reading import (
    GUIDE,
    Guide,
    again_from,
    deputy_of,
    guide_of,
    message_of,
    need_of,
    space_of,
)
from episodes.families.t15.words import QUESTIONS, REMINDER
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, page_text, ref_of
from episodes.tasks.tracker_pages import (
    Page,
    change_status,
    description_on,
    entries_on,
    open_issue,
    query,
    rows_on,
    set_choice,
    spaces_on,
    status_on,
    within,
)

ROUNDS: Final = 6
MINE: Final = "assignee = currentUser() AND resolution = Unresolved"
CUSTOMER: Final = "Waiting for customer"
APPROVAL: Final = "Waiting for approval"


def in_browser(space: ActingSpace) -> None:
    """Read the guide and the list; answer in its order; see the approval through; finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    name = space_of(space.goal, spaces_on(space.observe()))
    page, guide, notes, today = read_guide(space, name)
    order = f'ORDER BY "{guide.promise}" ASC'
    page = query(space, page, f'project = "{name}" AND {MINE} {order}')
    keys = [row.key for row in rows_on(page)]
    texts: dict[str, tuple[str, str | None]] = {}
    waiting, deputy = "", None
    for key in keys:
        page = open_issue(space, page, key)
        if status_on(page) == APPROVAL:
            waiting, deputy = key, deputy_of(by_the_asked(page, notes), today)
        elif status_on(page) != CUSTOMER:
            texts[key] = answer_of(page)
    for key, (text, resolution) in texts.items():
        page = open_issue(space, page, key)
        page = reply(space, page, text)
        page = settle(space, page, resolution)
    page = call(space, open_issue(space, page, waiting), deputy)
    page = await_decision(space, page, waiting)
    follow(space, page, guide)
    space.act("finish", status="done")


def read_guide(space: ActingSpace, name: str) -> tuple[Page, Guide, list[str], date]:
    """Return the page of the desk's guide, what it says, what stands below, and what day it is.

    Raises:
        NotOnPage: there is none.
    """
    where = f'project = "{name}" AND resolution = Unresolved AND summary ~ "queue"'
    page = query(space, space.observe(), f"{where} ORDER BY created DESC")
    rows = [row for row in rows_on(page) if GUIDE.match(row.summary)]
    if not rows:
        raise NotOnPage("there is no guide to the queue")
    page = space.act("browser_click", ref=rows[0].ref)
    today = datetime.fromisoformat(str(page["now"])).date()
    return page, guide_of(page_text(page)), entries_on(page), today


def by_the_asked(page: Page, notes: list[str]) -> list[str]:
    """Return the notes that were written by those who are asked to approve a request."""
    asked = page_text(within(page, "list", "^Approvers$")).split("\n")
    return [note for note in notes if any(f"comment of {name}," in note for name in asked)]


def answer_of(page: Page) -> tuple[str, str | None]:
    """Return what the customer of a request is told or asked, and its resolution if it is done."""
    message = message_of(entries_on(page))
    if message is not None:
        return f"Hello, it is done: {message}.", "Done"
    return QUESTIONS[need_of(description_on(page))], None


def reply(space: ActingSpace, page: Page, text: str) -> Page:
    """Reply to the customer of a request."""
    form = within(page, "form", "^Add a comment$")
    page = space.act("browser_click", ref=ref_of(form, "radio", "^Reply to customer$"))
    form = within(page, "form", "^Add a comment$")
    box = ref_of(form, "textbox", "^Comment$")
    page = space.act("browser_type", ref=box, text=text)
    form = within(page, "form", "^Add a comment$")
    return space.act("browser_click", ref=ref_of(form, "button", "^Save$"))


def settle(space: ActingSpace, page: Page, resolution: str | None) -> Page:
    """Put a request where it belongs."""
    if resolution is None:
        return change_status(space, page, "Respond to customer")
    return change_status(space, page, "Resolve this issue", choices={"Resolution": resolution})


def call(space: ActingSpace, page: Page, deputy: str | None) -> Page:
    """Call the approval to mind, or put whoever stands in among the approvers."""
    if deputy is None:
        return reply(space, page, REMINDER)
    return set_choice(space, page, "Approvers", deputy)


def await_decision(space: ActingSpace, page: Page, key: str) -> Page:
    """Wait until it is decided, and return the page of the request then.

    Raises:
        NotOnPage: nobody decides.
    """
    for _ in range(ROUNDS):
        space.act("wait", minutes=1440)
        page = open_issue(space, space.observe(), key)
        if status_on(page) != APPROVAL:
            return page
    raise NotOnPage("nobody decides on the approval")


def follow(space: ActingSpace, page: Page, guide: Guide) -> Page:
    """Tell the customer what was decided, and pass on what was approved."""
    if status_on(page) == "Closed":
        said = entries_on(page)
        day = again_from(said[::-1] if has(page, "button", "^Newest first$") else said)
        text = f"Hello, this was declined for now. You can ask again from {day}."
        return reply(space, page, text)
    text = f"Hello, this was approved. It comes within {guide.days} working days."
    page = reply(space, page, text)
    return set_choice(space, page, "Assignee", guide.buyer)
