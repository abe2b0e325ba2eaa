"""Users and groups, roles and global permissions, as admins see to them on pages."""

from __future__ import annotations

from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.admin import audited, fill, name_of, refused
from tests.tracker.web.conftest import visitor

USERS = address_of("users")
GROUPS = address_of("groups")
ROLES = address_of("roles")
GLOBAL = address_of("global-permissions")


def group_id(site: Site, name: str) -> str:
    found: str = site.get(f"group?groupname={name}")["groupId"]
    return found


def test_users_are_found_by_name_address_kind_and_state(site: Site) -> None:
    ada = visitor(site)
    page = ada.get(USERS)
    for name in ("Ada Brandt", "Dev Anand", "Cara Holm"):
        assert name in page.main
    assert "Dev Anand" in ada.get(USERS, query="dev@site").main
    assert "Ada Brandt" not in ada.get(USERS, query="dev@site").main
    page = ada.get(USERS, kind="customer")
    assert "Cara Holm" in page.main
    assert "Dev Anand" not in page.main
    assert "No users were found." in ada.get(USERS, state="inactive").main


def test_somebody_is_invited_deactivated_and_brought_back(site: Site) -> None:
    ada = visitor(site)
    problem = refused(ada, f"{USERS}/invite", emailAddress="nobody").said
    assert problem == ["You must specify a valid email address"]
    page = fill(
        ada, f"{USERS}/invite", emailAddress="New@site.example", displayName="Nel Ewing",
        products=["jira-software"],
    )  # fmt: skip
    account = page.location.removeprefix(f"{USERS}/")
    found = site.get(f"user?accountId={account}&expand=groups")
    assert (found["displayName"], found["active"]) == ("Nel Ewing", True)
    assert [one["name"] for one in found["groups"]["items"]] == ["jira-software-users"]
    assert "jira-software-users" in ada.get(page.location).main
    fill(ada, f"{page.location}/deactivate")
    assert site.get(f"user?accountId={account}")["active"] is False
    assert "Nel Ewing" in ada.get(USERS, state="inactive").main
    fill(ada, f"{page.location}/reactivate", products=["jira-core"])
    found = site.get(f"user?accountId={account}&expand=groups")
    assert found["active"] is True
    assert [one["name"] for one in found["groups"]["items"]] == ["jira-core-users"]
    assert audited(site)[0] == "User deleted"


def test_one_does_not_deactivate_oneself_or_who_leads_a_space(site: Site) -> None:
    ada = visitor(site)
    at = f"{USERS}/{site.ids['ada']}"
    page = refused(ada, f"{at}/deactivate")
    assert "You cannot delete your own account." in page.said
    site.put("project/LAS", {"leadAccountId": site.ids["dev"]}, status=200)
    page = refused(ada, f"{USERS}/{site.ids['dev']}/deactivate")
    assert "Cannot delete the user because they lead projects: LAS" in page.said


