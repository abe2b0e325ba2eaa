"""Side conversations on the ticket page and on pages of their own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clones.core.journal import act
from clones.core.models import Message, Sighting
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.side_conversations import receive_side_reply
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import CustomRole, SideConversation, SideConversationEvent, Ticket, User
from tests.helpdesk.web.conftest import Office, Shown

PARTS = "parts@supplier.example"


def place(office: Office, key: int | None = None) -> str:
    return f"/agent/tickets/{office.keys.charged if key is None else key}/side_conversations"


def begin(office: Office, **given: Any) -> Shown:
    values = {"to": PARTS, "subject": "Receipts", "message": "Which receipts?", **given}
    return office.post(f"{place(office)}/new", values)


def threads(office: Office) -> list[SideConversation]:
    with office.bound(), unit_of_work("read"):
        return list(SideConversation.objects.order_by("created_at", "id"))


def by_api(office: Office, thread: SideConversation) -> Any:
    """Return a side conversation's messages as the API shows them."""
    path = f"/api/v2/tickets/{thread.ticket_id}/side_conversations/{thread.id}/events"
    return json.loads(office.client.get(path).content)["events"]


def test_a_ticket_shows_its_side_conversations(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    server().registry.set_episode(ana.row.id, "ep-test", None)
    assert "No side conversations." in ana.get(path).text
    begin(ana)
    page = ana.get(path)
    assert 'data-test-id="side-conversations-item"' in page.html
    assert "Receipts Open Which receipts? Ana Lima, parts@supplier.example" in page.text
    assert "Side conversation “Receipts” started" in ana.get(path, events="1").text
    [thread] = threads(ana)
    with ana.bound(), unit_of_work("read"):
        shown = [item for row in Sighting.objects.all() for item in row.shown]
    assert thread.id in [item[1] for item in shown]


def test_one_is_started_by_its_form(ana: Office) -> None:
    form = ana.get(f"{place(ana)}/new", type="email")
    assert form.field("subject") == "Charged twice for June"
    file = SimpleUploadedFile("list.txt", b"<b>1</b>", "text/html")
    sent = begin(ana, to=f"{PARTS}, ben@kestrel.example", attachments=file)
    [thread] = threads(ana)
    assert (sent.status, sent.location) == (302, f"{place(ana)}/{thread.id}")
    page = ana.get(sent.location)
    assert "To parts@supplier.example, Ben Okafor" in page.text
    [event] = by_api(ana, thread)
    assert (event["via"], event["message"]["body"]) == ("support", "Which receipts?")
    link = re.search(r'href="(/api/v2/[^"]*)" download', page.html)
    assert link is not None
    got = ana.client.get(link.group(1))
    assert got.content == b"<b>1</b>"
    assert got.headers["Content-Disposition"].startswith("attachment")
    with ana.bound(), unit_of_work("read"):
        message = Message.objects.get(about=f"helpdesk.side_conversation:{thread.id}")
    assert message.recipients == [PARTS, "ben@kestrel.example"]


def test_a_child_ticket_is_started_and_linked(ana: Office) -> None:
    form = ana.get(f"{place(ana)}/new", type="ticket")
    assert f'<option value="{ana.keys.billing}">Billing</option>' in form.html
    ana.post(
        f"{place(ana)}/new?type=ticket",
        {"group": ana.keys.billing, "subject": "Receipts", "message": "Which?"},
    )
    [thread] = threads(ana)
    assert thread.child_id is not None
    page = ana.get(f"{place(ana)}/{thread.id}")
    assert f'href="/agent/tickets/{thread.child_id}"' in page.html
    assert ana.ticket(thread.child_id).group_id == ana.keys.billing


def test_a_thread_is_answered_closed_and_opened(ana: Office) -> None:
    begin(ana)
    [thread] = threads(ana)
    path = f"{place(ana)}/{thread.id}"
    with ana.bound(), unit_of_work("write"), act(actor="test", label="mail"):
        found = SideConversation.objects.get(id=thread.id)
        said = '<p onclick="x()">All of June<script>alert(1)</script></p>'
        receive_side_reply(found, Mail(PARTS, "Parts", "Re: Receipts", "All of June", said))
    page = ana.get(path)
    assert "All of June" in page.text
    assert "alert(1)" not in page.html
    assert "onclick" not in page.html
    assert ana.post(path, {"message": "Thank you."}).location == path
    assert ana.post(f"{path}/state", {"state": "closed"}).location == path
    page = ana.get(path)
    assert "Ana Lima: marked as done" in page.text
    assert 'data-test-id="side-conversation-reopen"' in page.html
    assert threads(ana)[0].state == "closed"
    ana.post(f"{path}/state", {"state": "open"})
    assert threads(ana)[0].state == "open"
    kinds = [event["type"] for event in by_api(ana, thread)]
    assert kinds == ["create", "reply", "reply", "update", "update"]


def test_what_no_store_keeps_is_dropped_at_the_door(ana: Office) -> None:
    assert begin(ana, to="a\0b@else.example", subject="a\0b", message="c\0d").status == 302
    [thread] = threads(ana)
    assert thread.subject == "ab"
    page = ana.get(f"{place(ana)}/{thread.id}")
    assert "ab@else.example" in page.text
    assert "cd" in page.text


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"to": ""}, "To: cannot be blank"),
        ({"to": "nobody"}, "Email: nobody is not properly formatted"),
        ({"message": " "}, "Body: cannot be blank"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(
    ana: Office, given: dict[str, str], complaint: str
) -> None:
    page = begin(ana, **{"message": "Kept words", **given})
    assert page.status == 422
    assert complaint in page.text
    assert page.field("subject") == given.get("subject", "Receipts")
    if "message" not in given:
        assert "Kept words" in page.text
    assert threads(ana) == []
    in_part = ana.client.post(
        f"{place(ana)}/new",
        {"authenticity_token": ana.token, "to": "", "subject": "x", "message": "y"},
        headers={"HX-Request": "true"},
    )
    assert in_part.status_code == 200, "so that the form is put in its place with the complaint"
    assert b"To: cannot be blank" in in_part.content


def test_an_empty_answer_is_refused(ana: Office) -> None:
    begin(ana)
    [thread] = threads(ana)
    page = ana.post(f"{place(ana)}/{thread.id}", {"message": ""})
    assert page.status == 422
    assert "Body: cannot be blank" in page.text
    page = ana.post(f"{place(ana)}/{thread.id}/state", {"state": "gone"})
    assert "State: is invalid" in page.text


def test_a_closed_ticket_offers_nothing_to_write(ana: Office) -> None:
    page = ana.get(f"/agent/tickets/{ana.keys.closed}")
    assert 'data-test-id="side-conversations"' in page.html
    assert 'data-test-id="side-conversations-new-email"' not in page.html
    values = {"to": PARTS, "subject": "x", "message": "y"}
    refused = ana.post(f"{place(ana, ana.keys.closed)}/new", values)
    assert "Status: closed prevents ticket update" in refused.text
    assert threads(ana) == []


def test_who_may_not_take_part_reads_only(ana: Office) -> None:
    begin(ana)
    [thread] = threads(ana)
    with ana.bound(), unit_of_work("write"), act(actor="test", label="role"):
        role = CustomRole.objects.order_by("id").last()
        assert role is not None
        role.configuration = {**role.configuration, "side_conversation_create": False}
        role.save()
        User.objects.filter(id=ana.keys.agent).update(custom_role=role)
    page = ana.get(f"{place(ana)}/{thread.id}")
    assert page.status == 200
    assert 'data-test-id="side-conversation-send"' not in page.html
    assert begin(ana).status == 403
    assert ana.post(f"{place(ana)}/{thread.id}", {"message": "x"}).status == 403
    assert ana.post(f"{place(ana)}/{thread.id}/state", {"state": "closed"}).status == 403


def test_strangers_and_forms_without_a_token_are_turned_away(ana: Office) -> None:
    begin(ana)
    [thread] = threads(ana)
    ana.token = "wrong"
    assert begin(ana).status == 403
    assert ana.post(f"{place(ana)}/{thread.id}", {"message": "x"}).status == 403
    other = f"{place(ana, ana.keys.broken)}/{thread.id}"
    assert ana.get(other).status == 404
    assert ana.browser().get(place(ana)).status_code == 302
    with ana.bound(), unit_of_work("read"):
        assert SideConversationEvent.objects.count() == 1
        assert Ticket.objects.get(id=ana.keys.charged).status != "closed"
