"""The oracle in a browser: by roles and names, as a person finds things.

What belongs under which heading is asked of the navigator, a query for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from episodes.families.t06.reading import REVERTS, Request, notes_text, read_request
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, has, lines, page_text, ref_of
from episodes.tasks.tracker_pages import (
    NavigatorRow,
    Page,
    comment,
    key_on,
    open_issue,
    query,
    rows_on,
    set_choice,
    within,
)

OWN: Final = 'assignee = currentUser() AND statusCategory = "To Do" ORDER BY created DESC'
FIELD: Final = "Fix versions"
# How the page of components names what leads to the work of one.
PARTS: Final = re.compile(r"^\d+ work items? of (.+)$")


def in_browser(space: ActingSpace) -> None:
    """Bring the version out through the pages.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    page = _request(space, query(space, space.observe(), OWN))
    key, asked = key_on(page), read_request(page_text(page))
    notes, summaries = _notes(space, page, key, asked)
    page = _leftovers(space, space.observe(), key, asked)
    page = _tell(space, page, key, asked, notes_text(notes, summaries))
    _release(space, page, key, asked)
    space.act("finish", status="done")


def _request(space: ActingSpace, page: Page) -> Page:
    for row in rows_on(page):
        people = [part.strip() for part in row.words.split("|")]
        if any(len(name) > 4 and name in space.goal for name in people):
            return space.act("browser_click", ref=row.ref)
    raise NotOnPage("nothing that is mine was asked for by anybody whom the goal names")


def _base(key: str, asked: Request) -> str:
    return f'project = {key.partition("-")[0]} AND fixVersion = "{asked.version}"'


def _found(space: ActingSpace, jql: str) -> list[NavigatorRow]:
    return rows_on(query(space, space.observe(), f"{jql} ORDER BY key"))


