"""Pages live at the sandbox's time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.browser.conftest import PRESENT, Opens, act

pytestmark = pytest.mark.browser


def test_a_page_is_at_the_sandboxs_time_from_its_first_load(opens: Opens) -> None:
    session = opens("/clock")
    assert "paragraph: 2026-06-16T14:00:00.000Z" in session.observe().tree


def test_the_time_stands_until_it_is_set_and_may_go_back(opens: Opens) -> None:
    session = opens("/clock")
    for step in (timedelta(seconds=10), timedelta(days=400), timedelta(days=-30)):
        session.set_time(PRESENT + step)
        expected = (PRESENT + step).isoformat().replace("+00:00", ".000Z")
        for _ in range(2):
            act(session, "click", "button", "Show")
            assert expected in session.observe().tree
        act(session, "goto", url="/clock")
        assert expected in session.observe().tree
        act(session, "tab", do="new", url="/clock")
        assert expected in session.observe().tree


def test_timers_run_while_the_clock_stands(opens: Opens) -> None:
    session = opens("/late")
    act(session, "click", "button", "Swap")
    assert "swapped" in session.observe().tree


def test_a_time_without_a_zone_is_refused(opens: Opens) -> None:
    session = opens("/clock")
    with pytest.raises(ValueError, match="zone"):
        session.set_time(datetime(2026, 1, 1))  # noqa: DTZ001 - what is tested
