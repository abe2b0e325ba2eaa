"""Avatars: the site's own drawings, and pictures that people load."""

from __future__ import annotations

import struct

from tests.tracker.site import Site

NO_CHECK = {"X-Atlassian-Token": "no-check", "Content-Type": "image/png"}


def png(width: int = 64, height: int = 48) -> bytes:
    """Return the beginning of a PNG of a size."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"rest"


def test_the_pictures_of_everything_are_sent(site: Site) -> None:
    """Addresses that answers show lead to drawings; people have their initials."""
    project = site.get("project/LAS")
    for address in (
        project["avatarUrls"]["48x48"],
        project["avatarUrls"]["16x16"],
        project["lead"]["avatarUrls"]["24x24"],
        project["issueTypes"][0]["iconUrl"],
    ):
        answer = site.call("GET", address.partition("localhost:8800")[2], by=None)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/svg+xml")
        assert answer.raw.startswith(b"<svg ")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    lead = site.call("GET", project["lead"]["avatarUrls"]["24x24"].partition(":8800")[2], by=None)
    assert b">AB</text>" in lead.raw
    usual = site.call("GET", "universal_avatar/view/type/issuetype", by=None)
    mine = site.call("GET", f"universal_avatar/view/type/project/owner/{project['id']}")
    assert usual.raw != mine.raw
    number = project["avatarUrls"]["48x48"].rpartition("/")[2]
    assert mine.raw == site.call("GET", f"universal_avatar/view/type/project/avatar/{number}").raw
    error = site.get("universal_avatar/view/type/project/avatar/4711", status=404)
    assert error["errorMessages"] == ["The avatar was not found."]
    assert site.get("avatar/tea/system") == {"system": []}
    nobodys = site.get("universal_avatar/type/project/owner/99999999")
    assert (len(nobodys["system"]), nobodys["custom"]) == (24, [])
    system = site.get("avatar/project/system", by=None)["system"]
    assert len(system) == 24
    assert not any(one["isDeletable"] for one in system)


def test_a_space_gets_a_picture_of_its_own(site: Site) -> None:
    """It is loaded, chosen, shown and removed by those who run the space."""
    answer = site.call("POST", "project/LAS/avatar2?size=48", png(), **NO_CHECK)
    assert answer.status == 201, answer.body
    made = answer.body
    assert (made["isSystemAvatar"], made["isDeletable"]) == (False, True)
    site.put("project/LAS/avatar", {"id": made["id"]})
    found = site.get("project/LAS/avatars", by="dev")
    assert [(one["id"], one["isSelected"]) for one in found["custom"]] == [(made["id"], True)]
    address = site.get("project/LAS")["avatarUrls"]["48x48"]
    picture = site.call("GET", address.partition("localhost:8800")[2], by=None)
    assert (picture.raw, picture.headers["Content-Type"]) == (png(), "image/png")
    error = site.put("project/LAS/avatar", {"id": "4711"}, status=404)
    assert error["errorMessages"] == ["The avatar was not found."]
    site.delete(f"project/LAS/avatar/{made['id']}")
    found = site.get("project/LAS/avatars")
    assert found["custom"] == []
    assert [one["id"] for one in found["system"] if one["isSelected"]] == ["10400"]
    error = site.delete("project/LAS/avatar/10400", status=400)
    assert error["errorMessages"] == ["System avatars cannot be deleted."]


def test_unverified_only_pictures_are_loaded_and_by_whom_they_may(site: Site) -> None:
    """The token against forged requests is needed; the square must lie within the picture."""
    for data, query, headers, text in (
        (png(), "", {"Content-Type": "image/png"}, "XSRF check failed"),
        (b"", "", NO_CHECK, "An image must be included in the request."),
        (b"<svg/>", "", NO_CHECK, "The image type is not supported: use JPEG, GIF or PNG."),
        (png(), "?x=20&size=48", NO_CHECK,
         "The crop region extends beyond the edge of the image."),
    ):  # fmt: skip
        answer = site.call("POST", f"project/LAS/avatar2{query}", data, **headers)
        assert (answer.status, answer.body["errorMessages"]) == (400, [text])
    answer = site.call("POST", "project/LAS/avatar2", png(), by="dev", **NO_CHECK)
    assert answer.status == 403
    assert answer.body["errorMessages"] == [
        "You do not have permission to administer this project."
    ]
    kind = site.get("project/LAS")["issueTypes"][0]["id"]
    path = f"universal_avatar/type/issuetype/owner/{kind}"
    answer = site.call("POST", f"{path}?size=16", png(), **NO_CHECK)
    assert answer.status == 201
    found = site.get(path, by="dev")
    assert [one["owner"] for one in found["custom"]] == [kind]
    assert [one["isSelected"] for one in found["system"]].count(True) == 1
    site.delete(f"{path}/avatar/{answer.body['id']}", by="dev", status=403)
    site.delete(f"{path}/avatar/{answer.body['id']}")
    assert site.get(path)["custom"] == []
