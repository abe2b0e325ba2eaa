"""The pages of mail that was held back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.models import Sighting
from clones.core.post import File
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import SuspendedTicket, Ticket, User
from tests.helpdesk.web.conftest import Office, Shown

PATH = "/agent/filters/suspended"


def hold(office: Office, **given: Any) -> int:
    """Send a mail that is held back as spam and return its id."""
    values = {
        "sender": "eve@else.example",
        "name": "Eve Moor",
        "subject": "Cheap lenses",
        "text": "Buy lenses.",
        "headers": {"X-Spam-Flag": "YES"},
        **given,
    }
    with office.bound(), unit_of_work("write"), act(actor="test", label="mail"):
        made = receive_message(Mail(**values), ticket=None)
        assert isinstance(made, SuspendedTicket)
        return made.id


def rows(page: Shown) -> list[int]:
    return [int(key) for key in re.findall(r'<tr[^>]*data-suspended-id="(\d+)"', page.html)]


def left(office: Office) -> list[int]:
    listed = office.client.get("/api/v2/suspended_tickets.json").json()["suspended_tickets"]
    return [item["id"] for item in listed]


def test_held_mail_is_listed_among_the_views(ana: Office) -> None:
    key = hold(ana)
    views = ana.get(ana.get("/agent/filters").location)
    assert 'data-test-id="views_views-list_item-view-suspended"' in views.html
    page = ana.get(PATH)
    assert rows(page) == [key]
    for words in ("Cheap lenses", "Eve Moor", "eve@else.example", "Detected as spam", "1 ticket"):
        assert words in page.text
    assert "Your unsolved tickets" in page.text


def test_held_mail_is_sorted_by_its_headings_and_comes_in_pages(ana: Office) -> None:
    first = hold(ana, subject="Zebra", sender="a@else.example")
    second = hold(ana, subject="Apple", sender="z@else.example")
    assert rows(ana.get(PATH)) == [second, first]
    page = ana.get(PATH, sort="subject.desc")
    assert rows(page) == [first, second]
    assert 'aria-sort="descending"' in page.html
    assert rows(ana.get(PATH, sort="author_email.asc")) == [first, second]
    assert rows(ana.get(PATH, sort="content.asc")) == [second, first]
    for number in range(29):
        hold(ana, sender=f"p{number}@else.example")
    assert "Page 1 of 2" in ana.get(PATH).text
    assert rows(ana.get(PATH, page="2")) == [first]


def test_a_held_mail_is_shown_harmless_and_noted(ana: Office) -> None:
    file = File("lens.txt", "text/plain", b"glass")
    html = '<p onclick="x()">Buy <script>x()</script><b>now</b></p>'
    key = hold(ana, html=html, files=(file,))
    server().registry.set_episode(ana.row.id, "ep-test", None)
    page = ana.get(f"{PATH}/{key}")
    assert "Buy now" in page.text
    assert "onclick" not in page.html
    assert "lens.txt" in page.text
    with ana.bound(), unit_of_work("read"):
        shown = Sighting.objects.order_by("id").last()
        assert shown is not None
        assert ["helpdesk_suspendedticket", str(key), "detail"] in shown.shown
    address = re.search(r'href="([^"]*/attachments/[^"]*)"', page.html)
    assert address is not None
    assert ana.client.get(address.group(1)).content == b"glass"


def test_a_mail_is_recovered_as_its_senders(ana: Office) -> None:
    key = hold(ana)
    done = ana.post(PATH, {"do": "recover_automatically", "ids": [key]})
    ticket = ana.ticket(int(done.location.rpartition("/")[2]))
    assert (ticket.subject, ticket.requester.email) == ("Cheap lenses", "eve@else.example")
    assert f"Suspended ticket recovered as ticket #{ticket.id}" in ana.get("/agent/dashboard").text
    assert left(ana) == []


def test_unverified_a_mail_is_recovered_as_ones_own(ana: Office) -> None:
    key = hold(ana)
    done = ana.post(PATH, {"do": "recover", "ids": [key]})
    ticket = ana.ticket(int(done.location.rpartition("/")[2]))
    assert ticket.requester_id == ana.keys.agent
    assert left(ana) == []


def test_several_are_recovered_or_deleted_at_once(ana: Office) -> None:
    keys = [hold(ana, sender=f"p{number}@else.example") for number in range(3)]
    done = ana.post(PATH, {"do": "recover_automatically", "ids": keys[:2]})
    assert done.location == PATH
    assert "2 ticket(s) recovered" in ana.get(PATH).text
    ana.post(PATH, {"do": "delete", "ids": keys})
    assert "1 suspended ticket(s) deleted" in ana.get(PATH).text
    assert left(ana) == []
    with ana.bound(), unit_of_work("read"):
        assert Ticket.objects.filter(subject="Cheap lenses").count() == 2


def test_what_cannot_be_recovered_stays_and_says_why(ana: Office) -> None:
    own = hold(ana, sender="support@kestrel.example", headers={})
    good = hold(ana)
    shown = ana.post(PATH, {"do": "recover_automatically", "ids": [own, good]})
    assert shown.status == 200
    assert "Requester: is a support address" in shown.text
    assert left(ana) == [own]
    one = ana.post(PATH, {"do": "recover", "ids": [own]})
    assert one.status == 422
    assert "could not be recovered" in one.text


@pytest.mark.parametrize("given", [{"do": "delete"}, {"do": "burn", "ids": ["1"]}, {}])
def test_nothing_chosen_changes_nothing(ana: Office, given: dict[str, Any]) -> None:
    key = hold(ana)
    assert ana.post(PATH, given).location == PATH
    assert left(ana) == [key]


def test_held_mail_is_for_agents_who_see_all_tickets(ana: Office) -> None:
    key = hold(ana)
    with ana.bound(), unit_of_work("write"), act(actor="test", label="restrict"):
        User.objects.filter(id=ana.keys.agent).update(ticket_restriction="groups")
    assert ana.get(PATH).status == 403
    assert ana.get(f"{PATH}/{key}").status == 403
    assert ana.post(PATH, {"do": "delete", "ids": [key]}).status == 403
    views = ana.get(ana.get("/agent/filters").location)
    assert "view-suspended" not in views.html
    with ana.bound(), unit_of_work("read"):
        assert SuspendedTicket.objects.filter(id=key).exists()
