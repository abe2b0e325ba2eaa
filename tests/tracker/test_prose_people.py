"""What the description says in words of people, permissions and their pickers."""

from __future__ import annotations

from typing import Any

from clones.tracker.domain.settings import set_setting, setting
from clones.tracker.models import User
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

PICKER = "com.atlassian.jira.plugin.system.customfieldtypes:userpicker"


def shown(found: Any) -> list[str]:
    return [one["displayName"] for one in found["users"]["users"]]


def test_pickers_find_by_their_rules(site: Site) -> None:
    assert site.get("groups/picker?query=nothing") == {
        "header": "Showing 0 of 0 matching groups",
        "total": 0,
        "groups": [],
    }
    # Letters' case counts for groups and not for people, unless it is not to.
    assert shown(site.get("groupuserpicker?query=DEV")) == ["Dev Anand"]
    assert site.get("groupuserpicker?query=SOFT")["groups"]["total"] == 0
    assert site.get("groupuserpicker?query=SOFT&caseInsensitive=true")["groups"]["total"] == 1
    # An address is found by its beginning, or as a whole where it is hidden.
    assert shown(site.get("groupuserpicker?query=dev@site", by="ada")) == ["Dev Anand"]
    with site.writing():
        set_setting("email_visibility", "admins")
    assert shown(site.get("groupuserpicker?query=dev@site", by="dana")) == []
    assert shown(site.get("groupuserpicker?query=dev@site.example", by="dana")) == ["Dev Anand"]
    usual = site.get("groupuserpicker?query=dev")
    assert site.get("groupuserpicker?query=dev&showAvatar=tea&avatarSize=tea") == usual


def test_a_picker_of_a_field_keeps_to_its_spaces(site: Site) -> None:
    field = site.post("field", {"name": "Helper", "type": PICKER})["id"]
    context = site.get(f"field/{field}/context")["values"][0]["id"]
    las, ops, desk = (site.get(f"project/{key}")["id"] for key in ("LAS", "OPS", "IT"))
    asked = f"groupuserpicker?query=d&fieldId={field}"
    assert shown(site.get(f"{asked}&projectId={las}")) == ["Dana Ruiz", "Dev Anand"]
    assert shown(site.get(f"{asked}&projectId={las}&projectId={desk}")) == []  # neither sees both
    # Without a field the spaces say nothing.
    assert shown(site.get(f"groupuserpicker?query=d&projectId={desk}")) == [
        "Dana Ruiz", "Dev Anand",
    ]  # fmt: skip
    site.put(f"field/{field}/context/{context}/project", {"projectIds": [las]})
    assert shown(site.get(f"{asked}&projectId={las}")) == ["Dana Ruiz", "Dev Anand"]
    for outside in (f"projectId={ops}", f"projectId={las}&projectId={ops}", "projectId=999"):
        found = site.get(f"{asked}&{outside}")
        assert (found["users"]["total"], found["groups"]["total"]) == (0, 0), outside
    bug = next(one["id"] for one in site.get("issuetype") if one["name"] == "Bug")
    site.put(f"field/{field}/context/{context}/issuetype", {"issueTypeIds": [bug]})
    assert shown(site.get(f"{asked}&issueTypeId={bug}")) == ["Dana Ruiz", "Dev Anand"]
    assert shown(site.get(f"{asked}&issueTypeId=-1")) == []
    assert shown(site.get("groupuserpicker?query=d&fieldId=customfield_999999")) == []


def test_who_may_not_browse_people_finds_the_group_that_they_name(site: Site) -> None:
    assert site.get("groups/picker?query=soft", by="guest")["groups"] == []
    names = ("soft", "jira-software-users")
    with site.writing():
        set_setting("global_permissions", {**setting("global_permissions", {}), "USER_PICKER": []})
    found = [site.get(f"groups/picker?query={name}", by="dev")["total"] for name in names]
    assert found == [0, 1]


def test_a_user_who_is_here_is_not_made_again(site: Site) -> None:
    body = {"emailAddress": "dev@site.example", "displayName": "Other", "password": "other"}
    again = site.post("user", {**body, "products": ["jira-software"]})
    assert (again["accountId"], again["displayName"]) == (site.ids["dev"], "Dev Anand")
    site.get("myself", by="dev")  # by the password that they had
    made = site.post("user", {"emailAddress": "new@site.example", "products": []})
    assert made["groups"]["size"] == 0
    site.delete(f"user?accountId={site.ids['dev']}")
    error = site.post("user", {**body, "products": ["jira-software"]}, status=400)
    text = "The user exists and has no access to the site."
    assert error["errors"] == {"emailAddress": text}
    with site.store():
        assert not User.objects.get(account_id=site.ids["dev"]).active


