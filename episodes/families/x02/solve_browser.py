"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.x02.reading import (
    Known,
    Note,
    Plan,
    Report,
    note_of,
    note_on,
    plan,
    report_of,
)
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import (
    Page,
    conversation_on,
    open_ticket,
    to_internal_note,
)
from episodes.tasks.desk_pages import search as search_desk
from episodes.tasks.page_reading import NotOnPage, has, page_text, ref_of
from episodes.tasks.tracker_pages import (
    comment,
    detail_on,
    open_issue,
    query,
    rows_on,
    status_on,
    within,
)

PINNED: Final = "PINNED: raising bugs with engineering"
DONE: Final = ("Done", "Closed", "Resolved", "Released")
MADE: Final = re.compile(r"You've created \"(?P<key>[A-Z][A-Z0-9_]+-\d+)\"")
NUMBER: Final = re.compile(r"/tickets/(?P<number>\d+)")


def in_browser(space: ActingSpace) -> None:
    """Read ticket, note and record; raise the bug or join it; link, tell, hold; finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_ticket(space, space.observe())
    address = str(page["url"]).partition("?")[0]
    told = report_of(conversation_on(page))
    page = search_desk(space, page, "PINNED raising bugs")
    page = space.act("browser_click", ref=ref_of(page, "link", f"^{PINNED}$"))
    note = note_of(conversation_on(page)[0])
    page = space.act("browser_goto", url=f"{space.accounts['tracker']['url']}/jira/for-you")
    page, known = on_record(space, page, note, told)
    found = plan(note, told, known)
    page, key = report(space, page, found)
    link_to(space, page, address)
    page = space.act("browser_goto", url=address)
    leave_note(space, page, note_on(key))
    page = space.act("browser_goto", url=address)
    tell_and_hold(space, page, found)
    space.act("finish", status="done")


def on_record(
    space: ActingSpace, page: Page, note: Note, told: Report
) -> tuple[Page, Known | None]:
    """Look for the code of the error in the note's space, and read what is on record of it."""
    where = f'project = "{note.space}" AND text ~ "{told.code}" ORDER BY created'
    page = query(space, page, where)
    rows = rows_on(page)
    found: list[Known] = []
    for row in rows:
        page = open_issue(space, page, row.key)
        version = detail_on(page, "Fix versions") or None
        done = status_on(page) in DONE
        found.append(Known(row.key, done, detail_on(page, "Priority"), version))
    return page, next(iter(sorted(found, key=lambda one: one.done)), None)


def report(space: ActingSpace, page: Page, found: Plan) -> tuple[Page, str]:
    """Raise the bug, or comment on the one on record; return its page and its key."""
    text = "\n\n".join(found.paragraphs)
    if found.joined is not None:
        return comment(space, page, text), found.joined
    page = space.act("browser_click", ref=ref_of(page, "link", "^Create$"))
    page = _choose(space, page, "^Space", found.note.space)
    page = _choose(space, page, "^Work type", "Bug")
    page = _type(space, page, "^Summary", found.summary)
    page = _type(space, page, "^Description", text)
    page = _choose(space, page, "^Components", found.component)
    page = _choose(space, page, "^Priority", found.priority)
    page = space.act("browser_click", ref=ref_of(_form(page), "button", "^Create$", nth=-1))
    made = MADE.search(page_text(page))
    if made is None:
        raise NotOnPage(f"nothing says what was made on {page.get('url')}")
    return open_issue(space, page, made["key"]), made["key"]


def _form(page: Page) -> Page:
    return within(page, "dialog") if has(page, "dialog", "") else page


def _choose(space: ActingSpace, page: Page, label: str, value: str) -> Page:
    """Choose a value in the form."""
    form = _form(page)
    role = "combobox" if has(form, "combobox", label) else "listbox"
    return space.act("browser_select", ref=ref_of(form, role, label), options=[value])


def _type(space: ActingSpace, page: Page, label: str, text: str) -> Page:
    return space.act("browser_type", ref=ref_of(_form(page), "textbox", label), text=text)


def link_to(space: ActingSpace, page: Page, address: str) -> Page:
    """Link the issue at hand with a ticket's page."""
    number = NUMBER.search(address)
    if number is None:
        raise NotOnPage(f"{address} is no ticket's page")
    page = space.act("browser_click", ref=ref_of(page, "button", "^Add web link$"))
    page = space.act("browser_type", ref=ref_of(page, "textbox", "^URL$"), text=address)
    text = f"Ticket {number['number']}"
    page = space.act("browser_type", ref=ref_of(page, "textbox", "^Link text$"), text=text)
    return space.act("browser_click", ref=ref_of(page, "button", "^Add link$"))


def leave_note(space: ActingSpace, page: Page, text: str) -> Page:
    """Leave an internal note; the status stays."""
    page = to_internal_note(space, page)
    box = ref_of(page, "textbox", "^Internal note composer")
    page = space.act("browser_type", ref=box, text=text)
    return space.act("browser_click", ref=ref_of(page, "button", "^Submit as "))


def tell_and_hold(space: ActingSpace, page: Page, found: Plan) -> Page:
    """Tell the customer, and put the ticket on hold."""
    if not has(page, "textbox", "^Public reply composer"):
        page = space.act("browser_click", ref=ref_of(page, "button", "^Internal note$"))
        role = "menuitemradio" if has(page, "menuitemradio", "^Public reply") else "menuitem"
        page = space.act("browser_click", ref=ref_of(page, role, "^Public reply"))
    box = ref_of(page, "textbox", "^Public reply composer")
    page = space.act("browser_type", ref=box, text=f"Hello,\n\n{found.answer}")
    page = space.act("browser_click", ref=ref_of(page, "button", "^Submit as another status"))
    return space.act("browser_click", ref=ref_of(page, "menuitem", "^Submit as On-hold"))
