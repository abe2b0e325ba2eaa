"""What older clients write: other names for the same, and forms where a file is meant."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import BaseModel

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk

BOUNDARY = "x7"


def form(**parts: str | tuple[str, str]) -> tuple[bytes, dict[str, str]]:
    """Return a multipart body and its headers; a pair is a file's name and content."""
    lines = []
    for name, value in parts.items():
        file_name, text = ("", value) if isinstance(value, str) else value
        beside = f'; filename="{file_name}"\r\nContent-Type: text/plain' if file_name else ""
        lines += [f"--{BOUNDARY}", f'Content-Disposition: form-data; name="{name}"{beside}']
        lines += ["", text]
    lines += [f"--{BOUNDARY}--", ""]
    return "\r\n".join(lines).encode(), {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"
    }


def last_comment(desk: Desk, ticket: int) -> Any:
    return desk.get(f"tickets/{ticket}/comments.json")["comments"][-1]


def test_a_comments_value_is_its_plain_text_wherever_comments_are_written(desk: Desk) -> None:
    made = desk.ticket(comment={"value": "one <b>"})["id"]
    assert last_comment(desk, made)["body"] == "one <b>"
    desk.put(f"tickets/{made}.json", {"ticket": {"comment": {"value": "two", "public": False}}})
    found = last_comment(desk, made)
    assert (found["body"], found["public"]) == ("two", False)
    many = {"ticket": {"comment": {"value": "three"}}}
    desk.put(f"tickets/update_many.json?ids={made}", many)
    desk.drain()
    assert last_comment(desk, made)["body"] == "three"
    item = {"tickets": [{"id": made, "comment": {"value": "four"}}]}
    desk.put("tickets/update_many.json", item)
    desk.drain()
    assert last_comment(desk, made)["body"] == "four"
    desk.put(f"requests/{made}.json", {"request": {"comment": {"value": "five"}}}, by="rosa")
    assert last_comment(desk, made)["body"] == "five"
    asked = {"request": {"subject": "s", "comment": {"value": "six"}}}
    request = desk.post("requests.json", asked, by="rosa")["request"]
    assert request["description"] == "six"
    batch = {"tickets": [{"subject": "s", "comment": {"value": "seven"}}]}
    desk.post("tickets/create_many.json", batch, status=200)
    desk.drain()
    newest = max(row["id"] for row in desk.get("tickets.json")["tickets"])
    assert last_comment(desk, newest)["body"] == "seven"
    past = {"ticket": {"subject": "s", "comments": [{"value": "eight"}]}}
    old = desk.post("imports/tickets.json", past, by="olga")["ticket"]["id"]
    assert last_comment(desk, old)["body"] == "eight"


def test_fields_of_a_request_have_two_names(desk: Desk) -> None:
    field = {"type": "text", "title": "Order", "editable_in_portal": True}
    field["visible_in_portal"] = True
    key = desk.post("ticket_fields.json", {"ticket_field": field}, by="olga")["ticket_field"]["id"]
    for name in ("custom_fields", "fields"):
        asked = {"subject": "s", "comment": {"body": "b"}, name: [{"id": key, "value": name}]}
        made = desk.post("requests.json", {"request": asked}, by="rosa")["request"]["id"]
        shown = desk.get(f"tickets/{made}.json")["ticket"]["custom_fields"]
        assert {item["id"]: item["value"] for item in shown}[key] == name


# What an operation knows and another on the same record does not, and why.
OWN = {
    ("article", "UpdateArticle"): "its title and text are its translation's",
    ("article", "UpdateArticleNoLocale"): "its title and text are its translation's",
    ("automation", "UpdateManyAutomations"): "places and switches only",
    ("macro", "UpdateManyMacros"): "places and switches only",
    ("trigger", "UpdateManyTriggers"): "places and switches only",
    ("view", "UpdateManyViews"): "places and switches only",
    ("group_membership", "CreateUserGroupMembership"): "the user is in the address",
    ("organization_membership", "CreateUserOrganizationMembership"): "the user is in the address",
    ("item", "UpdateDynamicContentItem"): "a text is renamed; its variants have addresses",
    ("job", "CustomObjectRecordBulkJobs"): "another job",
    ("job", "BatchOperateTriggerCategories"): "another job",
    ("request", "CreateRequest"): "a webhook's test request has the same name",
    ("request", "UpdateRequest"): "a webhook's test request has the same name",
    ("request", "TestWebhook"): "no request of a customer",
    ("side_conversation", "UpdateSideConversation"): "external ids are set once",
    ("ticket", "CreateTicket"): "the past is imported elsewhere",
    ("ticket", "UpdateTicket"): "the past is imported elsewhere",
    ("ticket", "TicketsCreateMany"): "the past is imported elsewhere",
    ("ticket", "TicketsUpdateMany"): "the past is imported elsewhere",
    ("user", "MergeEndUsers"): "names the other user only",
}


