"""Mail between people and the desk, there and back."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from typing import Any

import pytest

from clones.core.rfc5322 import NotAMessage, read, written
from clones.helpdesk.domain.correspondence import token_of
from clones.helpdesk.models import Brand, SupportAddress, User
from clones.helpdesk.rules.mail.quoting import DELIMITER
from clones.helpdesk.rules.mail.tokens import with_token
from tests.mail.conftest import SUPPORT, PostOffice

Deliver = Callable[[bytes], str]
NOTICE = "[Request received] Laser does not start"


def ticket_by_mail(post_office: PostOffice, **more: Any) -> int:
    post_office.box("rosa").send(SUPPORT, "Laser does not start", "It stays dark.", **more)
    return max(post_office.tickets())


def token(post_office: PostOffice, ticket: int) -> str:
    with post_office.desk.writing():
        return token_of(ticket)


def raw(sender: str = "Rosa Diaz <rosa@acme.example>", **headers: str) -> bytes:
    body = headers.pop("body", "Any news?")
    lines = {"From": sender, "To": SUPPORT, "Subject": "Hello", **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"{head}\r\n{body}\r\n".encode()


def test_a_message_to_a_support_address_is_a_ticket_at_once(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office, files={"head.txt": b"dark"})
    shown = post_office.ticket(key)
    assert shown["subject"] == "Laser does not start"
    assert shown["requester_id"] == post_office.desk.ids["rosa"]
    assert shown["recipient"] == SUPPORT
    assert shown["via"]["channel"] == "email"
    assert shown["via"]["source"]["from"] == {
        "address": "rosa@acme.example",
        "name": "Rosa Diaz",
        "original_recipients": [SUPPORT],
    }
    [comment] = post_office.comments(key)
    assert comment["plain_body"] == "It stays dark."
    assert [file["file_name"] for file in comment["attachments"]] == ["head.txt"]
    [message] = post_office.messages(direction="in")
    system = comment["metadata"]["system"]
    assert system["message_id"] == message.message_id
    assert system["raw_email_identifier"].endswith(".eml")
    assert message.about == f"helpdesk.ticket:{key}"


def test_the_desks_notice_answers_the_mail_and_says_where_to_reply(
    post_office: PostOffice,
) -> None:
    key = ticket_by_mail(post_office)
    named = token(post_office, key)
    [asked] = post_office.messages(direction="in")
    [notice] = post_office.messages(recipients=["rosa@acme.example"])
    assert notice.subject == NOTICE
    assert notice.thread == asked.message_id
    assert notice.headers["In-Reply-To"] == asked.message_id
    assert notice.headers["References"] == asked.message_id
    assert notice.headers["Reply-To"] == f"Kestrel <{with_token(SUPPORT, named)}>"
    assert notice.headers["Auto-Submitted"] == "auto-generated"
    assert notice.headers["X-Auto-Response-Suppress"] == "All"
    assert notice.headers["X-Rule"].endswith(": Notify requester and CCs of received request")
    assert notice.headers["X-Delivery-Context"].startswith("event-id-")
    assert notice.message_id.startswith(f"<{named}_")
    assert notice.text.startswith(DELIMITER)
    assert f"[{named}]" in notice.text
    assert f"[{named}]" in (notice.html or "")
    assert post_office.box("rosa").rows() == [NOTICE]


def test_a_reply_becomes_a_comment_without_what_it_quotes(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    rosa = post_office.box("rosa")
    rosa.answer(rosa.newest(), "It still stays dark.")
    assert post_office.tickets() == [key]
    first, second = post_office.comments(key)
    assert second["plain_body"] == "It still stays dark."
    assert (second["public"], second["author_id"]) == (True, first["author_id"])
    kept = post_office.messages(direction="in")[1]
    assert DELIMITER in kept.text
    assert kept.about == f"helpdesk.ticket:{key}"
    assert kept.thread == post_office.messages(direction="in")[0].message_id


def test_a_conversation_goes_on_between_mailbox_and_desk(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    desk, rosa = post_office.desk, post_office.box("rosa")
    changes = {"status": "pending", "comment": {"body": "Press the green button."}}
    desk.put(f"tickets/{key}.json", {"ticket": changes})
    assert rosa.rows()[0] == "[Kestrel] Re: Laser does not start"
    page = rosa.get(f"/messages/{rosa.newest()}")
    assert "Press the green button." in page.text
    assert "It stays dark." in page.text  # her own first message, in the same conversation
    rosa.answer(rosa.newest(), "There is none.")
    assert post_office.ticket(key)["status"] == "open"
    bodies = [item["plain_body"] for item in post_office.comments(key)]
    assert bodies == ["It stays dark.", "Press the green button.", "There is none."]


def test_an_answer_to_a_side_conversation_stays_beside_the_ticket(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    desk, tom = post_office.desk, post_office.box("tom")
    letter = {"subject": "Spare laser", "body": "Have you one?", "to": [{"email": tom.address}]}
    path = f"tickets/{key}/side_conversations"
    made = desk.post(path, {"message": letter})["side_conversation"]
    tom.answer(tom.newest(), "Two of them.")
    assert len(post_office.comments(key)) == 1
    assert post_office.tickets() == [key]
    events = desk.get(f"{path}/{made['id']}/events")["events"]
    said = [item["message"] for item in events if item["message"]]
    assert [item["body"].strip() for item in said] == ["Have you one?", "Two of them."]
    assert said[-1]["from"]["email"] == tom.address
    [kept] = post_office.messages(direction="in", sender__contains="tom@")
    assert kept.about == f"helpdesk.side_conversation:{made['id']}"


def test_who_is_named_in_a_mail_becomes_a_cc_and_gets_what_follows(
    post_office: PostOffice,
) -> None:
    key = ticket_by_mail(post_office, cc="Tom Berg <tom@acme.example>, new@acme.example")
    desk = post_office.desk
    ids = post_office.ticket(key)["email_cc_ids"]
    emails = [desk.get(f"users/{each}.json")["user"]["email"] for each in ids]
    assert emails == ["tom@acme.example", "new@acme.example"]
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "Press the button."}}})
    sent = post_office.messages(direction="out", recipients=["rosa@acme.example"])
    assert sent[-1].cc == emails
    assert post_office.box("tom").rows()[0] == "[Kestrel] Re: Laser does not start"
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "psst", "public": False}}})
    assert len(post_office.box("tom").rows()) == 3  # Rosa's own, and the desk's two


def test_a_cc_answers_all_in_public(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office, cc="tom@acme.example")
    tom = post_office.box("tom")
    tom.answer(tom.newest(), "Mine does.", way="all")
    said = post_office.comments(key)[-1]
    assert (said["plain_body"], said["public"]) == ("Mine does.", True)
    assert said["author_id"] == post_office.desk.ids["tom"]


def test_an_agents_reply_by_mail_is_the_desks_answer(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    desk = post_office.desk
    desk.put(f"tickets/{key}.json", {"ticket": {"assignee_id": desk.ids["ana"]}}, by="ben")
    ana = post_office.box("ana")
    assert "Assignment" in ana.rows()[0]
    ana.answer(ana.newest(), "Press the button.")
    said = post_office.comments(key)[-1]
    assert (said["author_id"], said["public"]) == (desk.ids["ana"], True)
    assert (
        "Press the button."
        in post_office.box("rosa").get(f"/messages/{post_office.box('rosa').newest()}").text
    )


def test_followers_are_sent_everything_and_answer_in_private(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    desk = post_office.desk
    follow = {"followers": [{"user_id": desk.ids["ben"], "action": "put"}]}
    note = {"comment": {"body": "psst", "public": False}}
    desk.put(f"tickets/{key}.json", {"ticket": {**follow, **note}}, by="ana")
    [told] = post_office.messages(recipients=["ben@desk.example"], text__contains="psst")
    assert "registered as a follower" in told.text
    events = desk.get(f"tickets/{key}/audits.json")["audits"][-1]["events"]
    [event] = [each for each in events if each["type"] == "FollowerNotificationEvent"]
    assert event["recipients"] == [desk.ids["ben"]]
    ben = post_office.box("ben")
    ben.answer(told.id, "I know of this.")
    said = post_office.comments(key)[-1]
    assert (said["author_id"], said["public"]) == (desk.ids["ben"], False)
    # Their own note is not sent to themselves.
    assert len(post_office.messages(recipients=["ben@desk.example"], text__contains="I know")) == 0


def test_what_strangers_send_to_a_ticket_is_private_if_they_were_sent_its_id(
    post_office: PostOffice, deliver: Deliver
) -> None:
    key = ticket_by_mail(post_office)
    address = with_token(SUPPORT, token(post_office, key))
    assert deliver(raw("Eve Moor <eve@else.example>", To=address)) == f"helpdesk.ticket:{key}"
    said = post_office.comments(key)[-1]
    assert (said["plain_body"], said["public"]) == ("Any news?", False)
    assert post_office.ticket(key)["email_cc_ids"] == []


def test_unverified_flags_of_a_comment_from_a_stranger(
    post_office: PostOffice, deliver: Deliver
) -> None:
    key = ticket_by_mail(post_office)
    deliver(raw("Eve Moor <eve@else.example>", To=with_token(SUPPORT, token(post_office, key))))
    kept = post_office.comments(key)[-1]["metadata"]
    assert (kept["flags"], kept["trusted"]) == ([2], False)
    told = {"trusted": False, "message": {"user": "Eve Moor"}}
    assert kept["flags_options"] == {"2": told}


@pytest.mark.parametrize(
    ("sender", "cause"),
    [
        ("eve@else.example", "Unknown user tried to update existing ticket"),
        ("tom@acme.example", "End user only allowed to update their own tickets"),
    ],
)
def test_strangers_in_a_thread_are_held_back_until_they_are_let_in(
    post_office: PostOffice, deliver: Deliver, sender: str, cause: str
) -> None:
    key = ticket_by_mail(post_office)
    [asked] = post_office.messages(direction="in")
    about = deliver(raw(sender, In_Reply_To=asked.message_id))
    [held] = post_office.held()
    assert (held["cause"], held["ticket_id"]) == (cause, key)
    assert about == f"helpdesk.suspended_ticket:{held['id']}"
    post_office.desk.put(f"suspended_tickets/{held['id']}/recover.json", None)
    assert post_office.comments(key)[-1]["plain_body"] == "Any news?"
    assert post_office.messages(direction="in")[1].about == f"helpdesk.ticket:{key}"


def test_a_reply_to_what_is_closed_is_a_follow_up(
    post_office: PostOffice, deliver: Deliver
) -> None:
    key = ticket_by_mail(post_office)
    desk = post_office.desk
    solved = {"status": "solved", "assignee_id": desk.ids["ana"]}
    desk.put(f"tickets/{key}.json", {"ticket": solved})
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "closed"}})
    rosa = post_office.box("rosa")
    rosa.answer(rosa.newest(), "It is dark again.")
    later = max(post_office.tickets())
    assert later != key
    shown = post_office.ticket(later)
    assert shown["subject"] == "Re: Laser does not start"
    assert shown["via"]["source"]["from"]["ticket_id"] == key
    assert post_office.comments(later)[0]["plain_body"] == "It is dark again."


def test_subjects_say_nothing_of_a_ticket(post_office: PostOffice, deliver: Deliver) -> None:
    key = ticket_by_mail(post_office)
    deliver(raw(Subject=f"Re: [Kestrel] Laser does not start (#{key})"))
    assert len(post_office.tickets()) == 2


@pytest.mark.parametrize(
    ("headers", "cause"),
    [
        ({"Auto_Submitted": "auto-replied"}, "Automated response mail"),
        ({"Precedence": "bulk"}, "Automated response mail"),
        ({"Subject": "Out of office: Hello"}, "Automated response mail, out of office"),
        ({"X_Failed_Recipients": "a@b.example"}, "Automated response mail, delivery failed"),
        (
            {"Content_Type": "multipart/report; report-type=delivery-status; boundary=x"},
            "Automated response mail, delivery failed",
        ),
        ({"body": ""}, "Email has no content"),
    ],
)
def test_automatic_mail_is_held_back(
    post_office: PostOffice, deliver: Deliver, headers: dict[str, str], cause: str
) -> None:
    deliver(raw(**headers))
    assert [held["cause"] for held in post_office.held()] == [cause]
    assert post_office.tickets() == []


def test_loops_end_after_twenty_mails_in_an_hour(post_office: PostOffice, deliver: Deliver) -> None:
    for number in range(21):
        deliver(raw(Subject=f"Number {number}"))
    assert len(post_office.tickets()) == 20
    assert [held["cause"] for held in post_office.held()] == ["Detected as mail loop"]


def test_what_the_desk_sends_to_itself_does_not_come_back(post_office: PostOffice) -> None:
    with post_office.desk.writing():
        User.objects.filter(id=post_office.desk.ids["tom"]).update(email=SUPPORT)
    post_office.desk.ticket(requester_id=post_office.desk.ids["tom"], by="ana")
    assert post_office.desk.drain() == []
    assert len(post_office.tickets()) == 1
    assert post_office.held() == []


def test_the_address_decides_the_brand(post_office: PostOffice) -> None:
    desk = post_office.desk
    with desk.writing():
        default = Brand.objects.get(default=True)
        values = {"subdomain": "studio", "created_at": default.created_at}
        brand = Brand.objects.create(id=77, name="Studio", updated_at=default.created_at, **values)
        SupportAddress.objects.create(
            id=78,
            email="studio@kestrel.example",
            name="Kestrel Studio",
            brand=brand,
            created_at=default.created_at,
            updated_at=default.created_at,
        )
    post_office.box("rosa").send("Studio@kestrel.example", "Question", "How?")
    key = max(post_office.tickets())
    shown = post_office.ticket(key)
    assert (shown["brand_id"], shown["recipient"]) == (77, "studio@kestrel.example")
    assert shown["via"]["source"]["to"]["name"] == "Kestrel Studio"
    [notice] = post_office.messages(recipients=["rosa@acme.example"])
    assert notice.sender == "Kestrel Studio <studio@kestrel.example>"
    assert "This email is a service from Studio." in notice.text


MULTIPART = b"""From: =?utf-8?q?R=C3=B3sa?= Diaz <rosa@acme.example>\r
To: "Kestrel, Support" <support@kestrel.example>, tom@acme.example\r
Cc: Ben <ben@desk.example>\r
Subject: =?utf-8?b?RHVua2Vs?=\r
Message-ID: <m1@acme.example>\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=a\r
\r
--a\r
Content-Type: multipart/related; boundary=b\r
\r
--b\r
Content-Type: text/html; charset=iso-8859-1\r
\r
<p>It st\xe4ys <b>dark</b> <img src="cid:pic1"></p>\r
--b\r
Content-Type: image/png; name=head.png\r
Content-ID: <pic1>\r
Content-Transfer-Encoding: base64\r
\r
iVBORw==\r
--b--\r
--a\r
Content-Type: text/x-log; charset=no-such-thing\r
Content-Disposition: attachment; filename="l/og.txt"\r
\r
error 5\r
--a--\r
"""


def test_messages_of_other_programs_are_read(post_office: PostOffice, deliver: Deliver) -> None:
    about = deliver(MULTIPART)
    key = int(about.removeprefix("helpdesk.ticket:"))
    shown = post_office.ticket(key)
    assert shown["subject"] == "Dunkel"
    ids = post_office.desk.ids
    assert shown["email_cc_ids"] == [ids["tom"], ids["ben"]]
    [comment] = post_office.comments(key)
    assert comment["plain_body"].startswith("It st\xe4ys dark")
    assert "<b>dark</b>" in comment["html_body"]
    files = {file["file_name"]: file["inline"] for file in comment["attachments"]}
    assert files == {"head.png": True, "l_og.txt": False}


def test_a_message_survives_being_written_and_read(
    post_office: PostOffice, deliver: Deliver
) -> None:
    deliver(MULTIPART)
    [kept] = post_office.messages(direction="in")
    with post_office.desk.bound():
        data = written(kept)
    again = read(data)
    assert (again.subject, again.message_id) == ("Dunkel", "<m1@acme.example>")
    assert again.recipients == kept.recipients
    assert again.cc == ["Ben <ben@desk.example>"]
    assert "<b>dark</b>" in (again.html or "")
    assert sorted((file.name, file.data, file.cid) for file in again.files) == [
        ("head.png", b"\x89PNG", "pic1"),
        ("l_og.txt", b"error 5", None),
    ]
    parsed = email.message_from_bytes(data, policy=email.policy.default)
    assert parsed["From"].addresses[0].display_name == "R\xf3sa Diaz"


@pytest.mark.parametrize("data", [b"", b"Subject: x\r\n\r\nHello", b"From: a@b.example\r\n\r\nHi"])
def test_what_names_nobody_is_no_message(data: bytes) -> None:
    with pytest.raises(NotAMessage):
        read(data)


@pytest.mark.parametrize("depth", [2, 20, 5_000])
def test_parts_within_parts_are_read_or_refused(depth: int) -> None:
    around = [f"Content-Type: multipart/mixed; boundary=b{level}" for level in range(depth)]
    opened = "".join(f"{line}\n\n--b{level}\n" for level, line in enumerate(around))
    closed = "".join(f"\n--b{level}--\n" for level in reversed(range(depth)))
    inner = f"{opened}Content-Type: text/plain\n\nHello{closed}"
    data = f"From: a@b.example\nTo: c@d.example\n{inner}".encode()
    if depth < 5_000:
        assert read(data).text.strip() == "Hello"
    else:
        with pytest.raises(NotAMessage, match="too deep"):
            read(data)


def test_what_cannot_be_kept_as_it_is_is_held_back_or_cut(
    post_office: PostOffice, deliver: Deliver
) -> None:
    about = deliver(raw(body="ä" * 70_000))
    key = int(about.removeprefix("helpdesk.ticket:"))
    assert len(post_office.comments(key)[0]["plain_body"]) > 30_000


def test_the_same_mail_gets_the_same_names_in_every_sandbox(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    names = [message.message_id for message in post_office.messages()]
    assert all(post_office.desk.row.id.removeprefix("sb-") not in name for name in names)
    assert len(set(names)) == len(names)
    assert token(post_office, key) == token(post_office, key)


def test_unverified_every_support_address_takes_encoded_ids(
    post_office: PostOffice, deliver: Deliver
) -> None:
    key = ticket_by_mail(post_office)
    with post_office.desk.writing():
        SupportAddress.objects.update(email="help@company.example")
    address = with_token("help@company.example", token(post_office, key))
    assert deliver(raw(To=address)) == f"helpdesk.ticket:{key}"
    assert len(post_office.comments(key)) == 2


def test_unverified_words_to_followers(post_office: PostOffice) -> None:
    key = ticket_by_mail(post_office)
    desk = post_office.desk
    change = {"followers": [{"user_id": desk.ids["ben"], "action": "put"}]}
    said = {"comment": {"body": "Press the button."}}
    desk.put(f"tickets/{key}.json", {"ticket": {**change, **said}}, by="ana")
    [told] = post_office.messages(recipients=["ben@desk.example"])
    assert told.subject == "[Kestrel] Re: Laser does not start"
    assert told.cc == []
    words = (
        f"You are registered as a follower on this request ({key}). "
        "Reply to this email to add an internal note to the request."
    )
    assert told.text.split("\n\n")[1:3] == [words, "Press the button."]
    events = desk.get(f"tickets/{key}/audits.json")["audits"][-1]["events"]
    [event] = [each for each in events if each["type"] == "FollowerNotificationEvent"]
    assert event["via"]["channel"] == "system"
    assert event["subject"] == "[{{ticket.account}}] Re: {{ticket.title}}"


def test_unverified_links_of_a_ticket_lead_readers_where_they_may_go(
    post_office: PostOffice,
) -> None:
    desk = post_office.desk
    words = "{{ticket.link}} {{ticket.url}}"
    told = ("requester_id", str(desk.ids["ben"]), "requester_and_ccs")
    rule = {
        "title": "Tell all",
        "all": [{"field": "update_type", "operator": "is", "value": "Create"}],
        "actions": [
            {"field": "notification_user", "value": [who, f"For {who}", words]} for who in told
        ],
    }
    desk.post("triggers.json", {"trigger": rule}, by="olga")
    key = desk.ticket(email_ccs=[{"user_id": desk.ids["ana"]}])["id"]
    sent = {
        message.subject: message.text
        for message in post_office.messages()
        if message.subject.startswith("For ")
    }
    request, ticket = f"/hc/requests/{key}", f"/agent/tickets/{key}"
    assert set(sent) == {f"For {who}" for who in told}
    for who, text in sent.items():
        link = ticket if who == f"For {desk.ids['ben']}" else request
        assert f"{link} {link}" in text
    page = post_office.desk.client.get(request)
    assert page.status_code in (302, 200)
