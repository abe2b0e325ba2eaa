"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h13.reading import Wanted, wanted_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, conversation_on, open_ticket
from episodes.tasks.page_reading import NotOnPage, lines, ref_of

# Which inputs take text, which are chosen in, and what an editor calls each action.
TEXTS: Final = ("Comment/description", "Add tags", "Remove tags")


def in_browser(space: ActingSpace) -> None:
    """Read the ticket to its end, fill in the editor of macros, finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_ticket(space, space.observe())
    wanted = wanted_of(conversation_on(page))
    group = wanted.group
    if wanted.ours:
        page = space.act("browser_click", ref=ref_of(page, "link", f"^{asker_on(page)}$"))
        group = default_group_on(page)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Admin Center$"))
    page = space.act("browser_click", ref=ref_of(page, "link", "^Macros$"))
    if wanted.same_as is not None:
        group = access_on(page, wanted.same_as)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Create macro$"))
    fill_in(space, page, wanted, str(group))
    space.act("finish", status="done")


def asker_on(page: Page) -> str:
    """Return who wrote first on a ticket's page.

    Raises:
        NotOnPage: nobody did.
    """
    for line in lines(page):
        found = re.match(r"Public reply by (.+), \w+ \d+, \d{4}", line.name)
        if line.role == "article" and found is not None:
            return re.escape(found.group(1))
    raise NotOnPage("nobody wrote on the ticket")


def default_group_on(page: Page) -> str:
    """Return the default group that somebody's profile shows.

    Raises:
        NotOnPage: it shows none.
    """
    rows = list(lines(page))
    for place, line in enumerate(rows[:-1]):
        if line.role == "combobox" and line.name == "Default group":
            return rows[place + 1].name
    raise NotOnPage("the profile shows no default group")


def access_on(page: Page, title: str) -> str:
    """Return the group that the list of macros shows for a macro.

    Raises:
        NotOnPage: it lists no such macro.
    """
    rows = list(lines(page))
    for place, line in enumerate(rows[:-1]):
        if line.role == "link" and line.name == title:
            cells = rows[place + 1]
            return (cells.text or cells.name).partition(" | ")[0]
    raise NotOnPage(f"no macro is called {title}")


def fill_in(space: ActingSpace, page: Page, wanted: Wanted, group: str) -> None:
    """Fill in the editor and create the macro."""
    page = space.act("browser_type", ref=ref_of(page, "textbox", "^Macro name$"), text=wanted.title)
    page = space.act(
        "browser_select",
        ref=ref_of(page, "combobox", "^Who has access$"),
        options=["Agents in specific groups"],
    )
    page = space.act("browser_click", ref=ref_of(page, "checkbox", f"^{re.escape(group)}$"))
    for number, (action, value) in enumerate(rows_of(wanted), start=1):
        if number > 1:
            page = space.act("browser_click", ref=ref_of(page, "button", "^Add action$"))
        field = ref_of(page, "combobox", f"^Action {number} field$")
        page = space.act("browser_select", ref=field, options=[action])
        page = set_value(space, page, number, action, value)
    space.act("browser_click", ref=ref_of(page, "button", "^Create$"))


def set_value(space: ActingSpace, page: Page, number: int, action: str, value: str) -> Page:
    """Enter or choose what an action sets."""
    if action == "Comment/description":
        box = ref_of(page, "textbox", f"^Action {number} comment")
        return space.act("browser_type", ref=box, text=value)
    box = ref_of(page, "combobox", f"^Action {number} value$")
    if action in TEXTS:
        return space.act("browser_type", ref=box, text=value)
    return space.act("browser_select", ref=box, options=[value])


def rows_of(wanted: Wanted) -> list[tuple[str, str]]:
    """Return the rows of the editor, by the words that it shows."""
    found = [
        ("Comment/description", wanted.text),
        ("Comment mode", "Public" if wanted.public else "Private"),
    ]
    chosen = (("Status", wanted.status), ("Priority", wanted.priority), ("Type", wanted.type))
    found += [(name, value) for name, value in chosen if value is not None]
    if wanted.add_tags:
        found.append(("Add tags", " ".join(wanted.add_tags)))
    if wanted.remove_tags:
        found.append(("Remove tags", " ".join(wanted.remove_tags)))
    if wanted.to_group is not None:
        found.append(("Group", wanted.to_group))
    if wanted.category is not None:
        found.append(("Category", wanted.category))
    return found
