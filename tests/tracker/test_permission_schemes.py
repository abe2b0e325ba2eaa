"""Permission schemes: their grants count in the spaces that use them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.site import Site

PATH = "permissionscheme"


def test_a_scheme_is_made_used_and_removed(site: Site) -> None:
    """A space that uses it obeys it; while it is used it stays."""
    holder = {"type": "user", "parameter": site.ids["dev"]}
    keys = ("BROWSE_PROJECTS", "CREATE_ISSUES")
    grants: list[Any] = [{"permission": key, "holder": holder} for key in keys]
    body = {"name": "Strict", "description": "Few", "permissions": grants}
    made = site.post(PATH, body)
    assert (made["name"], len(made["permissions"])) == ("Strict", 2)
    first = made["permissions"][0]
    assert first["holder"]["value"] == site.ids["dev"]
    assert first["self"].endswith(f"/{PATH}/{made['id']}/permission/{first['id']}")
    assert site.get(f"{PATH}/{made['id']}")["permissions"] == made["permissions"]
    assert site.get(f"{PATH}/{made['id']}?expand=all")["permissions"] == made["permissions"]
    site.put("project/LAS/permissionscheme", {"id": made["id"]}, status=200)
    assert site.get("project/LAS/permissionscheme")["name"] == "Strict"
    site.get("project/LAS", by="dana", status=404)
    assert site.get("project/LAS", by="dev")["isPrivate"] is True
    error = site.delete(f"{PATH}/{made['id']}", status=403)
    assert error["errorMessages"] == [
        "Cannot delete a permission scheme that is in use by a project."
    ]
    only = {"name": "Strictest", "permissions": grants[:1]}
    changed = site.put(f"{PATH}/{made['id']}", only, status=200)
    assert (changed["name"], len(changed["permissions"])) == ("Strictest", 1)
    fields = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "No"}
    site.post("issue", {"fields": fields}, by="dev", status=400)
    site.put("project/LAS/permissionscheme", {"id": 0}, status=200)
    site.delete(f"{PATH}/{made['id']}")
    error = site.get(f"{PATH}/{made['id']}", status=404)
    assert error["errorMessages"] == [f"Permission scheme with id '{made['id']}' was not found."]
    error = site.put("project/LAS/permissionscheme", {"id": made["id"]}, status=404)
    assert error["errorMessages"] == [f"Permission scheme with id '{made['id']}' was not found."]


@pytest.mark.parametrize(
    ("holder", "kept"),
    [
        ({"type": "anyone"}, {"type": "anyone"}),
        ({"type": "projectLead"}, {"type": "projectLead"}),
        (
            {"type": "group", "parameter": "jira-users"},
            {"type": "group", "parameter": "jira-users", "expand": "group"},
        ),
        (
            {"type": "userCustomField", "parameter": "customfield_10015"},
            {
                "type": "userCustomField",
                "parameter": "customfield_10015",
                "value": "customfield_10015",
                "expand": "field",
            },
        ),
    ],
)
def test_holders_of_a_grant(site: Site, holder: Any, kept: Any) -> None:
    """Groups are kept by their ids, whatever they are called later."""
    path = f"{PATH}/0/permission"
    grant = {"permission": "MANAGE_WATCHERS", "holder": holder}
    made = site.post(path, grant)
    value = made["holder"].pop("value", None)
    if holder["type"] == "group":
        assert value == site.get("group?groupname=jira-users")["groupId"]
        assert made["holder"] == kept
    else:
        assert {**made["holder"], **({"value": value} if value else {})} == kept
    error = site.post(path, grant, status=400)
    text = "The permission grant already exists in the permission scheme."
    assert error["errorMessages"] == [text]
    assert site.get(f"{path}/{made['id']}", by="dev")["permission"] == "MANAGE_WATCHERS"
    count = len(site.get(path)["permissions"])
    site.delete(f"{path}/{made['id']}")
    assert len(site.get(path)["permissions"]) == count - 1
    error = site.get(f"{path}/{made['id']}", status=404)
    assert error["errorMessages"] == [f"Permission with id '{made['id']}' was not found."]


def test_unverified_what_is_wrong_with_schemes_and_grants(site: Site) -> None:
    """Only admins write; names are taken once; holders and permissions must be known."""
    errors = site.post(PATH, {"name": "default permission SCHEME"}, status=400)["errors"]
    assert errors == {"name": "A permission scheme with this name already exists."}
    errors = site.post(PATH, {"name": " "}, status=400)["errors"]
    assert errors == {"name": "The name of the permission scheme must be specified."}
    errors = site.post(PATH, {}, status=400)["errors"]
    assert errors == {"name": "name is required."}
    for holder, key, text in (
        ({"type": "cat"}, "EDIT_ISSUES", "Invalid permission holder type 'cat'."),
        ({"type": "group"}, "EDIT_ISSUES", "The parameter is required for the type 'group'."),
        (
            {"type": "group", "parameter": "x"},
            "EDIT_ISSUES",
            "The group 'x' does not exist.",
        ),
        (
            {"type": "projectRole", "parameter": "4711"},
            "EDIT_ISSUES",
            "The project role with ID '4711' does not exist.",
        ),
        ({"type": "anyone"}, "TEA", "Invalid permission key 'TEA'."),
    ):
        body = {"holder": holder, "permission": key}
        error = site.post(f"{PATH}/0/permission", body, status=400)
        assert error["errorMessages"] == [text]
    error = site.post(PATH, {"name": "Mine"}, by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")
    assert site.get(PATH, by="dev") == {"permissionSchemes": []}
    names = [one["name"] for one in site.get(PATH)["permissionSchemes"]]
    assert names == [
        "Default Permission Scheme",
        "Default software scheme",
        "Jira Service Management Permission Scheme for Project IT",
    ]
    expanded = site.get(f"{PATH}?expand=permissions")["permissionSchemes"]
    assert all(one["permissions"] for one in expanded)
    error = site.get("project/LAS/permissionscheme", by="dev", status=403)
    assert error["errorMessages"] == ["You do not have permission to view the permission scheme."]
