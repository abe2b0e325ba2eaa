"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h14.reading import Guide, read_guide
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page
from episodes.tasks.page_reading import NotOnPage, lines, page_text, ref_of
from episodes.tasks.rule_pages import add_row, choose, fill_row, open_entry, to_entry, write

OPERATORS: Final = {
    "is": "Is",
    "includes": "Contains at least one of the following",
    "not_includes": "Contains none of the following",
    "includes_string": "Contains the following string",
}
EXTRAS: Final = {"priority": "Priority", "type": "Type", "tag": "Tags"}
CREATED: Final = ("Ticket", "is", "Created")
GUIDE: Final = re.compile(r"^Routing guide: (.+)$")


def in_browser(space: ActingSpace) -> None:
    """Write the trigger through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_entry(space, space.observe(), "Macros")
    page = space.act("browser_click", ref=_guide_link(space, page))
    guide = read_guide(page_text(page))
    page = open_entry(space, page, "Triggers")
    word = None
    if guide.first is not None:
        name = f"^{re.escape(guide.first)}$"
        page = space.act("browser_click", ref=ref_of(page, "link", name))
        word = _word_of(page)
        page = to_entry(space, page, "Triggers")
    page = space.act("browser_click", ref=ref_of(page, "link", "^Create trigger$"))
    page = write(space, page, "Trigger name", f"Route to {guide.group}")
    page = choose(space, page, "Category", "Routing")
    page = _conditions(space, page, guide, word)
    page = _actions(space, page, guide)
    space.act("browser_click", ref=ref_of(page, "button", "^Create$"))
    space.act("finish", status="done")


def _guide_link(space: ActingSpace, page: Page) -> str:
    for line in lines(page):
        found = GUIDE.match(line.name)
        if line.role == "link" and line.ref and found and found.group(1) in space.goal:
            return line.ref
    raise NotOnPage("no macro is the guide that the goal speaks of")


def _word_of(page: Page) -> str:
    """Return the word that the trigger of a page looks for."""
    for line in lines(page):
        if line.role == "textbox" and re.match(r"ALL condition \d+ value", line.name):
            return line.text.strip()
    raise NotOnPage(f"no word to look for on {page.get('url')}")


def _conditions(space: ActingSpace, page: Page, guide: Guide, aside: str | None) -> Page:
    wanted = {
        side: [
            (each.field, each.operator, each.value)
            for each in guide.conditions
            if each.side == side
        ]
        for side in ("all", "any")
    }
    wanted["all"].insert(0, CREATED)
    if aside is not None:
        # It comes last, and leaves alone what the rule that goes first has routed.
        wanted["all"].append(("Subject text", "not_includes", aside))
    for section, (side, rows) in enumerate(wanted.items()):
        for number, (field, operator, value) in enumerate(rows, 1):
            if number > 1 or section > 0:
                page = add_row(space, page, "condition", section=section)
            row, told = f"{side.upper()} condition {number}", OPERATORS[operator]
            page = fill_row(space, page, row, field=field, operator=told, value=value)
    return page


def _actions(space: ActingSpace, page: Page, guide: Guide) -> Page:
    rows = [("Group", guide.group)]
    rows += [(EXTRAS[name], value) for name, value in guide.extras]
    for number, (field, value) in enumerate(rows, 1):
        if number > 1:
            page = add_row(space, page, "action")
        page = fill_row(space, page, f"Action {number}", field=field, operator=None, value=value)
    return page
