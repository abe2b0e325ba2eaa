"""Files of requests: sent ahead, attached with a comment, and who sees them."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.settings import set_setting
from tests.tracker.conftest import Site
from tests.tracker.desk_site import open_desk

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
    b"\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
GONE = (
    "The attachment does not exist or you do not have permission to view it.",
    "sd.attachment.error.not.found",
)


def test_files_come_with_a_request_and_with_comments(site: Site) -> None:
    desk = open_desk(site)
    [first] = desk.send(("log.txt", "text/plain", b"oops"))
    key = desk.ask(values={"attachment": [first]})["issueKey"]
    shot, notes = desk.send(("shot.png", "image/png", PNG), ("notes.txt", "text/plain", b"n"))
    body: Any = {"temporaryAttachmentIds": [shot, notes], "additionalComment": {"body": "See."}}
    made = desk.post(f"request/{key}/attachment", body, by="cara")
    assert made["comment"]["body"] == "See.\n\n!shot.png|width=200,height=183!\n\n[^notes.txt]"
    assert [one["filename"] for one in made["attachments"]["values"]] == ["shot.png", "notes.txt"]
    comment = made["comment"]["id"]
    # An agent keeps one among agents; what is added to the issue itself is theirs as well.
    [secret] = desk.send(("plan.txt", "text/plain", b"secret"), by="dev")
    body = {"temporaryAttachmentIds": [secret], "public": False}
    desk.post(f"request/{key}/attachment", body)
    form, kind = desk.multipart(("inner.txt", "text/plain", b"x"))
    site.call(
        "POST",
        f"issue/{key}/attachments",
        form,
        by="dev",
        **{"Content-Type": kind, "X-Atlassian-Token": "no-check"},
    )

    def names(by: str, query: str = "") -> list[str]:
        values = desk.get(f"request/{key}/attachment{query}", by=by)["values"]
        return [one["filename"] for one in values]

    assert names("cara") == ["log.txt", "shot.png", "notes.txt"]
    assert names("dev") == ["log.txt", "shot.png", "notes.txt", "plan.txt", "inner.txt"]
    assert names("dev", "?start=1&limit=2") == ["shot.png", "notes.txt"]
    page = desk.get(f"request/{key}/comment/{comment}/attachment?limit=1", by="cara")
    assert ([one["filename"] for one in page["values"]], page["isLastPage"]) == (
        ["shot.png"],
        False,
    )
    shown = desk.get(f"request/{key}/comment?expand=attachment", by="cara")["values"]
    assert [one["filename"] for one in shown[0]["attachments"]["values"]] == [
        "shot.png",
        "notes.txt",
    ]
    whole = desk.get(f"request/{key}?expand=attachment,comment.attachment,comment", by="cara")
    assert whole["attachments"]["size"] == 3
    assert whole["comments"]["values"][0]["attachments"]["size"] == 2


def test_files_are_sent_to_those_who_see_them(site: Site) -> None:
    desk = open_desk(site)
    sent = desk.send(("log.txt", "text/plain", b"oops"), ("shot.png", "image/png", PNG))
    key = desk.ask(values={"attachment": sent})["issueKey"]
    [secret] = desk.send(("plan.txt", "text/plain", b"secret"), by="dev")
    given = {"temporaryAttachmentIds": [secret], "public": False}
    hidden = desk.post(f"request/{key}/attachment", given)["attachments"]["values"][0]
    first_shown, picture = desk.get(f"request/{key}/attachment", by="cara")["values"][:2]
    answer = desk.call("GET", f"request/{key}/attachment/{first_shown['id']}", by="cara")
    assert (answer.status, answer.raw) == (200, b"oops")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    part = desk.call(
        "GET", f"request/{key}/attachment/{first_shown['id']}", by="cara", Range="bytes=1-2"
    )
    assert (part.status, part.raw) == (206, b"op")
    thumb = desk.call("GET", f"request/{key}/attachment/{picture['id']}/thumbnail", by="cara")
    assert (thumb.raw, thumb.headers["Content-Type"]) == (PNG, "image/png")
    icon = desk.call("GET", f"request/{key}/attachment/{first_shown['id']}/thumbnail", by="cara")
    assert icon.headers["Content-Type"] == "image/svg+xml"
    for path in (hidden["id"], f"{hidden['id']}/thumbnail", "x"):
        refused = desk.get(f"request/{key}/attachment/{path}", by="cara", status=404)
        assert desk.error(refused) == GONE
    lost = desk.get(f"request/{key}/comment/99/attachment", by="cara", status=404)
    assert desk.error(lost)[1] == "sd.customerrequest.comment.error.not.found"


def test_unverified_what_cannot_be_sent_or_attached(site: Site) -> None:
    desk = open_desk(site)
    desk.customer("otto", "Otto Lund")
    key = desk.ask()["issueKey"]
    [sent] = desk.send(("a.txt", "text/plain", b"a"))
    body, kind = desk.multipart(("a.txt", "text/plain", b"a"))
    path = f"servicedesk/{desk.id}/attachTemporaryFile"
    refused = desk.post(path, body, by="cara", status=403, **{"Content-Type": kind})
    assert desk.error(refused) == ("XSRF check failed", "sd.attachment.error.xsrf")
    safe = {"X-Atlassian-Token": "no-check"}
    desk.post(path, {}, by="cara", status=415, **safe)
    other, kind = desk.multipart(("a.txt", "text/plain", b"a"), part="data")
    refused = desk.post(path, other, by="cara", status=400, **safe, **{"Content-Type": kind})
    assert desk.error(refused)[0] == "No file was sent."
    refused = desk.post(path, body, by="guest", status=404, **safe, **{"Content-Type": kind})
    assert desk.error(refused)[1] == "sd.servicedesk.error.not.found"
    attach = f"request/{key}/attachment"
    refused = desk.post(attach, {"temporaryAttachmentIds": []}, by="cara", status=400)
    assert desk.error(refused)[0] == "You must provide at least one temporary attachment."
    # A file is its sender's, and taken once.
    refused = desk.post(attach, {"temporaryAttachmentIds": [sent]}, status=400)
    assert desk.error(refused)[0] == f"The temporary attachment with id '{sent}' does not exist."
    given = {"temporaryAttachmentIds": [sent], "public": False}
    refused = desk.post(attach, given, by="cara", status=403)
    assert desk.error(refused)[0] == "Only agents can add internal comments."
    desk.post(attach, {"temporaryAttachmentIds": [sent]}, by="cara")
    desk.post(attach, {"temporaryAttachmentIds": [sent]}, by="cara", status=400)
    with site.writing():
        set_setting("attachment_size_limit", 3)
    large, kind = desk.multipart(("big.txt", "text/plain", b"1234"))
    refused = desk.post(path, large, by="cara", status=413, **safe, **{"Content-Type": kind})
    assert desk.error(refused)[0] == "The file 'big.txt' exceeds the maximum size of 3 bytes."
