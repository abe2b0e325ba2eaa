"""Comments: what is said on issues, who sees it, who may change it."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import (
    Comment,
    GroupMember,
    IssueText,
    PermissionGrant,
    Project,
    RoleActor,
    Watcher,
)
from tests.tracker.site import Site

GONE = "Issue does not exist or you do not have permission to see it."


def paragraph(text: str) -> dict[str, Any]:
    """Return a document that says something."""
    words = [{"type": "text", "text": text}]
    return {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": words}]}


def without(site: Site, *permissions: str) -> None:
    """Take permissions away from everybody in LAS."""
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission__in=permissions).delete()


def test_a_comment_is_added_shown_changed_and_deleted(site: Site) -> None:
    """The life of a comment, in both versions of the API."""
    key = site.issue()
    made = site.post(
        f"issue/{key}/comment?expand=renderedBody", {"body": paragraph("Hi *all*")}, by="dev"
    )
    id = made["id"]
    assert made["body"] == paragraph("Hi *all*")
    assert made["author"]["accountId"] == made["updateAuthor"]["accountId"] == site.ids["dev"]
    assert made["jsdPublic"] is True
    assert made["renderedBody"] == "<p>Hi *all*</p>"
    assert made["self"].endswith(
        f"/rest/api/3/issue/{site.get(f'issue/{key}?fields=id')['id']}/comment/{id}"
    )
    assert "visibility" not in made
    wiki = site.get(f"/rest/api/2/issue/{key}/comment/{id}")
    assert wiki["body"] == "Hi \\*all\\*"
    assert "/rest/api/2/" in wiki["self"]
    with site.store():
        assert IssueText.objects.get(field="comment", source=int(id)).text == "Hi *all*"
        assert Watcher.objects.filter(issue__key=key, user__account_id=site.ids["dev"]).exists()
        before = Comment.objects.get(id=int(id)).updated
    changed = site.put(
        f"/rest/api/2/issue/{key}/comment/{id}", {"body": "*Bye*"}, by="dev", status=200
    )
    assert changed["body"] == "*Bye*"
    assert site.get(f"issue/{key}/comment/{id}")["body"]["content"][0]["content"][0]["marks"]
    with site.store():
        assert Comment.objects.get(id=int(id)).updated > before
        assert IssueText.objects.get(field="comment", source=int(id)).text == "Bye"
    site.delete(f"issue/{key}/comment/{id}", by="dev")
    assert site.get(f"issue/{key}/comment")["total"] == 0
    assert site.get(f"issue/{key}/comment/{id}", status=404) == {
        "errorMessages": [f"Can not find a comment for the id: {id}."],
        "errors": {},
    }
    with site.store():
        assert not IssueText.objects.filter(field="comment").exists()


def test_comments_are_listed_in_order_and_in_pages(site: Site) -> None:
    """Pages, orders, and the list by ids."""
    key, other = site.issue(), site.issue()
    ids = [site.post(f"issue/{key}/comment", {"body": paragraph(str(n))})["id"] for n in range(3)]
    page = site.get(f"issue/{key}/comment?startAt=1&maxResults=1")
    assert [page[name] for name in ("startAt", "maxResults", "total")] == [1, 1, 3]
    assert [comment["id"] for comment in page["comments"]] == [ids[1]]
    turned = site.get(f"issue/{key}/comment?orderBy=-created")
    assert [comment["id"] for comment in turned["comments"]] == ids[::-1]
    turned = site.get(f"issue/{key}/comment?orderBy=-%20Created&startAt=-1&maxResults=0")
    assert [comment["id"] for comment in turned["comments"]] == ids[2:]
    assert [turned[name] for name in ("startAt", "maxResults", "total")] == [0, 1, 3]
    assert site.get(f"issue/{key}/comment?maxResults=101")["maxResults"] == 100
    assert site.get(f"issue/{key}/comment?orderBy=author", status=400)["errorMessages"] == [
        "The value 'author' is invalid for the parameter 'orderBy'."
    ]
    far = site.post(f"issue/{other}/comment", {"body": paragraph("far")})["id"]
    body = {"ids": [int(far), int(ids[0]), 999999]}
    found = site.post("comment/list", body, status=200)
    assert [comment["id"] for comment in found["values"]] == sorted([ids[0], far], key=int)
    assert found["isLast"] is True
    assert found["total"] == 2
    assert site.post("comment/list", {"ids": []}, status=400)["errorMessages"] == [
        "The number of comment IDs must be between 1 and 1000."
    ]
    assert site.get("issue/LAS-999/comment", status=404)["errorMessages"] == [GONE]


def test_restricted_comments_are_seen_by_their_group_or_role(site: Site) -> None:
    """Restrictions by group and by role: in the list, by id, and for who may set them."""
    key = site.issue()
    with site.store():
        mine = GroupMember.objects.filter(user__account_id=site.ids["ada"]).select_related("group")
        theirs = set(
            GroupMember.objects.filter(user__account_id=site.ids["dev"]).values_list(
                "group", flat=True
            )
        )
        group = next(row.group for row in mine if row.group_id not in theirs)
        role = RoleActor.objects.filter(project__key="LAS").select_related("role")[0].role
    by_group = {"type": "group", "identifier": group.uuid}
    hidden = site.post(
        f"issue/{key}/comment", {"body": paragraph("secret"), "visibility": by_group}
    )
    assert hidden["visibility"] == {
        "type": "group",
        "value": group.name,
        "identifier": group.uuid,
    }
    by_role = {"type": "role", "value": role.name}
    staff = site.post(f"issue/{key}/comment", {"body": paragraph("staff"), "visibility": by_role})
    assert staff["visibility"] == {"type": "role", "value": role.name, "identifier": role.name}
    assert site.get(f"issue/{key}/comment")["total"] == 2
    assert site.get(f"issue/{key}/comment", by="dev")["total"] == 0
    site.get(f"issue/{key}/comment/{hidden['id']}", by="dev", status=404)
    listed = site.post("comment/list", {"ids": [int(hidden["id"])]}, by="dev", status=200)
    assert listed["values"] == []
    refused = site.post(
        f"issue/{key}/comment",
        {"body": paragraph("x"), "visibility": by_group},
        by="dev",
        status=400,
    )
    assert refused["errors"] == {
        "commentLevel": f"You are currently not a member of the group: {group.name}."
    }
    unknown = {"type": "role", "value": "Nobody"}
    refused = site.post(
        f"issue/{key}/comment", {"body": paragraph("x"), "visibility": unknown}, status=400
    )
    assert refused["errors"] == {"commentLevel": "Role: Nobody does not exist."}


def test_comments_need_permissions_and_a_body(site: Site) -> None:
    """What is refused, and in which words."""
    key = site.issue()
    own = site.post(f"issue/{key}/comment", {"body": paragraph("mine")}, by="dev")["id"]
    for body in (
        {"body": paragraph("")},
        {},
        {"body": {"type": "doc", "version": 1, "content": []}},
    ):
        refused = site.post(f"issue/{key}/comment", body, status=400)
        assert refused["errors"] == {"comment": "Comment body can not be empty!"}
    assert site.post(f"issue/{key}/comment", {"body": "text"}, status=400)["errors"] == {
        "comment": "Comment body is not valid!"
    }
    refused = site.put(
        f"issue/{key}/comment/{own}", {"body": paragraph("x")}, by="dana", status=400
    )
    assert refused["errorMessages"] == [
        "Dana Ruiz, you do not have the permission to edit this comment."
    ]
    refused = site.delete(f"issue/{key}/comment/{own}", by="dana", status=400)
    assert refused["errorMessages"] == [
        "Dana Ruiz, you do not have the permission to delete this comment."
    ]
    assert (
        site.put(f"issue/{key}/comment/{own}", {"body": paragraph("by ada")}, status=200)[
            "updateAuthor"
        ]["accountId"]
        == site.ids["ada"]
    )
    without(site, "ADD_COMMENTS", "EDIT_OWN_COMMENTS")
    refused = site.post(f"issue/{key}/comment", {"body": paragraph("x")}, by="dev", status=400)
    assert refused["errorMessages"] == [
        "Dev Anand, you do not have the permission to comment on this issue."
    ]
    site.put(f"issue/{key}/comment/{own}", {"body": paragraph("x")}, by="dev", status=400)
    site.delete(f"issue/{key}/comment/{own}", by=None, status=401)
    without(site, "BROWSE_PROJECTS")
    assert site.get(f"issue/{key}/comment", by="dev", status=404)["errorMessages"] == [GONE]


def test_a_text_that_shows_nothing_is_none(site: Site) -> None:
    """In either version: a comment is refused, a description is empty."""
    key = site.issue(description=paragraph("Words"))
    blank = paragraph("   ")
    site.post(f"issue/{key}/comment", {"body": blank}, status=400)
    site.post(f"/rest/api/2/issue/{key}/comment", {"body": "   "}, status=400)
    for empty in (blank, {"type": "doc", "version": 1, "content": []}):
        site.put(f"issue/{key}", {"fields": {"description": paragraph("Words")}})
        site.put(f"issue/{key}", {"fields": {"description": empty}})
        assert site.get(f"issue/{key}?fields=description")["fields"]["description"] is None
        asked = {"jql": f"key = {key} and description is empty"}
        assert site.post("search/approximate-count", asked, status=200) == {"count": 1}
    rule = {"type": "doc", "version": 1, "content": [{"type": "rule"}]}
    site.put(f"issue/{key}", {"fields": {"description": rule}})
    assert site.get(f"issue/{key}?fields=description")["fields"]["description"] == rule


def test_comments_have_properties(site: Site) -> None:
    """Properties come with a comment, and are kept, shown and deleted after."""
    key = site.issue()
    body = {"body": paragraph("x"), "properties": [{"key": "app.state", "value": {"n": 1}}]}
    id = site.post(f"issue/{key}/comment", body, by="dev")["id"]
    listed = site.post("comment/list?expand=properties", {"ids": [int(id)]}, status=200)
    assert listed["values"][0]["properties"] == [{"key": "app.state", "value": {"n": 1}}]
    path = f"comment/{id}/properties"
    assert [entry["key"] for entry in site.get(path)["keys"]] == ["app.state"]
    site.put(f"{path}/app.other", [1, "two"], by="dev", status=201)
    site.put(f"{path}/app.other", None, by="dev", status=400)
    site.put(f"{path}/app.other", b"null", by="dev", status=200)
    assert site.get(f"{path}/app.other") == {"key": "app.other", "value": None}
    assert site.put(f"{path}/app.other", {}, by="dana", status=403)["errorMessages"] == [
        "Dana Ruiz, you do not have the permission to edit this comment."
    ]
    site.delete(f"{path}/app.other", by="dev")
    assert site.get(f"{path}/app.other", status=404)["errorMessages"] == [
        "The property with key 'app.other' does not exist."
    ]
    site.get("comment/77/properties", status=404)
    assert site.delete(f"{path}/app.other", by="dev", status=404)["errorMessages"] == [
        "The property with key 'app.other' does not exist."
    ]


def test_unverified_a_change_without_restriction_lifts_it(site: Site) -> None:
    """A comment is replaced whole: a restriction that is not sent again goes."""
    key = site.issue()
    hidden = {"type": "group", "value": "jira-administrators"}
    body = {"body": paragraph("secret"), "visibility": hidden}
    id = site.post(f"issue/{key}/comment", body)["id"]
    shown = site.put(f"issue/{key}/comment/{id}", {"body": paragraph("all")}, status=200)
    assert "visibility" not in shown
    assert site.get(f"issue/{key}/comment", by="dev")["total"] == 1


def test_unverified_a_comment_is_internal_by_its_property(site: Site) -> None:
    """`sd.public.comment` says on service desks whether customers see a comment."""
    fields = {"project": {"key": "IT"}, "summary": "Printer"}
    types = site.get("project/IT")["issueTypes"]
    fields["issuetype"] = {"id": next(kind["id"] for kind in types if not kind["subtask"])}
    key = site.post("issue", {"fields": fields})["key"]
    properties = [{"key": "sd.public.comment", "value": {"internal": True}}]
    made = site.post(f"issue/{key}/comment", {"body": paragraph("psst"), "properties": properties})
    assert made["jsdPublic"] is False


def test_anonymous_callers_comment_where_anybody_may(site: Site) -> None:
    """A comment of nobody has no author; everybody sees it."""
    key = site.issue()
    assert site.post(f"issue/{key}/comment", {"body": paragraph("x")}, by=None, status=404)[
        "errorMessages"
    ] == [GONE]
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        for number, permission in enumerate(("BROWSE_PROJECTS", "ADD_COMMENTS"), 99_001):
            scheme.grants.create(id=number, permission=permission, holder_type="anyone")
    made = site.post(f"issue/{key}/comment", {"body": paragraph("x")}, by=None)
    assert "author" not in made
    assert "updateAuthor" not in made
    assert site.get(f"issue/{key}/comment", by=None)["total"] == 1
    path = f"issue/{key}/comment/{made['id']}"
    refused = site.put(path, {"body": paragraph("y")}, by=None, status=400)
    assert refused["errorMessages"] == ["You do not have the permission to edit this comment."]
