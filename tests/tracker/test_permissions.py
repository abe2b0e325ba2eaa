"""Permissions: what there are, and who holds them where."""

from __future__ import annotations

from tests.tracker.site import Site


def mine(site: Site, query: str, by: str | None = "dev") -> dict[str, bool]:
    """Return which of some permissions somebody has."""
    found = site.get(f"mypermissions?{query}", by=by)["permissions"]
    return {key: one["havePermission"] for key, one in found.items()}


def test_what_somebody_may_anywhere_in_a_space_and_on_an_issue(site: Site) -> None:
    """Grants to reporters count where somebody could be one, and on their own issues."""
    keys = "permissions=EDIT_ISSUES,DELETE_ISSUES,ADMINISTER,BULK_CHANGE"
    assert mine(site, keys) == {
        "EDIT_ISSUES": True,
        "DELETE_ISSUES": False,
        "ADMINISTER": False,
        "BULK_CHANGE": True,
    }
    assert set(mine(site, keys, "ada").values()) == {True}
    assert set(mine(site, keys, None).values()) == {False}
    assert mine(site, "permissions=SERVICEDESK_AGENT&projectKey=IT", "ada") == {
        "SERVICEDESK_AGENT": True
    }
    scheme = site.get("project/LAS/permissionscheme")["id"]
    grant = {"permission": "DELETE_ISSUES", "holder": {"type": "reporter"}}
    site.post(f"permissionscheme/{scheme}/permission", grant)
    own, other = site.issue(by="dev"), site.issue(by="ada")
    number = site.get("project/LAS")["id"]
    for place, has in (
        ("", True),
        (f"projectId={number}", True),
        (f"issueKey={own}", True),
        (f"issueKey={other}", False),
    ):
        assert mine(site, f"permissions=DELETE_ISSUES&{place}") == {"DELETE_ISSUES": has}, place
    found = site.get("mypermissions?permissions=CREATE_ISSUES")["permissions"]["CREATE_ISSUES"]
    assert {name: found[name] for name in ("id", "key", "name", "type")} == {
        "id": "11",
        "key": "CREATE_ISSUES",
        "name": "Create Issues",
        "type": "PROJECT",
    }


def test_unverified_questions_about_unknown_permissions_and_places(site: Site) -> None:
    """Unknown keys are named; places that are not seen are not found."""
    error = site.get("mypermissions", by="dev", status=400)
    assert error["errorMessages"] == ["The 'permissions' query parameter is required."]
    error = site.get("mypermissions?permissions=TEA,EDIT_ISSUES", by="dev", status=400)
    assert error["errors"] == {"TEA": "Unrecognized permission"}
    error = site.get("mypermissions?permissions=EDIT_ISSUES&projectKey=IT", by="dev", status=404)
    assert error["errorMessages"] == ["No project could be found with key 'IT'."]
    key = site.issue()
    words = [{"type": "paragraph", "content": [{"type": "text", "text": "Seen"}]}]
    text = {"type": "doc", "version": 1, "content": words}
    comment = site.post(f"issue/{key}/comment", {"body": text})["id"]
    query = f"permissions=BROWSE_PROJECTS&issueKey={key}&commentId={comment}"
    assert mine(site, query) == {"BROWSE_PROJECTS": True}
    query = f"permissions=EDIT_ISSUES&issueKey={key}&commentId={comment}"
    error = site.get(f"mypermissions?{query}", by="dev", status=400)
    assert error["errorMessages"] == ["Only BROWSE_PROJECTS is supported for comments."]
    found = site.get("permissions", by=None)["permissions"]
    assert found["ADMINISTER"]["type"] == "GLOBAL"
    assert {"BROWSE_PROJECTS", "SERVICEDESK_AGENT", "MANAGE_SPRINTS_PERMISSION"} <= set(found)


def test_permissions_are_checked_in_bulk(site: Site) -> None:
    """For spaces and issues at once; admins ask about others; archived spaces allow little."""
    las, it = (int(site.get(f"project/{key}")["id"]) for key in ("LAS", "IT"))
    issue = int(site.get(f"issue/{site.issue()}")["id"])
    block = {"permissions": ["EDIT_ISSUES", "BROWSE_PROJECTS"], "projects": [las, it, 4711, None]}
    body = {"globalPermissions": ["ADMINISTER", None], "projectPermissions": [block]}
    block["issues"] = [issue, 4711]
    path = "permissions/check"
    assert site.post(path, body, by="dev", status=200) == {
        "globalPermissions": [],
        "projectPermissions": [
            {"permission": "EDIT_ISSUES", "projects": [las], "issues": [issue]},
            {"permission": "BROWSE_PROJECTS", "projects": [las], "issues": [issue]},
        ],
    }
    found = site.post(path, {**body, "accountId": site.ids["guest"]}, status=200)
    assert [one["projects"] for one in found["projectPermissions"]] == [[], []]
    assert site.post(path, body, status=200)["globalPermissions"] == ["ADMINISTER"]
    error = site.post(path, {**body, "accountId": site.ids["ada"]}, by="dev", status=403)
    assert error["errorMessages"] == ["Only Jira administrators can perform this operation."]
    for given, errors in (
        ({"globalPermissions": ["EDIT_ISSUES"]}, {"EDIT_ISSUES": "Unrecognized permission"}),
        ({"projectPermissions": [{"permissions": ["X"]}]}, {"X": "Unrecognized permission"}),
    ):
        assert site.post(path, given, status=400)["errors"] == errors
    empty = {"projectPermissions": [{"permissions": [""], "projects": [las]}]}
    error = site.post(path, empty, status=400)
    assert error["errorMessages"] == ["At least one project permission must be provided."]
    path, body = "permissions/project", {"permissions": ["EDIT_ISSUES", "BROWSE_PROJECTS"]}
    keys = [one["key"] for one in site.post(path, body, by="dev", status=200)["projects"]]
    assert keys == ["LAS", "OPS"]
    site.post("project/LAS/archive", status=204)
    found = site.post(path, body, by="dev", status=200)["projects"]
    assert [one["key"] for one in found] == ["OPS"]
    error = site.post(path, {"permissions": ["TEA"]}, by="dev", status=400)
    assert error["errors"] == {"TEA": "Unrecognized permission"}


def test_unverified_who_may_what_in_new_spaces(site: Site) -> None:
    """Staff works in software spaces, admins and the lead run them, guests see nothing."""
    keys = "BROWSE_PROJECTS,CREATE_ISSUES,MANAGE_SPRINTS_PERMISSION,DELETE_ISSUES"
    query = f"permissions={keys},ADMINISTER_PROJECTS&projectKey=LAS"
    assert list(mine(site, query).values()) == [True, True, True, False, False]
    assert set(mine(site, query, "ada").values()) == {True}
    site.get(f"mypermissions?{query}", by="guest", status=404)
    query = query.replace("LAS", "TEAM")
    template = "com.pyxis.greenhopper.jira:gh-simplified-agility-kanban"
    body = {"key": "TEAM", "name": "Team", "leadAccountId": site.ids["dev"]}
    site.post("project", {**body, "projectTemplateKey": template}, by="dev")
    assert set(mine(site, query).values()) == {True}
    assert list(mine(site, query, "dana").values()) == [True, True, True, False, False]
