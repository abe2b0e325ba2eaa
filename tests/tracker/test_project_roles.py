"""Roles: who fills them in a space, by default in new ones, and what they give."""

from __future__ import annotations

from tests.tracker.site import Site


def role_id(site: Site, name: str) -> str:
    """Return the id of a role."""
    return next(str(role["id"]) for role in site.get("role") if role["name"] == name)


def shown(role: dict[str, list[dict[str, str]]]) -> list[str]:
    """Return what the actors of a role are called."""
    return [one["displayName"] for one in role["actors"]]


def test_who_fills_a_role_in_a_space(site: Site) -> None:
    """Actors are added, set and removed; what the role gives counts at once."""
    number = role_id(site, "Administrators")
    path = f"project/LAS/role/{number}"
    first = site.get(path)
    assert shown(first) == ["Ada Brandt", "jira-administrators"]
    group = first["actors"][1]
    assert group["type"] == "atlassian-group-role-actor"
    assert group["actorGroup"]["name"] == "jira-administrators"
    error = site.get(path, by="dev", status=404)
    assert error["errorMessages"] == ["No project could be found with key 'LAS'."]
    site.get("project/LAS/role", by="dev", status=404)
    body = {"user": [site.ids["dev"]], "group": ["jira-software-users"]}
    after = site.post(path, body, status=200)
    assert shown(after) == ["Ada Brandt", "Dev Anand", "jira-administrators", "jira-software-users"]
    assert number in site.get("project/LAS/role", by="dev")["Administrators"]
    only = {"categorisedActors": {"atlassian-user-role-actor": [site.ids["dana"]]}}
    assert shown(site.put(path, only, by="dev", status=200)) == ["Dana Ruiz"]
    site.get(path, by="dev", status=404)
    mine = site.get("project/LAS/roledetails?currentMember=true", by="dana")
    assert [(one["name"], one["admin"]) for one in mine] == [("Administrators", True)]
    names = [one["name"] for one in site.get("project/LAS/roledetails", by="dana")]
    assert names == ["Administrators", "Developers"]
    for body, status, text in (
        ({}, 400, "You must specify at least one user or group."),
        ({"user": ["x"]}, 404, "The user with account ID 'x' does not exist or is inactive."),
        ({"group": ["x"]}, 404, "The group named 'x' does not exist."),
    ):
        assert site.post(path, body, status=status)["errorMessages"] == [text]
    for who in (site.ids["dana"], site.ids["dana"], "nobody"):
        site.delete(f"{path}?user={who}")
    assert shown(site.get(path)) == []
    error = site.delete(path, status=400)
    assert error["errorMessages"] == ["You must specify exactly one user or group."]
    error = site.get("project/LAS/role/4711", status=404)
    text = "Can not retrieve role details, role with id 4711 does not exist."
    assert error["errorMessages"] == [text]


def test_default_actors_fill_a_role_in_new_spaces_only(site: Site) -> None:
    """Spaces that are there already stay as they are."""
    number = role_id(site, "Developers")
    path = f"role/{number}/actors"
    assert shown(site.post(path, {"user": [site.ids["dana"]]}, status=200)) == ["Dana Ruiz"]
    site.post(path, {"group": ["jira-users"]}, status=200)
    assert shown(site.get(path)) == shown(site.get(f"role/{number}")) == ["Dana Ruiz", "jira-users"]
    assert set(site.get(path)) == {"actors"}
    body = {"key": "NEW", "name": "New", "leadAccountId": site.ids["ada"]}
    site.post("project", {**body, "projectTypeKey": "business"})
    assert shown(site.get(f"project/NEW/role/{number}")) == ["Dana Ruiz", "jira-users"]
    assert shown(site.get(f"project/LAS/role/{number}")) == []
    error = site.post(path, {"user": ["x"], "group": ["y"]}, status=400)
    assert error["errorMessages"] == ["Users and groups cannot be added in the same request."]
    after = site.delete(f"{path}?group=jira-users", status=200)
    assert shown(after) == shown(site.get(path)) == ["Dana Ruiz"]
    site.get(path, by="dev", status=403)


def test_roles_are_made_changed_and_removed(site: Site) -> None:
    """A role that schemes name needs a successor."""
    made = site.post("role", {"name": "Reviewers", "description": "Look"}, status=200)
    path = f"role/{made['id']}"
    described = site.post(path, {"description": "See"}, status=200)
    assert described["description"] == site.get(path)["description"] == "See"
    error = site.put(path, {"name": "Lookers"}, status=400)
    assert error["errorMessages"] == [
        "Both the name and the description of the role must be specified."
    ]
    renamed = site.put(path, {"name": "Lookers", "description": "Look"}, status=200)
    assert (renamed["name"], renamed["actors"]) == ("Lookers", [])
    error = site.post("role", {"name": "lookers"}, status=409)
    assert error["errorMessages"] == ["A project role with name 'lookers' already exists."]
    error = site.post("role", {"name": " x"}, status=400)
    assert error["errorMessages"][0].startswith("The role name must not be empty")
    site.get("role", by="dev", status=403)
    grant = {"permission": "EDIT_ISSUES", "holder": {"type": "projectRole"}}
    grant["holder"]["parameter"] = str(made["id"])  # type: ignore[index]
    site.post("permissionscheme/0/permission", grant)
    error = site.delete(path, status=409)
    assert error["errorMessages"] == [
        "The project role 'Lookers' is in use: specify a replacement role."
    ]
    error = site.delete(f"{path}?swap=4711", status=400)
    assert "4711" in error["errorMessages"][0]
    other = role_id(site, "Viewer")
    site.delete(f"{path}?swap={other}")
    site.get(path, status=404)
    holders = [one["holder"] for one in site.get("permissionscheme/0/permission")["permissions"]]
    assert {"type": "projectRole", "parameter": other, "value": other, "expand": "projectRole"} in (
        holders
    )


def test_a_team_managed_space_has_roles_of_its_own(site: Site) -> None:
    """Administrator, Member and Viewer, which no other space offers."""
    template = "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum"
    body = {"key": "TM", "name": "Team", "leadAccountId": site.ids["ada"]}
    kind = {"projectTypeKey": "software", "projectTemplateKey": template}
    number = str(site.post("project", {**body, **kind})["id"])
    urls = site.get("project/TM/role")
    assert list(urls) == ["Administrator", "Member", "Viewer"]
    assert set(site.get("project/TM")["roles"]) == set(urls)
    for name, address in urls.items():
        shown = site.get(address.partition("/rest/api/3/")[2])
        assert shown["name"] == name
        assert shown["scope"] == {"type": "PROJECT", "project": {"id": number}}
    details = site.get("project/TM/roledetails")
    assert [(one["name"], one["admin"]) for one in details] == [
        ("Administrator", True),
        ("Member", False),
        ("Viewer", False),
    ]
    member = urls["Member"].rpartition("/")[2]
    site.post(f"project/TM/role/{member}", {"user": [site.ids["dev"]]}, status=200)
    for method in ("GET", "POST", "DELETE"):
        answer = site.call(method, f"project/LAS/role/{member}?user=x", {"user": ["x"]})
        assert answer.status == 404, method
    developers = role_id(site, "Developers")
    site.get(f"project/TM/role/{developers}", status=404)
    assert "scope" not in site.get("project/LAS/roledetails")[0]
    assert list(site.get("project/IT/role")) == [
        "Administrators",
        "Service Desk Customers",
        "Service Desk Team",
    ]
