"""Redaction of comments by marks in their HTML."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.rules.redaction import read_marks
from tests.helpdesk.conftest import Answer, Desk


@pytest.mark.parametrize(
    ("html", "before", "after"),
    [
        ("a <redact>12</redact> b", "a 12 b", "a ▇▇ b"),
        ("<b>x<redact>y</redact></b>", "<b>xy</b>", "<b>x▇</b>"),
        ("<redact><i>a</i>b</redact>c", "<i>a</i>bc", "<i>▇</i>▇c"),
        ('<a href="u" redact>t</a>', '<a href="u">t</a>', "t"),
        ('<a redact="" href="u"><redact>t</redact></a>', '<a href="u">t</a>', "▇"),
        ("<p>x<img src='u' redact></p>", "<p>x<img src='u'></p>", "<p>x</p>"),
        ("<redact>&amp;&#38;</redact>", "&amp;&#38;", "▇▇"),
        ("<a redact><b>t</b></a><a>u</a>", "<a><b>t</b></a><a>u</a>", "<b>t</b><a>u</a>"),
    ],
)
def test_marks_say_what_is_blotted_out(html: str, before: str, after: str) -> None:
    marked = read_marks(html)
    assert (marked.before, marked.after, marked.any) == (before, after, True)


def test_without_marks_nothing_is_marked() -> None:
    for html in ("<p>a &amp; b<br/></p>", "<redact></redact>", "</redact>x</b>"):
        assert read_marks(html).any is False


def _redact(desk: Desk, comment: int, by: str = "ana", **body: Any) -> Answer:
    return desk.call("PUT", f"comment_redactions/{comment}.json", body, by=by)


def _comment(desk: Desk, ticket: int) -> Any:
    return desk.get(f"tickets/{ticket}/comments.json")["comments"][0]


def test_marked_text_is_blotted_out_for_good(desk: Desk) -> None:
    html = '<p>My number is <b>4711</b>, see <a href="https://x.example/4711">here</a>.</p>'
    ticket = desk.ticket(comment={"html_body": html})["id"]
    comment = _comment(desk, ticket)
    marked = comment["html_body"].replace("<b>4711</b>", "<b><redact>4711</redact></b>")
    marked = marked.replace("<a href=", "<a redact href=")
    answer = _redact(desk, comment["id"], ticket_id=ticket, html_body=marked)
    assert answer.status == 200, answer.body
    shown = _comment(desk, ticket)
    assert answer.body["comment"]["html_body"] == shown["html_body"]
    assert "<b>▇▇▇▇</b>" in shown["html_body"]
    assert "4711" not in str(shown)
    assert shown["plain_body"] == "My number is ▇▇▇▇, see here."
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["description"] == shown["plain_body"]
    event = desk.get(f"tickets/{ticket}/audits.json")["audits"][-1]["events"][0]
    assert (event["type"], event["comment_id"]) == ("CommentRedactionEvent", comment["id"])


def test_comments_of_closed_tickets_are_redacted_too(desk: Desk) -> None:
    ticket = desk.ticket(body="PIN 1234", status="closed", assignee_id=desk.ids["ana"])["id"]
    comment = _comment(desk, ticket)
    # The HTML may come without the element that goes round every comment.
    answer = _redact(
        desk,
        comment["id"],
        ticket_id=ticket,
        html_body='<p dir="auto">PIN <redact>1234</redact></p>',
    )
    assert answer.status == 200, answer.body
    shown = _comment(desk, ticket)
    assert shown["body"] == "PIN ▇▇▇▇"
    assert shown["html_body"].count("zd-comment") == 1


def test_files_are_redacted_by_their_addresses(desk: Desk) -> None:
    upload = desk.call("POST", "uploads.json?filename=id.png", b"x").body["upload"]["token"]
    ticket = desk.ticket(comment={"body": "see", "uploads": [upload]})["id"]
    comment = _comment(desk, ticket)
    urls = [comment["attachments"][0]["content_url"]]
    answer = _redact(desk, comment["id"], ticket_id=ticket, external_attachment_urls=urls)
    assert answer.status == 200, answer.body
    [file] = _comment(desk, ticket)["attachments"]
    assert (file["deleted"], file["file_name"]) == (True, "redacted.txt")
    other = desk.ticket()["id"]
    wrong = _redact(
        desk, _comment(desk, other)["id"], ticket_id=other, external_attachment_urls=urls
    )
    assert wrong.status == 404
    strange = _redact(
        desk, comment["id"], ticket_id=ticket, external_attachment_urls=["https://x.example/a"]
    )
    assert strange.status == 400


def test_a_redaction_that_does_not_fit_changes_nothing(desk: Desk) -> None:
    ticket, other = desk.ticket()["id"], desk.ticket()["id"]
    comment = _comment(desk, ticket)
    said = comment["html_body"]
    marked = said.replace("start", "<redact>start</redact>")
    key = comment["id"]
    for body, status in (
        ({"html_body": said, "ticket_id": ticket}, 422),
        ({"html_body": "<redact>else</redact>", "ticket_id": ticket}, 422),
        ({"ticket_id": ticket}, 422),
        ({"html_body": marked}, 400),
        ({"html_body": marked, "ticket_id": other}, 404),
        ({"html_body": marked, "ticket_id": 999}, 404),
    ):
        assert _redact(desk, key, **body).status == status, body
    assert _redact(desk, key, by="rosa", html_body=marked, ticket_id=ticket).status == 403
    assert _redact(desk, 1, html_body=marked, ticket_id=ticket).status == 404
    assert _comment(desk, ticket)["html_body"] == said
