"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

import re
from typing import Final

from episodes.families.h03.reading import (
    Guide,
    Sorted,
    guide_of,
    in_force,
    is_spam,
    sort_out,
)
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, search
from episodes.tasks.page_reading import NotOnPage, TreeNode, lines, page_text, ref_of

NEW: Final = "status:new"
DATED: Final = re.compile(r"PINNED: (routing guide, valid from \d{1,2} \w+ \d{4})")
NUMBER: Final = re.compile(r"#\d+")


def in_browser(space: ActingSpace) -> None:
    """Triage the batch through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page, guide = read_guide(space, space.observe())
    page = search(space, page, NEW)
    numbers = [line.name for line in lines(page) if line.role == "link" and _is_number(line)]
    for place, number in enumerate(numbers):
        if place:
            page = search(space, page, NEW)
        page = space.act("browser_click", ref=ref_of(page, "link", f"^{number}$"))
        if is_spam(first_message(page)):
            page = mark_as_spam(space, page)
        else:
            page = file_ticket(space, page, guide)
    space.act("finish", status="done")


def _is_number(line: TreeNode) -> bool:
    return NUMBER.fullmatch(line.name) is not None


def read_guide(space: ActingSpace, page: Page) -> tuple[Page, Guide]:
    """Search for the pinned guides, open the one in force, and return the page and the guide.

    Raises:
        NotOnPage: nothing of the kind is pinned.
    """
    page = search(space, page, "PINNED routing guide")
    titles = [
        found[1]
        for line in lines(page)
        if line.role == "link" and (found := DATED.search(line.name)) is not None
    ]
    if not titles:
        raise NotOnPage("no routing guide is pinned")
    # A title tells the day alone; `in_force` looks for what goes before a guide's lines as well.
    shown = {f"R{title[1:]}\n- Any: - | any | any | any": title for title in titles}
    title = shown[in_force(shown)]
    page = space.act("browser_click", ref=ref_of(page, "link", f"PINNED: {title}$"))
    return page, guide_of(page_text(page))


def first_message(page: Page) -> str:
    """Return the words of a ticket's first message."""
    words: list[str] = []
    inside = False
    for line in lines(page):
        if line.role == "article":
            if inside:
                break
            inside = True
        elif inside and line.role == "region":
            break
        elif inside and line.role == "paragraph":
            words.append(line.text or line.name)
    return "\n\n".join(words)


def file_ticket(space: ActingSpace, page: Page, guide: Guide) -> Page:
    """Choose what the guide gives the ticket at hand, unless it has it all, and submit."""
    machines = options_of(page, "Machine")
    wanted = sort_out(guide, first_message(page), tags_of(page), machines)
    picks = {
        name: value
        for name, value in _fields_of(wanted).items()
        if value not in options_of(page, name, chosen=True)
    }
    missing = [tag for tag in wanted.tags if tag not in tags_of(page)]
    if not picks and not missing:
        return page
    for name, value in picks.items():
        field = ref_of(page, "combobox", f"^{name}$")
        page = space.act("browser_select", ref=field, options=[value])
    if missing:
        box = ref_of(page, "combobox", "^Tags$")
        page = space.act("browser_type", ref=box, text=" ".join(missing) + " ")
    return space.act("browser_click", ref=ref_of(page, "button", "^Submit as Open$"))


def _fields_of(wanted: Sorted) -> dict[str, str]:
    """Return the options to choose by the names of their fields."""
    found = {
        "Assignee": wanted.group,
        "Type": wanted.type.capitalize(),
        "Priority": wanted.priority.capitalize(),
    }
    return found if wanted.machine is None else {**found, "Machine": wanted.machine}


def options_of(page: Page, field: str, *, chosen: bool = False) -> list[str]:
    """Return the options of a field, or only those that are chosen."""
    found: list[str] = []
    inside = False
    for line in (page.get("tree") or "").splitlines():
        text = line.strip()
        if text.startswith("- combobox "):
            inside = text.startswith(f'- combobox "{field}"')
        elif inside and text.startswith("- option "):
            if not chosen or text.endswith("[selected]"):
                found.append(text.split('"')[1])
        elif inside and not text.startswith("- button"):
            inside = False
    return found


def tags_of(page: Page) -> list[str]:
    """Return the tags of the ticket at hand."""
    return [
        line.name.removeprefix("Remove ")
        for line in lines(page)
        if line.role == "button" and line.name.startswith("Remove ")
    ]


def mark_as_spam(space: ActingSpace, page: Page) -> Page:
    """Mark the ticket at hand as spam, by its menu and what that asks."""
    page = space.act("browser_click", ref=ref_of(page, "button", "^Ticket options$"))
    page = space.act("browser_click", ref=ref_of(page, "menuitem", "^Mark as spam$"))
    return space.act("browser_click", ref=ref_of(page, "button", r"^Mark 1 ticket\(s\) as spam$"))
