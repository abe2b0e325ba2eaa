"""Groups, who is in them, and pickers of groups and people."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import User
from tests.tracker.site import Site


def test_groups_are_made_filled_and_removed(site: Site) -> None:
    """What a group gives counts at once, and ends with it."""
    made = site.post("group", {"name": "testers"})
    assert (made["name"], made["users"]["size"]) == ("testers", 0)
    site.get("project/IT", by="dev", status=404)
    scheme = site.get("project/IT/permissionscheme")["id"]
    holder = {"type": "group", "parameter": "testers"}
    grant = {"permission": "BROWSE_PROJECTS", "holder": holder}
    site.post(f"permissionscheme/{scheme}/permission", grant)
    query = f"groupId={made['groupId']}"
    body = {"accountId": site.ids["dev"]}
    assert site.post(f"group/user?{query}", body)["users"]["size"] == 1
    assert site.get("project/IT", by="dev")["key"] == "IT"
    error = site.post(f"group/user?{query}", body, status=400)
    who = site.ids["dev"]
    assert error["errorMessages"] == [
        f"Cannot add user '{who}', user is already a member of 'testers'"
    ]
    shown = site.get("group?groupname=testers&expand=users[0:49]")
    assert [one["displayName"] for one in shown["users"]["items"]] == ["Dev Anand"]
    site.delete(f"group/user?{query}&accountId={who}", status=200)
    site.get("project/IT", by="dev", status=404)
    site.delete(f"group/user?{query}&accountId={who}", status=200)  # who is not in it stays out
    error = site.delete(f"group/user?{query}&accountId=nobody", status=404)
    assert error["errorMessages"] == [
        "Specified user does not exist or you do not have required permissions"
    ]
    key = site.issue()
    seen = {"type": "group", "identifier": made["groupId"], "value": "testers"}
    words = [{"type": "paragraph", "content": [{"type": "text", "text": "Ours"}]}]
    text = {"type": "doc", "version": 1, "content": words}
    site.post(f"issue/{key}/comment", {"body": text, "visibility": seen}, status=400)
    site.post(f"group/user?{query}", {"accountId": site.ids["ada"]})
    site.post(f"issue/{key}/comment", {"body": text, "visibility": seen})
    site.delete(f"group?{query}&swapGroup=jira-users", status=200)
    comment = site.get(f"issue/{key}/comment", by="dev")["comments"][0]
    assert comment["visibility"]["value"] == "jira-users"
    holders = site.get(f"permissionscheme/{scheme}/permission")["permissions"]
    assert "group" not in {one["holder"]["type"] for one in holders}
    site.get("group?groupname=testers", status=404)


def test_unverified_what_is_wrong_with_groups(site: Site) -> None:
    """Names are needed, and taken once; admins keep their own rights."""
    for body, text in (
        ({"name": "JIRA-users"}, "A group with the name 'JIRA-users' already exists."),
        ({"name": " "}, "The group name must be specified."),
    ):
        assert site.post("group", body, status=400)["errorMessages"] == [text]
    error = site.post("group", {"name": "x"}, by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")
    one = "Exactly one of the query parameters 'groupname' and 'groupId' is needed."
    for path, status, text in (
        ("group", 400, one),
        ("group?groupname=a&groupId=b", 400, one),
        ("group/member?groupname=tea", 404, "The group named 'tea' does not exist."),
        ("group/member?groupId=tea", 404, "Group with id, tea does not exist."),
    ):
        assert site.get(path, status=status)["errorMessages"] == [text]
    for name in ("site-admins", "administrators"):
        site.delete(f"group?groupname={name}", status=200)
    error = site.delete("group?groupname=jira-administrators", status=400)
    assert error["errorMessages"] == [
        "Cannot delete a group that grants you administration rights."
    ]


def test_members_and_groups_are_listed_page_by_page(site: Site) -> None:
    """Inactive members only when they are asked for."""
    path = "group/member?groupname=jira-users"
    found = site.get(f"{path}&maxResults=2", by="dev")
    assert [one["displayName"] for one in found["values"]] == ["Ada Brandt", "Dana Ruiz"]
    assert (found["total"], found["isLast"]) == (3, False)
    with site.writing():
        User.objects.filter(account_id=site.ids["dana"]).update(active=False)
    assert site.get(path)["total"] == 2
    assert site.get(f"{path}&includeInactiveUsers=true")["total"] == 3
    error = site.get(path, by="guest", status=403)
    text = "Browse users and groups permission is required to view groups."
    assert error["errorMessages"] == [text]

    def groups(query: str) -> list[Any]:
        return [one["name"] for one in site.get(f"group/bulk?{query}", by="dev")["values"]]

    assert len(groups("")) == 7
    assert groups("maxResults=2&startAt=1") == ["jira-administrators", "jira-core-users"]
    assert groups("groupName=jira-users&groupName=x") == ["jira-users"]
    assert groups("accessType=site-admin") == ["site-admins"]
    assert "jira-software-users" in groups("applicationKey=jira-software")
    error = site.get("group/bulk?accessType=tea", status=400)
    assert error["errorMessages"] == ["The access type 'tea' is not valid."]


def test_pickers_mark_what_they_found(site: Site) -> None:
    """Letters' case counts for groups unless it is not to."""
    found = site.get("groups/picker?query=soft", by="dev")
    assert found["header"] == "Showing 1 of 1 matching groups"
    assert found["groups"][0]["html"] == "jira-<b>soft</b>ware-users"
    assert site.get("groups/picker?query=SOFT")["total"] == 0
    assert site.get("groups/picker?query=SOFT&caseInsensitive=true")["total"] == 1
    found = site.get("groups/picker?query=users&maxResults=1&exclude=jira-core-users")
    assert (len(found["groups"]), found["total"]) == (1, 3)
    assert site.get("groups/picker?query=soft", by="guest")["groups"] == []
    found = site.get("groupuserpicker?query=dev&showAvatar=true", by="dev")
    assert [one["displayName"] for one in found["users"]["users"]] == ["Dev Anand"]
    assert found["users"]["header"] == "Showing 1 of 1 matching users"
    assert found["groups"]["total"] == 0
    error = site.get("groupuserpicker", by="dev", status=400)
    assert error["errorMessages"] == ["The query parameter 'query' must be provided."]
    site.get("groupuserpicker?query=d", by="guest", status=403)
