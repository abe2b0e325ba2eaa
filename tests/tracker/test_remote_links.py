"""Links from issues to things elsewhere."""

from __future__ import annotations

from urllib.parse import quote

from clones.tracker.models import ChangeItem, PermissionGrant, Project
from tests.tracker.site import Site

GLOBAL = "system=http://elsewhere.example/x&id=1"
THING = {"url": "http://elsewhere.example/x?id=1", "title": "TICKET-1"}


def test_links_are_kept_by_their_global_id(site: Site) -> None:
    """New ones answer 201, those of the same global id 200; each way to find and delete one."""
    key = site.issue()
    path = f"issue/{key}/remotelink"
    body = {
        "globalId": GLOBAL,
        "application": {"type": "com.elsewhere", "name": "Elsewhere"},
        "relationship": "causes",
        "object": {**THING, "status": {"resolved": True}},
    }
    made = site.post(path, body)
    assert made["self"].endswith(f"/issue/{key}/remotelink/{made['id']}")
    again = site.post(path, {"globalId": GLOBAL, "object": {**THING, "title": "New"}}, status=200)
    assert again["id"] == made["id"]
    shown = site.get(f"{path}/{made['id']}")
    assert shown == {
        "id": made["id"],
        "self": made["self"],
        "globalId": GLOBAL,
        "application": {},
        "object": {**THING, "title": "New"},
    }
    assert site.call("GET", f"{path}?globalId={quote(GLOBAL, safe='')}").body == shown
    other = site.post(path, {"object": THING})["id"]
    assert [link["id"] for link in site.call("GET", path).body] == [made["id"], other]
    site.put(f"{path}/{other}", {"object": {**THING, "title": "Other"}, "relationship": "is"})
    changed = site.get(f"{path}/{other}")
    assert (changed["object"]["title"], changed["relationship"]) == ("Other", "is")
    site.delete(f"{path}?globalId={quote(GLOBAL, safe='')}")
    site.delete(f"{path}/{other}")
    assert site.call("GET", path).body == []
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key, field="RemoteWorkItemLink").order_by("id")
        assert [(row.old_string, row.new_string) for row in rows] == [
            (None, 'This work item links to "TICKET-1 (Elsewhere)"'),
            (None, 'This work item links to "TICKET-1"'),
            ('This work item links to "New"', None),
            ('This work item links to "Other"', None),
        ]


def test_unverified_links_are_held_to_their_rules(site: Site) -> None:
    """What is refused, and in which words."""
    key, other = site.issue(), site.issue()
    path = f"issue/{key}/remotelink"
    id = site.post(path, {"object": THING})["id"]
    assert site.post(path, {}, status=400) == {
        "errorMessages": [],
        "errors": {"title": "'title' is required.", "url": "'url' is required."},
    }
    wrong = {"object": {"url": "not an address", "title": "x"}}
    assert site.put(f"{path}/{id}", wrong, status=400)["errors"] == {
        "url": "'url' is not a valid URL."
    }
    assert site.delete(path, status=400)["errorMessages"] == [
        "The 'globalId' query parameter is required."
    ]
    gone = ["The remote issue link does not exist."]
    assert site.get(f"{path}/999", status=404)["errorMessages"] == gone
    assert site.get(f"{path}?globalId=none", status=404)["errorMessages"] == gone
    assert site.get(f"issue/{other}/remotelink/{id}", status=400)["errorMessages"] == [
        "The remote issue link does not belong to the specified issue."
    ]
    assert site.get(f"{path}/x", status=400)["errorMessages"] == [
        "The remote link id 'x' is not valid."
    ]
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="LINK_ISSUES").delete()
    for refused in (
        site.post(path, {"object": THING}, status=403),
        site.delete(f"{path}/{id}", status=403),
    ):
        assert refused["errorMessages"] == ["You do not have permission to link issues."]
    site.post(path, {"object": THING}, by=None, status=401)