def test_groups_are_made_filled_and_deleted(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{GROUPS}/create", name="Lasers").location
    page = refused(ada, f"{GROUPS}/create", name="lasers")
    assert "A group with the name 'lasers' already exists." in page.said
    fill(ada, f"{at}/add", users=site.ids["dev"])
    members = site.get("group/member?groupname=Lasers")["values"]
    assert [one["accountId"] for one in members] == [site.ids["dev"]]
    assert "Dev Anand" in ada.get(at).main
    fill(ada, f"{USERS}/{site.ids['dana']}/join", group=group_id(site, "Lasers"))
    assert len(site.get("group/member?groupname=Lasers")["values"]) == 2
    ada.post(f"{at}/remove", {"user": site.ids["dev"]})
    ada.post(f"{USERS}/{site.ids['dana']}/leave", {"group": group_id(site, "Lasers")})
    assert site.get("group/member?groupname=Lasers")["values"] == []
    ada.post(f"{at}/remove", {"user": site.ids["dev"]})  # who is not in it stays out


def test_a_deleted_group_hands_its_restrictions_on(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{GROUPS}/create", name="Lasers").location
    heir = group_id(site, "jira-software-users")
    key = site.issue()
    seen = {"type": "group", "identifier": group_id(site, "Lasers")}
    ada.post(f"{at}/add", {"users": site.ids["ada"]})
    said = {"type": "paragraph", "content": [{"type": "text", "text": "Mind the beam."}]}
    text = {"type": "doc", "version": 1, "content": [said]}
    made = site.post(f"issue/{key}/comment", {"body": text, "visibility": seen})
    fill(ada, f"{at}/delete", swap=heir)
    found = site.get(f"issue/{key}/comment/{made['id']}", by="dev")
    assert found["visibility"]["identifier"] == heir
    ada.get(at, status=404)


def test_admins_do_not_shut_themselves_out(site: Site) -> None:
    ada = visitor(site)
    names = ("site-admins", "administrators", "jira-administrators")
    for name in names[:2]:
        sends = {"permission": "ADMINISTER", "group": group_id(site, name)}
        ada.post(f"{GLOBAL}/remove", sends)
        ada.post(f"{GLOBAL}/remove", {**sends, "permission": "SYSTEM_ADMIN"})
    last = {"permission": "SYSTEM_ADMIN", "group": group_id(site, names[2])}
    ada.post(f"{GLOBAL}/remove", last)
    page = ada.post(f"{GLOBAL}/remove", {**last, "permission": "ADMINISTER"}, status=422)
    assert "the group that makes you an admin" in page.main
    page = refused(ada, f"{GROUPS}/{group_id(site, names[2])}/delete")
    assert "Cannot delete a group that grants you administration rights." in page.said


def test_a_global_permission_is_given_and_taken(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{GROUPS}/create", name="Lasers")
    uuid = group_id(site, "Lasers")
    ask = "mypermissions?permissions=BULK_CHANGE"
    ada.post(f"{GROUPS}/{uuid}/add", {"users": site.ids["guest"]})
    before = site.get(ask, by="guest")["permissions"]["BULK_CHANGE"]["havePermission"]
    page = fill(ada, f"{GLOBAL}/add?permission=BULK_CHANGE", group=uuid)
    assert page.location == GLOBAL
    after = site.get(ask, by="guest")["permissions"]["BULK_CHANGE"]["havePermission"]
    assert (before, after) == (False, True)
    page = refused(ada, f"{GLOBAL}/add?permission=BULK_CHANGE", group=uuid)
    assert "The group 'Lasers' already has this permission." in page.said
    ada.post(f"{GLOBAL}/remove", {"permission": "BULK_CHANGE", "group": uuid})
    found = site.get(ask, by="guest")["permissions"]["BULK_CHANGE"]["havePermission"]
    assert found is False
    assert audited(site)[:2] == ["Global permission deleted", "Global permission added"]


def test_roles_are_made_and_filled_by_default(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{ROLES}/add", name="Testers", description="They test.").location
    page = refused(ada, f"{ROLES}/add", name="testers")
    assert "A project role with name 'testers' already exists." in page.said
    fill(ada, f"{at}/members/add", member=f"user:{site.ids['dev']}")
    fill(ada, f"{at}/members/add", member=f"group:{group_id(site, 'jira-users')}")
    role = name_of(site.get("role"), "Testers")
    actors = site.get(f"role/{role['id']}/actors")["actors"]
    assert {one["displayName"] for one in actors} == {"Dev Anand", "jira-users"}
    ada.post(f"{at}/members/remove", {"user": site.ids["dev"]})
    actors = site.get(f"role/{role['id']}/actors")["actors"]
    assert [one["displayName"] for one in actors] == ["jira-users"]
    fill(ada, f"{at}/edit", name="Inspectors")
    assert name_of(site.get("role"), "Inspectors")["id"] == role["id"]


def test_a_role_that_schemes_name_needs_one_in_its_place(site: Site) -> None:
    ada = visitor(site)
    at = f"{ROLES}/{name_of(site.get('role'), 'Administrators')['id']}"
    page = refused(ada, f"{at}/delete")
    assert "The project role 'Administrators' is in use: specify a replacement role." in page.said
    heir = name_of(site.get("role"), "Developers")["id"]
    fill(ada, f"{at}/delete", swap=str(heir))
    assert "Administrators" not in {one["name"] for one in site.get("role")}
    (scheme,) = [
        one for one in site.get("permissionscheme?expand=permissions")["permissionSchemes"]
        if one["name"] == "Default Permission Scheme"
    ]  # fmt: skip
    held = {
        one["holder"]["value"] for one in scheme["permissions"]
        if one["holder"]["type"] == "projectRole"
    }  # fmt: skip
    assert held == {str(heir)}
