"""Every time on every page is in the zone of whoever looks, by the sandbox's clock.

Two admins whose clocks are a day apart go through the same pages. What they read are the same
moments, each by their own clock; and a day that is a moment's is their own day, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.urls import URLResolver

from clones.core.clock import now
from clones.tracker.models import User
from clones.tracker.web.urls import urlpatterns
from tests.tracker.boards import AGILE, board_of, running_sprint
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page, words_of

HERE, THERE = ZoneInfo("America/Los_Angeles"), ZoneInfo("Pacific/Auckland")
# Where the walk begins: these, and each address that has no parameter.
STARTS: Final = (
    "/browse/LAS-1?tab=all",
    "/browse/LAS-1?tab=history",
    "/issues/?jql=order+by+key",
    "/jira/software/c/projects/LAS/boards/1/backlog",
)
# A person's own clock stands on their profile, with its zone beside it.
OF_SOMEBODY: Final = re.compile(r"/jira/people/[^/]+$")
MOST: Final = 260
# What is the same for everybody: addresses, what is downloaded, what signs out.
PASSED_BY: Final = re.compile(r"logout|\.csv|export|/secure/|/rest/|attachment|avatar|/create\b")
MONTHS: Final = (
    "January February March April May June July August September October November December"
)
CLOCKS: Final = re.compile(
    rf"(?:(?:{MONTHS.replace(' ', '|')}) \d{{1,2}}, \d{{4}} at \d{{1,2}}:\d\d [AP]M)"
    r"|(?:[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d)"
)
FORMS: Final = re.compile(r'type="datetime-local"[^>]*value="(\d{4}-\d\d-\d\dT\d\d:\d\d)"')
READ: Final = ("%B %d, %Y at %I:%M %p", "%b %d, %Y, %H:%M", "%Y-%m-%dT%H:%M")


def clocks(page: Page, zone: ZoneInfo) -> list[datetime]:
    """Return the moments that a page tells, as somebody of a zone reads them."""
    texts = CLOCKS.findall(words_of(page.html)) + FORMS.findall(page.html)
    return [moment(text).replace(tzinfo=zone) for text in texts]


def moment(text: str) -> datetime:
    for form in READ:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007 - the reader's zone is set by the caller
        except ValueError:
            continue
    raise AssertionError(text)


def addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of the same site that a page leads to, without the places in them."""
    for href in re.findall(r'<a\b[^>]*href="([^"]+)"', page.html):
        address = urldefrag(href.replace("&amp;", "&")).url
        if urlsplit(address).netloc or not address.startswith("/") or PASSED_BY.search(address):
            continue
        yield address


@pytest.fixture
def busy(site: Site) -> Site:
    """Return the site with something of each kind that happened today."""
    key = site.issue("It hums")
    site.post(f"issue/{key}/comment", {"body": paragraph("Loud")})
    site.post(f"issue/{key}/worklog", {"timeSpent": "1h"})
    site.put(f"issue/{key}", {"fields": {"summary": "It roars"}})
    sprint = running_sprint(site, board_of(site))
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [key]}, status=204)
    site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)
    desk = open_desk(site)
    desk.ask()
    with site.writing():
        for login, zone in (("ada", HERE), ("dana", THERE)):
            User.objects.filter(account_id=site.ids[login]).update(time_zone=zone.key)
    for name in ("jira-administrators", "site-admins", "jira-servicedesk-users"):
        site.call("POST", f"group/user?groupname={name}", {"accountId": site.ids["dana"]})
    return site


def opened(visit: Visit, address: str) -> Page:
    """Return a page, whatever its status is."""
    answer = visit.client.get(address)
    html = answer.content.decode("utf-8", "replace")
    return Page(address, answer.status_code, html, "", answer.headers)


def plain(patterns: Sequence[Any], before: str = "/") -> Iterator[str]:
    """Yield the addresses of pages that have no parameter."""
    for one in patterns:
        address = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from plain(one.url_patterns, address)
        elif "<" not in address and not PASSED_BY.search(address):
            yield address


def pages(here: Visit, there: Visit) -> Iterator[tuple[Page, Page]]:
    """Yield each page as both see it, breadth first; one of each kind of address is enough."""
    waiting, seen, kinds = [*STARTS, *plain(urlpatterns)], set[str](), set[str]()
    while waiting and len(seen) < MOST:
        address = waiting.pop(0)
        kind = re.sub(r"\d+|[0-9a-f-]{36}|[A-Z]+-\d+", "#", address.partition("?")[0])
        if address in seen or (kind in kinds and address not in STARTS):
            continue
        seen.add(address)
        kinds.add(kind)
        found = [opened(one, address) for one in (here, there)]
        if all(page.status == 200 for page in found) and not OF_SOMEBODY.search(address):
            yield found[0], found[1]
            waiting += addresses(found[0])


def test_times_are_in_the_readers_zone(busy: Site) -> None:
    here, there = visitor(busy), visitor(busy, "dana")
    told = seen = 0
    wrong = list[tuple[str, object, object]]()
    with busy.store():
        present = now()
    for mine, theirs in pages(here, there):
        ours, others = clocks(mine, HERE), clocks(theirs, THERE)
        told += len(ours)
        seen += 1
        if ours != others:
            wrong.append((mine.path, ours, others))
        if present.astimezone(THERE).day != present.astimezone(HERE).day:
            day = present.astimezone(HERE)
            stale = f"{day:%B} {day.day}, {day.year} at"
            if stale in theirs.text:
                wrong.append((mine.path, stale, []))
    assert not wrong, "\n".join(map(str, wrong))
    assert told > 20, told
    assert seen > 60, seen
