"""Side conversations: by mail and with other agents, their events, files and records."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from clones.core.models import Message
from clones.core.post import File
from clones.helpdesk.domain.side_conversations import HEADER, answered_thread, receive_side_reply
from clones.helpdesk.domain.values import Mail
from clones.helpdesk.models import (
    CustomRole,
    Group,
    SideConversation,
    SideConversationEvent,
    Ticket,
    User,
)
from tests.helpdesk.conftest import Answer, Desk

PARTS = "parts@supplier.example"


def letter(**given: Any) -> dict[str, Any]:
    return {
        "message": {
            "subject": "Spare lens",
            "body": "Do you have a lens?\n\nAna",
            "to": [{"email": PARTS, "name": "Parts desk"}],
            **given,
        }
    }


def begin(desk: Desk, ticket: int | None = None, *, by: str = "ana", **given: Any) -> Any:
    """Begin a side conversation on a ticket, a new one unless given, and return the answer."""
    key = ticket if ticket is not None else desk.ticket()["id"]
    return desk.post(f"tickets/{key}/side_conversations", letter(**given), by=by)


def path_of(thread: Any) -> str:
    return f"tickets/{thread['ticket_id']}/side_conversations/{thread['id']}"


def events(desk: Desk, thread: Any, query: str = "") -> list[Any]:
    found: list[Any] = desk.get(f"{path_of(thread)}/events{query}")["events"]
    return found


def recorded(desk: Desk, ticket: int) -> list[tuple[str, str]]:
    """Return what a ticket's audits say of side conversations."""
    audits = desk.get(f"tickets/{ticket}/audits")["audits"]
    return [
        (event["type"], event["subject"])
        for audit in audits
        for event in audit["events"]
        if event["type"].startswith("CollabThread")
    ]


def letters(desk: Desk) -> list[Message]:
    with desk.bound():
        return list(
            Message.objects.filter(about__startswith="helpdesk.side_conversation").order_by("id")
        )


def incoming(desk: Desk, thread: Any, **given: Any) -> SideConversationEvent:
    values = {
        "sender": PARTS,
        "name": "Parts desk",
        "subject": "Re: Spare lens",
        "text": "Two are left.",
        **given,
    }
    with desk.writing():
        found = SideConversation.objects.select_related("ticket", "child").get(id=thread["id"])
        return receive_side_reply(found, Mail(**values))


def close(desk: Desk, ticket: int) -> None:
    with desk.writing():
        Ticket.objects.filter(id=ticket).update(status="closed")


def send_file(desk: Desk, *, by: str = "ana", data: bytes = b"glass") -> Answer:
    body = encode_multipart(BOUNDARY, {"file": SimpleUploadedFile("lens.txt", data, "text/plain")})
    path = "tickets/side_conversations/attachments"
    return desk.call("POST", path, body, by=by, **{"Content-Type": MULTIPART_CONTENT})


def test_a_side_conversation_is_begun_shown_and_listed(desk: Desk) -> None:
    made = desk.post(
        f"tickets/{desk.ticket()['id']}/side_conversations",
        {**letter(external_ids={"mine": "7"}), "external_ids": {"system": "erp"}},
    )
    thread, event = made["side_conversation"], made["event"]
    ana = {"user_id": desk.ids["ana"], "name": "Ana Costa", "email": "ana@desk.example"}
    parts = {"user_id": None, "name": "Parts desk", "email": PARTS}
    assert thread["subject"] == "Spare lens"
    assert thread["preview_text"] == "Do you have a lens? Ana"
    assert thread["state"] == "open"
    assert thread["participants"] == [ana, parts]
    assert thread["external_ids"] == {"system": "erp"}
    assert event["type"] == "create"
    assert event["via"] == "api"
    assert event["actor"] == event["message"]["from"] == ana
    assert event["message"]["to"] == [parts]
    assert event["message"]["external_ids"] == {"mine": "7"}
    assert "<p" in event["message"]["html_body"]
    assert desk.get(path_of(thread))["side_conversation"] == thread
    listed = desk.get(f"tickets/{thread['ticket_id']}/side_conversations?include=events")
    assert listed["side_conversations"] == [thread]
    assert (listed["count"], listed["events"]) == (1, [event])
    assert recorded(desk, thread["ticket_id"]) == [("CollabThreadCreated", "Spare lens")]


