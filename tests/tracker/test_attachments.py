"""Files of issues."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import ChangeItem, PermissionGrant, Project
from tests.tracker.site import Answer, Site

BOUNDARY = "frontier"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def send(
    site: Site,
    key: str,
    files: list[tuple[str, str, bytes]],
    *,
    by: str | None = "ada",
    check: str | None = "no-check",
    name: str = "file",
) -> Answer:
    """Send files as a multipart form: name, type and bytes of each."""
    parts = b""
    for filename, kind, data in files:
        head = f'Content-Disposition: form-data; name="{name}"; filename="{filename}"'
        parts += f"--{BOUNDARY}\r\n{head}\r\nContent-Type: {kind}\r\n\r\n".encode()
        parts += data + b"\r\n"
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    if check is not None:
        headers["X-Atlassian-Token"] = check
    body = parts + f"--{BOUNDARY}--\r\n".encode()
    return site.call("POST", f"issue/{key}/attachments", body, by=by, **headers)


def attach(site: Site, key: str, name: str, data: bytes, kind: str = "text/plain") -> str:
    """Add one file and return its id."""
    answer = send(site, key, [(name, kind, data)], by="dev")
    assert answer.status == 200, answer.body
    found: str = answer.body[0]["id"]
    return found


def test_files_are_added_shown_and_deleted(site: Site) -> None:
    """The life of files, with the issue's history."""
    key = site.issue()
    answer = send(site, key, [("a.txt", "text/plain", b"one"), ("b.png", "image/png", PNG)])
    assert answer.status == 200
    text, picture = answer.body
    assert (text["filename"], text["size"], text["mimeType"]) == ("a.txt", 3, "text/plain")
    assert "thumbnail" not in text
    assert picture["thumbnail"].endswith(f"/attachment/thumbnail/{picture['id']}")
    assert text["author"]["accountId"] == site.ids["ada"]
    shown = site.get(f"attachment/{text['id']}")
    assert shown == {**text, "id": int(text["id"])}
    with site.store():
        told = ChangeItem.objects.filter(issue__key=key, field="Attachment").order_by("id")
        assert [(row.new, row.new_string) for row in told] == [
            (text["id"], "a.txt"),
            (picture["id"], "b.png"),
        ]
        assert len({row.group_id for row in told}) == 1
    listed = site.get(f"issue/{key}?fields=attachment")["fields"]["attachment"]
    assert [entry["id"] for entry in listed] == [text["id"], picture["id"]]
    refused = site.delete(f"attachment/{text['id']}", by="dev", status=403)
    assert refused["errorMessages"] == [
        "You do not have permission to delete attachment for this issue."
    ]
    site.delete(f"attachment/{text['id']}")
    gone = site.get(f"attachment/{text['id']}", status=404)
    assert gone["errorMessages"] == [f"The attachment with id '{text['id']}' does not exist"]
    with site.store():
        last = ChangeItem.objects.filter(issue__key=key, field="Attachment").order_by("-id")[0]
        assert (last.old, last.old_string, last.new) == (text["id"], "a.txt", None)


def test_files_are_sent_as_downloads(site: Site) -> None:
    """Bytes, ranges, and the signed address that a redirect names."""
    key = site.issue()
    id = attach(site, key, 'hün".html', b"<b>0123456789</b>", "text/html")
    led = site.call("GET", f"attachment/content/{id}")
    assert led.status == 303
    address = led.headers["Location"].partition(".localhost:8800")[2]
    signed = site.call("GET", address, by=None)
    assert signed.raw == b"<b>0123456789</b>"
    assert site.call("GET", address[:-1] + "~", by=None).status == 404
    path = f"attachment/content/{id}?redirect=false"
    whole = site.call("GET", path)
    assert whole.headers["X-Content-Type-Options"] == "nosniff"
    assert whole.headers["Content-Disposition"].startswith("attachment;")
    assert whole.headers["Content-Security-Policy"].startswith("sandbox")
    for wanted, status, raw in (
        ("bytes=0-2", 206, b"<b>"),
        ("bytes=3-", 206, b"0123456789</b>"),
        ("bytes=-4", 206, b"</b>"),
        ("bytes=99-", 416, b""),
    ):
        part = site.call("GET", path, Range=wanted)
        assert (part.status, part.raw) == (status, raw)
    assert site.call("GET", path, Range="bytes=0-2").headers["Content-Range"] == "bytes 0-2/17"
    malformed = site.call("GET", path, Range="lines=1")
    assert (malformed.status, malformed.body["errorMessages"]) == (
        400,
        ["The Range header is malformed."],
    )
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="BROWSE_PROJECTS").delete()
    assert site.call("GET", path, by="dev").status == 404