def test_searches_for_people_by_what_they_may(site: Site) -> None:
    found = site.get("user/permission/search?projectKey=LAS&permissions=BROWSE_PROJECTS")
    assert len(found) == 3
    for path in (
        "user/permission/search?permissions=BROWSE_PROJECTS&",
        "user/viewissue/search?query=&",
    ):
        site.get(f"{path}projectKey=las", status=404)  # keys in their case
    site.get("user/assignable/multiProjectSearch?query=&projectKeys=las", status=404)


def test_what_permissions_are_asked_for(site: Site) -> None:
    key, number = site.issue(by="dev"), site.get("project/LAS")["id"]
    issue = int(site.get(f"issue/{key}")["id"])
    asked: dict[str, Any] = {
        "permissions": ["EDIT_ISSUES", ""],
        "projects": [int(number), 999999],
        "issues": [issue, 999999],
    }
    found = site.post("permissions/check", {"projectPermissions": [asked]}, by="dev", status=200)
    assert found["projectPermissions"] == [
        {"permission": "EDIT_ISSUES", "projects": [int(number)], "issues": [issue]}
    ]
    nothing: dict[str, Any] = {"permissions": ["EDIT_ISSUES"], "projects": None, "issues": None}
    for body in (
        {"globalPermissions": None, "projectPermissions": None},
        {"globalPermissions": [None], "projectPermissions": [nothing]},
    ):
        found = site.post("permissions/check", body, status=200)
        assert [one["projects"] for one in found["projectPermissions"]] in ([], [[]]), body
    # Of an issue its own data count, of a space those of any issue; all by what is there.
    grant = {"permission": "DELETE_ISSUES", "holder": {"type": "reporter"}}
    scheme = site.get("project/LAS/permissionscheme")["id"]
    site.post(f"permissionscheme/{scheme}/permission", grant)
    other = site.issue(by="ada")

    def may(query: str) -> bool:
        path = f"mypermissions?permissions=DELETE_ISSUES&{query}"
        held: bool = site.get(path, by="dev")["permissions"]["DELETE_ISSUES"]["havePermission"]
        return held

    assert may("projectKey=LAS")
    assert may(f"issueKey={key}")
    assert not may(f"issueKey={other}")
    comment = site.post(f"issue/{key}/comment", {"body": paragraph("Loud")})
    at = f"mypermissions?commentId={comment['id']}&permissions="
    assert site.get(f"{at}BROWSE_PROJECTS")["permissions"]["BROWSE_PROJECTS"]["havePermission"]
    site.get(f"{at}EDIT_ISSUES", status=400)
    # The id goes before the key.
    assert may(f"projectId={number}&projectKey=NONE")
    assert may(f"issueId={issue}&issueKey={other}")


def test_preferences_go_back_to_the_site(site: Site) -> None:
    assert site.get("mypreferences/locale", by=None) == {"locale": "en_US"}
    for key in ("user.autowatch.disabled", "jira.user.locale.x"):
        site.get(f"mypreferences?key={key}", by="dev", status=404)  # not set until somebody does
    usual = site.get("mypreferences?key=jira.user.timezone", by="dev")
    site.put("mypreferences?key=jira.user.timezone", "Asia/Tokyo", by="dev")
    site.delete("mypreferences?key=jira.user.timezone", by="dev")
    assert site.get("mypreferences?key=jira.user.timezone", by="dev") == usual
    site.put("mypreferences?key=user.autowatch.disabled", "true", by="dev")
    site.delete("mypreferences?key=user.autowatch.disabled", by="dev")
    site.get("mypreferences?key=user.autowatch.disabled", by="dev", status=404)
    site.put("mypreferences/locale", {"locale": "tea"}, by="dev", status=400)


def test_what_columns_are_whose(site: Site) -> None:
    usual = site.get("user/columns", by="dev")
    assert usual == site.get("settings/columns")
    site.put("user/columns", {"columns": ["labels"]}, by="dev", status=200)
    assert site.get("user/columns") == usual  # only the caller's were set
    whose = f"user/columns?accountId={site.ids['dev']}"
    assert [one["value"] for one in site.get(whose)] == ["labels"]
    site.put("user/columns", {}, by="dev", status=200)
    assert site.get(whose) == usual
    site.put(whose, {"columns": ["labels"]}, status=200)
    site.delete("user/columns", by="dev")
    assert site.get(whose) == usual


def test_roles_and_groups_are_named_in_one_way(site: Site) -> None:
    role = next(one["id"] for one in site.get("role") if one["name"] == "Developers")
    made = site.post("role", {"name": "Testers"}, status=200)
    assert made["actors"] == []
    one, two = (
        site.get(f"group?groupname={name}")["groupId"] for name in ("jira-users", "site-admins")
    )
    path = f"role/{role}/actors"
    site.post(path, {"group": ["jira-users"], "groupId": [two]}, status=400)
    site.post(path, {"groupId": [one, two]}, status=200)
    site.delete(f"{path}?group=jira-users&groupId={two}", status=400)
    site.delete(f"{path}?groupId={two}", status=200)
    found = site.delete(f"{path}?group=jira-users", status=200)
    assert found == {"actors": []}