def test_those_whom_it_goes_to_get_a_mail(desk: Desk) -> None:
    thread = begin(desk, to=[{"email": PARTS}, {"user_id": desk.ids["ben"]}])["side_conversation"]
    [sent] = letters(desk)
    assert sent.recipients == [PARTS, "ben@desk.example"]
    assert sent.sender == "Ana Costa <support@kestrel.example>"
    assert (sent.subject, sent.text) == ("Spare lens", "Do you have a lens?\n\nAna")
    assert sent.headers[HEADER] == thread["id"]
    assert sent.headers["X-Ticket-Id"] == str(thread["ticket_id"])
    assert [item["name"] for item in thread["participants"]] == ["Ana Costa", None, "Ben Ode"]


def test_without_a_subject_it_has_the_tickets(desk: Desk) -> None:
    made = begin(desk, subject=None, html_body="<p>Any <b>lens</b>?</p><script>x()</script>")
    assert made["side_conversation"]["subject"] == "Laser does not start"
    assert made["event"]["message"]["body"] == "Any lens?"
    assert "script" not in made["event"]["message"]["html_body"]


def test_replies_go_out_and_come_in(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    incoming(desk, thread, files=(File("offer.txt", "text/plain", b"2 lenses"),))
    body = {"message": {"body": "We take both.", "to": [{"email": PARTS}]}}
    made = desk.post(f"{path_of(thread)}/reply", body, by="ben")
    assert made["event"]["type"] == "reply"
    assert made["event"]["message"]["subject"] == "Spare lens"
    assert [item["name"] for item in made["side_conversation"]["participants"]] == [
        "Ana Costa",
        "Parts desk",
        "Ben Ode",
    ]
    first, second, third = events(desk, thread)
    assert [first["type"], second["type"], third["type"]] == ["create", "reply", "reply"]
    assert (second["via"], second["message"]["from"]["email"]) == ("email", PARTS)
    assert second["message"]["body"] == "Two are left."
    assert [item["file_name"] for item in second["message"]["attachments"]] == ["offer.txt"]
    assert [sent.recipients for sent in letters(desk)] == [[PARTS], [PARTS]]
    shown = desk.get(path_of(thread))["side_conversation"]
    assert shown["preview_text"] == thread["preview_text"]
    assert shown["message_added_at"] == third["created_at"]
    kinds = [kind for kind, _ in recorded(desk, thread["ticket_id"])]
    assert kinds == ["CollabThreadCreated", "CollabThreadReply", "CollabThreadReply"]


def test_a_reply_to_nobody_in_particular_goes_to_the_others(desk: Desk) -> None:
    thread = begin(desk, to=[{"email": PARTS}, {"user_id": desk.ids["ben"]}])["side_conversation"]
    desk.post(f"{path_of(thread)}/reply", {"message": {"body": "And?"}}, by="ben")
    assert letters(desk)[-1].recipients == ["ana@desk.example", PARTS]


def test_a_mail_names_the_side_conversation_it_answers(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    [sent] = letters(desk)

    def answered(headers: dict[str, str]) -> str | None:
        with desk.writing():
            found = answered_thread(Mail(PARTS, None, "Re:", "Yes.", headers=headers))
            return None if found is None else found.id

    assert answered({HEADER.lower(): sent.headers[HEADER]}) == thread["id"]
    assert answered({HEADER: "unknown"}) is None
    assert answered({}) is None


def test_it_is_closed_and_opened_again(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    body = {"side_conversation": {"state": "closed", "subject": "Lens"}}
    shut = desk.put(path_of(thread), body)["side_conversation"]
    assert (shut["state"], shut["subject"]) == ("closed", "Lens")
    assert desk.put(path_of(thread), body)["side_conversation"] == shut, "nothing happens twice"
    incoming(desk, thread)
    assert desk.get(path_of(thread))["side_conversation"]["state"] == "open"
    found = events(desk, thread)
    assert [event["type"] for event in found] == ["create", "update", "reply", "update"]
    assert found[1]["updates"] == {"state": "closed", "subject": "Lens"}
    assert (found[1]["message"], found[3]["updates"]) == (None, {"state": "open"})
    kinds = [kind.removeprefix("CollabThread") for kind, _ in recorded(desk, thread["ticket_id"])]
    assert kinds == ["Created", "Closed", "Reply", "Reopened"]


def test_lists_come_in_pages(desk: Desk) -> None:
    key = desk.ticket()["id"]
    made = [begin(desk, key, subject=f"Number {count}") for count in range(3)]
    names = [item["side_conversation"]["subject"] for item in made]
    page = desk.get(f"tickets/{key}/side_conversations?per_page=2&page=2")
    assert [item["subject"] for item in page["side_conversations"]] == names[2:]
    assert (page["count"], page["next_page"]) == (3, None)
    page = desk.get(f"tickets/{key}/side_conversations?page[size]=2")
    assert [item["subject"] for item in page["side_conversations"]] == names[:2]
    assert page["meta"]["has_more"] is True
    thread = made[0]["side_conversation"]
    incoming(desk, thread)
    page = desk.get(f"{path_of(thread)}/events?per_page=1&page=2&include=side_conversations")
    assert [event["type"] for event in page["events"]] == ["reply"]
    assert [item["id"] for item in page["side_conversations"]] == [thread["id"]]
    assert page["count"] == 2


def test_files_are_sent_ahead_and_downloaded(desk: Desk) -> None:
    made = send_file(desk)
    assert made.status == 201
    assert made.body["id"].startswith("s3-")
    given = {key: made.body[key] for key in ("name", "size", "content_type")}
    assert given == {"name": "lens.txt", "size": 5, "content_type": "text/plain"}
    event = begin(desk, attachment_ids=[made.body["id"]])["event"]
    [file] = event["message"]["attachments"]
    assert (file["id"], file["file_name"], file["size"]) == (made.body["id"], "lens.txt", 5)
    got = desk.call("GET", "/api/v2" + file["content_url"].partition("/api/v2")[2])
    assert (got.status, got.raw) == (200, b"glass")
    assert got.headers["Content-Disposition"].startswith("attachment")
    assert got.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert [item["name"] for item in letters(desk)[-1].files] == ["lens.txt"]
    again = desk.call(
        "POST",
        f"tickets/{desk.ticket()['id']}/side_conversations",
        letter(attachment_ids=[made.body["id"]]),
    )
    assert again.status == 422, "a message has it already"
    gone = file["content_url"].partition("/api/v2")[2].replace(file["id"], "s3-none")
    assert desk.call("GET", "/api/v2" + gone).status == 404


def test_files_of_others_and_no_files_are_refused(desk: Desk) -> None:
    made = send_file(desk, by="ben")
    key = desk.ticket()["id"]
    body = letter(attachment_ids=[made.body["id"]])
    answer = desk.call("POST", f"tickets/{key}/side_conversations", body)
    assert answer.status == 422
    assert list(answer.body["details"]) == ["attachment_ids"]
    assert send_file(desk, data=b"").status == 422
    path = "tickets/side_conversations/attachments"
    assert desk.call("POST", path, b"plain", **{"Content-Type": "text/plain"}).status == 400
    assert send_file(desk, by="rosa").status == 403


def child_of(desk: Desk, **given: Any) -> tuple[Any, Any]:
    """Begin a child ticket with Support's group and return side conversation and ticket."""
    with desk.bound():
        group = Group.objects.order_by("id").values_list("id", flat=True)[0]
    made = begin(desk, to=[{"support_group_id": str(group), **given}])
    thread = made["side_conversation"]
    child = desk.get(f"tickets/{thread['external_ids']['targetTicketId']}")["ticket"]
    assert child["group_id"] == group
    return thread, child


def test_a_child_ticket_is_the_groups(desk: Desk) -> None:
    thread, child = child_of(desk, support_agent_id=str(desk.ids["ben"]))
    assert child["subject"] == "Spare lens"
    assert child["description"] == "Do you have a lens?\n\nAna"
    assert child["requester_id"] == desk.ids["ana"]
    assert child["assignee_id"] == desk.ids["ben"]
    assert child["via"]["channel"] == "side_conversation"
    assert child["via"]["source"]["from"]["ticket_id"] == thread["ticket_id"]
    [_, group] = thread["participants"]
    assert group["support_group_id"] == str(child["group_id"])
    assert group["support_agent_id"] == str(desk.ids["ben"])
    assert letters(desk) == []


def test_what_is_said_on_either_side_is_heard_on_the_other(desk: Desk) -> None:
    thread, child = child_of(desk)
    said = {"ticket": {"comment": {"body": "Two are left.", "public": True}}}
    desk.put(f"tickets/{child['id']}", said, by="ben")
    note = {"ticket": {"comment": {"body": "Do not tell.", "public": False}}}
    desk.put(f"tickets/{child['id']}", note, by="ben")
    desk.post(f"{path_of(thread)}/reply", {"message": {"body": "We take both."}})
    bodies = [event["message"]["body"] for event in events(desk, thread)]
    assert bodies == ["Do you have a lens?\n\nAna", "Two are left.", "We take both."]
    comments = desk.get(f"tickets/{child['id']}/comments")["comments"]
    assert [item["body"] for item in comments][1:] == [
        "Two are left.",
        "Do not tell.",
        "We take both.",
    ]
    kinds = [kind.removeprefix("CollabThread") for kind, _ in recorded(desk, thread["ticket_id"])]
    assert kinds == ["Created", "Reply", "Reply"]


def test_a_solved_child_ticket_closes_its_side_conversation(desk: Desk) -> None:
    thread, child = child_of(desk, support_agent_id=str(desk.ids["ben"]))
    desk.put(f"tickets/{child['id']}", {"ticket": {"status": "solved"}}, by="ben")
    assert desk.get(path_of(thread))["side_conversation"]["state"] == "closed"
    desk.put(f"tickets/{child['id']}", {"ticket": {"status": "open"}}, by="ben")
    assert desk.get(path_of(thread))["side_conversation"]["state"] == "open"
    assert [event["updates"] for event in events(desk, thread)[1:]] == [
        {"state": "closed"},
        {"state": "open"},
    ]


@pytest.mark.parametrize(
    ("given", "attribute"),
    [
        ({"to": []}, "to"),
        ({"to": [{"email": "nobody"}]}, "email"),
        ({"to": [{"name": "Parts"}]}, "to"),
        ({"to": [{"user_id": "1"}]}, "to"),
        ({"to": [{"support_group_id": "1"}]}, "to"),
        ({"to": [{"support_group_id": "1"}, {"email": PARTS}]}, "to"),
        ({"to": [{"slack_channel_id": "C1", "slack_workspace_id": "T1"}]}, "to"),
        ({"to": [{"msteams_channel_id": "19:x"}]}, "to"),
        ({"body": " "}, "body"),
        ({"body": "x" * 65_536}, "body"),
    ],
)
def test_messages_that_cannot_be_sent_are_refused(
    desk: Desk, given: dict[str, Any], attribute: str
) -> None:
    key = desk.ticket()["id"]
    answer = desk.call("POST", f"tickets/{key}/side_conversations", letter(**given))
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    assert list(answer.body["details"]) == [attribute]
    assert desk.get(f"tickets/{key}/side_conversations")["side_conversations"] == []
    assert letters(desk) == []


def test_values_of_the_wrong_shape_are_refused(desk: Desk) -> None:
    path = f"tickets/{desk.ticket()['id']}/side_conversations"
    assert desk.call("POST", path, {}).status == 400
    assert desk.call("POST", path, letter(external_ids={"a": 1})).status == 400
    thread = begin(desk)["side_conversation"]
    assert desk.call("PUT", path_of(thread), {}).status == 400
    answer = desk.call("PUT", path_of(thread), {"side_conversation": {"state": "gone"}})
    assert (answer.status, list(answer.body["details"])) == (422, ["state"])
    assert desk.call("POST", f"{path_of(thread)}/reply", {}).status == 400


def test_customers_and_roles_without_the_right_are_refused(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    for path in (path_of(thread), f"{path_of(thread)}/events"):
        assert desk.call("GET", path, by="rosa").status == 403
    assert (
        desk.call("GET", f"tickets/{thread['ticket_id']}/side_conversations", by="rosa").status
        == 403
    )
    with desk.writing():
        role = CustomRole.objects.exclude(name__icontains="admin").order_by("id").first()
        assert role is not None
        role.configuration = {**role.configuration, "side_conversation_create": False}
        role.save()
        User.objects.filter(id=desk.ids["ben"]).update(custom_role=role)
    assert desk.call("GET", path_of(thread), by="ben").status == 200
    reply = {"message": {"body": "Hello?"}}
    assert desk.call("POST", f"{path_of(thread)}/reply", reply, by="ben").status == 403
    shut = {"side_conversation": {"state": "closed"}}
    assert desk.call("PUT", path_of(thread), shut, by="ben").status == 403
    path = f"tickets/{thread['ticket_id']}/side_conversations"
    assert desk.call("POST", path, letter(), by="ben").status == 403


def test_unknown_tickets_and_side_conversations_are_not_found(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    other = desk.ticket()["id"]
    for path in ("tickets/99999/side_conversations", f"tickets/{other}/side_conversations/none"):
        assert desk.call("GET", path).status == 404
    assert desk.call("GET", f"tickets/{other}/side_conversations/{thread['id']}").status == 404
    path = f"tickets/{other}/side_conversations/{thread['id']}"
    assert desk.call("POST", f"{path}/reply", {"message": {"body": "x"}}).status == 404
    assert desk.call("PUT", path, {"side_conversation": {"state": "closed"}}).status == 404
    assert desk.call("GET", f"{path}/events").status == 404


IMPORTED = {
    "created_at": "2022-10-05T20:47:02.230Z",
    "message": {
        "subject": "Lens of 2022",
        "body": "Old words.",
        "to": [{"email": "ana@desk.example"}],
        "from": {"email": PARTS},
        "external_ids": {"message-external": "xyz"},
    },
}


def test_side_conversations_of_other_systems_are_imported(desk: Desk) -> None:
    key = desk.ticket()["id"]
    values = {"subject": "Old lens", "state": "closed", "external_ids": {"old": "1"}}
    body = {"side_conversation": values, "events": [IMPORTED]}
    made = desk.post(f"tickets/{key}/side_conversations/import", body)
    thread = made["side_conversation"]
    assert (thread["subject"], thread["state"]) == ("Old lens", "closed")
    assert thread["external_ids"] == {"old": "1"}
    assert thread["created_at"] == thread["message_added_at"] == "2022-10-05T20:47:02.230Z"
    assert made["event"]["message"]["from"]["email"] == PARTS
    later = {**IMPORTED, "created_at": "2022-10-06T08:00:00Z"}
    added = desk.post(f"{path_of(thread)}/events/import", {"events": [later]})["events"]
    assert [(item["type"], item["created_at"]) for item in added] == [
        ("reply", "2022-10-06T08:00:00.000Z")
    ]
    listed = desk.get(f"{path_of(thread)}/events")["events"]
    assert [item["id"] for item in listed] == [made["event"]["id"], added[0]["id"]]
    assert letters(desk) == []
    assert recorded(desk, key) == []


def test_imports_that_say_nothing_are_refused(desk: Desk) -> None:
    path = f"tickets/{desk.ticket()['id']}/side_conversations/import"
    assert desk.call("POST", path, {}).status == 400
    assert desk.call("POST", path, {"events": []}).status == 422
    bad = {"side_conversation": {"state": "gone"}, "events": [IMPORTED]}
    assert desk.call("POST", path, bad).status == 422
    late = {"events": [{**IMPORTED, "created_at": "yesterday"}]}
    assert desk.call("POST", path, late).status == 400
    thread = begin(desk)["side_conversation"]
    assert desk.call("POST", f"{path_of(thread)}/events/import", {"events": []}).status == 422
    many = {"events": [IMPORTED] * 101}
    assert desk.call("POST", f"{path_of(thread)}/events/import", many).status == 422
    assert desk.call("POST", f"{path_of(thread)}/events/import", {"events": [{}]}).status == 422


def test_events_of_all_tickets_are_exported_to_admins(desk: Desk) -> None:
    first, second = begin(desk)["event"], begin(desk, subject="Other")["event"]
    desk.advance(minutes=5)
    path = "tickets/side_conversations/events"
    found = desk.get(f"{path}?start_time=1400000000", by="olga")
    assert found["events"] == [first, second]
    assert found["count"] == 2
    assert f"start_time={found['end_time']}" in found["next_page"]
    assert desk.call("GET", path, by="olga").status == 400
    assert desk.call("GET", f"{path}?start_time=1400000000", by="ana").status == 403
    desk.advance(hours=1)
    late = desk.get(f"{path}?start_time={found['end_time'] + 60}", by="olga")
    assert (late["events"], late["next_page"]) == ([], None)


def test_unverified_nothing_is_begun_or_answered_on_a_closed_ticket(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    close(desk, thread["ticket_id"])
    path = f"tickets/{thread['ticket_id']}/side_conversations"
    answer = desk.call("POST", path, letter())
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    reply = {"message": {"body": "Hello?"}}
    assert desk.call("POST", f"{path_of(thread)}/reply", reply).status == 422
    shut = {"side_conversation": {"state": "closed"}}
    assert desk.call("PUT", path_of(thread), shut).status == 422
    body = {"events": [IMPORTED]}
    assert desk.call("POST", f"{path}/import", body).status == 422


def test_unverified_a_reply_by_mail_to_a_closed_ticket_is_kept_beside_it(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    close(desk, thread["ticket_id"])
    incoming(desk, thread)
    assert [event["type"] for event in events(desk, thread)] == ["create", "reply"]
    assert [kind for kind, _ in recorded(desk, thread["ticket_id"])] == ["CollabThreadCreated"]


def test_unverified_keys_of_audit_events(desk: Desk) -> None:
    thread = begin(desk)["side_conversation"]
    audit = desk.get(f"tickets/{thread['ticket_id']}/audits")["audits"][-1]
    [event] = audit["events"]
    assert event == {
        "id": event["id"],
        "type": "CollabThreadCreated",
        "thread_id": thread["id"],
        "subject": "Spare lens",
    }
    assert (audit["author_id"], audit["via"]["channel"]) == (desk.ids["ana"], "api")


def test_unverified_the_ticket_itself_stays_as_it_was(desk: Desk) -> None:
    path = f"tickets/{desk.ticket()['id']}"
    ticket = desk.get(path)["ticket"]
    desk.advance(minutes=5)
    begin(desk, ticket["id"])
    assert desk.get(path)["ticket"] == ticket


def test_unverified_known_addresses_are_their_users(desk: Desk) -> None:
    thread = begin(desk, to=[{"email": "Rosa@acme.example"}])["side_conversation"]
    assert thread["participants"][1] == {
        "user_id": desk.ids["rosa"],
        "name": "Rosa Diaz",
        "email": "rosa@acme.example",
    }


def trigger(desk: Desk, field: str, *value: str) -> None:
    """Add a trigger that starts a side conversation about each new ticket that is urgent."""
    actions = [{"field": field, "value": list(value)}]
    when = [
        {"field": "update_type", "operator": "is", "value": "Create"},
        {"field": "priority", "operator": "is", "value": "urgent"},
    ]
    body = {"trigger": {"title": "Ask", "conditions": {"all": when, "any": []}, "actions": actions}}
    desk.post("triggers", body, by="olga")


def test_a_trigger_starts_a_side_conversation_by_mail(desk: Desk) -> None:
    text = "<p>Look at {{ticket.title}}</p>"
    trigger(desk, "side_conversation", "About #{{ticket.id}}", text, PARTS, "text/html")
    key = desk.ticket(priority="urgent")["id"]
    desk.drain()
    [thread] = desk.get(f"tickets/{key}/side_conversations")["side_conversations"]
    assert thread["subject"] == f"About #{key}"
    [event] = events(desk, thread)
    assert (event["via"], event["message"]["body"]) == ("rule", "Look at Laser does not start")
    assert [sent.recipients for sent in letters(desk)] == [[PARTS]]
    other = desk.ticket()["id"]
    desk.drain()
    assert desk.get(f"tickets/{other}/side_conversations")["side_conversations"] == []


def test_a_trigger_opens_a_child_ticket(desk: Desk) -> None:
    with desk.bound():
        group = Group.objects.order_by("id").values_list("id", flat=True)[0]
    path = f"SupportAssignable:support_assignable/group/{group}"
    trigger(desk, "side_conversation_ticket", "Check", "Please check.", path, "text/plain")
    key = desk.ticket(priority="urgent")["id"]
    desk.drain()
    [thread] = desk.get(f"tickets/{key}/side_conversations")["side_conversations"]
    child = desk.get(f"tickets/{thread['external_ids']['targetTicketId']}")["ticket"]
    assert (child["group_id"], child["description"]) == (group, "Please check.")


def test_what_a_trigger_cannot_start_is_left_out(desk: Desk) -> None:
    trigger(desk, "side_conversation_ticket", "Check", "Please check.", "nowhere", "text/plain")
    key = desk.ticket(priority="urgent")["id"]
    desk.drain()
    assert desk.get(f"tickets/{key}/side_conversations")["side_conversations"] == []


def test_unverified_who_speaks_for_a_rule(desk: Desk) -> None:
    trigger(desk, "side_conversation", "About it", "Look.", PARTS, "text/plain")

    def speaker(ticket: Any) -> Any:
        desk.drain()
        [found] = desk.get(f"tickets/{ticket['id']}/side_conversations")["side_conversations"]
        return events(desk, found)[0]["actor"]["name"]

    assert speaker(desk.ticket(priority="urgent", by="ben")) == "Ben Ode"
    request = {"request": {"subject": "Help", "comment": {"body": "Now"}, "priority": "urgent"}}
    assert speaker(desk.post("requests", request, by="rosa")["request"]) == "Olga Rey"
