"""Nothing but the episode's own origins can be reached, and every attempt is on record."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from episodes.browser import BrowserSession, Failure, NotAllowed
from episodes.browser.walls import Refusal, Walls
from tests.browser.conftest import Opens, act, attempt, problem
from tests.browser.site import Site

pytestmark = pytest.mark.browser


def outside(site: Site) -> list[str]:
    return [one for one in site.requests if one.startswith("outside")]


def test_nothing_on_a_page_reaches_another_origin(opens: Opens, site: Site) -> None:
    session = opens("/outside")
    seen = session.observe()
    away = site.origin("outside")
    kinds = {(one.url, one.kind) for one in session.blocked}
    assert {
        (f"{away}/pixel", "image"),
        (f"{away}/landed", "image"),  # by redirect from our own origin
        (f"{away}/ad", "document"),
        (f"{away}/fetch", "fetch"),
        (f"{away}/beacon", "ping"),
        (f"{away}/socket".replace("http", "ws"), "websocket"),
    } <= kinds
    assert outside(site) == []
    assert "fetch TypeError" in seen.tree
    assert "socket refused" in seen.tree
    assert "own socket refused" in seen.tree
    assert "permission denied" in seen.tree
    assert not any("worker.js" in one for one in site.requests)
    assert 'iframe "Ad" [ref=' in seen.tree
    assert ": This address could not be reached." in seen.tree


def way_of(address: str) -> str:
    return address.partition("/way/")[2].partition("?")[0]


def ways(site: Site) -> set[str]:
    """Return the ways by which something has come to the site of `ways_out.html`."""
    return {way_of(one) for one in site.requests if "/way/" in one}


def eventually(
    session: BrowserSession, look: Callable[[], set[str]], wanted: frozenset[str]
) -> set[str]:
    """Look at a page until there is what is wanted, or for as long as that may take."""
    deadline = time.monotonic() + 20
    while not (found := look()) >= wanted and time.monotonic() < deadline:
        session.observe()
    return found


# What a browser without walls reaches from that page; of other ways it takes some or none.
REACHED = frozenset(
    """
    audio background beacon data dynamic-import embed fetch fetch-keepalive fetch-post fontface
    form-get form-post iframe image img import input link list location modulepreload module object
    poster preload script source srcdoc srcset stylesheet video worker-fetch worker-import xhr
    """.split()
)


def test_no_way_out_of_a_page_is_open(opens: Opens, site: Site) -> None:
    """Elements, styles, scripts, workers, frames, forms, hints, sockets, other names of loopback.

    Without the walls most of them lead somewhere: the second look is the first one's proof.
    """
    walled = opens("/ways_out")
    assert "all tried" in walled.observe().tree
    tried = eventually(walled, lambda: {way_of(one.url) for one in walled.blocked}, REACHED)
    assert tried >= REACHED
    assert ways(site) == set()
    walled.close()
    open_one = opens("/ways_out", origins=[site.origin(), site.origin("elsewhere")])
    assert "all tried" in open_one.observe().tree
    assert eventually(open_one, lambda: ways(site), REACHED) >= REACHED
    assert not {one for one in ways(site) if one.startswith("host-")}
    site.requests[:] = [one for one in site.requests if "/way/" not in one]


@pytest.mark.parametrize(("name", "path"), [("Link", "/page"), ("Redirect", "/landed")])
def test_a_link_out_is_a_network_error(opens: Opens, site: Site, name: str, path: str) -> None:
    session = opens("/outside")
    result = act(session, "click", "link", name)
    assert [one.url for one in result.blocked if one.kind == "document"] == [
        site.origin("outside") + path
    ]
    seen = session.observe()
    assert seen.url == site.origin("outside") + path
    assert seen.tree == "- text: This address could not be reached."
    assert outside(site) == []
    act(session, "back")
    assert session.observe().title == "Outside"


def test_a_form_cannot_be_sent_out(opens: Opens, site: Site) -> None:
    session = opens("/outside")
    result = act(session, "click", "button", "Send")
    assert ("POST", site.origin("outside") + "/steal") in {
        (one.method, one.url) for one in result.blocked
    }
    assert outside(site) == []


def test_goto_reaches_the_origins_only(opens: Opens, site: Site) -> None:
    session = opens("/")
    for url in (
        site.origin("outside") + "/",
        f"http://app.sb.localhost:{site.port + 1}/",
        f"https://app.sb.localhost:{site.port}/",
        f"http://app.other.localhost:{site.port}/",
        f"http://user@app.sb.localhost:{site.port}/",
        f"http://127.0.0.1:{site.port}/",
        "file:///etc/hostname",
        "//outside.localhost/",
        "https://example.com/",
    ):
        assert problem(attempt(session, "goto", url=url)) in {"not_allowed", "bad_url"}, url
    for url in (
        "javascript:document.title='x'",
        "data:text/html,x",
        "chrome://version",
        "origin:7/",
    ):
        assert problem(attempt(session, "goto", url=url)) in {"not_allowed", "bad_url"}, url
    assert session.observe().title == "Home"
    assert (site.origin("outside") + "/", "goto") in {
        (one.url, one.kind) for one in session.blocked
    }
    assert outside(site) == []


def test_a_server_of_ours_that_does_not_answer_is_no_wall(opens: Opens, site: Site) -> None:
    refusal = Refusal()
    dead = refusal.server.replace("127.0.0.1", "dead.localhost")
    session = opens("/", origins=[site.origin(), dead])
    result = act(session, "goto", url=dead + "/page")
    refusal.close()
    assert result.blocked == ()
    assert result.failures == (Failure(dead + "/page", "net::ERR_CONNECTION_REFUSED"),)
    assert session.observe().tree == "- text: This address could not be reached."
    assert session.observe().url == dead + "/page"


def test_a_link_to_the_disk_opens_nothing(opens: Opens) -> None:
    session = opens("/outside")
    attempt(session, "click", "link", "Disk")
    assert session.observe().title == "Outside"


def test_the_browser_itself_refuses_where_the_driver_does_not_ask(opens: Opens, site: Site) -> None:
    """Another sandbox's host, asked for by a page, not by an act."""
    session = opens("/", origins=[site.origin()])
    act(session, "goto", url="/frames")
    assert "could not be reached" in session.observe().tree
    assert [one.url for one in session.blocked] == [site.origin("panel.sb") + "/panel"]


