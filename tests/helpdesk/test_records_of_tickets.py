"""What belongs to tickets is counted, listed and shown as it was written."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import TicketField
from tests.conftest import PRESENT
from tests.helpdesk.conftest import Desk


def ids(found: Any, name: str = "tickets") -> list[int]:
    return [item["id"] for item in found[name]]


def test_tickets_are_counted_and_listed_by_requester(desk: Desk) -> None:
    before = desk.get("tickets/count.json")["count"]["value"]
    first, second = desk.ticket()["id"], desk.ticket(requester_id=desk.ids["tom"])["id"]
    assert desk.get("tickets/count.json")["count"]["value"] == before + 2
    assert ids(desk.get(f"users/{desk.ids['rosa']}/tickets/requested.json")) == [first]
    assert ids(desk.get(f"users/{desk.ids['tom']}/tickets/requested.json")) == [second]
    desk.call("DELETE", f"tickets/{first}.json")
    assert desk.get("tickets/count.json")["count"]["value"] == before + 1
    assert desk.get(f"users/{desk.ids['rosa']}/tickets/requested.json")["tickets"] == []


def test_comments_and_updates_are_counted_and_shown(desk: Desk) -> None:
    key = desk.ticket()["id"]
    counts = f"tickets/{key}/comments/count.json", f"tickets/{key}/audits/count.json"
    before = [desk.get(path)["count"]["value"] for path in counts]
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "Noted."}, "priority": "low"}})
    assert [desk.get(path)["count"]["value"] for path in counts] == [n + 1 for n in before]
    last = desk.get(f"tickets/{key}/audits.json")["audits"][-1]
    shown = desk.get(f"tickets/{key}/audits/{last['id']}.json")["audit"]
    assert shown == last
    said = {event["type"]: event for event in shown["events"]}
    assert said["Comment"]["body"] == "Noted."
    other = desk.ticket()["id"]
    assert desk.call("GET", f"tickets/{other}/audits/{last['id']}.json").status == 404


def test_the_updates_of_all_tickets_come_newest_first(desk: Desk) -> None:
    first = desk.ticket()["id"]
    desk.advance(minutes=1)
    second = desk.ticket()["id"]
    found = desk.get("ticket_audits.json")["audits"]
    assert [audit["ticket_id"] for audit in found[:2]] == [second, first]
    page = desk.get("ticket_audits.json?page[size]=1")
    assert ids(page, "audits") == ids({"audits": found[:1]}, "audits")
    rest = desk.get(page["links"]["next"].partition("/api/v2/")[2])
    assert rest["audits"][0]["id"] == found[1]["id"]


def test_the_counters_of_a_ticket_are_found_either_way(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.advance(minutes=10)
    desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "Try the switch."}}})
    mine = desk.get(f"tickets/{key}/metrics.json")["ticket_metric"]
    assert (mine["ticket_id"], mine["replies"]) == (key, 1)
    assert mine["reply_time_in_minutes"]["calendar"] == 10
    assert desk.get(f"ticket_metrics/{mine['id']}.json")["ticket_metric"] == mine
    assert mine["id"] in ids(desk.get("ticket_metrics.json"), "ticket_metrics")


def test_ratings_are_counted_and_shown(desk: Desk) -> None:
    key = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    desk.put(f"tickets/{key}.json", {"ticket": {"status": "solved"}})
    count = "satisfaction_ratings/count.json"
    before = desk.get(count)["count"]["value"]
    given = {"satisfaction_rating": {"score": "bad", "comment": "Slow."}}
    path = f"tickets/{key}/satisfaction_rating.json"
    desk.post(path, given, by="ana", status=403)
    assert desk.get(count)["count"]["value"] == before
    made = desk.post(path, given, by="rosa", status=200)["satisfaction_rating"]["id"]
    assert desk.get(count)["count"]["value"] == before + 1
    assert desk.get(f"{count}?score=good")["count"]["value"] == 0
    shown = desk.get(f"satisfaction_ratings/{made}.json")["satisfaction_rating"]
    assert (shown["score"], shown["comment"], shown["ticket_id"]) == ("bad", "Slow.", key)
    assert shown["requester_id"] == desk.ids["rosa"]
    assert made in ids(desk.get("satisfaction_ratings.json?score=bad"), "satisfaction_ratings")


def test_followers_are_listed_and_incidents_counted(desk: Desk) -> None:
    ben = desk.ids["ben"]
    problem = desk.ticket(type="problem", followers=[{"user_id": ben, "action": "put"}])["id"]
    incident = desk.ticket(type="incident", problem_id=problem)["id"]
    assert ids(desk.get(f"tickets/{problem}/followers.json"), "users") == [ben]
    assert desk.get(f"tickets/{incident}/followers.json")["users"] == []
    assert desk.get(f"tickets/{problem}/related.json")["ticket_related"]["incidents"] == 1
    assert desk.get(f"tickets/{incident}/related.json")["ticket_related"]["incidents"] == 0
    assert ids(desk.get(f"tickets/{problem}/incidents.json")) == [incident]


def test_problems_are_listed_and_found_while_they_are_open(desk: Desk) -> None:
    problem = desk.ticket(type="problem", subject="Firmware 2.1 stalls")["id"]
    other = desk.ticket(type="problem", subject="Paint peels")["id"]
    desk.ticket(type="question", subject="Firmware?")
    assert sorted(ids(desk.get("problems.json"))) == [problem, other]
    asked = desk.post("problems/autocomplete.json?text=firmware", {}, status=200)
    assert ids(asked) == [problem]
    solved = {"ticket": {"status": "solved", "assignee_id": desk.ids["ana"]}}
    desk.put(f"tickets/{problem}.json", solved)
    again = desk.post("problems/autocomplete.json?text=firmware", {}, status=200)
    assert again["tickets"] == []
    assert problem in ids(desk.get("problems.json"))


def test_deleted_tickets_are_restored_and_erased_by_the_dozen(desk: Desk) -> None:
    keys = [desk.ticket()["id"] for _ in range(3)]
    desk.call("DELETE", f"tickets/destroy_many.json?ids={','.join(map(str, keys))}")
    desk.drain()
    assert sorted(ids(desk.get("deleted_tickets.json"), "deleted_tickets")) == keys
    desk.put(f"deleted_tickets/restore_many.json?ids={keys[0]}", None)
    assert desk.get(f"tickets/{keys[0]}.json")["ticket"]["status"] == "new"
    assert sorted(ids(desk.get("deleted_tickets.json"), "deleted_tickets")) == keys[1:]
    path = f"deleted_tickets/destroy_many.json?ids={keys[1]},{keys[2]}"
    assert desk.call("DELETE", path, by="olga").body["job_status"]["status"] == "queued"
    desk.drain()
    assert desk.get("deleted_tickets.json")["deleted_tickets"] == []
    assert desk.call("GET", f"tickets/{keys[1]}.json").status == 404


def test_files_are_shown_and_uploads_dropped(desk: Desk) -> None:
    sent = desk.call("POST", "uploads.json?filename=a.txt", b"abc", by="rosa").body["upload"]
    key = sent["attachment"]["id"]
    shown = desk.get(f"attachments/{key}.json", by="rosa")["attachment"]
    assert (shown["file_name"], shown["size"]) == ("a.txt", 3)
    assert desk.call("GET", f"attachments/{key}.json", by="tom").status == 404
    assert desk.call("DELETE", f"uploads/{sent['token']}.json", by="rosa").status == 204
    assert desk.call("GET", f"attachments/{key}.json", by="rosa").status == 404
    assert desk.call("DELETE", f"uploads/{sent['token']}.json", by="rosa").status == 404


def test_fields_forms_and_statuses_are_listed_counted_and_shown(desk: Desk) -> None:
    fields = desk.get("ticket_fields.json")["ticket_fields"]
    assert desk.get("ticket_fields/count.json")["count"]["value"] == len(fields)
    assert {"Subject", "Description", "Priority"} <= {field["title"] for field in fields}
    for field in fields:
        shown = desk.get(f"ticket_fields/{field['id']}.json")["ticket_field"]
        assert (shown["id"], shown["title"]) == (field["id"], field["title"])
    (form,) = desk.get("ticket_forms.json")["ticket_forms"]
    assert set(form["ticket_field_ids"]) <= {field["id"] for field in fields}
    assert desk.get(f"ticket_forms/{form['id']}.json")["ticket_form"] == form
    many = desk.get(f"ticket_forms/show_many.json?ids={form['id']},12345")
    assert ids(many, "ticket_forms") == [form["id"]]
    assert desk.get("ticket_forms.json?active=false")["ticket_forms"] == []
    statuses = desk.get("custom_statuses.json")["custom_statuses"]
    assert {item["status_category"] for item in statuses} >= {"new", "open", "pending", "solved"}
    waiting = desk.get("custom_statuses.json?status_categories=pending")["custom_statuses"]
    assert waiting == [item for item in statuses if item["status_category"] == "pending"]
    shown = desk.get(f"custom_statuses/{waiting[0]['id']}.json")["custom_status"]
    assert shown == waiting[0]


def test_the_choices_of_a_field_are_listed_and_shown(desk: Desk) -> None:
    options = [
        {"id": 71, "name": "Red", "value": "red", "default": False},
        {"id": 72, "name": "Blue", "value": "blue", "default": True},
    ]
    stamps = {"created_at": PRESENT, "updated_at": PRESENT}
    with desk.writing():
        TicketField.objects.create(id=70, type="tagger", title="Colour", options=options, **stamps)
    found = desk.get("ticket_fields/70/options.json")["custom_field_options"]
    assert [(item["id"], item["name"], item["value"]) for item in found] == [
        (71, "Red", "red"),
        (72, "Blue", "blue"),
    ]
    assert desk.get("ticket_fields/70/options/72.json")["custom_field_option"] == found[1]
    assert desk.call("GET", "ticket_fields/70/options/73.json").status == 404


def test_support_addresses_are_listed(desk: Desk) -> None:
    (address,) = desk.get("recipient_addresses.json")["recipient_addresses"]
    assert (address["email"], address["default"]) == ("support@kestrel.example", True)
    brand = desk.get("brands.json")["brands"][0]["id"]
    assert address["brand_id"] == brand


def test_tickets_are_listed_by_the_people_on_them(desk: Desk) -> None:
    ana, ben, tom = (desk.ids[name] for name in ("ana", "ben", "tom"))
    copied = [{"user_id": tom, "action": "put"}]
    followed = [{"user_id": ben, "action": "put"}]
    key = desk.ticket(assignee_id=ana, email_ccs=copied, followers=followed)["id"]
    other = desk.ticket(requester_id=tom)["id"]
    assert ids(desk.get(f"users/{ana}/tickets/assigned.json")) == [key]
    assert ids(desk.get(f"users/{tom}/tickets/ccd.json")) == [key]
    assert ids(desk.get("organizations/900/tickets.json")) == [key]
    collaborators = desk.get(f"tickets/{key}/collaborators.json")
    assert sorted(ids(collaborators, "users")) == sorted([ben, tom])
    assert desk.get(f"tickets/{other}/collaborators.json")["users"] == []
    many = desk.get(f"tickets/show_many.json?ids={key},{other},12345")
    assert sorted(ids(many)) == [key, other]


def test_a_job_of_no_tickets_is_refused(desk: Desk) -> None:
    answer = desk.call("POST", "tickets/create_many.json", {})
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.get("tickets/count.json")["count"]["value"] == 0
