"""One ticket after another, who else is there, and what was not sent."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import OpenTicket, Skip, Ticket, User, View
from tests.helpdesk.web.conftest import Office, Shown
from tests.helpdesk.web.desk import write_many


def path_of(key: int) -> str:
    return f"/agent/tickets/{key}"


def view_key(office: Office, title: str = "Unassigned tickets") -> int:
    with office.bound(), unit_of_work("read"):
        return View.objects.get(title=title).id


def three_more(office: Office) -> list[int]:
    """Write three tickets nobody has and return them in the order of the view of such tickets."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="many"):
        write_many(User.objects.get(id=office.keys.customer), 3)
    page = office.get(f"/agent/filters/{view_key(office)}")
    return [int(key) for key in re.findall(r'<tr[^>]*data-ticket-id="(\d+)"', page.html)]


def ben(office: Office) -> Office:
    return Office(office.row, office.keys).sign_in("ben@kestrel.example")


def see(office: Office, key: int, **more: str) -> Shown:
    """Tell that a ticket is before the agent."""
    return office.post(f"/agent/presence/tickets/{key}", more)


# The next ticket


def test_the_next_ticket_is_the_next_of_the_view(ana: Office) -> None:
    order = three_more(ana)
    sent = ana.send_ticket(order[1], comment="Hm.", channel="internal", after="next")
    assert sent.location == path_of(order[2])
    # The view, sorted otherwise, is the order that counts.
    ana.get(f"/agent/filters/{view_key(ana)}", sort="requester.asc")
    lowest = sorted(order)
    sent = ana.send_ticket(lowest[0], comment="Hm.", channel="internal", after="next")
    assert sent.location == path_of(lowest[1])


def test_the_next_ticket_follows_one_that_left_the_view(ana: Office) -> None:
    order = three_more(ana)
    taken = f"{ana.keys.billing}:{ana.keys.agent}"
    sent = ana.send_ticket(order[0], assignee=taken, after="next")
    assert sent.location == path_of(order[1])


def test_after_the_last_ticket_of_a_view_comes_the_view(ana: Office) -> None:
    order = three_more(ana)
    sent = ana.send_ticket(order[-1], comment="Hm.", channel="internal", after="next")
    assert sent.location == f"/agent/filters/{view_key(ana)}"
    sent = ana.send_ticket(order[0], comment="Hm.", channel="internal", after="close")
    assert sent.location == f"/agent/filters/{view_key(ana)}"


def test_a_view_that_is_not_there_is_no_order(ana: Office) -> None:
    for cookie in ("x", "1.subject.asc", "9" * 30, ".", "77.password.up"):
        ana.client.cookies["_helpdesk_view"] = cookie
        sent = ana.send_ticket(ana.keys.charged, comment="Hm.", channel="internal", after="next")
        assert sent.location == path_of(ana.keys.broken)


# Play


def play(office: Office) -> Shown:
    return office.get(f"/agent/filters/{view_key(office)}/play")


def test_a_view_is_played_from_its_top_and_submitting_goes_on(ana: Office) -> None:
    order = three_more(ana)
    page = ana.get(f"/agent/filters/{view_key(ana)}")
    assert f'href="/agent/filters/{view_key(ana)}/play"' in page.html
    assert play(ana).location == path_of(order[0])
    page = ana.get(path_of(order[0]))
    assert 'data-test-id="play-mode-bar"' in page.html
    assert "After submitting" not in page.html
    sent = ana.send_ticket(order[0], comment="Hm.", channel="internal")
    assert sent.location == path_of(order[1])
    tabs = re.findall(r'header-tab" data-entity-id="(\d+)"', ana.get(sent.location).html)
    assert str(order[0]) not in tabs


def test_a_play_begins_again_at_the_top_until_nothing_is_left(ana: Office) -> None:
    order = three_more(ana)
    play(ana)
    sent = ana.send_ticket(order[-1], comment="Hm.", channel="internal")
    assert sent.location == path_of(order[0])
    for here, there in zip(order, [*order[1:], None], strict=True):
        left = ana.post(f"{path_of(here)}/skip", {"reason": ""})
        expected = path_of(there) if there else f"/agent/filters/{view_key(ana)}"
        assert left.location == expected
    page = ana.get(f"/agent/filters/{view_key(ana)}")
    assert "No more tickets to play in this view" in page.text
    assert "play-mode-bar" not in ana.get(path_of(order[0])).html


def test_a_skip_is_recorded_with_its_reason(ana: Office) -> None:
    order = three_more(ana)
    play(ana)
    page = ana.get(f"{path_of(order[0])}/skip")
    assert "Why do you skip" in page.text
    left = ana.post(f"{path_of(order[0])}/skip", {"reason": "Not my language"})
    assert left.location == path_of(order[1])
    told = json.loads(ana.get(f"/api/v2/tickets/{order[0]}/skips.json").html)["skips"]
    assert [(item["user_id"], item["reason"]) for item in told] == [
        (ana.keys.agent, "Not my language")
    ]


def test_a_reason_that_is_too_long_is_kept_and_refused(ana: Office) -> None:
    order = three_more(ana)
    play(ana)
    page = ana.post(f"{path_of(order[0])}/skip", {"reason": "long " * 20_000})
    assert page.status == 422
    assert "long long" in page.text
    with ana.bound(), unit_of_work("read"):
        assert not Skip.objects.exists()


def test_what_others_look_at_is_not_played(ana: Office) -> None:
    order = three_more(ana)
    other = ben(ana)
    see(other, order[0])
    see(other, order[1])
    assert play(ana).location == path_of(order[2])
    see(other, order[1], left="1")
    assert play(ana).location == path_of(order[1])


