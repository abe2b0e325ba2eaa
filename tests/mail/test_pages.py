"""The pages of a mailbox: signing in, lists, messages, writing."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clones.core import clock, post
from clones.core.addresses import split_addresses, with_name
from clones.core.journal import canonical_changes, journal
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import User
from clones.mail.domain.mailboxes import open_mailbox
from clones.mail.models import Mailbox
from episodes.presentation import Addresses, sandbox_view
from tests.mail.conftest import PEOPLE, SUPPORT, Box, PostOffice

PATHS = [
    "/",
    "/folders/inbox",
    "/messages/1",
    "/messages/1/files/0",
    "/messages/1/source",
    "/compose",
]


@pytest.fixture
def ana(post_office: PostOffice) -> Box:
    return post_office.box("ana")


@pytest.fixture
def ben(post_office: PostOffice) -> Box:
    return post_office.box("ben")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_to_who_is_not_signed_in(post_office: PostOffice, path: str) -> None:
    answer = post_office.browser().get(path)
    assert (answer.status_code, answer["Location"]) == (302, "/signin")


def test_signing_in_needs_the_password_of_the_mailbox(post_office: PostOffice) -> None:
    browser = post_office.browser()
    wrong = browser.post("/signin", {"email": "ana@desk.example", "password": "guess"})
    assert wrong.status_code == 401
    assert "do not match" in wrong.content.decode()
    assert 'value="ana@desk.example"' in wrong.content.decode()
    right = {"email": "Ana@Desk.example", "password": post_office.passwords["ana@desk.example"]}
    foreign = browser.post("/signin", right, headers={"Origin": "http://else.example"})
    assert foreign.status_code == 403
    assert browser.post("/signin", right)["Location"] == "/folders/inbox"
    assert browser.get("/signin")["Location"] == "/folders/inbox"


def test_a_password_of_the_desk_opens_no_mailbox(post_office: PostOffice) -> None:
    password = post_office.desk.cards["ana"].secrets["password"]
    sent = {"email": "ana@desk.example", "password": password}
    assert post_office.browser().post("/signin", sent).status_code == 401


def test_signing_out_ends_the_session(ana: Box) -> None:
    cookie = ana.client.cookies["mail_session"].value
    assert ana.post("/signout").location == "/signin"
    ana.client.cookies["mail_session"] = cookie
    assert ana.get("/folders/inbox").location == "/signin"


def test_forms_without_their_token_change_nothing(post_office: PostOffice, ana: Box) -> None:
    ana.token = "guess"
    assert ana.post("/compose", {"to": "ben@desk.example", "text": "Hi"}).status == 403
    assert ana.post("/signout").status == 403
    assert post_office.messages() == []


def test_a_message_lies_in_both_mailboxes_at_once(ana: Box, ben: Box) -> None:
    key = ana.send("Ben Ode <ben@desk.example>", "Lunch?", "At noon?\n\nAna")
    assert ana.rows("sent") == ["Lunch?"]
    assert ana.rows() == []
    listed = ben.get("/folders/inbox")
    assert ben.rows() == ["Lunch?"]
    assert "Unread: Ana Costa" in listed.text
    assert "1-1 of 1" in listed.text
    page = ben.get(f"/messages/{key}")
    assert "Ana Costa ana@desk.example" in page.text
    assert "To: Ben Ode <ben@desk.example>" in page.text
    assert "At noon?" in page.text


def test_a_message_is_unread_until_it_was_opened(ana: Box, ben: Box) -> None:
    key = ana.send("ben@desk.example", "Lunch?", "At noon?")
    assert 'hx-trigger="load"' in ben.get(f"/messages/{key}").html
    assert "unread: 1" in ben.get("/folders/inbox").text
    opened = ben.post(f"/marks/{key}", {"as": "read"}, **{"HX-Request": "true"})
    assert opened.status == 204
    assert "unread" not in ben.get("/folders/inbox").text.lower()
    assert "hx-trigger" not in ben.get(f"/messages/{key}").html
    assert ben.post(f"/marks/{key}", {"as": "unread"}).location == "/folders/inbox"
    assert "unread: 1" in ben.get("/folders/inbox").text
    assert ben.post(f"/marks/{key}", {"as": "read"}).location == f"/messages/{key}"


def test_reading_moves_no_clock_and_is_in_no_diff(
    post_office: PostOffice, ana: Box, ben: Box
) -> None:
    key = ana.send("ben@desk.example", "Lunch?", "At noon?")
    desk = post_office.desk
    with desk.bound(), unit_of_work("read"):
        before, position = clock.now(), journal().position()
    ben.post(f"/marks/{key}", {"as": "read"})
    with desk.bound(), unit_of_work("read"):
        assert clock.now() == before
        assert journal().position() > position
        assert canonical_changes(journal().changes(position)) == []


def test_other_peoples_messages_are_not_there(post_office: PostOffice, ana: Box) -> None:
    key = ana.send("ben@desk.example", "Lunch?", files={"menu.txt": b"soup"})
    rosa = post_office.box("rosa")
    for path in (f"/messages/{key}", f"/messages/{key}/files/0", f"/messages/{key}/source"):
        assert rosa.get(path).status == 404
    assert rosa.get("/compose", way="reply", about=key).status == 404
    assert rosa.post(f"/marks/{key}").status == 404
    assert rosa.get(f"/messages/{2**70}").status == 404
    assert "Go to your inbox" in rosa.get("/messages/1").text


def test_search_finds_words_of_subject_sender_and_text(ana: Box, ben: Box) -> None:
    ana.send("ben@desk.example", "Lunch?", "At the blue house, 100%.")
    ana.send("ben@desk.example", "Invoices", "By Friday.")
    for wanted, found in [
        ("blue", ["Lunch?"]),
        ("ana friday", ["Invoices"]),
        ("100%", ["Lunch?"]),
        ("INVOICES", ["Invoices"]),
        ("ana", ["Invoices", "Lunch?"]),
        ("nothing", []),
    ]:
        html = ben.get("/folders/inbox", q=wanted).html
        parts = html.split('data-test-id="mail-row-subject">')[1:]
        assert [part.partition("</a>")[0] for part in parts] == found
    assert "No message in Inbox has “nothing”." in ben.get("/folders/inbox", q="nothing").text


def test_long_lists_have_pages(post_office: PostOffice, ben: Box) -> None:
    with post_office.desk.writing():
        for number in range(32):
            draft = post.Draft("x@y.example", ["ben@desk.example"], f"Number {number:02}", "-")
            post.post(draft, clone="outside", direction="in")
    assert ben.rows()[0] == "Number 31"
    assert len(ben.rows()) == 30
    second = ben.get("/folders/inbox", page=2)
    assert "31-32 of 32" in second.text
    assert "Number 00" in second.text
    assert ben.get("/folders/inbox", page=99).text == second.text


def test_a_reply_quotes_and_goes_back_to_its_sender_alone(ana: Box, ben: Box) -> None:
    key = ana.send("ben@desk.example", "Lunch?", "At noon?", cc="tom@acme.example")
    form = ben.get("/compose", way="reply", about=key)
    assert form.field("to") == "Ana Costa <ana@desk.example>"
    assert form.field("subject") == "Re: Lunch?"
    assert form.field("cc") == ""
    assert "wrote: > At noon?" in form.text
    answer = ben.answer(key, "Yes.")
    page = ana.get(f"/messages/{answer}")
    assert "Yes." in page.text
    assert page.html.count('data-test-id="mail-message"') == 2


def test_a_reply_to_all_leaves_oneself_out(ana: Box, ben: Box) -> None:
    key = ana.send("ben@desk.example, tom@acme.example", "Lunch?", cc="rosa@acme.example")
    form = ben.get("/compose", way="all", about=key)
    assert form.field("to") == "Ana Costa <ana@desk.example>"
    assert form.field("cc") == "tom@acme.example, rosa@acme.example"
    mine = ana.get("/compose", way="all", about=key)
    assert mine.field("to") == "ben@desk.example, tom@acme.example"
    assert mine.field("cc") == "rosa@acme.example"


def test_forwarding_takes_the_files_along_that_are_kept(
    post_office: PostOffice, ana: Box, ben: Box
) -> None:
    files = {"menu.txt": b"soup", "map.txt": b"here"}
    key = ana.send("ben@desk.example", "Lunch?", "At noon?", files=files)
    form = ben.get("/compose", way="forward", about=key)
    assert form.field("subject") == "Fwd: Lunch?"
    assert form.html.count('name="keep"') == 2
    sent = ben.send(
        "tom@acme.example",
        form.field("subject"),
        "See below.",
        way="forward",
        about=key,
        keep=["1"],
    )
    page = post_office.box("tom").get(f"/messages/{sent}")
    assert "map.txt" in page.text
    assert "menu.txt" not in page.text
    assert page.html.count('data-test-id="mail-message"') == 1


def test_files_are_downloads_and_nothing_else(ana: Box, ben: Box) -> None:
    key = ana.send("ben@desk.example", "See", files={"a b.html": b"<b>x</b>"})
    file = ben.get(f"/messages/{key}/files/0")
    assert file.html == "<b>x</b>"
    assert file.headers["Content-Disposition"] == "attachment; filename*=UTF-8''a%20b.html"
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    assert file.headers["Content-Type"] == "application/octet-stream"
    assert ben.get(f"/messages/{key}/files/1").status == 404
    source = ben.get(f"/messages/{key}/source")
    assert source.html.startswith("From: Ana Costa <ana@desk.example>\r\n")
    assert "Subject: See" in source.html


def test_what_others_send_cannot_act_as_the_page(post_office: PostOffice, ben: Box) -> None:
    html = '<p onclick="x()">Hi<script>x()</script><img src="http://e.example/p.png"></p>'
    with post_office.desk.writing():
        draft = post.Draft("<b>@y.example", ["ben@desk.example"], "<i>x", "Hi", html)
        post.post(draft, clone="outside", direction="in")
    page = ben.get(f"/messages/{ben.newest()}")
    body = page.html.partition('data-test-id="mail-body">')[2].partition("</div>")[0]
    assert body == "<p>Hi</p>"
    assert "&lt;i&gt;x" in page.html
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("typed", "said", "field"),
    [
        ({"to": "", "text": "Hi"}, "Enter at least one recipient.", "to"),
        ({"to": "ben", "text": "Hi"}, "“ben” is not an email address.", "to"),
        ({"to": "ben@desk.example", "cc": "a b"}, "“a b” is not an email address.", "cc"),
        ({"to": "ben@desk.example", "text": " "}, "Write a subject or a message.", "text"),
        (
            {"to": ", ".join(f"p{n}@x.example" for n in range(101)), "text": "Hi"},
            "A message goes to 100 people at most.",
            "to",
        ),
    ],
)
def test_what_cannot_be_sent_stays_in_the_form(
    post_office: PostOffice, ana: Box, typed: dict[str, str], said: str, field: str
) -> None:
    answer = ana.post("/compose", {"subject": "", **typed})
    assert answer.status == 422
    assert said in answer.text
    assert answer.field("to") == typed["to"]
    marked = answer.html.partition(f'id="{field}"')[2].partition(">")[0]
    assert 'aria-invalid="true"' in marked
    assert post_office.messages() == []


def test_files_have_a_limit(ana: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clones.mail.domain.messages.FILES_LIMIT", 3)
    file = SimpleUploadedFile("a.txt", b"1234")
    answer = ana.post("/compose", {"to": "ben@desk.example", "text": "Hi", "files": file})
    assert (answer.status, "25 MB" in answer.text) == (422, True)


def test_wrong_methods_and_addresses_are_refused(ana: Box) -> None:
    assert ana.post("/folders/inbox").status == 405
    assert ana.get("/marks/1").status == 405
    assert ana.get("/folders/spam").status == 404
    assert ana.get("/nowhere").status == 404


def test_what_is_refused_keeps_the_folders_beside_it(post_office: PostOffice, ana: Box) -> None:
    for shown in (
        ana.get("/nowhere"),
        ana.get("/messages/999999"),
        ana.post("/folders/inbox"),
        ana.post("/compose", {"token": "x"}),
    ):
        assert shown.status in (403, 404, 405)
        assert 'data-test-id="mail-folder-inbox"' in shown.html
        assert "Go to your inbox" in shown.text
    plain = post_office.browser().get("/nowhere")
    assert (plain.status_code, b"mail-folder-inbox" in plain.content) == (404, False)


def test_mail_without_a_mailbox_is_nobodys_yet(post_office: PostOffice, ana: Box) -> None:
    ana.send("new@else.example", "Welcome", "Hello")
    with post_office.desk.writing():
        first = open_mailbox("New@else.example", "Nia New", role="customer", listed=True)
        assert open_mailbox("new@else.example", "Other", role="customer") == first
        assert Mailbox.objects.count() == len(PEOPLE) + 1


def test_the_listed_mailboxes_are_handed_out(post_office: PostOffice) -> None:
    row = post_office.desk.row
    shown = sandbox_view(row, Addresses("127.0.0.1", "localhost", (8800,)))["apps"]["mail"]
    first = shown["accounts"][0]
    assert first == {
        "role": "employee",
        "name": "Ana Costa",
        "email": "ana@desk.example",
        "password": post_office.passwords["ana@desk.example"],
    }
    assert f"mail.{row.id}" in shown["url"]


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("a@b.example", ["a@b.example"], []),
        ("A <A@B.example>; c@d.example,", ["A <a@b.example>", "c@d.example"], []),
        ('"Diaz, Rosa" <r@b.example>', ['"Diaz, Rosa" <r@b.example>'], []),
        ("a@b.example, A@b.example", ["a@b.example"], []),
        ("a@b, x, <y>", ["a@b"], ["x", "<y>"]),
        ("", [], []),
    ],
)
def test_fields_of_addresses_are_read_as_people_write_them(
    text: str, good: list[str], bad: list[str]
) -> None:
    assert split_addresses(text) == (good, bad)


def test_names_are_quoted_where_they_must_be() -> None:
    assert with_name("Rosa Diaz", "r@b.example") == "Rosa Diaz <r@b.example>"
    assert with_name("Diaz, R", "r@b.example") == '"Diaz, R" <r@b.example>'
    assert with_name("R\xf3sa", "r@b.example") == '"R\xf3sa" <r@b.example>'
    assert with_name("", "r@b.example") == "r@b.example"


def test_agents_keep_the_original_of_a_comment_that_came_by_mail(post_office: PostOffice) -> None:
    rosa = post_office.box("rosa")
    rosa.send(SUPPORT, "Broken", "It stays dark.")
    rosa.answer(rosa.newest(), "Still dark.")
    desk = post_office.desk
    [key] = post_office.tickets()
    client = Client(headers={"host": f"helpdesk.{desk.row.id}.localhost:8800"})
    password = desk.cards["ana"].secrets["password"]
    client.post("/auth/v2/login/signin", {"email": "ana@desk.example", "password": password})
    page = client.get(f"/agent/tickets/{key}").content.decode()
    links = re.findall(r'href="(/audits/\d+/email.eml)"', page)
    assert len(links) == 2
    original = client.get(links[1])
    assert original["Content-Disposition"].startswith("attachment")
    text = original.content.decode()
    assert "Still dark." in text
    assert "##- Please type your reply above this line -##" in text
    assert client.get("/audits/1/email.eml").status_code == 404
    audits = desk.get(f"tickets/{key}/audits.json")["audits"]
    assert client.get(f"/audits/{audits[0]['id']}/email.eml").status_code == 200
    desk.put(f"tickets/{key}.json", {"ticket": {"priority": "high"}})
    last = desk.get(f"tickets/{key}/audits.json")["audits"][-1]["id"]
    assert client.get(f"/audits/{last}/email.eml").status_code == 404
    with desk.writing():
        User.objects.filter(id=desk.ids["ana"]).update(ticket_restriction="assigned")
    assert client.get(links[1]).status_code == 404


@pytest.mark.parametrize("name", ["email", "password"])
def test_nul_in_the_form_of_a_sign_in_is_dropped(post_office: PostOffice, name: str) -> None:
    form = {"email": "ana@desk.example", "password": post_office.passwords["ana@desk.example"]}
    answer = post_office.browser().post("/signin", {**form, name: f"\0{form[name]}"})
    assert answer.status_code == 302
