"""Acts are recorded so that another run, in another sandbox, can do them again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from episodes.browser import BrowserSession
from episodes.browser.driver import Driver
from tests.browser.conftest import Opens, problem, ref_of
from tests.browser.site import Site

pytestmark = pytest.mark.browser


def play(session: BrowserSession) -> list[tuple[dict[str, Any], str]]:
    """Play a short episode by refs; return what was recorded, and how the page then looked."""
    story: list[tuple[dict[str, Any], str]] = []

    def do(line: str = "", **act: Any) -> None:
        seen = session.observe()
        aim = {"ref": ref_of(seen.tree, line)} if line else {}
        result = session.perform({**act, **aim})
        assert result.error is None, result.error
        story.append((result.recorded, session.canonical(session.observe())))

    do('link "List"', act="click")
    do(act="goto", url="/frames?from=list#top")
    do('  - button "Refund"', act="click")
    do(act="tab", do="new", url="/form")
    do('textbox "Subject"', act="type", text="Double charge")
    do('combobox "Priority"', act="select", options=["High"])
    do('button "Save"', act="click")
    do(act="back")
    return story


def test_a_recorded_act_has_a_handle_and_no_ref(opens: Opens) -> None:
    recorded = [record for record, _ in play(opens("/"))]
    assert recorded == [
        {
            "act": "click",
            "target": {"role": "link", "name": "List", "ordinal": 0, "frame": []},
        },
        {"act": "goto", "url": "origin:0/frames?from=list#top"},
        {
            "act": "click",
            "target": {"role": "button", "name": "Refund", "ordinal": 0, "frame": [0]},
        },
        {"act": "tab", "do": "new", "url": "origin:0/form"},
        {
            "act": "type",
            "text": "Double charge",
            "target": {"role": "textbox", "name": "Subject", "ordinal": 0, "frame": []},
        },
        {
            "act": "select",
            "options": ["High"],
            "target": {"role": "combobox", "name": "Priority", "ordinal": 0, "frame": []},
        },
        {
            "act": "click",
            "target": {"role": "button", "name": "Save", "ordinal": 0, "frame": []},
        },
        {"act": "back"},
    ]


def test_a_replay_elsewhere_shows_the_same_pages(opens: Opens, site: Site) -> None:
    story = json.loads(json.dumps(play(opens("/"))))
    elsewhere = opens("/list", host="app.other")  # refs get other prefixes, hosts another name
    assert elsewhere.replay({"act": "goto", "url": "origin:0/"}).error is None
    for recorded, seen in story:
        result = elsewhere.replay(recorded)
        assert result.error is None, result.error
        assert result.recorded == recorded
        assert elsewhere.canonical(elsewhere.observe()) == seen


def test_a_canonical_page_names_neither_host_nor_port(opens: Opens, site: Site) -> None:
    session = opens("/list")
    text = session.canonical(session.observe())
    assert text.startswith("origin:0/list\nList\n")
    assert str(site.port) not in text
    assert "ref=" not in text


def test_an_act_that_failed_replays_as_the_same_failure(opens: Opens) -> None:
    session = opens("/form")
    for act in (
        {"act": "click", "target": {"role": "button", "name": "Approve"}},
        {"act": "click", "target": {"role": "button", "name": "Nowhere"}},
        {"act": "click", "ref": "e999"},
        {"act": "goto", "url": "http://outside.localhost/"},
        {"act": "sing"},
    ):
        first = session.perform(act)
        again = session.replay(first.recorded)
        assert "ref" not in first.recorded
        assert (problem(again), again.recorded) == (problem(first), first.recorded)


FIRST: dict[str, Any] = {
    "act": "click",
    "target": {"role": "button", "name": "Take", "ordinal": 0, "frame": []},
}


@pytest.mark.parametrize("looked", [True, False])
def test_replays_in_a_row_are_aimed_at_the_page_as_it_is(opens: Opens, looked: bool) -> None:
    session = opens("/queue")
    session.observe()
    for _ in range(2):
        assert session.replay(FIRST).error is None
        if looked:
            session.observe()
    assert "one two" in session.observe().tree
    assert problem(session.replay(FIRST)) == "stale_ref"


def test_a_replay_right_after_an_observation_takes_no_second_look(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opens("/queue")
    session.observe()
    looks = []
    look = Driver._snapshot

    async def counted(driver: Driver, page: Any) -> Any:
        looks.append(page)
        return await look(driver, page)

    monkeypatch.setattr(Driver, "_snapshot", counted)
    assert session.replay(FIRST).error is None
    assert len(looks) == 0
    assert session.replay(FIRST).error is None
    assert len(looks) == 1
