"""The oracle in a browser: by roles and names, as a person finds things."""

from __future__ import annotations

from typing import Final

from episodes.families.t03.reading import (
    CODE,
    Guide,
    Incoming,
    Known,
    Sorted,
    guide_of,
    sort_out,
    space_of,
)
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage
from episodes.tasks.tracker_pages import (
    NavigatorRow,
    Page,
    change_status,
    description_on,
    detail_on,
    key_on,
    link,
    open_issue,
    query,
    rows_on,
    set_choice,
    set_text,
    spaces_on,
)

INCOMING: Final = "labels = incoming AND statusCategory != Done"
WORDS: Final = {"Duplicate": "duplicates", "Relates": "relates to"}


def in_browser(space: ActingSpace) -> None:
    """Read the reports, the guide and what is on record; do what each asks for; finish.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    name = space_of(space.goal, spaces_on(space.observe()))
    page = query(space, space.observe(), f'project = "{name}" AND {INCOMING} ORDER BY created')
    reports = rows_on(page)
    page, guide = read_guide(space, page, name)
    for row in reports:
        page = open_issue(space, page, row.key)
        text = description_on(page)
        found = decide(space, page, row, text, guide)
        page = open_issue(space, space.observe(), row.key)
        page = deal_with(space, page, found)
    space.act("finish", status="done")


def read_guide(space: ActingSpace, page: Page, name: str) -> tuple[Page, Guide]:
    """Find and read the triage guide of a space."""
    where = f'project = "{name}" AND statusCategory != Done AND summary ~ "triage"'
    page = query(space, page, f"{where} ORDER BY created DESC")
    rows = rows_on(page)
    if not rows:
        raise NotOnPage("there is no triage guide")
    page = space.act("browser_click", ref=rows[0].ref)
    return page, guide_of(description_on(page))


def decide(space: ActingSpace, page: Page, row: NavigatorRow, text: str, guide: Guide) -> Sorted:
    """Look for what is on record of a report's code, and return what becomes of the report."""
    code = CODE.search(text)
    known: dict[str, Known] = {}
    if code is not None:
        found = query(space, page, f'text ~ "{code[0]}"')
        others = [one for one in rows_on(found) if one.key != row.key]
        if others:
            record = space.act("browser_click", ref=others[0].ref)
            known[code[0]] = Known(key_on(record), detail_on(record, "Fix versions") or None)
    fixed = [one.fixed for one in known.values() if one.fixed]
    versions = sorted({*fixed, *_seen(text)}, key=_rank)
    return sort_out(Incoming(row.key, row.summary, text), guide, known, versions)


def _seen(text: str) -> list[str]:
    _, found, rest = text.partition("Seen in ")
    return [rest.split()[0].rstrip(".")] if found else []


def _rank(version: str) -> list[int]:
    """Return what orders the names of one space's versions: the numbers in them."""
    return [int(part) for part in version.lstrip("R").replace("-", ".").split(".")]


def deal_with(space: ActingSpace, page: Page, found: Sorted) -> Page:
    """Do with a report what becomes of it."""
    if found.component is not None and found.priority is not None:
        page = set_choice(space, page, "Components", found.component)
        page = set_choice(space, page, "Priority", found.priority)
        if found.came_back:
            page = set_text(space, page, "Labels", "incoming regression")
    if found.link is not None and found.record is not None:
        page = link(space, page, WORDS[found.link], found.record)
    if found.resolution is not None:
        page = change_status(space, page, "Close", choices={"Resolution": found.resolution})
    return page
