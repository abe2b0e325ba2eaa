"""Writing a new ticket."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Attachment, Comment, Ticket, User
from tests.conftest import bind
from tests.helpdesk.web.conftest import Office, Shown

PATH = "/agent/tickets/new/1"


def send(office: Office, **given: Any) -> Shown:
    return office.post(PATH, {**office.get(PATH).fields(), "submit_as": "open", **given})


def newest(office: Office) -> Ticket:
    with office.bound(), unit_of_work("read"):
        return Ticket.objects.select_related("requester", "ticket_form").latest("id")


def test_a_ticket_is_written_for_a_chosen_customer(ana: Office) -> None:
    shown = send(
        ana,
        requester="Mara Voss <mara@acme.example>",
        requester_id=str(ana.keys.customer),
        subject="Call about the laser",
        comment="Mara called.",
        channel="internal",
        priority="high",
        tags="call",
        assignee=f"{ana.keys.billing}:{ana.keys.agent}",
        submit_as="pending",
    )
    ticket = newest(ana)
    assert shown.location == f"/agent/tickets/{ticket.id}"
    assert f"Ticket #{ticket.id} has been created" in ana.get(shown.location).text
    assert ticket.requester_id == ana.keys.customer
    assert ticket.submitter_id == ana.keys.agent
    assert (ticket.subject, ticket.priority, ticket.status) == (
        "Call about the laser",
        "high",
        "pending",
    )
    assert (ticket.group_id, ticket.assignee_id) == (ana.keys.billing, ana.keys.agent)
    assert ticket.tags == ["call", "vip"]
    assert ticket.ticket_form is not None
    with ana.bound(), unit_of_work("read"):
        said = Comment.objects.get(ticket=ticket)
        assert (said.body, said.public) == ("Mara called.", False)


def test_the_customers_tags_are_added_to_those_of_the_form(ana: Office) -> None:
    with bind(ana.row), unit_of_work("write"), act(actor="test", label="test"):
        User.objects.filter(id=ana.keys.customer).update(tags=["loud"])
    send(ana, requester="mara@acme.example", subject="Hi", comment="Hi.", tags="call")
    assert newest(ana).tags == ["call", "loud", "vip"]


def test_a_typed_address_finds_or_makes_the_customer(ana: Office) -> None:
    send(ana, requester="MARA@acme.example", subject="One", comment="Hello.")
    assert newest(ana).requester_id == ana.keys.customer
    send(ana, requester="Nils Holm <nils@acme.example>", subject="Two", comment="Hello.")
    with ana.bound(), unit_of_work("read"):
        made = User.objects.get(email="nils@acme.example")
        assert made.name == "Nils Holm"
        assert made.organization is not None
    assert newest(ana).requester_id == made.id


def test_a_name_that_one_person_has_is_enough(ana: Office) -> None:
    send(ana, requester="mara voss", subject="One", comment="Hello.")
    assert newest(ana).requester_id == ana.keys.customer


def test_an_edited_requester_is_not_the_one_chosen_before(ana: Office) -> None:
    """A hidden choice does not outlive the text that it stood for."""
    send(
        ana,
        requester="nils@acme.example",
        requester_id=str(ana.keys.customer),
        subject="One",
        comment="Hello.",
    )
    assert newest(ana).requester.email == "nils@acme.example"


def test_what_is_missing_is_said_and_nothing_is_lost(ana: Office) -> None:
    shown = send(ana, subject="No requester", comment="Hello.")
    assert shown.status == 422
    assert "Requester: is needed" in shown.text
    assert shown.fields()["subject"] == "No requester"
    assert shown.fields()["comment"] == "Hello."
    shown = send(ana, requester="mara@acme.example", subject="Nothing said")
    assert shown.status == 422
    assert "Description: cannot be blank" in shown.text
    assert "The ticket could not be created" in shown.text
    assert ana.changes() == []


def test_nobody_is_made_for_a_ticket_that_is_refused(ana: Office) -> None:
    shown = send(ana, requester="nobody@acme.example", subject="Nothing said")
    assert shown.status == 422
    assert ana.changes() == []


def test_files_and_macros_go_with_it(ana: Office) -> None:
    file = SimpleUploadedFile("photo.png", b"\x89PNG", "image/png")
    fields = {**ana.get(PATH).fields(), "requester": "mara@acme.example", "subject": "With photo"}
    filled = ana.post("/agent/previews/tickets/new", {**fields, "macro_id": str(ana.keys.macro)})
    assert filled.status == 200
    assert ana.changes() == []
    data = {**filled.fields(), "attachments": [file], "submit_as": "open"}
    assert ana.post(PATH, data).status == 302
    ticket = newest(ana)
    assert ticket.priority == "high"
    assert ticket.tags == ["refund", "vip"]
    with ana.bound(), unit_of_work("read"):
        assert Attachment.objects.get(comment__ticket=ticket).file_name == "photo.png"


def test_a_profile_page_names_the_requester(ana: Office) -> None:
    page = ana.get(PATH, requester_id=str(ana.keys.customer))
    assert page.field("requester") == "Mara Voss <mara@acme.example>"
    for odd in ("x", "1", "9" * 30):
        assert ana.get(PATH, requester_id=odd).field("requester") == ""
