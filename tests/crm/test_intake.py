"""Cases and leads from outside: by mail, by forms of web pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from clones.core import jobs, post
from clones.core.journal import act
from clones.core.models import Message
from clones.core.tenancy import unit_of_work
from tests.conftest import bind
from tests.crm.conftest import ADA, BEN, Org
from tests.crm.services import letters, make_queue, make_template, set_rule, writing

SUPPORT = "support@kestrel.example"
ZOE = "Zoe Zee <zoe@client.example>"


def open_address(org: Org, **values: Any) -> None:
    """Let mail to the support address become cases."""
    from clones.crm.domain.service.settings import route  # noqa: PLC0415 - see conftest

    with writing(org):
        route(SUPPORT, values)


def write(org: Org, subject: str, text: str, **headers: str) -> str:
    """Write to the support address, let it arrive, and return the message's id there."""
    with bind(org.row), unit_of_work("write"):
        with act(actor="test", label="mail"):
            draft = post.Draft(ZOE, [SUPPORT], subject, text, headers=headers)
            sent = post.post(draft, clone="mail", direction="in")
        runs = jobs.drain()
    assert [run.error for run in runs if run.error] == []
    return sent.message_id


def rows(org: Org, query: str) -> list[dict[str, Any]]:
    """Return the records of a query."""
    found: list[dict[str, Any]] = org.call("GET", f"/query?q={query}")["records"]
    return found


CASES = (
    "SELECT Id, CaseNumber, Subject, Description, Origin, Priority, OwnerId, ContactId,"
    " SuppliedEmail, SuppliedName FROM Case ORDER BY CaseNumber"
)
MAILS = (
    "SELECT Subject, Incoming, Status, FromAddress, FromName, ToAddress, TextBody, ParentId,"
    " ReplyToEmailMessageId, MessageIdentifier FROM EmailMessage ORDER BY Id"
)


def test_a_mail_becomes_a_case(org: Org) -> None:
    open_address(org, caseOrigin="Email", casePriority="High", caseOwner=BEN, caseOwnerType="User")
    zoe = org.make("Contact", LastName="Zee", Email="ZOE@client.example")
    name = write(org, "The pump leaks", "It drips.")
    (case,) = rows(org, CASES)
    assert (case["Subject"], case["Description"].strip()) == ("The pump leaks", "It drips.")
    assert (case["Origin"], case["Priority"], case["OwnerId"]) == ("Email", "High", org.users[BEN])
    assert (case["SuppliedEmail"], case["SuppliedName"]) == ("zoe@client.example", "Zoe Zee")
    assert case["ContactId"] == zoe
    (mail,) = rows(org, MAILS)
    assert (mail["Incoming"], mail["Status"], mail["ParentId"]) == (True, "0", case["Id"])
    assert (mail["FromAddress"], mail["ToAddress"]) == ("zoe@client.example", SUPPORT)
    assert mail["MessageIdentifier"] == name
    with org.reading():
        assert Message.objects.get(message_id=name).about == f"crm.case:{case['Id']}"


def test_answers_join_the_case_by_headers_and_by_the_mark(org: Org) -> None:
    from clones.crm.domain.service.letters import thread_token  # noqa: PLC0415 - see conftest

    open_address(org)
    first = write(org, "Leak", "It drips.")
    (case,) = rows(org, CASES)
    write(org, "Re: Leak", "Still.", **{"In-Reply-To": first})
    with org.reading():
        mark = thread_token(case["Id"])
    write(org, f"And now [ {mark} ]", "It pours.")
    write(org, "Leak", "Another one.")
    assert len(rows(org, CASES)) == 2
    mails = rows(org, MAILS)
    assert [one["ParentId"] == case["Id"] for one in mails] == [True, True, True, False]
    assert mails[1]["ReplyToEmailMessageId"] is not None
    org.call("DELETE", f"/sobjects/Case/{case['Id']}", status=204)
    write(org, "Re: Leak", "Hello?", **{"In-Reply-To": first})
    assert len(rows(org, CASES)) == 2  # the other one, and a new one


def test_who_writes_is_answered_once_and_a_program_is_not(org: Org) -> None:
    open_address(org)
    make_template(org, "Thanks", "Re: {!Case.Subject}", "{!Case.Thread_Id}")
    make_queue(org, "Tier_1", "Case")
    set_rule(org, "response", "Case", [{"template": "Thanks"}])
    set_rule(org, "assignment", "Case", [{"assignedTo": "Tier_1", "assignedToType": "Queue"}])
    write(org, "Leak", "It drips.")
    write(org, "Out of office: gone", "Back in May.", **{"Auto-Submitted": "auto-replied"})
    answers = [one for one in letters(org) if one[1] == ["zoe@client.example"]]
    assert [subject for subject, _, _ in answers] == ["Re: Leak"]
    # The answer to that answer finds its case by what it quotes.
    write(org, "Re: Re: Leak", f"Thank you\n> {answers[0][2]}")
    assert len(rows(org, CASES)) == 2
    assert rows(org, MAILS)[2]["ParentId"] == rows(org, CASES)[0]["Id"]
    assert rows(org, CASES)[0]["OwnerId"].startswith("00G")


