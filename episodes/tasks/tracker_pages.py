"""What oracles do on the tracker's pages again and again: by roles and names, as people do.

    page = open_issue(space, space.observe(), "CLD-12")
    page = change_status(space, page, "Close", choices={"Resolution": "Done"}, said="Shipped.")
    page = set_choice(space, page, "Priority", "High")
    page = set_text(space, page, "Labels", "sync relay")
    page = comment(space, page, "Done in 5.3.")
    rows = rows_on(query(space, page, "project = CLD"))

Every function takes the page as last seen and returns the page after its last act.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of

Page = Mapping[str, Any]

KEY: Final = re.compile(r"^[A-Z][A-Z0-9_]+-\d+$")
# What stands in place of a value that is not there.
EMPTY: Final = ("None", "Unassigned")
INDENT: Final = re.compile(r"^ *")


# Reading


def within(page: Page, role: str, name: str = "", *, nth: int = 0) -> Page:
    """Return a page that holds nothing but the n-th part of a role whose name matches a pattern.

    Raises:
        NotOnPage: there is no such part.
    """
    rows = (page.get("tree") or "").splitlines()
    found = 0
    for place, row in enumerate(rows):
        line = next(lines({"tree": row}), None)
        if line is None or line.role != role or not re.search(name, line.name):
            continue
        if found == nth:
            return {**page, "tree": "\n".join(_subtree(rows, place))}
        found += 1
    raise NotOnPage(f"no {role} {name!r} on {page.get('url')}")


def _subtree(rows: list[str], place: int) -> list[str]:
    depth = _depth(rows[place])
    found = [rows[place]]
    for row in rows[place + 1 :]:
        if _depth(row) <= depth:
            break
        found.append(row)
    return found


def _depth(row: str) -> int:
    found = INDENT.match(row)
    return found.end() if found is not None else 0


def key_on(page: Page) -> str:
    """Return the key of the issue whose page this is.

    Raises:
        NotOnPage: it is no issue's page.
    """
    found = re.search(r"/browse/([A-Z][A-Z0-9_]+-\d+)", str(page.get("url")))
    if found is None:
        raise NotOnPage(f"{page.get('url')} is no issue's page")
    return found[1]


def spaces_on(page: Page) -> list[str]:
    """Return the names of the spaces that the sidebar links to."""
    found = lines(within(page, "list", "^Spaces$"))
    return [line.name for line in found if line.role == "link" and line.name]


def status_on(page: Page) -> str:
    """Return the status that an issue's page shows.

    Raises:
        NotOnPage: it is no issue's page.
    """
    for line in lines(page):
        if line.role == "button" and line.name.endswith(" - Change status"):
            return line.name.removesuffix(" - Change status")
    raise NotOnPage(f"no status on {page.get('url')}")


def description_on(page: Page) -> str:
    """Return the words of an issue's description, a line for each paragraph and item."""
    return page_text(within(page, "region", "^Description$"))


def detail_on(page: Page, name: str) -> str:
    """Return what the details of an issue show for a field, "" where they show nothing of it."""
    rows = (page.get("tree") or "").splitlines()
    named = False
    for place, row in enumerate(rows):
        line = next(lines({"tree": row}), None)
        if line is None:
            continue
        if named and line.role == "definition":
            held = lines({"tree": "\n".join(_subtree(rows, place))})
            words = [part.text or part.name for part in held if part.role != "button"]
            text = " ".join(word for word in words if word).strip()
            return "" if text in EMPTY else text
        named = line.role == "term" and (line.text or line.name) == name
    return ""


@dataclass(frozen=True, slots=True)
class NavigatorRow:
    """An issue in the list of the navigator: its key, its summary's ref, and its cells' words."""

    key: str
    summary: str
    ref: str
    words: str


def rows_on(page: Page) -> list[NavigatorRow]:
    """Return the issues that the navigator lists, in their order."""
    found: list[NavigatorRow] = []
    key, words = "", ""
    for line in lines(page):
        if line.role == "row":
            key, words = "", line.text
        elif line.role == "link" and KEY.match(line.name):
            key = line.name
        elif line.role == "link" and key and line.ref is not None and not line.name.startswith("#"):
            found.append(NavigatorRow(key, line.name, line.ref, words))
            key = ""
        elif line.role != "link" and found and not key:
            last = found[-1]
            text = f"{last.words} | {line.text or line.name}".strip(" |")
            found[-1] = NavigatorRow(last.key, last.summary, last.ref, text)
    return found


# Finding


def open_issue(space: ActingSpace, page: Page, key: str) -> Page:
    """Enter a key in the search box, which leads to the issue."""
    box = ref_of(page, "searchbox", "^Search$")
    return space.act("browser_type", ref=box, text=key, submit=True)


def find_words(space: ActingSpace, page: Page, words: str) -> Page:
    """Look for words by the search box of every page."""
    return open_issue(space, page, words)


def query(space: ActingSpace, page: Page, jql: str) -> Page:
    """Run a query in the navigator."""
    page = space.act("browser_click", ref=ref_of(page, "link", "^All work$"))
    if not has(page, "combobox", "^JQL query$"):
        page = space.act("browser_click", ref=ref_of(page, "link", "^JQL$"))
    box = ref_of(page, "combobox", "^JQL query$")
    return space.act("browser_type", ref=box, text=jql, submit=True)


