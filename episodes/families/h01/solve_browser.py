"""The oracle in a browser: search, open the ticket, read it, answer."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from episodes.families.h01.reading import Wanted, likest, said_in, wanted_of
from episodes.tasks.acting import ActingSpace
from episodes.tasks.desk_pages import Page, search
from episodes.tasks.page_reading import NotOnPage, lines, page_text

ARTICLE: Final = re.compile(
    r"^(?P<kind>Public reply|Internal note) by (?P<who>.+?), (?P<at>\w+ \d+, \d{4} \d\d:\d\d)$"
)
REMOVE: Final = re.compile(r"^Remove ([\w.+-]+@[\w.-]+\w)$")


def in_browser(space: ActingSpace) -> None:
    """Find the ticket through the pages, read it, answer.

    Raises:
        NotOnPage: a page lacks what it should have.
    """
    wanted = wanted_of(space.goal)
    page = search(space, space.observe(), wanted.query)
    page = space.act("browser_click", ref=_result(page, wanted))
    space.act("finish", status="done", answer=_answer(page, wanted))


def _result(page: Page, wanted: Wanted) -> str:
    """Return the ref of the result that is described."""
    links = []
    numbered = False
    for line in lines(page):
        if line.role == "link" and line.ref is not None:
            if numbered:
                links.append(line)
            numbered = bool(re.fullmatch(r"#\d+", line.name))
    chosen = links[likest(wanted.topic, [link.name for link in links])]
    return str(chosen.ref)


def _answer(page: Page, wanted: Wanted) -> Any:
    if wanted.fact in ("visit", "quoted", "pieces"):
        return said_in(wanted.fact, [page_text(page)])
    if wanted.fact == "serial":
        return _text(page, "textbox", "^Serial number$")
    if wanted.fact == "copied":
        return [email for line in lines(page) for email in REMOVE.findall(line.name)]
    if wanted.fact == "assignee":
        return _chosen(page, "^Assignee$").rpartition("/")[2]
    said = _articles(page, wanted.page)
    if wanted.fact == "opened":
        return f"{said[0][1].astimezone(ZoneInfo(wanted.zone)):%Y-%m-%d %H:%M}"
    ours = next(at for who, at in said if who != said[0][0])
    return (ours - said[0][1]) // timedelta(minutes=1)


def _articles(page: Page, zone: str) -> list[tuple[str, datetime]]:
    """Return the authors and times of the public comments, oldest first."""
    found = []
    for line in lines(page):
        match = ARTICLE.match(line.name) if line.role == "article" else None
        if match is not None and match["kind"] == "Public reply":
            at = datetime.strptime(f"{match['at']} +0000", "%B %d, %Y %H:%M %z")
            found.append((match["who"], at.replace(tzinfo=ZoneInfo(zone))))
    return found


def _text(page: Page, role: str, name: str) -> str:
    """Return what a field holds.

    Raises:
        NotOnPage: there is no such field.
    """
    for line in lines(page):
        if line.role == role and re.search(name, line.name):
            return line.text
    raise NotOnPage(f"no {role} {name!r} on {page.get('url')}")


def _chosen(page: Page, name: str) -> str:
    """Return what a list to choose from stands at.

    Raises:
        NotOnPage: there is no such list.
    """
    before = None
    for line in lines(page):
        if before is not None and line.role == "button":
            return line.name
        before = line if line.role == "combobox" and re.search(name, line.name) else None
    raise NotOnPage(f"no list {name!r} on {page.get('url')}")