def fields_by_record() -> dict[str, dict[str, frozenset[str]]]:
    """Return what each operation takes of a record, by what bodies call the record."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for operation in operations().all.values():
        if not isinstance(operation.body, type) or not issubclass(operation.body, BaseModel):
            continue
        for name, field in operation.body.model_fields.items():
            record = model_in(field.annotation)
            if record is not None:
                one = name.removesuffix("s").removesuffix("ie")
                found.setdefault(one, {})[operation.id] = frozenset(record.model_fields)
    return found


def model_in(kind: Any) -> type[BaseModel] | None:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((found for part in get_args(kind) if (found := model_in(part))), None)


def test_what_one_operation_takes_of_a_record_the_others_take_too() -> None:
    lacking = set()
    for record, takers in fields_by_record().items():
        every = frozenset[str]().union(*takers.values())
        lacking |= {(record, name) for name, fields in takers.items() if every - fields}
    assert lacking == set(OWN)


def test_a_body_that_is_read_as_it_is_may_be_a_form() -> None:
    raw = {found.id for found in operations().all.values() if found.raw_body}
    # The first is tested here, the other in test_side_conversations.py.
    assert raw == {"UploadFiles", "CreateSideConversationAttachment"}


def test_a_comment_may_be_a_text_alone(desk: Desk) -> None:
    made = desk.ticket(comment="one")["id"]
    assert last_comment(desk, made)["body"] == "one"
    asked = {"request": {"subject": "s", "comment": "two"}}
    assert desk.post("requests.json", asked, by="rosa")["request"]["description"] == "two"


@pytest.mark.parametrize("html", ["<p></p>", "<p> &nbsp; </p>", "<div><br></div>", "<p>\n</p>"])
def test_marks_without_a_text_say_nothing(desk: Desk, html: str) -> None:
    body = {"ticket": {"subject": "s", "comment": {"html_body": html}}}
    answer = desk.call("POST", "tickets.json", body)
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    made = desk.ticket()["id"]
    before = desk.get(f"tickets/{made}/comments.json")["comments"]
    desk.put(f"tickets/{made}.json", {"ticket": {"comment": {"html_body": html}}})
    assert desk.get(f"tickets/{made}/comments.json")["comments"] == before
    desk.put(f"tickets/{made}.json", {"ticket": {"comment": {"html_body": html, "body": "said"}}})
    assert last_comment(desk, made)["body"] == "said"


def test_a_picture_alone_says_something(desk: Desk) -> None:
    html = '<p><img src="https://files.example/a.png"></p>'
    made = desk.ticket(comment={"html_body": html})["id"]
    assert "<img" in last_comment(desk, made)["html_body"]


def test_a_form_is_uploaded_as_the_file_in_it(desk: Desk) -> None:
    data, headers = form(uploaded_data=("a.txt", "hello"))
    sent = desk.call("POST", "uploads.json?filename=b.txt", data, **headers).body["upload"]
    assert (sent["attachment"]["file_name"], sent["attachment"]["size"]) == ("b.txt", 5)
    assert sent["attachment"]["content_type"] == "text/plain"
    data, headers = form(filename="c.txt", uploaded_data=("a.txt", "hello"))
    named = desk.call("POST", "uploads.json", data, **headers)
    assert named.status == 201
    assert named.body["upload"]["attachment"]["file_name"] == "c.txt"
    data, headers = form(uploaded_data=("a.txt", "hello"))
    own = desk.call("POST", "uploads.json", data, **headers).body["upload"]
    assert own["attachment"]["file_name"] == "a.txt"


def test_another_form_is_a_file_like_any(desk: Desk) -> None:
    data, headers = form(other=("a.txt", "hello"))
    sent = desk.call("POST", "uploads.json?filename=a.eml", data, **headers).body["upload"]
    assert sent["attachment"]["size"] == len(data)
    broken = desk.call(
        "POST", "uploads.json?filename=a.bin", b"abc", **{"Content-Type": "multipart/form-data"}
    )
    assert broken.body["upload"]["attachment"]["size"] == 3
    unnamed = desk.call("POST", "uploads.json", data, **headers)
    assert (unnamed.status, unnamed.body["error"]) == (400, "RequiredParameterMissing")


def test_a_token_is_used_once(desk: Desk) -> None:
    sent = desk.call("POST", "uploads.json?filename=a.txt", b"abc").body["upload"]["token"]
    made = desk.ticket(comment={"body": "See", "uploads": [sent]})["id"]
    again = {"ticket": {"comment": {"body": "Once more", "uploads": [sent]}}}
    answer = desk.call("PUT", f"tickets/{made}.json", again)
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    assert list(answer.body["details"]) == ["attachments"]
    added = desk.call("POST", f"uploads.json?filename=b.txt&token={sent}", b"abc")
    assert added.status == 201
    desk.put(f"tickets/{made}.json", again)
    files = last_comment(desk, made)["attachments"]
    assert [file["file_name"] for file in files] == ["b.txt"]
