"""Templates filled in, letters in mailboxes, and what is kept of those sent from records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.models.post import Message
from clones.core.tenancy import unit_of_work
from clones.crm.domain.mailing import (
    Letter,
    address_of_person,
    fill_template,
    find_template,
    note_mail,
    post_letter,
)
from clones.crm.rules.merge_fields import render
from tests.conftest import bind
from tests.crm.conftest import ADA, Org
from tests.crm.test_custom import define


@contextmanager
def writing(org: Org) -> Iterator[None]:
    """Open a write transaction."""
    with bind(org.row), unit_of_work("write"), act(actor="test", label="test"):
        yield


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Dear {!Contact.FirstName},", "Dear Ann,"),
        ("{! contact.firstname }", "Ann"),
        ("{{{Recipient.FirstName}}}", "Ann"),
        ('{!NullValue(Contact.Title, "friend")}', "friend"),
        ("{!Contact.Title}|", "|"),
        ("{!Nope.Nope}|", "|"),
        ("{!Contact.}", "{!Contact.}"),
        ("{{Contact.FirstName}}", "{{Contact.FirstName}}"),
        ("{!" * 2000, "{!" * 2000),
    ],
)
def test_merge_fields(text: str, shown: str) -> None:
    known = {"contact.firstname": "Ann", "recipient.firstname": "Ann"}
    assert render(text, lambda path: known.get(path.lower(), "")) == shown


def test_what_is_filled_into_html_is_escaped() -> None:
    shown = render("<p>{!Contact.Name}</p>", lambda _: "<b>\nA & B", is_html=True)
    assert shown == "<p>&lt;b&gt;<br>A &amp; B</p>"


def template(org: Org, **values: Any) -> str:
    """Make a template."""
    usual = {
        "Name": "Welcome",
        "DeveloperName": "Welcome",
        "FolderId": org.users[ADA],
        "TemplateType": "text",
        "TemplateStyle": "none",
        "IsActive": True,
    }
    return org.make("EmailTemplate", **{**usual, **values})


def test_a_letter_about_a_record_says_what_its_parents_have(org: Org) -> None:
    define(org, "Opportunity.Cut__c", "Currency", precision=18, scale=2, formula="Amount * 0.5")
    account = org.make("Account", Name="Acme & Sons")
    ann = org.make(
        "Contact", FirstName="Ann", LastName="Lee", Email="ann@acme.example", AccountId=account
    )
    made = org.make(
        "Opportunity",
        Name="Deal",
        StageName="Prospecting",
        CloseDate="2026-03-01",
        Amount=1234.5,
        AccountId=account,
    )
    body = (
        "{!Contact.FirstName} of {!Account.Name}: {!Opportunity.Name} {!Opportunity.Amount}"
        " {!Opportunity.Cut__c} {!Opportunity.CloseDate} {!Opportunity.Account}"
        " {!Opportunity.Owner.Alias} {!User.LastName} {!Organization.Name}"
    )
    template(
        org, Subject="About\n{!Opportunity.Name}", Body=body, HtmlValue="<i>{!Account.Name}</i>"
    )
    with writing(org):
        found = find_template("unfiled$public/Welcome")
        assert found is not None
        letter = fill_template(found, record=made, recipient=ann, actor=org.users[ADA])
        line = address_of_person(ann)
        assert line is not None
        post_letter(letter, [line, line], actor=org.users[ADA], about=made)
    assert letter.subject == "About Deal"
    assert letter.text == (
        "Ann of Acme & Sons: Deal $1,234.50 $617.25 3/1/2026 Acme & Sons aquist Quist Kestrel"
    )
    assert letter.html == "<i>Acme &amp; Sons</i>"
    with org.reading():
        (sent,) = Message.objects.all()
        assert sent.recipients == ["Ann Lee <ann@acme.example>"]
        assert (sent.clone, sent.about) == ("crm", f"crm.opportunity:{made}")
        assert sent.envelopes.filter(folder="inbox").get().address == "ann@acme.example"


def test_a_mail_from_a_record_is_an_email_message_with_a_task(org: Org) -> None:
    ann = org.make("Contact", LastName="Lee", Email="ann@acme.example")
    case = org.make("Case", Subject="Broken")
    with writing(org):
        letter = Letter("Hello", "How are you?")
        kept = note_mail(
            letter, ["ann@acme.example"], record=case, person=ann, actor=org.users[ADA]
        )
    message = org.show("EmailMessage", kept)
    assert (message["ParentId"], message["Status"], message["Incoming"]) == (case, "3", False)
    task = org.show("Task", message["ActivityId"])
    wanted = ("Email: Hello", "Email", "Completed", ann, case)
    names = ("Subject", "TaskSubtype", "Status", "WhoId", "WhatId")
    assert tuple(task[name] for name in names) == wanted
    assert task["IsClosed"] is True


def test_nobody_gets_nothing(org: Org) -> None:
    with writing(org):
        assert post_letter(Letter("A", "B"), [], actor=org.users[ADA], about=None) is None
        assert find_template("Nope") is None
        assert address_of_person("001000000000000AAA") is None
