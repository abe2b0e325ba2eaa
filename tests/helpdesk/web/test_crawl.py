"""No dead link and no control that does nothing, on any page, for any role."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import pytest

from snapshots.sandboxes import Sandboxes
from tests.crawler import Crawler, Findings
from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.test_browser import Seat, play_at
from tests.page_templates import Templates
from tests.tiers import EVERYTHING

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

ADDRESSES = "clones.helpdesk.urls"
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
PORTAL = (
    "/hc/en-us/requests",
    "/hc/en-us/requests/{charged}",
    "/hc/en-us/requests/new",
    "/hc/en-us",
)


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


def crawl(
    office: Office, sandboxes: Sandboxes, port: str, walk: Walk, templates: Templates | None
) -> Findings:
    """Go everywhere as one of the desk's people and print what was used."""
    seeds = [seed.format(**asdict(office.keys)) for seed in walk.seeds]
    with ThreadPoolExecutor(1) as registry:

        def play(seat: Seat) -> Findings:
            page = seat.sign_in(seeds[0], walk.login)
            page.wait_for_url(f"**{seeds[0]}")
            registry.submit(sandboxes.mark, office.row.id, "signed-in").result()

            def take_back() -> None:
                registry.submit(sandboxes.rewind, office.row.id, "signed-in").result()

            crawler = Crawler(page, seat.origin, take_back, within=walk.within, templates=templates)
            return crawler.crawl(seeds)

        found: Findings = play_at(office, port, play)
    for scope, count in sorted(found.used.items()):
        print(f"{count:5} {scope}")
    print(f"{found.total:5} controls used on {found.pages} pages as {walk.login}")
    return found


@pytest.fixture(scope="module")
def templates() -> Templates | None:
    """What the walks of a merge have used so far; where everything is walked, nothing is kept."""
    return None if EVERYTHING else Templates(ADDRESSES)


@pytest.mark.slow(shares="templates")
@pytest.mark.parametrize(
    "walk",
    [
        pytest.param(walk, id=name, marks=pytest.mark.crawls("helpdesk", place, of=len(WALKS)))
        for place, (name, walk) in enumerate(WALKS.items())
    ],
)
def test_every_control_does_something(
    office: Office, sandboxes: Sandboxes, port: str, walk: Walk, templates: Templates | None
) -> None:
    found = crawl(office, sandboxes, port, walk, templates)
    assert found.wrong == []
    assert found.total >= walk.least


def showing(html: str, status: int = 200) -> Callable[[Route], None]:
    """Return what answers with a page."""
    return lambda route: route.fulfill(status=status, body=html)


IDLE_PAGE = """<!doctype html><title>Idle</title><body>
<a href="/agent/nowhere">Away</a> <a href="#">Nothing</a> <button type="button">Idle</button>
<input aria-label="Loose"> <form method="post" action="/agent/broken"><button>Send</button></form>
<form method="post" action="/agent/gone"><button>Drop</button></form>
"""


@pytest.mark.parametrize("known", [None, Templates(ADDRESSES)], ids=["everything", "templates"])
def test_what_does_nothing_is_found(office: Office, port: str, known: Templates | None) -> None:
    def play(seat: Seat) -> list[str]:
        page = seat.sign_in("/agent/dashboard")
        page.wait_for_url("**/agent/dashboard")
        page.route("**/agent/idle", showing(IDLE_PAGE))
        page.route("**/agent/broken", showing("Broken", 500))
        page.route("**/agent/gone", showing("Gone", 404))
        crawler = Crawler(page, seat.origin, lambda: None, templates=known)
        return crawler.crawl(["/agent/idle"]).wrong

    wrong = play_at(office, port, play)
    idle = ("a link to nothing", "does nothing: .*Idle", "Loose")
    words = (*idle, "nowhere: answers 404", "POST .*broken answers 500", "POST .*gone answers 404")
    for word in words:
        assert any(re.search(word, line) for line in wrong), (word, wrong)
    assert len(wrong) == len(words)


BOXES = "".join(f'<label><input type="checkbox" name="of" value="{n}">{n}</label>' for n in "abcde")
OFFERED = f"""<!doctype html><title>Offered</title><body><form>{BOXES}</form>
<button type="button" onclick="document.title += '.'">Same</button>
<form method="post" action="/agent/kept"><button>Keep</button></form>
"""


def test_a_template_is_used_once_and_again_where_it_offers_something_else(
    office: Office, port: str
) -> None:
    more = f"{OFFERED}<button type=button>Idle</button>"
    walks = ((OFFERED, 200), (OFFERED, 200), (OFFERED, 404), (more, 200))

    def play(seat: Seat) -> list[Findings]:
        page = seat.sign_in("/agent/dashboard")
        page.wait_for_url("**/agent/dashboard")
        known, found = Templates(ADDRESSES), []
        for html, status in walks:
            window = page.context.new_page()
            window.route("**/agent/tickets/*", showing(html))
            window.route("**/agent/kept", showing("<body>Kept", status))
            walk = Crawler(window, seat.origin, lambda: None, templates=known)
            found.append(walk.crawl(["/agent/tickets/1", "/agent/tickets/2"]))
        return found

    one, same, refused, other = play_at(office, port, play)
    # The first box, the last, and both buttons; then what writes, which may be refused to others.
    assert (one.total, one.pages, one.wrong) == (4, 2, [])
    assert (same.total, same.pages, same.wrong) == (1, 2, [])
    assert (refused.total, refused.pages) == (1, 2)
    assert "kept answers 404" in refused.wrong[0]
    assert other.total == 4
    (line,) = other.wrong
    assert "does nothing" in line
    assert "Idle" in line


def test_of_a_template_two_pages_are_looked_at_and_each_that_is_no_page(
    office: Office, port: str
) -> None:
    dead = "".join(f'<a href="/agent/nowhere/{word}">{word}</a>' for word in ("a", "b", "c"))
    objects = "".join(
        f'<a href="/agent/custom-objects/{word}/records">{word}</a>' for word in ("a", "b", "c")
    )

    def play(seat: Seat) -> Findings:
        page = seat.sign_in("/agent/dashboard")
        page.wait_for_url("**/agent/dashboard")
        page.route("**/agent/idle", showing(f"<body>{dead}{objects}"))
        page.route("**/agent/custom-objects/**", showing("<body>Fine"))
        walk = Crawler(page, seat.origin, lambda: None, templates=Templates(ADDRESSES))
        return walk.crawl(["/agent/idle"])

    found = play_at(office, port, play)
    assert [line.partition(":")[0] for line in found.wrong] == [
        f"/agent/nowhere/{word}" for word in ("a", "b", "c")
    ]
    assert found.pages == 3
