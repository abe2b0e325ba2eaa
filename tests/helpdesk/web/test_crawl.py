"""No dead link and no control that does nothing, on any page, for any role."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import pytest

from snapshots.sandboxes import Sandboxes
from tests.crawler import Crawler, Findings
from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

OWNER = "olga@kestrel.example"
CUSTOMER = "mara@acme.example"
DESK = (
    "/agent/dashboard",
    "/agent/filters",
    "/agent/tickets/{charged}",
    "/agent/tickets/{broken}?events=1",
    "/agent/tickets/{closed}",
    "/agent/tickets/new/1",
    "/agent/search/1?q=charged",
    "/agent/customers",
    "/agent/users/{customer}/requested_tickets",
)
PORTAL = ("/hc/en-us/requests", "/hc/en-us/requests/{charged}", "/hc/en-us/requests/new")


@dataclass(frozen=True, slots=True)
class Walk:
    """A crawl: who walks, from where, into which pages, and how much there is to use at least."""

    login: str
    seeds: tuple[str, ...]
    within: tuple[str, ...]
    least: int


# An owner's pages are two walks, which can be made at once: together more than 400 controls. What a
# control does is the page's, whatever engine is below: there the shorter walks are made.
WALKS = {
    "owner-admin": Walk(OWNER, ("/admin",), ("/admin",), 300),
    "owner-desk": Walk(OWNER, DESK, ("/agent", "/hc"), 150),
    "agent": Walk(AGENT, DESK, ("/",), 150),
    "customer": Walk(CUSTOMER, PORTAL, ("/",), 20),
}


def crawl(office: Office, sandboxes: Sandboxes, port: str, walk: Walk) -> Findings:
    """Go everywhere as one of the desk's people and print what was used."""
    seeds = [seed.format(**asdict(office.keys)) for seed in walk.seeds]
    with ThreadPoolExecutor(1) as registry:

        def play(seat: Seat) -> Findings:
            page = seat.sign_in(seeds[0], walk.login)
            page.wait_for_url(f"**{seeds[0]}")
            registry.submit(sandboxes.mark, office.row.id, "signed-in").result()

            def take_back() -> None:
                registry.submit(sandboxes.rewind, office.row.id, "signed-in").result()

            return Crawler(page, seat.origin, take_back, within=walk.within).crawl(seeds)

        found: Findings = play_at(office, port, play)
    for scope, count in sorted(found.used.items()):
        print(f"{count:5} {scope}")
    print(f"{found.total:5} controls used as {walk.login}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("walk", list(WALKS.values()), ids=list(WALKS))
def test_every_control_does_something(
    office: Office, sandboxes: Sandboxes, port: str, walk: Walk
) -> None:
    found = crawl(office, sandboxes, port, walk)
    assert found.wrong == []
    assert found.total >= walk.least


IDLE_PAGE = """<!doctype html><title>Idle</title><body>
<a href="/agent/nowhere">Away</a> <a href="#">Nothing</a> <button type="button">Idle</button>
<input aria-label="Loose"> <form method="post" action="/agent/broken"><button>Send</button></form>
"""


def test_what_does_nothing_is_found(office: Office, port: str) -> None:
    def play(seat: Seat) -> list[str]:
        page = seat.sign_in("/agent/dashboard")
        page.wait_for_url("**/agent/dashboard")
        page.route("**/agent/idle", lambda route: route.fulfill(body=IDLE_PAGE))
        page.route("**/agent/broken", lambda route: route.fulfill(status=500, body="Broken"))
        return Crawler(page, seat.origin, lambda: None).crawl(["/agent/idle"]).wrong

    wrong = play_at(office, port, play)
    words = ("nowhere: answers 404", "a link to nothing", "does nothing: .*Idle", "Loose", "500")
    for word in words:
        assert any(re.search(word, line) for line in wrong), (word, wrong)
    assert len(wrong) == len(words)