def test_an_agent_answers_from_the_case_in_its_thread(org: Org) -> None:
    from clones.crm.domain.service.mail_receiver import (  # noqa: PLC0415 - see conftest
        send_from_case,
    )
    from clones.crm.models import rows_of  # noqa: PLC0415 - see conftest

    open_address(org)
    first = write(org, "Leak", "It drips.")
    case = rows(org, CASES)[0]["Id"]
    with writing(org):
        row = rows_of("Case").get(Id=case)
        send_from_case(row, [ZOE], "Re: Leak", "Close the valve.", actor=org.users[ADA])
    with org.reading():
        sent = Message.objects.get(subject="Re: Leak")
        assert sent.headers["In-Reply-To"] == first
        assert sent.sender == f"Kestrel <{SUPPORT}>"
    mail = rows(org, MAILS)[1]
    assert (mail["Incoming"], mail["Status"], mail["FromAddress"]) == (False, "3", SUPPORT)
    write(org, "Re: Re: Leak", "Done.", **{"In-Reply-To": sent.message_id})
    assert len(rows(org, CASES)) == 1


def test_mail_that_is_odd_is_kept(org: Org) -> None:
    open_address(org, caseOwner="nobody@kestrel.example", casePriority="Highest")
    write(org, "x" * 900, "y" * 50_000)
    write(org, "", "")
    assert [len(one["Subject"] or "") for one in rows(org, CASES)] == [255, 0]


def send_form(
    org: Org, servlet: str, form: Mapping[str, str], **how: str
) -> tuple[int, str, str | None]:
    """Send a form of a web page; return status, body, and what the answer says of it."""
    answer = org.client().post(
        f"/servlet/servlet.{servlet}?encoding=UTF-8",
        how.get("body") or urlencode(form),
        how.get("kind", "application/x-www-form-urlencoded"),
    )
    return answer.status_code, answer.content.decode(), answer.headers.get("Is-Processed")


def organization(org: Org) -> str:
    """Return the short id of the organization."""
    return str(rows(org, "SELECT Id FROM Organization")[0]["Id"])[:15]


def test_a_web_form_becomes_a_case(org: Org) -> None:
    set_rule(org, "assignment", "Case", [{"assignedTo": BEN}])
    form = {
        "orgid": organization(org),
        "retURL": "https://client.example/thanks?a=1&b=2",
        "name": "Zoe Zee",
        "email": "zoe@client.example",
        "subject": "Leak",
        "description": "It drips.",
        "priority": "High",
        "unknown": "1",
    }
    status, body, processed = send_form(org, "WebToCase", form)
    assert (status, processed) == (200, "true")
    assert 'content="0; URL=https://client.example/thanks?a=1&amp;b=2"' in body
    (case,) = rows(org, CASES)
    assert (case["Origin"], case["Priority"], case["OwnerId"]) == ("Web", "High", org.users[BEN])
    assert (case["SuppliedName"], case["Subject"]) == ("Zoe Zee", "Leak")


def test_a_web_form_becomes_a_lead(org: Org) -> None:
    made = org.call(
        "POST",
        "/tooling/sobjects/CustomField",
        {"FullName": "Lead.Wants__c", "Metadata": {"type": "Checkbox", "label": "Wants"}},
        status=201,
    )
    form = {
        "oid": organization(org),
        "last_name": "Poe",
        "company": "Raven",
        "email": "poe@raven.example",
        made["id"][:15]: "1",
    }
    assert send_form(org, "WebToLead", form)[2] == "true"
    (lead,) = rows(org, "SELECT Name, LeadSource, Wants__c FROM Lead")
    assert (lead["Name"], lead["LeadSource"], lead["Wants__c"]) == ("Poe", "Web", True)


@pytest.mark.parametrize(
    ("servlet", "form"),
    [
        ("WebToCase", {"orgid": "00D000000000001", "subject": "x"}),
        ("WebToCase", {"subject": "x"}),
        ("WebToCase", {"email": "no address"}),
        ("WebToCase", {"description": "x" * 40_000}),
        ("WebToLead", {"company": "Raven"}),
        ("WebToLead", {"last_name": "Poe", "company": "Raven", "employees": "many"}),
        ("WebToLead", {"last_name": "Poe", "company": "Raven", "revenue": "9" * 400}),
    ],
)
def test_unverified_a_form_that_cannot_be_kept_leads_on_and_makes_nothing(
    org: Org, servlet: str, form: dict[str, str]
) -> None:
    own = {} if form == {"subject": "x"} else {"orgid": organization(org)}
    whole = {**own, **form, "retURL": "javascript:alert(1)"}
    status, body, processed = send_form(org, servlet, whole)
    assert status == 200
    assert "javascript" not in body
    assert processed is not None
    assert processed != "true"
    assert rows(org, "SELECT Id FROM Case") == rows(org, "SELECT Id FROM Lead") == []


def test_odd_bodies_of_web_forms_are_answered(org: Org) -> None:
    for body, kind in (
        ("a=%00&orgid=%ff", "application/x-www-form-urlencoded"),
        ("--x\r\nnothing", "multipart/form-data; boundary=x"),
        ("{", "application/json"),
        ("x", "multipart/form-data"),
    ):
        status, _, processed = send_form(org, "WebToCase", {}, body=body, kind=kind)
        assert (status, processed == "true") in ((200, False), (400, False)), body
    assert send_form(org, "WebToNothing", {"a": "1"})[0] == 404
    assert org.client().get("/servlet/servlet.WebToCase").status_code == 405
