"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h17.reading import Asked, Request, read_request
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, open_ticket
from episodes.tasks.page_reading import page_text, ref_of
from episodes.tasks.rule_pages import add_row, choose, fill_row, open_rules, write

OPERATORS: Final = {
    "is": "Is",
    "is_not": "Is not",
    "less_than": "Less than",
    "includes": "Contains at least one of the following",
    "not_includes": "Contains none of the following",
}
WAYS: Final = {"asc": "Ascending", "desc": "Descending"}


def in_browser(space: ActingSpace) -> None:
    """Build the view through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = open_ticket(space, space.observe())
    asked = read_request(page_text(page))
    page = open_rules(space, page, "Views", "Create view")
    page = write(space, page, "View name", asked.name)
    page = _share(space, page, asked)
    page = _conditions(space, page, asked)
    page = _output(space, page, asked)
    space.act("browser_click", ref=ref_of(page, "button", "^Create$"))
    space.act("finish", status="done")


def _share(space: ActingSpace, page: Page, asked: Request) -> Page:
    if not asked.groups:
        return page
    page = choose(space, page, "Who has access", "Agents in specific groups")
    for name in asked.groups:
        page = space.act("browser_click", ref=ref_of(page, "checkbox", f"^{re.escape(name)}$"))
    return page


def _conditions(space: ActingSpace, page: Page, asked: Request) -> Page:
    for section, side in enumerate(("all", "any")):
        wanted = [each for each in asked.conditions if each.side == side]
        for number, each in enumerate(wanted, 1):
            if number > 1 or section > 0:
                page = add_row(space, page, "condition", section=section)
            row = f"{side.upper()} condition {number}"
            operator, value = OPERATORS[each.operator], _value(each)
            page = fill_row(space, page, row, field=each.field, operator=operator, value=value)
    return page


def _value(each: Asked) -> str:
    if each.field == "Assignee":
        return "-"
    return "Yes" if each.field == "VIP" else each.value


def _output(space: ActingSpace, page: Page, asked: Request) -> Page:
    for place in range(max(len(asked.columns), 5)):
        title = asked.columns[place] if place < len(asked.columns) else "-"
        page = choose(space, page, f"Column {place + 1}", title)
    if asked.group_by is not None and asked.group_order is not None:
        page = choose(space, page, "Group by", asked.group_by)
        page = choose(space, page, "Group order", WAYS[asked.group_order])
    page = choose(space, page, "Order by", asked.sort_by)
    return choose(space, page, "Order", WAYS[asked.sort_order])
