"""The oracle in a browser: search, open the work item, read it, answer."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from episodes.families.t01.reading import Wanted, build_in, likest, minutes_of, wanted_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.page_reading import NotOnPage, lines, page_text
from episodes.tasks.tracker_pages import (
    KEY,
    Page,
    change_in,
    detail_on,
    entries_on,
    query,
    rows_on,
    show_tab,
    within,
)

HISTORY: Final = ("taken", "before", "done", "priority")
TIMES: Final = ("taken", "done")
FIELDS: Final = {"taken": "assignee", "before": "assignee", "done": "status"}
WHEN: Final = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M")


def in_browser(space: ActingSpace) -> None:
    """Find the work item through the pages, read it, answer.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    wanted = wanted_of(space.goal)
    page = query(space, space.observe(), wanted.jql)
    rows = [row for row in rows_on(page) if not wanted.who or wanted.who in row.words]
    page = space.act(
        "browser_click", ref=rows[likest(wanted.topic, [row.summary for row in rows])].ref
    )
    if wanted.fact in HISTORY:
        page = show_tab(space, page, "History")
    space.act("finish", status="done", answer=answer_on(page, wanted))


def answer_on(page: Page, wanted: Wanted) -> Any:
    """Return what a work item's page says of what is asked."""
    if wanted.fact == "build":
        return build_in([page_text(page)])
    if wanted.fact == "fixed":
        return detail_on(page, "Fix versions")
    if wanted.fact == "spent":
        return minutes_of(detail_on(page, "Time tracking").partition(" logged")[0])
    if wanted.fact == "blocker":
        return _blocker(page)
    name = FIELDS.get(wanted.fact, wanted.fact)
    told = [(entry, change_in(entry, name)) for entry in entries_on(page)]
    changes = [(entry, change) for entry, change in told if change is not None]
    if wanted.fact == "done":
        changes = [(entry, change) for entry, change in changes if change[1] == "Done"]
    if not changes:
        raise NotOnPage(f"no change of {name} on {page.get('url')}")
    # The newest stands first.
    entry, change = changes[-1] if wanted.fact == "priority" else changes[0]
    return _local(entry, wanted) if wanted.fact in TIMES else change[0]


def _local(entry: str, wanted: Wanted) -> str:
    found = WHEN.search(entry)
    if found is None:
        raise NotOnPage(f"no time in {entry!r}")
    at = datetime.strptime(f"{found[0]} +0000", "%B %d, %Y at %I:%M %p %z")
    local = at.replace(tzinfo=ZoneInfo(wanted.page)).astimezone(ZoneInfo(wanted.zone))
    return f"{local:%Y-%m-%d %H:%M}"


def _blocker(page: Page) -> str:
    for line in lines(within(page, "list", "^is blocked by$")):
        if line.role == "link" and KEY.match(line.name):
            return line.name
    raise NotOnPage("nothing blocks it")
