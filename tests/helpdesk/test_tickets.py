"""The life of a ticket, through the API."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.journal import journal
from clones.helpdesk.models import Audit, Ticket, TicketField, TicketForm
from tests.helpdesk.conftest import Answer, Desk


def error_of(answer: Answer) -> tuple[int, Any]:
    return answer.status, answer.body


def test_a_ticket_made_by_its_requester_is_new_and_has_their_organization(desk: Desk) -> None:
    made = desk.post(
        "requests.json",
        {"request": {"subject": "Help", "comment": {"body": "Please."}}},
        by="rosa",
    )["request"]
    ticket = desk.get(f"tickets/{made['id']}.json")["ticket"]
    assert ticket["status"] == "new"
    assert ticket["organization_id"] == 900
    assert ticket["requester_id"] == ticket["submitter_id"] == desk.ids["rosa"]
    assert ticket["fields"] == ticket["custom_fields"]


def test_assigning_a_new_ticket_opens_it_and_gives_it_the_agents_group(desk: Desk) -> None:
    ticket = desk.ticket()
    answer = desk.put(f"tickets/{ticket['id']}.json", {"ticket": {"assignee_id": desk.ids["ben"]}})
    assert answer["ticket"]["status"] == "open"
    assert answer["ticket"]["group_id"] is not None
    fields = [e["field_name"] for e in answer["audit"]["events"] if e["type"] == "Change"]
    assert fields == ["assignee_id", "group_id", "status", "custom_status_id"]


def test_the_custom_status_it_has_already_does_not_hold_a_ticket_back(desk: Desk) -> None:
    ticket = desk.ticket(status="pending")
    sent = {
        "status": "solved",
        "custom_status_id": ticket["custom_status_id"],
        "assignee_id": desk.ids["ben"],
    }
    answer = desk.put(f"tickets/{ticket['id']}.json", {"ticket": sent})
    assert answer["ticket"]["status"] == "solved"
    assert answer["ticket"]["custom_status_id"] != ticket["custom_status_id"]


def test_new_cannot_come_back(desk: Desk) -> None:
    key = desk.ticket(status="open")["id"]
    answer = desk.call("PUT", f"tickets/{key}.json", {"ticket": {"status": "new"}})
    assert answer.status == 422
    assert answer.body["error"] == "RecordInvalid"
    assert desk.get(f"tickets/{key}.json")["ticket"]["status"] == "open"


@pytest.mark.parametrize("status", ["pending", "hold", "solved"])
def test_a_customers_comment_opens_waiting_tickets(desk: Desk, status: str) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": status}})
    desk.put(f"requests/{key}.json", {"request": {"comment": {"body": "Still."}}}, by="rosa")
    ticket = desk.get(f"tickets/{key}.json?include=metric_sets")["ticket"]
    assert ticket["status"] == "open"
    assert ticket["metric_set"]["reopens"] == (1 if status == "solved" else 0)


def test_an_agents_note_leaves_the_status_and_is_hidden_from_the_customer(desk: Desk) -> None:
    key = desk.ticket(status="pending")["id"]
    note = {"ticket": {"comment": {"body": "Secret", "public": False}}}
    assert desk.put(f"tickets/{key}.json", note)["ticket"]["status"] == "pending"
    assert desk.get(f"tickets/{key}/comments.json")["count"] == 2
    seen = desk.get(f"requests/{key}/comments.json", by="rosa")
    assert [item["body"] for item in seen["comments"]] == ["It does not start."]


def test_closed_tickets_take_nothing_more(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "closed"}})
    answer = desk.call("PUT", f"tickets/{key}.json", {"ticket": {"priority": "high"}})
    assert error_of(answer) == (
        422,
        {
            "error": "RecordInvalid",
            "description": "Record validation errors",
            "details": {
                "status": [{"description": "Status: closed prevents ticket update", "error": None}]
            },
        },
    )


def test_a_reply_to_a_closed_ticket_makes_a_follow_up(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"], tags=["laser"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "closed"}})
    answer = desk.put(
        f"requests/{key}.json", {"request": {"comment": {"body": "Again!"}}}, by="rosa"
    )
    follower = desk.get(f"tickets/{answer['request']['id']}.json")["ticket"]
    assert follower["id"] != key
    assert follower["via"]["channel"] == "closed_ticket"
    assert follower["tags"] == ["laser"]
    assert desk.get(f"tickets/{key}.json")["ticket"]["followup_ids"] == [follower["id"]]
    desk.put(
        f"tickets/{follower['id']}.json",
        {"ticket": {"status": "closed", "assignee_id": desk.ids["ana"]}},
    )
    reply = {"request": {"comment": {"body": "Once more!"}}}
    third = desk.put(f"requests/{follower['id']}.json", reply, by="rosa")
    assert third["request"]["subject"] == follower["subject"] != ""
    assert follower["subject"].count("Re:") == 1


def test_solving_needs_an_assignee_and_the_forms_required_fields(desk: Desk) -> None:
    with desk.writing():
        field = TicketField.objects.get(type="priority")
        field.required = True
        field.save()
        elsewhere = TicketField.objects.get(type="tickettype")
        elsewhere.required = True
        elsewhere.save()
        form = TicketForm.objects.get(default=True)
        form.ticket_field_ids = [key for key in form.ticket_field_ids if key != elsewhere.id]
        form.save()
    key = desk.ticket()["id"]
    answer = desk.call("PUT", f"tickets/{key}.json", {"ticket": {"status": "solved"}})
    assert answer.status == 422
    problems = answer.body["details"]["base"]
    assert {item["description"] for item in problems} == {
        "Assignee: is required when solving a ticket",
        "Priority: is required when solving a ticket",
    }
    assert {item["ticket_field_type"] for item in problems} == {"FieldAssignee", "FieldPriority"}
    solved = {"status": "solved", "priority": "low", "assignee_id": desk.ids["ana"]}
    assert desk.put(f"tickets/{key}.json", {"ticket": solved})["ticket"]["status"] == "solved"


def test_a_refused_update_writes_nothing(desk: Desk) -> None:
    key = desk.ticket()["id"]
    with desk.bound():
        before = journal().position()
    body = {"ticket": {"status": "solved", "subject": "x", "comment": {"body": "y"}}}
    assert desk.call("PUT", f"tickets/{key}.json", body).status == 422
    with desk.bound():
        assert journal().position() == before


def test_an_update_without_change_keeps_no_audit(desk: Desk) -> None:
    ticket = desk.ticket(priority="high")
    answer = desk.put(f"tickets/{ticket['id']}.json", {"ticket": {"priority": "high"}})
    assert answer["audit"]["events"] == []
    assert desk.get(f"tickets/{ticket['id']}/audits.json")["count"] == 1
    assert answer["ticket"]["updated_at"] == ticket["updated_at"]


def test_a_safe_update_that_comes_late_is_refused(desk: Desk) -> None:
    ticket = desk.ticket()
    stamp = ticket["updated_at"]
    desk.advance(minutes=1)
    path = f"tickets/{ticket['id']}.json"
    desk.put(path, {"ticket": {"priority": "low"}})
    late = {"ticket": {"priority": "high", "safe_update": True, "updated_stamp": stamp}}
    answer = desk.call("PUT", path, late)
    assert answer.status == 409
    assert answer.body["error"] == "UpdateConflict"
    assert desk.get(path)["ticket"]["priority"] == "low"


def test_tags_are_lower_case_and_sorted_and_changed_by_three_verbs(desk: Desk) -> None:
    key = desk.ticket(tags=["VIP", "Laser cutter"])["id"]
    assert desk.get(f"tickets/{key}/tags.json")["tags"] == ["cutter", "laser", "vip"]
    assert desk.put(f"tickets/{key}/tags.json", {"tags": ["new"]})["tags"][2] == "new"
    gone = desk.call("DELETE", f"tickets/{key}/tags.json", {"tags": ["vip", "new"]})
    assert gone.body["tags"] == ["cutter", "laser"]
    assert desk.post(f"tickets/{key}/tags.json", {"tags": ["a"]})["tags"] == ["a"]
    last = desk.get(f"tickets/{key}/audits.json")["audits"][-1]["events"][0]
    assert last["field_name"] == "tags"
    assert last["value"] == ["a"]
    assert last["previous_value"] == ["cutter", "laser"]


def test_copied_people_are_found_or_made(desk: Desk) -> None:
    key = desk.ticket()["id"]
    ccs = [
        {"user_email": "new@elsewhere.example", "user_name": "Nia"},
        {"user_id": desk.ids["tom"]},
    ]
    desk.put(f"tickets/{key}.json", {"ticket": {"email_ccs": ccs}})
    people = desk.get(f"tickets/{key}/email_ccs.json")["users"]
    assert {user["name"] for user in people} == {"Nia", "Tom Berg"}
    desk.put(
        f"tickets/{key}.json",
        {"ticket": {"email_ccs": [{"user_id": desk.ids["tom"], "action": "delete"}]}},
    )
    assert desk.get(f"tickets/{key}/collaborators.json")["count"] == 1
    assert desk.get(f"users/{desk.ids['tom']}/tickets/ccd.json")["count"] == 0


def test_a_copied_customers_reply_is_public_and_reopens(desk: Desk) -> None:
    ccs = [{"user_id": desk.ids["tom"]}]
    key = desk.ticket(assignee_id=desk.ids["ana"], email_ccs=ccs)["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "solved"}})
    desk.put(f"requests/{key}.json", {"request": {"comment": {"body": "Me too"}}}, by="tom")
    assert desk.get(f"tickets/{key}.json")["ticket"]["status"] == "open"


def test_solving_a_problem_solves_its_incidents(desk: Desk) -> None:
    problem = desk.ticket(type="problem", assignee_id=desk.ids["ana"])["id"]
    incident = desk.ticket(type="incident", problem_id=problem)["id"]
    assert desk.get(f"tickets/{problem}.json")["ticket"]["has_incidents"] is True
    assert desk.get(f"tickets/{problem}/incidents.json")["count"] == 1
    said = {"status": "solved", "comment": {"body": "Fixed for all."}}
    desk.put(f"tickets/{problem}.json", {"ticket": said})
    assert desk.get(f"tickets/{incident}.json")["ticket"]["status"] == "solved"
    comments = desk.get(f"tickets/{incident}/comments.json")["comments"]
    assert comments[-1]["body"] == "Fixed for all."


def test_deleted_tickets_can_be_restored_and_erased(desk: Desk) -> None:
    key = desk.ticket()["id"]
    assert desk.call("DELETE", f"tickets/{key}.json").status == 204
    assert error_of(desk.call("GET", f"tickets/{key}.json")) == (
        404,
        {"error": "RecordNotFound", "description": "Not found"},
    )
    assert desk.get("deleted_tickets.json")["deleted_tickets"][0]["id"] == key
    desk.put(f"deleted_tickets/{key}/restore.json", None)
    assert desk.get("tickets.json")["count"] == 1
    assert desk.call("PUT", f"deleted_tickets/{key}/restore.json").status == 404
    desk.call("DELETE", f"tickets/{key}.json")
    job = desk.call("DELETE", f"deleted_tickets/{key}.json", by="olga").body["job_status"]
    assert job["status"] == "queued"
    desk.drain()
    assert (
        desk.get(f"job_statuses/{job['id']}.json", by="olga")["job_status"]["status"] == "completed"
    )
    with desk.bound():
        assert not Ticket.objects.filter(id=key).exists()
        assert not Audit.objects.filter(ticket_id=key).exists()


def test_bulk_changes_are_jobs_that_report_each_record(desk: Desk) -> None:
    many = {"tickets": [{"subject": f"T{n}", "comment": {"body": "x"}} for n in range(3)]}
    job = desk.post("tickets/create_many.json", many, status=200)["job_status"]
    assert job["id"].startswith("V3-")
    assert len(job["id"]) == 35
    assert (job["total"], job["progress"], job["results"]) == (3, None, None)
    # The answer was "queued"; the work was done behind it, before the next request.
    assert desk.drain() == []
    assert desk.get("tickets.json")["count"] == 3
    done = desk.get(f"job_statuses/{job['id']}.json")["job_status"]
    assert done["status"] == "completed"
    assert done["message"].startswith("Completed at 2026-06-16 14:00:")
    assert [item["index"] for item in done["results"]] == [0, 1, 2]
    keys = [item["id"] for item in done["results"]]
    path = f"tickets/update_many.json?ids={keys[0]},{keys[1]},99"
    second = desk.put(path, {"ticket": {"additional_tags": ["bulk"]}})["job_status"]
    desk.drain()
    results = desk.get(f"job_statuses/{second['id']}.json")["job_status"]["results"]
    assert [item.get("success") for item in results] == [True, True, None]
    assert results[2]["error"] == "RecordNotFound"
    assert desk.get(f"tickets/{keys[1]}.json")["ticket"]["tags"] == ["bulk"]
    assert desk.get(f"tickets/{keys[2]}.json")["ticket"]["tags"] == []


def test_more_than_a_hundred_in_one_call_are_refused(desk: Desk) -> None:
    ids = ",".join(str(number) for number in range(1, 102))
    assert error_of(desk.call("GET", f"tickets/show_many.json?ids={ids}")) == (
        400,
        {
            "error": "TooManyValues",
            "description": "Parameter  cannot specify more than 100 values",
            "max_count": 100,
        },
    )
    many = {"users": [{"name": "x"}] * 101}
    assert error_of(desk.call("POST", "users/create_many.json", many, by="olga")) == (
        400,
        {"error": "TooManyValues", "description": "Maximum 100 users may be created per call"},
    )


def test_custom_fields_keep_text_flags_and_choices_and_tag_the_ticket(desk: Desk) -> None:
    stamps = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    with desk.writing():
        TicketField.objects.create(
            id=501,
            type="tagger",
            title="Product",
            options=[{"id": 1, "name": "Cutter", "value": "cutter", "default": False}],
            **stamps,
        )
        TicketField.objects.create(id=502, type="checkbox", title="Urgent", tag="rush", **stamps)
        TicketField.objects.create(id=503, type="integer", title="Seats", **stamps)
    values = [{"id": 501, "value": "cutter"}, {"id": 502, "value": True}, {"id": 503, "value": 7}]
    ticket = desk.ticket(custom_fields=values)
    shown = {item["id"]: item["value"] for item in ticket["custom_fields"]}
    assert shown == {501: "cutter", 502: True, 503: "7"}
    assert ticket["tags"] == ["cutter", "rush"]
    path = f"tickets/{ticket['id']}.json"
    bad = desk.call("PUT", path, {"ticket": {"custom_fields": [{"id": 503, "value": "many"}]}})
    assert bad.status == 422
    assert bad.body["details"]["base"][0]["ticket_field_id"] == 503
    changed = desk.put(path, {"ticket": {"custom_fields": [{"id": 501, "value": None}]}})
    assert changed["ticket"]["tags"] == ["rush"]
    event = next(e for e in changed["audit"]["events"] if e.get("field_name") == "501")
    assert (event["value"], event["previous_value"]) == (None, "cutter")
    assert desk.get("search.json?query=type:ticket custom_field_503:7")["count"] == 1
    assert desk.get("search.json?query=type:ticket custom_field_503:8")["count"] == 0


def test_uploads_travel_on_comments_and_are_served_without_a_credential(desk: Desk) -> None:
    sent = desk.call(
        "POST", "uploads.json?filename=log.txt", b"burnt", **{"Content-Type": "text/plain"}
    )
    assert sent.status == 201
    upload = sent.body["upload"]
    assert len(upload["token"]) == 25
    ticket = desk.ticket(comment={"body": "See file", "uploads": [upload["token"]]})
    comment = desk.get(f"tickets/{ticket['id']}/comments.json")["comments"][0]
    [file] = comment["attachments"]
    assert (file["file_name"], file["size"]) == ("log.txt", 5)
    path = file["content_url"].partition(":8800")[2]
    answer = desk.call("GET", path, by=None)
    assert answer.raw == b"burnt"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    bare = desk.call("GET", path, by=None, host="127.0.0.1:8800")
    assert bare.raw == b"burnt"
    assert desk.call("GET", path.replace("token/", "token/x"), by=None).status == 404
    redact = f"tickets/{ticket['id']}/comments/{comment['id']}/attachments/{file['id']}/redact.json"
    desk.put(redact, {})
    assert desk.call("GET", path, by=None).raw == b""
    unknown = {"ticket": {"comment": {"body": "x", "uploads": ["nope"]}}}
    assert desk.call("PUT", f"tickets/{ticket['id']}.json", unknown).status == 422


def test_comments_are_paragraphs_and_incoming_html_is_cleaned(desk: Desk) -> None:
    key = desk.ticket(body="One\ntwo\n\nhttps://a.example/x.")["id"]
    [comment] = desk.get(f"tickets/{key}/comments.json")["comments"]
    assert comment["html_body"] == (
        '<div class="zd-comment" dir="auto"><p dir="auto">One<br>two</p><p dir="auto">'
        '<a href="https://a.example/x" rel="noreferrer">https://a.example/x</a>.</p></div>'
    )
    html = '<p onclick="x()">Hi <script>steal()</script><b>there</b></p>'
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"html_body": html}}})
    said = desk.get(f"tickets/{key}/comments.json")["comments"][1]
    assert said["body"] == "Hi there"
    assert "script" not in said["html_body"]
    assert "onclick" not in said["html_body"]


def test_a_text_can_be_blotted_out_and_a_comment_made_private(desk: Desk) -> None:
    key = desk.ticket(body="My card is 4111")["id"]
    [comment] = desk.get(f"tickets/{key}/comments.json")["comments"]
    path = f"tickets/{key}/comments/{comment['id']}"
    assert "4111" not in desk.put(f"{path}/redact.json", {"text": "4111"})["comment"]["body"]
    assert "4111" not in desk.get(f"tickets/{key}.json")["ticket"]["description"]
    desk.put(f"{path}/make_private.json", None)
    assert desk.get(f"requests/{key}/comments.json", by="rosa")["count"] == 0


def test_requesters_rate_solved_tickets_and_nobody_else(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    path = f"tickets/{key}/satisfaction_rating.json"
    body = {"satisfaction_rating": {"score": "good", "comment": "Quick"}}
    assert desk.call("POST", path, body, by="rosa").status == 422
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "solved"}})
    assert desk.call("POST", path, body, by="ana").status == 403
    assert desk.call("POST", path, body, by="tom").status == 404
    rating = desk.post(path, body, by="rosa", status=200)["satisfaction_rating"]
    assert rating["score"] == "good"
    assert rating["assignee_id"] == desk.ids["ana"]
    shown = desk.get(f"tickets/{key}.json")["ticket"]["satisfaction_rating"]
    assert shown == {"score": "good", "id": rating["id"], "comment": "Quick"}
    assert desk.get("satisfaction_ratings.json?score=good_with_comment")["count"] == 1
    assert desk.get("satisfaction_ratings.json?score=bad")["count"] == 0
