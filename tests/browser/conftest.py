"""A browser for all these tests, and a context of its own for each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from episodes.browser import ActResult, BrowserPool, BrowserSession, find_browser
from tests.browser.site import Site, serve
from tests.skips import NO_BROWSER

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


class Opens(Protocol):
    """Open a session on a page of the site; options as `BrowserPool.open`."""

    def __call__(self, path: str = "/", /, **options: Any) -> BrowserSession: ...


def browser() -> Path:
    """Return the browser, or skip where the machine has none."""
    found = find_browser()
    if found is None:
        pytest.skip(NO_BROWSER)
    return found


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with serve() as site:
        yield site


@pytest.fixture(scope="session")
def pool() -> Iterator[BrowserPool]:
    with BrowserPool(browser()) as pool:
        yield pool


_numbers = itertools.count(1)


def opener(pool: BrowserPool, site: Site, opened: list[BrowserSession]) -> Opens:
    """Return what opens sessions of a pool, and keeps them for closing."""

    def opens(path: str = "/", /, host: str = "app.sb", **options: Any) -> BrowserSession:
        panel = "panel." + host.partition(".")[2]
        options.setdefault("origins", [site.origin(host), site.origin(panel)])
        options.setdefault("now", PRESENT)
        start = site.origin(host) + path
        session = pool.open(f"ep-{next(_numbers)}", start_url=start, **options)
        opened.append(session)
        return session

    return opens


@pytest.fixture
def opens(pool: BrowserPool, site: Site) -> Iterator[Opens]:
    opened: list[BrowserSession] = []
    yield opener(pool, site, opened)
    for session in opened:
        session.close()


def act(
    session: BrowserSession, kind: str, role: str = "", name: str = "", **rest: Any
) -> ActResult:
    """Do an act that must succeed, aimed by role and name."""
    result = attempt(session, kind, role, name, **rest)
    assert result.error is None, result.error
    assert result.settled.ok, result.settled
    return result


def attempt(
    session: BrowserSession, kind: str, role: str = "", name: str = "", **rest: Any
) -> ActResult:
    """Do an act, aimed by role and name where these are given."""
    aim = {"target": {"role": role, "name": name}} if role else {}
    return session.perform({"act": kind, **aim, **rest})


def problem(result: ActResult) -> str:
    """Return the code of what went wrong for the agent."""
    assert result.error is not None
    return result.error.code


def ref_of(tree: str, line: str) -> str:
    """Return the ref on the first line of a tree that contains some text."""
    found = next(one for one in tree.split("\n") if line in one)
    return found.split("[ref=")[1].split("]")[0]
