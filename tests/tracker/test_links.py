"""Links between issues, and kinds of links."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.settings import set_setting
from clones.tracker.models import ChangeItem, IssueLink, PermissionGrant, Project
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph


def link(site: Site, source: str, target: str, kind: str = "Blocks", **more: Any) -> None:
    """Link two issues: the outward words hold of the first."""
    ends = {"inwardIssue": {"key": source}, "outwardIssue": {"key": target}}
    assert site.post("issueLink", {"type": {"name": kind}, **ends, **more}) is None


def of(site: Site, key: str) -> list[dict[str, Any]]:
    """Return the links that an issue shows."""
    found: list[dict[str, Any]] = site.get(f"issue/{key}?fields=issuelinks")["fields"]["issuelinks"]
    return found


def history(site: Site, key: str) -> list[tuple[str | None, str | None, str | None, str | None]]:
    """Return what an issue's history tells of links."""
    with site.store():
        rows = ChangeItem.objects.filter(issue__key=key, field="Link").order_by("id")
        return [(row.old, row.old_string, row.new, row.new_string) for row in rows]


def test_issues_are_linked_and_unlinked(site: Site) -> None:
    """Both ends show the link from their side and tell of it in their history."""
    one, two = site.issue("One"), site.issue("Two")
    link(site, one, two, comment={"body": paragraph("See there")})
    link(site, one, two, kind="blocks")
    (outward,) = of(site, one)
    (inward,) = of(site, two)
    assert outward["outwardIssue"]["key"] == two
    assert inward["inwardIssue"]["key"] == one
    assert outward["id"] == inward["id"]
    assert outward["type"]["outward"] == "blocks"
    assert history(site, one) == [(None, None, two, f"This work item blocks {two}")]
    assert history(site, two) == [(None, None, one, f"This work item is blocked by {one}")]
    shown = site.get(f"issueLink/{outward['id']}")
    assert shown["inwardIssue"]["key"] == one
    assert shown["outwardIssue"]["fields"]["summary"] == "Two"
    site.delete(f"issueLink/{outward['id']}")
    assert of(site, one) == of(site, two) == []
    assert history(site, two)[-1] == (one, f"This work item is blocked by {one}", None, None)
    assert site.get(f"issueLink/{outward['id']}", status=404)["errorMessages"] == [
        f"No issue link with id '{outward['id']}' exists."
    ]
    assert site.get("issueLink/x", status=400)["errorMessages"] == [
        "The issue link id 'x' is not valid."
    ]


def test_unverified_a_comment_on_a_link_goes_to_its_source(site: Site) -> None:
    """The vendor's prose says "the from (outward) issue"."""
    one, two = site.issue(), site.issue()
    link(site, one, two, comment={"body": paragraph("See there")})
    assert site.get(f"issue/{one}/comment")["total"] == 1
    assert site.get(f"issue/{two}/comment")["total"] == 0


def test_links_are_held_to_their_rules(site: Site) -> None:
    """What is refused, and in which words."""
    one, two = site.issue(), site.issue()
    ends = {"inwardIssue": {"key": one}, "outwardIssue": {"key": two}}
    kind = {"name": "Blocks"}
    for body, status, text in (
        ({**ends, "type": {"name": "Hates"}}, 404, "No issue link type with name 'Hates' found."),
        ({**ends, "type": {"id": "1"}}, 404, "No issue link type with id '1' found."),
        ({**ends, "type": {}}, 400, "The issue link type must be specified."),
        (
            {**ends, "type": kind, "outwardIssue": {"key": one}},
            400,
            "You cannot link an issue to itself.",
        ),
        (
            {**ends, "type": kind, "outwardIssue": {"key": "LAS-999"}},
            404,
            "Issue does not exist or you do not have permission to see it.",
        ),
    ):
        assert site.post("issueLink", body, status=status)["errorMessages"] == [text]
    refused = site.post(
        "issueLink", {**ends, "type": kind, "comment": {"body": paragraph("")}}, status=400
    )
    assert refused["errors"] == {"comment": "Comment body can not be empty!"}
    assert of(site, one) == []
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="LINK_ISSUES").delete()
    refused = site.post("issueLink", {**ends, "type": kind}, status=401)
    assert refused["errorMessages"] == [f"No Link Issue Permission for issue '{one}'"]


def test_links_come_with_other_changes(site: Site) -> None:
    """`update.issuelinks` links from either side."""
    one, two = site.issue(), site.issue()
    add = {"type": {"name": "Blocks"}, "inwardIssue": {"key": two}}
    site.put(f"issue/{one}", {"update": {"issuelinks": [{"add": add}]}})
    (found,) = of(site, one)
    assert found["inwardIssue"]["key"] == two


def test_kinds_of_links_are_made_changed_and_deleted(site: Site) -> None:
    """Admins keep the kinds; deleting one deletes its links."""
    names = [kind["name"] for kind in site.get("issueLinkType")["issueLinkTypes"]]
    assert names == sorted(names)
    assert {"Blocks", "Cloners", "Duplicate", "Relates"} <= set(names)
    words = {"name": "Tests", "inward": "is tested by", "outward": "tests"}
    made = site.post("issueLinkType", words)
    path = f"issueLinkType/{made['id']}"
    assert {name: made[name] for name in words} == words
    changed = site.put(path, {"outward": "checks"}, status=200)
    assert (changed["inward"], changed["outward"]) == ("is tested by", "checks")
    assert site.get(path) == changed
    one, two = site.issue(), site.issue()
    link(site, one, two, kind="Tests")
    site.delete(path)
    with site.store():
        assert not IssueLink.objects.exists()
    assert site.get(path, status=404)["errorMessages"] == [
        f"No issue link type with id '{made['id']}' found."
    ]
    taken = site.post("issueLinkType", {**words, "name": "blocks"}, status=404)
    assert taken["errorMessages"] == ["Issue link type with name 'blocks' already exists."]
    assert site.post("issueLinkType", {"name": "x"}, status=400)["errors"] == {
        "inward": "You must specify the inward of the issue link type.",
        "outward": "You must specify the outward of the issue link type.",
    }
    site.get("issueLinkType/x", status=400)
    site.post("issueLinkType", words, by="dev", status=403)
    site.post("issueLinkType", words, by=None, status=401)


def test_a_site_can_do_without_links(site: Site) -> None:
    """No link, no kind of links, no link to elsewhere."""
    one, two = site.issue(), site.issue()
    link(site, one, two)
    id = of(site, one)[0]["id"]
    kind = site.get("issueLinkType")["issueLinkTypes"][0]["id"]
    ends = {"inwardIssue": {"key": one}, "outwardIssue": {"key": two}}
    with site.writing():
        set_setting("issue_linking_enabled", False)
    words = {"name": "a", "inward": "b", "outward": "c"}
    for refused in (
        site.get("issueLinkType", status=404),
        site.post("issueLinkType", words, status=404),
        site.get(f"issueLinkType/{kind}", status=404),
        site.put(f"issueLinkType/{kind}", words, status=404),
        site.delete(f"issueLinkType/{kind}", status=404),
        site.post("issueLink", {"type": {"name": "Blocks"}, **ends}, status=404),
        site.get(f"issueLink/{id}", status=404),
        site.delete(f"issueLink/{id}", status=404),
        site.get(f"issue/{one}/remotelink", status=403),
    ):
        assert refused["errorMessages"] == ["Issue linking is currently disabled."]