def test_playing_ends_when_it_is_left(ana: Office) -> None:
    order = three_more(ana)
    play(ana)
    assert ana.get("/agent/play/stop").location == f"/agent/filters/{view_key(ana)}"
    assert "play-mode-bar" not in ana.get(path_of(order[0])).html


def test_nothing_to_play_says_so(ana: Office) -> None:
    key = view_key(ana, "Pending tickets")
    shown = ana.get(f"/agent/filters/{key}/play")
    assert shown.location == f"/agent/filters/{key}"
    assert "No more tickets to play" in ana.get(shown.location).text
    assert "views_views-header-play-button" not in ana.get(shown.location).html


# Who else is there


def test_who_has_the_same_ticket_open_is_named(ana: Office) -> None:
    other = ben(ana)
    assert "also viewing" not in see(ana, ana.keys.charged).html
    told = see(other, ana.keys.charged)
    assert "Ana Lima is also viewing" in told.text
    assert "Ben Okafor is also viewing" in ana.get(path_of(ana.keys.charged)).text
    assert "viewing" not in ana.get(path_of(ana.keys.broken)).text
    page = ana.get(f"/agent/filters/{view_key(ana)}")
    assert "Ben Okafor viewing" in page.text
    assert ana.changes() == []


def test_who_left_is_not_there(ana: Office) -> None:
    other = ben(ana)
    see(other, ana.keys.charged)
    see(other, ana.keys.charged, left="1")
    assert "is also viewing" not in see(ana, ana.keys.charged).text


def test_unverified_who_was_not_heard_of_for_a_while_is_not_there(ana: Office) -> None:
    other = ben(ana)
    see(other, ana.keys.charged)
    assert "is also viewing" in see(ana, ana.keys.charged).text
    with ana.bound(), unit_of_work("write"):
        clock.set_time(clock.now() + timedelta(minutes=6))
    assert "is also viewing" not in see(ana, ana.keys.charged).text


def test_looking_does_not_move_the_clock(ana: Office) -> None:
    with ana.bound(), unit_of_work("read"):
        before = clock.now()
    see(ana, ana.keys.charged)
    with ana.bound(), unit_of_work("read"):
        assert clock.now() == before
        assert OpenTicket.objects.count() == 1


def test_presence_needs_the_token_and_the_ticket(ana: Office) -> None:
    address = f"/agent/presence/tickets/{ana.keys.charged}"
    assert ana.client.post(address, {}).status_code == 403
    assert see(ana, 999).status == 404
    with ana.bound(), unit_of_work("read"):
        assert not OpenTicket.objects.exists()


# What was not sent


def keep(office: Office, key: int, **changes: Any) -> None:
    """Open a ticket, change its form, and let the page keep it."""
    fields = office.get(path_of(key)).fields()
    answer = office.post(f"/agent/drafts/tickets/{key}", {**fields, **changes})
    assert answer.status == 204


def test_changed_properties_wait_for_their_tab(ana: Office) -> None:
    key = ana.keys.charged
    keep(ana, key, priority="high", tags="billing june", comment="Half a")
    ana.get(path_of(ana.keys.broken))
    page = ana.get(path_of(key))
    fields = page.fields()
    assert (fields["priority"], fields["tags"], fields["comment"]) == (
        "high",
        "billing june",
        "Half a",
    )
    assert "Unsaved changes" in page.text
    assert "Unsaved changes" not in ben(ana).get(path_of(key)).text
    assert ana.changes() == []
    ana.post(path_of(key), {**fields, "submit_as": ""})
    ticket = ana.ticket(key)
    assert (ticket.priority, ticket.tags) == ("high", ["billing", "june"])
    assert "Unsaved changes" not in ana.get(path_of(key)).text


def test_what_others_changed_meanwhile_is_there_too(ana: Office) -> None:
    key = ana.keys.charged
    keep(ana, key, priority="high", tags="billing june")
    ben(ana).send_ticket(key, type="question", tags="billing card")
    fields = ana.get(path_of(key)).fields()
    assert (fields["priority"], fields["type"]) == ("high", "question")
    assert fields["tags"] == "billing card june"


def test_who_closes_a_tab_gives_up_what_they_changed(ana: Office) -> None:
    key = ana.keys.charged
    keep(ana, key, priority="high")
    ana.get(f"{path_of(key)}/close")
    page = ana.get(path_of(key))
    assert page.fields()["priority"] == ""
    assert "Unsaved changes" not in page.text


def test_what_was_changed_back_is_not_kept(ana: Office) -> None:
    key = ana.keys.charged
    keep(ana, key, priority="high")
    keep(ana, key, priority="")
    assert "Unsaved changes" not in ana.get(path_of(key)).text


def test_what_arrives_after_sending_does_not_come_back(ana: Office) -> None:
    key = ana.keys.charged
    fields = ana.get(path_of(key)).fields()
    late = {**fields, "priority": "high"}
    ana.post(path_of(key), {**late, "submit_as": ""})
    ana.post(f"/agent/drafts/tickets/{key}", {**late, "priority": "low"})
    page = ana.get(path_of(key))
    assert page.fields()["priority"] == "high"
    assert "Unsaved changes" not in page.text


def test_a_form_of_an_unusual_size_is_not_kept(ana: Office) -> None:
    key = ana.keys.charged
    keep(ana, key, subject="x" * 70_000)
    assert ana.get(path_of(key)).field("subject") == "Charged twice for June"
    with ana.bound(), unit_of_work("read"):
        assert Ticket.objects.get(id=key).subject == "Charged twice for June"
