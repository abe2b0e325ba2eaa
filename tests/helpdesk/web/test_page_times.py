"""Every time on every page is in the zone of whoever looks, by the sandbox's clock.

The same person goes through their pages twice: by a clock in UTC, then by one that is half a day
ahead, on which it is another day. What they read are the same moments, by their own clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final
from urllib.parse import urldefrag, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.urls import URLResolver

from clones.core import clock
from clones.core.journal import act
from clones.core.models import Delivery
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import User
from clones.helpdesk.urls import urlpatterns
from tests.helpdesk.web.admin_seat import Seat
from tests.helpdesk.web.conftest import Office, Shown
from tests.helpdesk.web.test_admin_integrations import CLIENTS, TOKENS, webhook
from tests.helpdesk.web.visitors import MARA, Visitor

# Nearly midnight in UTC, on a day of which the desk has nothing else. In Chatham, 12 hours and 45
# minutes ahead in June, it is tomorrow.
LATE: Final = datetime(2026, 6, 20, 22, 30, tzinfo=UTC)
AHEAD: Final = "Pacific/Chatham"
# Each way in which a page may write the day that nearly ended in UTC.
ENDING: Final = re.compile(r"\b(?:2026-06-20|20 June?|June? 20)\b")
CLOCK: Final = re.compile(r"\b(?:[01]\d|2[0-3]):[0-5]\d\b")
MOST: Final = 320
PASSED_BY: Final = re.compile(r"logout|export|attachments/|previews/|presence|drafts/|\.js|\.css")
# Hours that are no moments: those of schedules, by the zone that stands beside them.
OTHERS_HOURS: Final = re.compile(r"schedules")
# Its charts name every day of the latest weeks.
DAYS_ON_END: Final = "/agent/reporting"
# What somebody wrote, and the customer's own clock, with its zone beside it.
OTHERS_CLOCK: Final = re.compile(
    r"<dt>Local time</dt>.*?</dd>|<textarea\b.*?</textarea>|<pre\b.*?</pre>", re.DOTALL
)


def read(page: Shown) -> str:
    """Return what somebody reads of a page: its words and its titles, without what others wrote."""
    html = OTHERS_CLOCK.sub(" ", page.html.partition("<body")[2].partition(">")[2])
    told = " ".join(unescape(one) for one in re.findall(r'\b(?:title|aria-label)="([^"]*)"', html))
    return f"{Shown(page.status, html, '', page.headers).text} {told}"


def clocks(text: str) -> list[str]:
    return sorted(CLOCK.findall(text))


def moved(told: str) -> str:
    """Return the hour and minute that somebody reads there when a clock in UTC shows `told`."""
    moment = datetime.combine(LATE, datetime.strptime(told, "%H:%M").time(), UTC)  # noqa: DTZ007 - UTC is set
    return f"{moment.astimezone(ZoneInfo(AHEAD)):%H:%M}"


def plain(patterns: Sequence[Any], before: str = "/") -> Iterator[str]:
    """Yield the addresses of pages that have no parameter."""
    for one in patterns:
        address = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from plain(one.url_patterns, address)
        elif not re.search(r"[<^(]", address) and not PASSED_BY.search(address):
            yield address


def addresses(page: Shown) -> Iterator[str]:
    """Yield the addresses of the same site that a page leads to, without the places in them."""
    for href in re.findall(r'<a\b[^>]*href="([^"]+)"', page.html):
        address = urldefrag(unescape(href)).url
        ours = address.startswith("/") and not urlsplit(address).netloc
        if ours and not PASSED_BY.search(address):
            yield address


def walk(visit: Any, starts: Sequence[str]) -> dict[str, str]:
    """Return what is read on each page, breadth first; one of each kind of address is enough."""
    waiting, seen, kinds, found = list(starts), set[str](), set[str](), dict[str, str]()
    while waiting and len(found) < MOST:
        address = waiting.pop(0)
        kind = re.sub(r"\d+|[0-9A-Z]{26}", "#", address.partition("?")[0])
        if address in seen or (kind in kinds and address not in starts):
            continue
        seen.add(address)
        page = visit.get(address)
        if page.status != 200 or "text/html" not in page.headers.get("Content-Type", ""):
            continue
        kinds.add(kind)
        found[address] = read(page)
        waiting += addresses(page)
    return found


@pytest.fixture
def late(office: Office) -> Office:
    """Return the desk at the end of a day in UTC, with something of each kind of that day."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="late"):
        clock.set_time(LATE)
        User.objects.update(iana_time_zone="UTC", last_login_at=LATE)
    seat = Seat(office)
    assert seat.post(f"{TOKENS}/new", {"name": "Reports"}).status == 200
    sent = {"name": "Reports", "identifier": "reports", "kind": "confidential"}
    assert seat.post(f"{CLIENTS}/new", {**sent, "redirect_uri": "https://r.example"}).status == 200
    client = seat.api("oauth/clients.json")["clients"][0]["id"]
    body = {"token": {"client_id": client, "scopes": ["read"]}}
    assert seat.ask("oauth/tokens.json", method="POST", body=body).status_code == 201
    place = webhook(seat)
    with office.bound(), unit_of_work("write"):
        Delivery.objects.create(
            id="01J0000000000000000000000A",
            clone="helpdesk",
            webhook=place.rpartition("/")[2],
            event="trigger",
            method="POST",
            url="https://billing.example/in",
            status=Delivery.FAILED,
            attempts=1,
            response_status=500,
            created_at=LATE,
            completed_at=LATE,
        )
    return office


def in_zone(office: Office, zone: str) -> None:
    with office.bound(), unit_of_work("write"), act(actor="test", label="zone"):
        User.objects.update(iana_time_zone=zone)


def wrong(office: Office, visit: Any, starts: Sequence[str]) -> tuple[list[Any], int, int]:
    """Return the pages with a time in UTC, how many pages were read, and how many times."""
    in_zone(office, "UTC")
    before = walk(visit, starts)
    in_zone(office, AHEAD)
    bad = list[Any]()
    told = 0
    for address, text in before.items():
        if OTHERS_HOURS.search(address):
            continue
        now = read(visit.get(address))
        told += len(clocks(text))
        if clocks(now) != sorted(map(moved, clocks(text))):
            bad.append((address, clocks(text), clocks(now)))
        if address != DAYS_ON_END and ENDING.search(now):
            bad.append((address, ENDING.findall(now)))
    return bad, len(before), told


def test_agents_read_times_by_their_own_clock(late: Office) -> None:
    seat = Seat(late)
    starts = [*plain(urlpatterns), f"/agent/tickets/{late.keys.charged}?events=1"]
    bad, pages, told = wrong(late, seat.office, starts)
    assert not bad, "\n".join(map(str, bad))
    assert pages > 120, pages
    assert told > 70, told


def test_customers_read_times_by_their_own_clock(late: Office) -> None:
    visit = Visitor(late, MARA)
    starts = [one for one in plain(urlpatterns) if one.startswith("/hc/")]
    bad, pages, told = wrong(late, visit, starts)
    assert not bad, "\n".join(map(str, bad))
    assert pages > 10, pages
    assert told > 20, told
