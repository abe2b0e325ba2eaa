"""After an act the page has come to rest, or the result says that it has not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from episodes.browser import BrowserPool, BrowserSession, Timeouts
from tests.browser.conftest import Opens, act, attempt, browser, opener
from tests.browser.site import Site

pytestmark = pytest.mark.browser


def test_requests_the_act_started_are_waited_for(opens: Opens) -> None:
    session = opens("/late")
    result = act(session, "click", "button", "Ask")
    assert result.seconds >= 0.4
    assert "the answer" in session.observe().tree


def test_a_field_that_asks_a_moment_after_the_last_key_is_waited_for(opens: Opens) -> None:
    session = opens("/late")
    act(session, "type", "textbox", "Find", text="Ada")
    assert "found Ada" in session.observe().tree


def test_htmx_is_waited_for_and_its_polling_is_not(opens: Opens) -> None:
    session = opens("/htmx")
    act(session, "click", "button", "Ask")
    assert "the answer" in session.observe().tree
    act(session, "type", "textbox", "Find", text="Ada")
    assert "found Ada" in session.observe().tree
    assert "found tick" in session.observe().tree
    assert act(session, "press", key="Shift").settled.seconds < 1.4


def test_an_element_that_htmx_marks_busy_is_waited_for(opens: Opens) -> None:
    session = opens("/late")
    result = act(session, "click", "button", "Swap")
    assert result.seconds >= 0.85
    assert "swapped" in session.observe().tree


def test_a_page_that_polls_is_not_waited_for(opens: Opens) -> None:
    session = opens("/late")
    result = act(session, "click", "button", "Poll")
    assert result.settled.seconds < 1.4
    assert "polled" in session.observe().tree


def test_a_quiet_page_costs_two_frames(opens: Opens) -> None:
    session = opens("/list")
    act(session, "press", key="Shift")
    assert act(session, "press", key="Shift").settled.seconds < 1


@pytest.fixture
def hasty(site: Site) -> Iterator[BrowserSession]:
    opened: list[BrowserSession] = []
    with BrowserPool(browser(), limits=Timeouts(settle=0.5)) as pool:
        yield opener(pool, site, opened)("/late")


def test_what_never_ends_is_reported_and_stops_nothing(hasty: BrowserSession, site: Site) -> None:
    result = attempt(hasty, "click", "button", "Ever")
    assert result.error is None
    assert not result.settled.ok
    assert result.settled.waiting == (f"GET {site.origin()}/never",)
    # The next act does not wait for what an earlier one left behind.
    assert attempt(hasty, "press", key="Shift").settled.ok
