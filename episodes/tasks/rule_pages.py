"""What oracles do in Admin Center's editors of rules: rows of conditions and actions, by names."""

from __future__ import annotations

import re

from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page
from episodes.tasks.page_reading import NotOnPage, has, lines, ref_of


def open_entry(space: ActingSpace, page: Page, entry: str) -> Page:
    """Go to Admin Center, and to the page of that entry."""
    page = space.act("browser_click", ref=ref_of(page, "link", "^Admin Center"))
    return to_entry(space, page, entry)


def to_entry(space: ActingSpace, page: Page, entry: str) -> Page:
    """Go from a page of Admin Center to that of another entry.

    Raises:
        NotOnPage: there is no such entry.
    """
    # The helpdesk's own navigation comes first, and has some of the same words.
    named = [line.ref for line in lines(page) if line.role == "link" and line.name == entry]
    if not named:
        raise NotOnPage(f"no link {entry!r} on {page.get('url')}")
    return space.act("browser_click", ref=named[-1])


def open_rules(space: ActingSpace, page: Page, entry: str, create: str) -> Page:
    """Go to Admin Center, to the list of that entry, and to a new rule's page."""
    page = open_entry(space, page, entry)
    return space.act("browser_click", ref=ref_of(page, "link", f"^{create}$"))


def choose(space: ActingSpace, page: Page, name: str, *options: str) -> Page:
    """Choose in the drop-down list of exactly that name."""
    pattern = f"^{re.escape(name)}$"
    role = "combobox" if has(page, "combobox", pattern) else "listbox"
    return space.act("browser_select", ref=ref_of(page, role, pattern), options=list(options))


def write(space: ActingSpace, page: Page, name: str, text: str, *, keys: bool = False) -> Page:
    """Write into the field whose name begins so; by `keys` where it makes tokens of words."""
    for role in ("textbox", "combobox", "searchbox"):
        if has(page, role, f"^{name}"):
            ref = ref_of(page, role, f"^{name}")
            return space.act("browser_type", ref=ref, text=text, slowly=keys)
    raise NotOnPage(f"no field {name!r} on {page.get('url')}")


def add_row(space: ActingSpace, page: Page, word: str, *, section: int = 0) -> Page:
    """Add a row to a section: of conditions the first is ALL, the second ANY."""
    return space.act("browser_click", ref=ref_of(page, "button", f"^Add {word}$", nth=section))


def fill_row(
    space: ActingSpace,
    page: Page,
    row: str,
    *,
    field: str,
    operator: str | None,
    value: str | None,
) -> Page:
    """Fill one row: field, operator (None for actions) and value (None where it takes none).

    A value is chosen where values are listed, else written; tags are ended by a space.
    """
    page = choose(space, page, f"{row} field", field)
    if operator is not None:
        page = choose(space, page, f"{row} operator", operator)
    if value is None:
        return page
    if field.lower().endswith("tags"):
        return write(space, page, f"{re.escape(row)} value", f"{value} ", keys=True)
    pattern = f"^{re.escape(row)} value$"
    if has(page, "combobox", pattern):
        return choose(space, page, f"{row} value", value)
    return write(space, page, f"{re.escape(row)} value", value)