def test_two_episodes_share_no_storage(opens: Opens) -> None:
    first, second = opens("/storage"), opens("/storage")
    act(first, "click", "button", "Keep")
    assert "page=mine | mine" in first.observe().tree
    act(second, "goto", url="/storage")
    assert "paragraph: | null" in second.observe().tree
    assert "mine" not in second.observe().tree


def test_addresses_have_a_form_that_names_no_sandbox() -> None:
    walls = Walls(["http://app.sb.localhost:80/", "https://crm.sb.localhost:8443"])
    assert walls.origins == ("http://app.sb.localhost", "https://crm.sb.localhost:8443")
    place = walls.place("https://crm.sb.localhost:8443/a?b=1#c")
    assert place == "origin:1/a?b=1#c"
    assert walls.resolve(place, "") == "https://crm.sb.localhost:8443/a?b=1#c"
    assert walls.place("http://app.sb.localhost:80") == "origin:0/"
    assert walls.bypass() == (
        "<-loopback>,http://app.sb.localhost:80,https://crm.sb.localhost:8443"
    )
    with pytest.raises(NotAllowed) as error:
        walls.resolve("http://app.sb.localhost:81/", "")
    assert error.value.origin == "http://app.sb.localhost:81"
    with pytest.raises(ValueError, match="no web origin"):
        Walls(["ftp://app.sb.localhost"])
