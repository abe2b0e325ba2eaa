"""One browser for many episodes: it dies and comes back, and no episode is lost in silence."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.async_api import Error

from episodes.browser import (
    BrowserError,
    BrowserFull,
    BrowserLost,
    BrowserMissing,
    BrowserPool,
    BrowserSession,
    BrowserTimeout,
    Cookie,
    Timeouts,
)
from tests.browser.conftest import PRESENT, Opens, act, attempt, browser, opener, problem
from tests.browser.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def own(site: Site) -> Iterator[tuple[BrowserPool, Opens]]:
    """A pool that a test may break."""
    opened: list[BrowserSession] = []
    with BrowserPool(browser(), max_contexts=3, limits=Timeouts(call=20)) as pool:
        yield pool, opener(pool, site, opened)
        for session in opened:
            session.close()


def kill(pid: int | None) -> None:
    assert pid is not None
    process = psutil.Process(pid)
    os.kill(pid, signal.SIGKILL)
    psutil.wait_procs([process], timeout=10)


def test_a_browser_that_is_killed_is_lost_and_the_next_episode_gets_another(
    own: tuple[BrowserPool, Opens],
) -> None:
    pool, opens = own
    first, second = opens("/"), opens("/list")
    before = pool.process_id()
    kill(before)
    with pytest.raises(BrowserLost):
        attempt(first, "goto", url="/list")
    with pytest.raises(BrowserLost):
        second.observe()
    third = opens("/form")
    assert third.observe().title == "Form"
    assert pool.process_id() not in {None, before}
    with pytest.raises(BrowserLost):
        first.observe()
    first.close()
    second.close()
    assert pool.sessions() == (third.episode_id,)


def test_a_browser_that_is_killed_during_an_act_is_lost(own: tuple[BrowserPool, Opens]) -> None:
    pool, opens = own
    session = opens("/late")
    pid = pool.process_id()
    caught: list[BrowserError] = []

    def ask() -> None:
        try:
            attempt(session, "click", "button", "Ever")
        except BrowserError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(0.5)
    kill(pid)
    thread.join(20)
    assert [error.code for error in caught] == ["browser_lost"]


def test_a_driver_process_that_is_killed_is_lost_and_replaced(
    own: tuple[BrowserPool, Opens],
) -> None:
    _, opens = own
    known = {process.pid for process in psutil.Process().children()}
    session = opens("/")
    started = {process.pid for process in psutil.Process().children()} - known
    assert len(started) == 1
    os.kill(started.pop(), signal.SIGKILL)
    with pytest.raises(BrowserLost):
        session.observe()
    assert opens("/list").observe().title == "List"


def test_a_page_whose_process_dies_loses_that_episode_only(own: tuple[BrowserPool, Opens]) -> None:
    pool, opens = own
    first = opens("/")
    second = opens("/", host="app.two")
    page = second._driver.watch.active
    assert page is not None
    with contextlib.suppress(Error):
        pool.run(page.goto("chrome://crash"))
    with pytest.raises(BrowserLost):
        act(second, "click", "link", "Form")
    assert first.observe().title == "Home"


def test_the_number_of_episodes_is_bounded(own: tuple[BrowserPool, Opens], site: Site) -> None:
    pool, opens = own
    sessions = [opens("/") for _ in range(3)]
    with pytest.raises(BrowserFull):
        opens("/")
    sessions[0].close()
    sessions[0].close()
    assert opens("/").observe().title == "Home"
    with pytest.raises(ValueError, match="already"):
        pool.open(
            sessions[1].episode_id,
            origins=[site.origin()],
            start_url=site.origin() + "/",
            now=PRESENT,
        )


def test_a_session_that_was_closed_says_so(own: tuple[BrowserPool, Opens]) -> None:
    pool, opens = own
    session = opens("/")
    session.close()
    with pytest.raises(BrowserLost, match="closed"):
        session.observe()
    other = opens("/")
    pool.close()
    assert pool.process_id() is None
    with pytest.raises(BrowserLost, match="closed"):
        other.observe()
    assert opens("/").observe().title == "Home"


def test_an_address_that_does_not_answer_is_left_and_said(site: Site) -> None:
    limits = Timeouts(ready=1, settle=1, load=1, call=5)
    with BrowserPool(browser(), limits=limits) as pool:
        session = opener(pool, site, [])("/")
        assert problem(attempt(session, "goto", url="/never")) == "no_answer"
        with pytest.raises(BrowserTimeout):
            opener(pool, site, [])("/never")


def test_sessions_are_used_from_many_threads(own: tuple[BrowserPool, Opens]) -> None:
    _, opens = own
    titles: dict[int, list[str]] = {}

    def play(number: int) -> None:
        session = opens("/")
        for name in ("List", "Form") * 3:
            act(session, "goto", url="/")
            act(session, "click", "link", name)
            titles.setdefault(number, []).append(session.observe().title)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert titles == dict.fromkeys(range(3), ["List", "Form"] * 3)


def test_without_a_browser_opening_says_so(site: Site, tmp_path: Path) -> None:
    with BrowserPool(None) as pool, pytest.raises(BrowserMissing):
        opener(pool, site, [])("/")
    stub = tmp_path / "chromium"
    stub.write_text("#!/bin/sh\nexit 3\n")
    stub.chmod(0o755)
    with BrowserPool(stub) as pool:
        with pytest.raises(BrowserLost, match="did not start"):
            opener(pool, site, [])("/")
        assert pool.sessions() == ()


def test_the_first_page_must_be_on_an_origin(own: tuple[BrowserPool, Opens], site: Site) -> None:
    _, opens = own
    with pytest.raises(ValueError, match="start page"):
        opens("/", origins=[site.origin("panel.sb")])


def test_an_episode_starts_with_its_cookies(own: tuple[BrowserPool, Opens], site: Site) -> None:
    _, opens = own
    before = len(site.requests)
    opens("/frames", cookies=[Cookie("session", "s-1", site.origin())])
    sent = dict(zip(site.requests[before:], site.cookies[before:], strict=True))
    assert sent == {"app.sb /frames": "session=s-1", "panel.sb /panel": ""}