def _notes(
    space: ActingSpace, page: Page, key: str, asked: Request
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the keys under each heading, and the summaries."""
    jql = f"{_base(key, asked)} AND statusCategory = Done AND resolution = Done"
    if "internal" in asked.leaves:
        jql += " AND (labels is EMPTY OR labels != internal)"
    if "embargo" in asked.leaves:
        jql += f' AND NOT (labels = security AND due > "{asked.date}")'
    out: set[str] = set()
    if "reverted" in asked.leaves:
        for row in _found(space, f"{_base(key, asked)} AND summary ~ Revert"):
            taken = REVERTS.match(row.summary)
            if taken is not None:
                out |= {row.key, taken[1]}
    notes: dict[str, list[str]] = {}
    summaries: dict[str, str] = {}
    for heading, narrower in list(_headings(space, key, asked)):
        for row in _found(space, f"{jql} AND {narrower}"):
            if row.key not in out:
                notes.setdefault(heading, []).append(row.key)
                summaries[row.key] = row.summary
    return dict(sorted(notes.items())), summaries


def _headings(space: ActingSpace, key: str, asked: Request) -> Iterator[tuple[str, str]]:
    """Yield each heading, and the query of what comes under it."""
    reported = "labels = customer-reported"
    rest = "(labels is EMPTY OR labels != customer-reported)"
    if asked.scheme == "three":
        yield from (("New", "type = Story"), ("Fixed", "type = Bug"), ("Changed", "type = Task"))
    elif asked.scheme == "two":
        yield from (("Bug fixes", "type = Bug"), ("Improvements", "type != Bug"))
    elif asked.scheme == "priority":
        yield "Highlights", "priority in (High, Highest)"
        yield "Also in this release", "priority not in (High, Highest)"
    elif asked.scheme == "asked":
        yield "You asked for it", reported
        yield "Fixed", f"type = Bug AND {rest}"
        yield "New", f"type != Bug AND {rest}"
    else:
        for name in _components(space, key):
            yield name, f'component = "{name}"'
        yield "Other", "component is EMPTY"


def _components(space: ActingSpace, key: str) -> list[str]:
    """Return the names of the components of the space."""
    page = _tab(space, open_issue(space, space.observe(), key), key, "Components")
    counted = [PARTS.match(line.name) for line in lines(page) if line.role == "link"]
    return [found[1] for found in counted if found is not None]


def _tab(space: ActingSpace, page: Page, key: str, name: str) -> Page:
    """Go from a work item to a tab of its space."""
    crumbs = within(page, "navigation", "^Breadcrumbs$")
    links = [line for line in lines(crumbs) if line.role == "link" and line.ref is not None]
    space_link = next(line for line in links if line.name not in ("Spaces", "Projects", key))
    page = space.act("browser_click", ref=str(space_link.ref))
    return space.act("browser_click", ref=ref_of(page, "link", f"^{name}$"))


def _leftovers(space: ActingSpace, page: Page, key: str, asked: Request) -> Page:
    """Give each open item the version that the rule says, or none."""
    jql = f"{_base(key, asked)} AND statusCategory != Done"
    narrower = {
        "split_type": "type = Bug",
        "split_priority": "priority in (High, Highest)",
        "drop_low": "priority in (Low, Lowest)",
        "drop_todo": 'status = "To Do"',
    }.get(asked.rest)
    groups = [(jql, asked.next)]
    if narrower is not None:
        first = asked.patch if asked.rest.startswith("split") else ""
        groups = [(f"{jql} AND {narrower}", first), (f"{jql} AND NOT ({narrower})", asked.next)]
    wanted = [(row.key, name) for text, name in groups for row in _found(space, text)]
    for one, name in wanted:
        page = open_issue(space, space.observe(), one)
        page = set_choice(space, page, FIELD, name) if name else _emptied(space, page)
    return page


def _emptied(space: ActingSpace, page: Page) -> Page:
    """Take away the only fix version of a work item: these keys let go of what is chosen."""
    page = space.act("browser_click", ref=ref_of(page, "button", f"^Edit {FIELD}$"))
    box = ref_of(page, "listbox", f"^{FIELD}$")
    page = space.act("browser_press", ref=box, key="Control+Space")
    return space.act("browser_click", ref=ref_of(page, "button", f"^Save {FIELD}$"))


def _tell(space: ActingSpace, page: Page, key: str, asked: Request, text: str) -> Page:
    """Write the notes where they are wanted."""
    page = open_issue(space, page, key)
    if asked.title is None:
        return comment(space, page, text)
    page = space.act("browser_click", ref=ref_of(page, "link", "^Create$"))
    form = within(page, "dialog") if has(page, "dialog", "") else page
    kind = ref_of(form, "combobox", "^Work type")
    page = space.act("browser_select", ref=kind, options=["Task"])
    for name, words in (("Summary", asked.title), ("Description", text)):
        form = within(page, "dialog") if has(page, "dialog", "") else page
        box = ref_of(form, "textbox", f"^{name}")
        page = space.act("browser_type", ref=box, text=words)
    form = within(page, "dialog") if has(page, "dialog", "") else page
    return space.act("browser_click", ref=ref_of(form, "button", "^Create$", nth=-1))


def _release(space: ActingSpace, page: Page, key: str, asked: Request) -> None:
    """Release the version on the day."""
    page = _tab(space, open_issue(space, page, key), key, "Releases")
    link = ref_of(page, "link", f"^{re.escape(asked.version)}$")
    page = space.act("browser_click", ref=link)
    page = space.act("browser_click", ref=ref_of(page, "button", "^Release$"))
    form = within(page, "dialog") if has(page, "dialog", "") else page
    day = ref_of(form, "textbox", "^Release date$")
    page = space.act("browser_type", ref=day, text=asked.date)
    form = within(page, "dialog") if has(page, "dialog", "") else page
    space.act("browser_click", ref=ref_of(form, "button", "^Release$", nth=-1))