def test_pictures_have_thumbnails(site: Site) -> None:
    """Pictures are sent as they are; other files get an icon, or nothing."""
    key = site.issue()
    picture = attach(site, key, "b.png", PNG, "image/png")
    text = attach(site, key, "a.txt", b"one")
    assert site.call("GET", f"attachment/thumbnail/{picture}").status == 303
    found = site.call("GET", f"attachment/thumbnail/{picture}?redirect=false&width=10")
    assert (found.status, found.raw) == (200, PNG)
    icon = site.call("GET", f"attachment/thumbnail/{text}?redirect=false")
    assert icon.headers["Content-Type"] == "image/svg+xml"
    none = site.call("GET", f"attachment/thumbnail/{text}?redirect=false&fallbackToDefault=false")
    assert (none.status, none.body["errorMessages"]) == (
        404,
        [f"The thumbnail of the attachment with id '{text}' does not exist"],
    )
    assert site.call("GET", f"attachment/thumbnail/{text}?width=x").status == 400


def test_unverified_files_are_held_to_their_rules(site: Site) -> None:
    """The token against forgery, the form, permissions and limits."""
    key = site.issue()
    one = [("a.txt", "text/plain", b"one")]
    forged = send(site, key, one, check=None)
    assert (forged.status, forged.raw) == (403, b"XSRF check failed")
    headers = {"X-Atlassian-Token": "no-check"}
    assert site.call("POST", f"issue/{key}/attachments", {}, **headers).status == 415
    assert send(site, "LAS-999", one).status == 404
    many = send(site, key, one * 61)
    assert (many.status, many.body["errorMessages"]) == (
        413,
        ["No more than 60 files can be uploaded at once."],
    )
    assert site.get("attachment/meta") == {"enabled": True, "uploadLimit": 10 * 1024 * 1024}
    with site.writing():
        set_setting("attachment_size_limit", 2)
    large = send(site, key, one)
    assert large.status == 413
    assert large.body["errorMessages"][0] == (
        "The field file exceeds its maximum permitted size of 2 bytes. "
        "The size of 'a.txt' is 3 bytes."
    )
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="CREATE_ATTACHMENTS").delete()
        set_setting("attachment_size_limit", None)
    refused = send(site, key, one)
    assert (refused.status, refused.body["errorMessages"]) == (
        403,
        ["You do not have permission to create attachments for this issue."],
    )
    with site.writing():
        set_setting("attachments_enabled", False)
    assert site.get("attachment/meta")["enabled"] is False
    nobody = site.get("attachment/meta", by=None, status=403, Authorization="Bearer nothing")
    assert nobody == {"error": "Failed to parse Connect Session Auth Token"}
    assert send(site, key, one).status == 404


def test_archives_are_listed(site: Site) -> None:
    """ZIP archives for people and for programs; others are refused, files that are none empty."""
    key = site.issue()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/", "")
        archive.writestr("song.mp3", b"x" * 1500)
        archive.writestr("one/two/three/four/five/six/seven/eight/nine.txt", b"")
    id = attach(site, key, "pack.zip", packed.getvalue(), "application/zip")
    human: dict[str, Any] = site.get(f"attachment/{id}/expand/human")
    assert (human["id"], human["name"], human["totalEntryCount"]) == (int(id), "pack.zip", 2)
    assert human["entries"] == [
        {
            "path": "song.mp3",
            "index": 0,
            "size": "1 kB",
            "mediaType": "audio/mpeg",
            "label": "song.mp3",
        },
        {
            "path": "one/two/three/four/five/six/seven/eight/nine.txt",
            "index": 1,
            "size": "0.0 k",
            "mediaType": "text/plain",
            "label": "one/two/three/four/.../seven/eight/nine.txt",
        },
    ]
    raw = site.get(f"attachment/{id}/expand/raw")
    assert [entry["size"] for entry in raw["entries"]] == [1500, 0]
    plain = attach(site, key, "a.txt", b"one")
    assert site.get(f"attachment/{plain}/expand/raw") == {"entries": [], "totalEntryCount": 0}
    other = attach(site, key, "a.rar", b"Rar!")
    refused = site.get(f"attachment/{other}/expand/human", status=409)
    assert refused["errorMessages"] == ["The archive format is not supported."]
    gone = site.get("attachment/77/expand/raw", status=404)
    assert gone["errorMessages"] == ["The attachment with id '77' does not exist"]