# Changing


def change_status(
    space: ActingSpace,
    page: Page,
    name: str,
    *,
    choices: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
    said: str | None = None,
) -> Page:
    """Take an issue through a transition; one with a screen gets these choices and texts on it."""
    page = space.act("browser_click", ref=ref_of(page, "button", " - Change status$"))
    menu = within(page, "menu", "^Change status$")
    page = space.act("browser_click", ref=ref_of(menu, "menuitem", f"^{re.escape(name)}( |$)"))
    if not has(page, "dialog", f"^{re.escape(name)}: "):
        return page
    for label, value in (choices or {}).items():
        page = _select(space, page, label, value)
    for label, value in {**(texts or {}), **({} if said is None else {"Comment": said})}.items():
        box = ref_of(_dialog(page), "textbox", f"^{re.escape(label)}$")
        page = space.act("browser_type", ref=box, text=value)
    return space.act("browser_click", ref=ref_of(_dialog(page), "button", f"^{re.escape(name)}$"))


def _dialog(page: Page) -> Page:
    return within(page, "dialog")


def _select(space: ActingSpace, page: Page, label: str, value: str) -> Page:
    box = ref_of(_dialog(page), "combobox", f"^{re.escape(label)}$")
    return space.act("browser_select", ref=box, options=[value])


def set_choice(space: ActingSpace, page: Page, field: str, *values: str) -> Page:
    """Choose values of a field of an issue by their names, and save it."""
    page = _edited(space, page, field)
    for role in ("combobox", "listbox"):
        if has(page, role, f"^{re.escape(field)}$"):
            box = ref_of(page, role, f"^{re.escape(field)}$")
            page = space.act("browser_select", ref=box, options=list(values))
            return _saved(space, page, field)
    raise NotOnPage(f"{field} is not chosen from a list on {page.get('url')}")


def set_text(space: ActingSpace, page: Page, field: str, text: str) -> Page:
    """Enter the text of a field of an issue, and save it."""
    page = _edited(space, page, field)
    name = "^Description area, start$" if field == "Description" else f"^{re.escape(field)}$"
    page = space.act("browser_type", ref=ref_of(page, "textbox", name), text=text)
    return _saved(space, page, field)


def _edited(space: ActingSpace, page: Page, field: str) -> Page:
    button = ref_of(page, "button", f"^Edit {re.escape(field)}$")
    return space.act("browser_click", ref=button)


def _saved(space: ActingSpace, page: Page, field: str) -> Page:
    name = "^Confirm Summary$" if field == "Summary" else f"^Save {re.escape(field)}$"
    return space.act("browser_click", ref=ref_of(page, "button", name))


def comment(space: ActingSpace, page: Page, text: str) -> Page:
    """Comment on an issue."""
    box = ref_of(within(page, "form", "^Add a comment$"), "textbox", "^Comment$")
    page = space.act("browser_type", ref=box, text=text)
    form = within(page, "form", "^Add a comment$")
    return space.act("browser_click", ref=ref_of(form, "button", "^Save$"))


def link(space: ActingSpace, page: Page, words: str, key: str) -> Page:
    """Link an issue with another: `words` are what is said of it, as "is blocked by"."""
    page = space.act("browser_click", ref=ref_of(page, "button", "^Link work item$"))
    box = ref_of(page, "combobox", "^Kind of link$")
    page = space.act("browser_select", ref=box, options=[words])
    box = ref_of(page, "textbox", "^Keys of work items to link$")
    page = space.act("browser_type", ref=box, text=key)
    return space.act("browser_click", ref=ref_of(page, "button", "^Link$"))


def show_tab(space: ActingSpace, page: Page, name: str) -> Page:
    """Show a tab of an issue's activity: All, Comments, History or Work log."""
    tabs = within(page, "navigation", "^Activity$")
    return space.act("browser_click", ref=ref_of(tabs, "link", f"^{name}$"))


def entries_on(page: Page) -> list[str]:
    """Return the entries of an issue's activity as the page shows them, in its order."""
    try:
        feed = within(page, "list", "^(Activity|Comments)$")
    except NotOnPage:
        return []
    rows = str(feed["tree"]).splitlines()
    depths = [_depth(row) for row in rows if _depth(row) > _depth(rows[0])]
    found: list[list[str]] = []
    for row in rows[1:]:
        line = next(lines({"tree": row}), None)
        if line is None:
            continue
        if line.role == "listitem" and _depth(row) == min(depths):
            found.append([])
        if found:
            found[-1].append(f"{line.name} {line.text}".strip())
    return ["\n".join(part for part in parts if part) for parts in found]


def change_in(entry: str, field: str) -> tuple[str, str] | None:
    """Return what a field was before and after a change, None if the entry tells of no such one.

    `field` is its name in histories, in any case; what was not there is "None".
    """
    parts = entry.split("\n")
    if f"changed the {field} ".lower() in " ".join(parts[:3]).lower() and "to" in parts:
        place = parts.index("to")
        return parts[place - 1], "".join(parts[place + 1 : place + 2])
    for place, part in enumerate(parts):
        name, colon, before = part.partition(": ")
        if colon and name.lower() == field.lower() and parts[place + 1 : place + 2] == ["to"]:
            return before, "".join(parts[place + 2 : place + 3])
    return None
