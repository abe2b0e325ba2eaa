"""Mail that is held back, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Job, Message
from clones.core.post import File
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.domain.inbound import receive_message, receive_reply
from clones.helpdesk.domain.suspended import delete_suspended, hold_mail
from clones.helpdesk.domain.values import Mail, Via
from clones.helpdesk.models import Attachment, Audit, SuspendedTicket, Ticket, User
from tests.helpdesk.conftest import Desk

SPAM = {"X-Spam-Flag": "YES"}
NO_ACCESS = {
    "title": "Forbidden",
    "message": "You do not have access to this page. "
    "Please contact the account owner of this help desk for further help.",
}


def mail(**given: Any) -> Mail:
    values = {
        "sender": "eve@else.example",
        "name": "Eve Moor",
        "subject": "Cheap lenses",
        "text": "Buy lenses.",
        **given,
    }
    return Mail(**values)


def send(desk: Desk, *, ticket: int | None = None, **given: Any) -> Audit | SuspendedTicket:
    with desk.writing():
        about = Ticket.objects.get(id=ticket) if ticket is not None else None
        return receive_message(mail(**given), ticket=about)


def held(desk: Desk, **given: Any) -> Any:
    """Send a mail that is held back, as spam unless told otherwise, and return it as listed."""
    made = send(desk, **{"headers": SPAM, **given})
    assert isinstance(made, SuspendedTicket)
    return desk.get(f"suspended_tickets/{made.id}.json")["suspended_ticket"]


def keys(desk: Desk, query: str = "") -> list[int]:
    return [item["id"] for item in desk.get(f"suspended_tickets.json{query}")["suspended_tickets"]]


def restrict(desk: Desk, who: str, restriction: str | None) -> None:
    with desk.writing():
        User.objects.filter(id=desk.ids[who]).update(ticket_restriction=restriction)


def suspend(desk: Desk, who: str) -> None:
    with desk.writing():
        User.objects.filter(id=desk.ids[who]).update(suspended=True)


def test_mail_of_a_stranger_is_let_in_and_the_sender_becomes_a_user(desk: Desk) -> None:
    file = File("lens.txt", "text/plain", b"glass")
    empty = File("nothing.txt", "text/plain", b"")
    made = send(desk, files=(file, empty))
    assert isinstance(made, Audit)
    shown = desk.get(f"tickets/{made.ticket_id}.json?include=users")
    assert shown["ticket"]["subject"] == "Cheap lenses"
    assert shown["ticket"]["via"]["source"]["from"] == {
        "address": "eve@else.example",
        "name": "Eve Moor",
    }
    [eve] = [user for user in shown["users"] if user["email"] == "eve@else.example"]
    assert (eve["name"], eve["role"]) == ("Eve Moor", "end-user")
    assert shown["ticket"]["requester_id"] == eve["id"]
    [comment] = desk.get(f"tickets/{made.ticket_id}/comments.json")["comments"]
    assert [item["file_name"] for item in comment["attachments"]] == ["lens.txt"]
    assert keys(desk) == []


def test_a_held_mail_is_shown_with_its_cause(desk: Desk) -> None:
    before = desk.get("tickets/count.json")["count"]["value"]
    files = (File("lens.txt", "text/plain", b"glass"),)
    shown = held(desk, message_id="<1@else.example>", files=files, html="<p>Buy</p>")
    brand = desk.get("brands.json")["brands"][0]["id"]
    assert {name: shown[name] for name in ("cause", "cause_id", "content", "subject")} == {
        "cause": "Detected as spam",
        "cause_id": 0,
        "content": "Buy lenses.",
        "subject": "Cheap lenses",
    }
    assert shown["author"] == {"id": None, "name": "Eve Moor", "email": "eve@else.example"}
    assert shown["via"] == {
        "channel": "email",
        "source": {
            "from": {"address": "eve@else.example", "name": "Eve Moor"},
            "to": {"address": "support@kestrel.example", "name": "Kestrel"},
            "rel": None,
        },
    }
    assert (shown["recipient"], shown["message_id"]) == (
        "support@kestrel.example",
        "<1@else.example>",
    )
    assert (shown["brand_id"], shown["ticket_id"], shown["error_messages"]) == (brand, None, None)
    assert shown["url"].endswith(f"/api/v2/suspended_tickets/{shown['id']}.json")
    [file] = shown["attachments"]
    assert desk.client.get(file["content_url"].partition(":8800")[2]).content == b"glass"
    assert desk.get("suspended_tickets.json")["suspended_tickets"] == [shown]
    assert desk.get("tickets/count.json")["count"]["value"] == before
    assert desk.call("GET", "suspended_tickets/5.json").body["error"] == "RecordNotFound"


def test_known_senders_are_named(desk: Desk) -> None:
    shown = held(desk, sender="Rosa@acme.example", name="R.")
    assert shown["author"] == {
        "id": desk.ids["rosa"],
        "name": "R.",
        "email": "rosa@acme.example",
    }


def test_held_mail_is_listed_in_pages_and_in_order(desk: Desk) -> None:
    first = held(desk, subject="b", sender="b@else.example")["id"]
    desk.advance(seconds=5)
    second = held(desk, subject="c", sender="a@else.example", headers={"Precedence": "bulk"})["id"]
    desk.advance(seconds=5)
    third = held(desk, subject="a", sender="c@else.example")["id"]
    assert keys(desk) == [first, second, third]
    assert keys(desk, "?sort_order=desc") == [third, second, first]
    assert keys(desk, "?sort_by=subject") == [third, first, second]
    assert keys(desk, "?sort_by=author_email&sort_order=desc") == [third, first, second]
    assert keys(desk, "?sort_by=cause") == [second, first, third]
    assert keys(desk, "?sort_by=created_at&sort_order=desc") == [third, second, first]
    page = desk.get("suspended_tickets.json?per_page=2&page=2")
    assert (page["count"], page["next_page"]) == (3, None)
    assert [item["id"] for item in page["suspended_tickets"]] == [third]
    page = desk.get("suspended_tickets.json?page[size]=2&sort_by=subject")
    assert [item["id"] for item in page["suspended_tickets"]] == [third, first]
    assert page["meta"]["has_more"]
    after = page["meta"]["after_cursor"]
    assert keys(desk, f"?page[size]=2&sort_by=subject&page[after]={after}") == [second]
    assert desk.call("GET", "suspended_tickets.json?page[size]=101").status == 400


def test_only_agents_who_see_all_tickets_deal_with_held_mail(desk: Desk) -> None:
    key = held(desk)["id"]
    calls = (
        ("GET", "suspended_tickets.json"),
        ("GET", f"suspended_tickets/{key}.json"),
        ("DELETE", f"suspended_tickets/{key}.json"),
        ("DELETE", f"suspended_tickets/destroy_many.json?ids={key}"),
        ("PUT", f"suspended_tickets/{key}/recover.json"),
        ("PUT", f"suspended_tickets/recover_many.json?ids={key}"),
        ("POST", f"suspended_tickets/attachments.json?id={key}"),
        ("POST", "suspended_tickets/export.json"),
    )
    restrict(desk, "ben", "groups")
    for method, path in calls:
        for who in ("rosa", "ben"):
            answer = desk.call(method, path, by=who)
            assert (answer.status, answer.body["error"]) == (403, NO_ACCESS)
        assert desk.call(method, path, by=None).body == {"error": "Couldn't authenticate you"}
    assert keys(desk) == [key]
    with desk.writing():
        found = SuspendedTicket.objects.get(id=key)
        ben = User.objects.get(id=desk.ids["ben"])
        with pytest.raises(AccessDenied):
            delete_suspended(found, actor=ben)


def test_deleted_mail_is_gone_with_its_files(desk: Desk) -> None:
    files = (File("lens.txt", "text/plain", b"glass"),)
    first, second, third = (held(desk, files=files)["id"] for _ in range(3))
    answer = desk.call("DELETE", f"suspended_tickets/{first}.json")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("DELETE", f"suspended_tickets/{first}.json").status == 404
    assert keys(desk) == [second, third]
    many = f"suspended_tickets/destroy_many.json?ids={second}"
    assert desk.call("DELETE", many).status == 204
    assert keys(desk) == [third]
    with desk.bound():
        assert Attachment.objects.count() == 1
        assert Job.objects.filter(key__startswith="helpdesk.suspended:").count() == 1


def test_unverified_unknown_ids_among_many_are_left_alone(desk: Desk) -> None:
    key = held(desk)["id"]
    bodies = desk.put("suspended_tickets/recover_many.json?ids=5", None)["tickets"]
    assert (bodies, keys(desk)) == ([], [key])
    assert desk.call("DELETE", f"suspended_tickets/destroy_many.json?ids=5,{key}").status == 204
    assert keys(desk) == []


def test_many_are_named_as_everywhere(desk: Desk) -> None:
    for method, path in (("DELETE", "destroy_many"), ("PUT", "recover_many")):
        none = desk.call(method, f"suspended_tickets/{path}.json")
        assert (none.status, none.body["error"]) == (400, "RequiredParameterMissing")
        odd = desk.call(method, f"suspended_tickets/{path}.json?ids=a")
        assert (odd.status, odd.body["error"]["title"]) == (400, "Invalid attribute")
        ids = ",".join(str(number) for number in range(1, 102))
        lots = desk.call(method, f"suspended_tickets/{path}.json?ids={ids}")
        assert (lots.status, lots.body["error"]) == (400, "TooManyValues")


def test_one_recovered_mail_is_a_ticket_of_the_agent(desk: Desk) -> None:
    files = (File("lens.txt", "text/plain", b"glass"),)
    shown = held(desk, files=files)
    [body] = desk.put(f"suspended_tickets/{shown['id']}/recover.json", None)["ticket"]
    assert (body["id"], body["cause"]) == (shown["id"], "Detected as spam")
    ticket = desk.get(f"tickets/{body['ticket_id']}.json")["ticket"]
    assert (ticket["subject"], ticket["requester_id"]) == ("Cheap lenses", desk.ids["ana"])
    assert (ticket["via"]["channel"], ticket["recipient"]) == ("email", "support@kestrel.example")
    [comment] = desk.get(f"tickets/{ticket['id']}/comments.json")["comments"]
    assert (comment["body"], comment["attachments"][0]["file_name"]) == ("Buy lenses.", "lens.txt")
    assert keys(desk) == []
    assert desk.call("PUT", f"suspended_tickets/{shown['id']}/recover.json").status == 404
    with desk.bound():
        assert not User.objects.filter(email="eve@else.example").exists()
        assert Attachment.objects.filter(comment=None).count() == 0


def test_many_recovered_mails_are_their_senders_tickets(desk: Desk) -> None:
    first, second = held(desk)["id"], held(desk, sender="rosa@acme.example", name=None)["id"]
    path = f"suspended_tickets/recover_many.json?ids={second},{first}"
    bodies = desk.put(path, None)["tickets"]
    assert [body["id"] for body in bodies] == [second, first]
    requesters = []
    for body in bodies:
        ticket = desk.get(f"tickets/{body['ticket_id']}.json?include=users")
        [user] = [
            item for item in ticket["users"] if item["id"] == ticket["ticket"]["requester_id"]
        ]
        requesters.append((user["name"], user["email"]))
    assert requesters == [("Rosa Diaz", "rosa@acme.example"), ("Eve Moor", "eve@else.example")]
    assert keys(desk) == []


def test_a_recovered_reply_is_a_comment_of_its_sender(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    shown = held(desk, ticket=ticket, headers={})
    assert (shown["cause_id"], shown["ticket_id"]) == (5, ticket)
    [body] = desk.put(f"suspended_tickets/recover_many.json?ids={shown['id']}", None)["tickets"]
    assert body["ticket_id"] == ticket
    comment = desk.get(f"tickets/{ticket}/comments.json?include=users")["comments"][-1]
    assert (comment["body"], comment["via"]["channel"]) == ("Buy lenses.", "email")
    assert desk.get(f"users/{comment['author_id']}.json")["user"]["email"] == "eve@else.example"


def test_a_recovered_reply_to_a_closed_ticket_is_a_follow_up(desk: Desk) -> None:
    ticket = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    shown = held(desk, ticket=ticket, sender="rosa@acme.example")
    with desk.writing():
        Ticket.objects.filter(id=ticket).update(status="closed")
    [body] = desk.put(f"suspended_tickets/{shown['id']}/recover.json", None)["ticket"]
    assert body["ticket_id"] != ticket
    made = desk.get(f"tickets/{body['ticket_id']}.json")["ticket"]
    assert (made["via"]["source"]["rel"], made["subject"]) == (
        "follow_up",
        "Re: Laser does not start",
    )


def test_a_recovered_reply_to_a_deleted_ticket_is_a_new_one(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    shown = held(desk, ticket=ticket, sender="rosa@acme.example")
    desk.call("DELETE", f"tickets/{ticket}.json")
    [body] = desk.put(f"suspended_tickets/recover_many.json?ids={shown['id']}", None)["tickets"]
    made = desk.get(f"tickets/{body['ticket_id']}.json")["ticket"]
    assert (made["id"] != ticket, made["requester_id"]) == (True, desk.ids["rosa"])


def test_mail_that_cannot_be_recovered_stays_and_says_why(desk: Desk) -> None:
    own = held(desk, sender="support@kestrel.example", headers={})
    assert (own["cause"], own["cause_id"]) == ("Received from support address", 22)
    answer = desk.call("PUT", f"suspended_tickets/{own['id']}/recover.json")
    assert answer.status == 422
    [body] = answer.body["ticket"]
    assert (body["id"], len(body["error_messages"])) == (own["id"], 1)
    fine = held(desk)["id"]
    bodies = desk.put(f"suspended_tickets/recover_many.json?ids={own['id']},{fine}", None)
    assert [bool(body["error_messages"]) for body in bodies["tickets"]] == [True, False]
    assert keys(desk) == [own["id"]]


def test_a_suspended_senders_mail_is_recovered_only_as_the_agents_own(desk: Desk) -> None:
    suspend(desk, "rosa")
    key = held(desk, sender="rosa@acme.example", headers={})["id"]
    [body] = desk.put(f"suspended_tickets/recover_many.json?ids={key}", None)["tickets"]
    assert body["error_messages"] == [
        {"description": "Requester: Rosa Diaz is suspended", "error": None}
    ]
    [body] = desk.put(f"suspended_tickets/{key}/recover.json", None)["ticket"]
    ticket = desk.get(f"tickets/{body['ticket_id']}.json")["ticket"]
    assert ticket["requester_id"] == desk.ids["ana"]


def test_mail_without_content_cannot_be_recovered(desk: Desk) -> None:
    key = held(desk, text=" ", headers={})["id"]
    answer = desk.call("PUT", f"suspended_tickets/{key}/recover.json")
    assert (answer.status, keys(desk)) == (422, [key])
    [message] = answer.body["ticket"][0]["error_messages"]
    assert message == {"description": "Description: cannot be blank", "error": "BlankValue"}


def test_recovery_is_recorded_in_the_audit(desk: Desk) -> None:
    key = held(desk, headers={"Auto-Submitted": "auto-generated"})["id"]
    [body] = desk.put(f"suspended_tickets/recover_many.json?ids={key}", None)["tickets"]
    [audit] = desk.get(f"tickets/{body['ticket_id']}/audits.json")["audits"]
    [event] = [item for item in audit["events"] if "cause_id" in item]
    assert (event["cause_id"], event["cause_name"]) == (3, "auto_mailer")


def test_unverified_the_event_of_a_recovery(desk: Desk) -> None:
    key = held(desk)["id"]
    [body] = desk.put(f"suspended_tickets/recover_many.json?ids={key}", None)["tickets"]
    [audit] = desk.get(f"tickets/{body['ticket_id']}/audits.json")["audits"]
    event = audit["events"][-1]
    assert (event["type"], event["author_id"]) == ("SuspendedTicketRecovery", desk.ids["ana"])


def test_unverified_bodies_of_recoveries(desk: Desk) -> None:
    first, second = held(desk)["id"], held(desk)["id"]
    assert list(desk.put(f"suspended_tickets/{first}/recover.json", None)) == ["ticket"]
    many = desk.put(f"suspended_tickets/recover_many.json?ids={second}", None)
    assert list(many) == ["tickets"]
    own = held(desk, sender="support@kestrel.example")["id"]
    refused = desk.call("PUT", f"suspended_tickets/{own}/recover.json")
    assert list(refused.body) == ["ticket"]
    assert refused.body["ticket"][0]["error_messages"] == [
        {"description": "Requester: is a support address", "error": "InvalidValue"}
    ]
    assert desk.call("PUT", f"suspended_tickets/recover_many.json?ids={own}").status == 200


def test_unverified_a_single_reply_keeps_its_sender(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    key = held(desk, ticket=ticket)["id"]
    desk.put(f"suspended_tickets/{key}/recover.json", None)
    comment = desk.get(f"tickets/{ticket}/comments.json")["comments"][-1]
    assert desk.get(f"users/{comment['author_id']}.json")["user"]["name"] == "Eve Moor"


def test_files_of_held_mail_are_copied_for_a_comment(desk: Desk) -> None:
    files = tuple(File(f"{name}.txt", "text/plain", b"glass") for name in "ab")
    key = held(desk, files=files)["id"]
    upload = desk.post(f"suspended_tickets/attachments.json?id={key}", None, status=200)["upload"]
    assert [file["file_name"] for file in upload["attachments"]] == ["a.txt", "b.txt"]
    ticket = desk.ticket(comment={"body": "Theirs", "uploads": [upload["token"]]})["id"]
    [comment] = desk.get(f"tickets/{ticket}/comments.json")["comments"]
    assert [file["file_name"] for file in comment["attachments"]] == ["a.txt", "b.txt"]
    shown = desk.get(f"suspended_tickets/{key}.json")["suspended_ticket"]
    assert len(shown["attachments"]) == 2


def test_unverified_the_mail_whose_files_are_meant_is_named_by_id(desk: Desk) -> None:
    path = "suspended_tickets/attachments.json"
    none = desk.call("POST", path)
    assert (none.status, none.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.call("POST", f"{path}?id=a").body["error"]["title"] == "Invalid attribute"
    assert desk.call("POST", f"{path}?id=5").body["error"] == "RecordNotFound"


def test_an_export_comes_by_mail_once_a_minute(desk: Desk) -> None:
    first, second = held(desk)["id"], held(desk, subject='Say "hi", lens')["id"]
    answer = desk.post("suspended_tickets/export.json", None, status=200)
    assert answer == {"export": {"status": "enqueued", "view_id": "suspended"}}
    desk.drain()
    with desk.bound():
        sent = Message.objects.get(subject="Your export of suspended tickets")
    assert sent.recipients == ["ana@desk.example"]
    path = sent.text.rpartition(" ")[2]
    file = desk.get(path)["attachment"]
    assert (file["content_type"], desk.call("GET", path, by="rosa").status) == ("text/csv", 404)
    content = desk.client.get(file["content_url"].partition(":8800")[2]).content.decode()
    lines = content.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["id", str(first), str(second)]
    assert '"Say ""hi"", lens"' in lines[2]
    desk.advance(seconds=20)
    again = desk.call("POST", "suspended_tickets/export.json")
    assert (again.status, int(again.headers["Retry-After"]) in (39, 40)) == (429, True)
    assert again.body["error"] == "APIRateLimitExceeded"
    desk.advance(seconds=40)
    assert desk.call("POST", "suspended_tickets/export.json").status == 200


def test_unverified_columns_of_an_export(desk: Desk) -> None:
    held(desk)
    desk.post("suspended_tickets/export.json", None, status=200)
    desk.drain()
    with desk.bound():
        file = Attachment.objects.select_related("blob").get(content_type="text/csv")
        assert bytes(file.blob.data).decode().splitlines()[0] == (
            "id,subject,author_name,author_email,recipient,cause,cause_id,ticket_id,"
            "created_at,updated_at"
        )


def test_held_mail_is_deleted_after_fourteen_days(desk: Desk) -> None:
    key = held(desk)["id"]
    desk.advance(days=13, hours=23)
    assert keys(desk) == [key]
    desk.advance(hours=2)
    assert keys(desk) == []


def test_mail_can_be_held_for_any_cause_of_the_vendor(desk: Desk) -> None:
    with desk.writing():
        way = Via("email", {"from": {}, "to": {"address": None}, "rel": None})
        hold_mail(mail(), actor=None, cause="signup_required", via=way)
    [shown] = desk.get("suspended_tickets.json")["suspended_tickets"]
    assert (shown["cause_id"], shown["cause"]) == (
        12,
        "User must sign up to submit email, user notified",
    )


def cause(made: Audit | SuspendedTicket) -> int | None:
    return made.cause_id if isinstance(made, SuspendedTicket) else None


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"headers": SPAM}, 0),
        ({"headers": {"Auto-Submitted": "auto-replied"}}, 3),
        ({"headers": {"Auto-Submitted": "no"}}, None),
        ({"headers": {"precedence": "Bulk"}}, 3),
        ({"headers": {"List-Id": "lenses"}}, 3),
        ({"headers": {"X-Failed-Recipients": "a@b.example"}}, 7),
        (
            {"headers": {"Content-Type": "multipart/report; report-type=delivery-status"}},
            7,
        ),
        ({"subject": "Out of office: back on Monday"}, 8),
        ({"headers": {"Auto-Submitted": "auto-replied (vacation)"}}, 8),
        ({"sender": "mailer-daemon@else.example"}, 9),
        ({"sender": "Postmaster@else.example"}, 9),
        ({"text": "", "html": " "}, 11),
        ({"text": "", "html": "<p>Hello</p>"}, None),
        ({"to": "noreply@kestrel.example"}, 16),
        ({"sender": "nobody"}, 19),
        ({"sender": "Support@kestrel.example"}, 22),
        ({"headers": {"Authentication-Results": "mx; spf=pass; dmarc=fail"}}, 26),
        ({"sender": "no-reply@else.example"}, 27),
        ({}, None),
    ],
)
def test_what_a_mail_is_held_back_for(desk: Desk, given: dict[str, Any], number: int) -> None:
    assert cause(send(desk, **given)) == number


def test_mail_of_the_suspended_is_held_as_spam(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    suspend(desk, "rosa")
    assert cause(send(desk, sender="rosa@acme.example")) == 0
    assert cause(send(desk, sender="rosa@acme.example", ticket=ticket)) == 0
    with desk.writing():
        rosa = User.objects.get(id=desk.ids["rosa"])
        reply = receive_reply(Ticket.objects.get(id=ticket), author=rosa, body="Hello?")
    assert cause(reply) == 0
    assert len(desk.get(f"tickets/{ticket}/comments.json")["comments"]) == 1


def test_replies_of_strangers_are_held_and_those_of_parties_are_not(desk: Desk) -> None:
    ticket = desk.ticket(email_ccs=[{"user_id": desk.ids["tom"]}])["id"]
    other = desk.ticket()["id"]
    assert cause(send(desk, ticket=ticket)) == 5
    assert cause(send(desk, ticket=ticket, sender="rosa@acme.example")) is None
    assert cause(send(desk, ticket=ticket, sender="tom@acme.example")) is None
    assert cause(send(desk, ticket=other, sender="tom@acme.example")) == 6
    assert cause(send(desk, ticket=other, sender="ben@desk.example")) is None
    texts = [item["body"] for item in desk.get(f"tickets/{other}/comments.json")["comments"]]
    assert texts == ["It does not start.", "Buy lenses."]


def test_unverified_twenty_mails_an_hour_are_let_in(desk: Desk) -> None:
    for _ in range(20):
        assert cause(send(desk)) is None
    assert cause(send(desk)) == 4
    assert cause(send(desk, sender="rosa@acme.example")) is None
    desk.advance(minutes=61)
    assert cause(send(desk)) is None


def test_unverified_the_first_of_several_causes_counts(desk: Desk) -> None:
    headers = {**SPAM, "Precedence": "bulk"}
    assert cause(send(desk, headers=headers)) == 3
    assert cause(send(desk, headers=headers, subject="Automatic reply: away")) == 8
    assert cause(send(desk, headers=headers, sender="postmaster@else.example")) == 9
