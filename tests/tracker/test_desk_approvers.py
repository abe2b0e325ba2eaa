"""Simulated approvers: what calls a request to their mind, what they do then, and what does not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from clones.tracker.models import Issue, User
from seeds.people.approvers import cast_approver
from tests.tracker.conftest import Site
from tests.tracker.desk_site import Desk, open_desk

APPROVERS = "customfield_10003"
DAY = 86_400
SAYS = {"approved": "Fine with me.", "declined": "Ask again from 1 October 2026."}


def hardware(desk: Desk, approver: str) -> str:
    """Ask for something that somebody must approve."""
    values: dict[str, Any] = {
        "description": "It is old.",
        APPROVERS: [{"accountId": desk.site.ids[approver]}],
    }
    key: str = desk.ask("A laptop", kind="Request new hardware", values=values)["issueKey"]
    return key


def cast(site: Site, key: str, login: str, decision: str) -> None:
    """Make somebody the one who decides on a request."""
    with site.writing("world"):
        user = User.objects.get(account_id=site.ids[login])
        issue = Issue.objects.get(key=key)
        cast_approver(user, issue, decision=decision, says=SAYS[decision], chance=Random(1))


def say(desk: Desk, key: str, *, public: bool) -> None:
    """Comment on a request."""
    body = {"body": "Could you look at this?", "public": public}
    desk.post(f"request/{key}/comment", body, by="dev")


def decision(desk: Desk, key: str) -> str:
    """Return what was decided on a request."""
    [found] = desk.get(f"request/{key}/approval")["values"]
    return str(found["finalDecision"])


def comments_of(desk: Desk, key: str) -> list[tuple[str, bool]]:
    """Return what was said on a request, and whether customers read it."""
    rows = desk.get(f"request/{key}/comment")["values"]
    return [(row["body"], row["public"]) for row in rows]


@pytest.mark.parametrize(
    ("wanted", "status"), [("approved", "Waiting for support"), ("declined", "Closed")]
)
def test_an_approver_decides_some_time_after_a_reply_calls_it_to_mind(
    site: Site, wanted: str, status: str
) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana")
    cast(site, key, "dana", wanted)
    site.advance(5 * DAY)
    assert decision(desk, key) == "pending"
    say(desk, key, public=True)
    site.advance(30)
    assert decision(desk, key) == "pending"
    site.advance(2 * DAY)
    assert decision(desk, key) == wanted
    assert comments_of(desk, key)[-1] == (SAYS[wanted], True)
    assert site.get(f"issue/{key}", by="dev")["fields"]["status"]["name"] == status


def test_a_note_that_they_cannot_see_calls_nothing_to_mind(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana")
    cast(site, key, "dana", "approved")
    say(desk, key, public=False)
    site.advance(5 * DAY)
    assert decision(desk, key) == "pending"


def test_who_is_put_there_later_knows_of_it_and_decides_once(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana")
    cast(site, key, "guest", "approved")
    say(desk, key, public=True)
    site.advance(2 * DAY)
    assert decision(desk, key) == "pending"
    people = [{"accountId": site.ids["guest"]}]
    site.put(f"issue/{key}", {"fields": {APPROVERS: people}}, by="dev")
    site.advance(30)
    say(desk, key, public=True)
    site.advance(2 * DAY)
    assert decision(desk, key) == "approved"
    say(desk, key, public=True)
    site.advance(2 * DAY)
    assert [text for text, _ in comments_of(desk, key)].count(SAYS["approved"]) == 1


def test_nobody_decides_on_what_was_withdrawn_meanwhile(site: Site) -> None:
    desk = open_desk(site)
    key = hardware(desk, "dana")
    cast(site, key, "dana", "approved")
    say(desk, key, public=True)
    site.advance(30)
    desk.post(f"request/{key}/transition", {"id": "131"}, by="cara", status=204)
    site.advance(2 * DAY)
    assert SAYS["approved"] not in [text for text, _ in comments_of(desk, key)]
    assert site.get(f"issue/{key}", by="dev")["fields"]["status"]["name"] == "Canceled"
