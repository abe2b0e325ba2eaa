"""What the description says in words of spaces, fields, schemes and other settings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.site import Site

KINDS = "com.atlassian.jira.plugin.system.customfieldtypes:"


def field_of(site: Site, kind: str = "select", **more: Any) -> str:
    made: str = site.post("field", {"name": "Colour", "type": f"{KINDS}{kind}", **more})["id"]
    return made


def names(found: Any) -> list[str]:
    return [one["name"] for one in found["values"]]


@pytest.mark.parametrize(
    ("path", "body", "query"),
    [
        (
            "dashboard",
            {"sharePermissions": [], "editPermissions": []},
            "dashboard/search?dashboardName=",
        ),
        ("issuetypescheme", {"issueTypeIds": ["{task}"]}, "issuetypescheme?queryString="),
        (
            "issuetypescreenscheme",
            {"issueTypeMappings": [{"issueTypeId": "default", "screenSchemeId": "1"}]},
            "issuetypescreenscheme?queryString=",
        ),
        ("screens", {}, "screens?queryString="),
        ("screenscheme", {"screens": {"default": 1}}, "screenscheme?queryString="),
        ("field", {"type": f"{KINDS}url"}, "field/search?query="),
        ("component", {"project": "LAS"}, "project/LAS/component?query="),
        ("component", {"project": "LAS"}, "component?projectIdsOrKeys=LAS&query="),
        ("version", {"project": "LAS"}, "project/LAS/version?query="),
        (
            "project",
            {"key": "NEW", "leadAccountId": "{ada}", "projectTypeKey": "software"},
            "project/search?query=",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_lists_are_searched_in_any_case(site: Site, path: str, body: Any, query: str) -> None:
    """By a part of the name, and of the description where the words say so."""
    task = next(one["id"] for one in site.get("issuetype") if one["name"] == "Task")
    screens = str(site.get("screenscheme")["values"][0]["id"])
    if "issueTypeIds" in body:
        body = {"issueTypeIds": [task]}
    if "issueTypeMappings" in body:
        body = {"issueTypeMappings": [{"issueTypeId": "default", "screenSchemeId": screens}]}
    if "leadAccountId" in body:
        body = {**body, "leadAccountId": site.ids["ada"]}
    if "screens" in body:
        body = {"screens": {"default": site.get("screens")["values"][0]["id"]}}
    made = site.call("POST", path, {**body, "name": "Violet Beam", "description": "Hums softly"})
    assert made.status in (200, 201), made.body
    for text in ("violet", "LET BE", "Beam"):
        assert names(site.get(query + text)) == ["Violet Beam"], text
    assert names(site.get(f"{query}nothing-of-this")) == []
    if path in ("component", "version", "field"):
        assert names(site.get(f"{query}SOFTLY")) == ["Violet Beam"]


def test_contexts_apply_to_all_unless_told(site: Site) -> None:
    field = field_of(site)
    site.delete(f"field/{field}/context/{site.get(f'field/{field}/context')['values'][0]['id']}")
    las, bug = site.get("project/LAS")["id"], site.get("issuetype")[0]["id"]
    made = site.post(
        f"field/{field}/context", {"name": "All", "projectIds": [], "issueTypeIds": []}
    )
    shown = next(
        one for one in site.get(f"field/{field}/context")["values"] if one["id"] == made["id"]
    )
    assert (shown["isGlobalContext"], shown["isAnyIssueType"]) == (True, True)
    assert site.get(f"field/{field}/context/defaultValue")["values"] == []
    few = site.post(
        f"field/{field}/context", {"name": "Few", "projectIds": [las], "issueTypeIds": [bug]}
    )["id"]
    mapping = site.get(f"field/{field}/context/projectmapping")["values"]
    assert {one["contextId"] for one in mapping} == {made["id"], few}
    found = site.get(f"field/{field}/context/projectmapping?contextId={few}&contextId=999999")[
        "values"
    ]
    assert [one["contextId"] for one in found] == [few]
    other = site.get("project/OPS")["id"]
    asked = {
        "mappings": [
            {"projectId": las, "issueTypeId": bug},
            {"projectId": other, "issueTypeId": bug},
        ]
    }
    found = site.post(f"field/{field}/context/mapping", asked, status=200)["values"]
    assert [one["contextId"] for one in found] == [few, made["id"]]
    site.delete(f"field/{field}/context/{made['id']}")
    found = site.post(f"field/{field}/context/mapping", asked, status=200)["values"]
    assert [one["contextId"] for one in found] == [few, None]
    site.put(f"field/{field}/context/{few}/issuetype", {"issueTypeIds": [bug]}, status=400)
    two = {"options": [{"value": "Red"}, {"value": "Blue"}]}
    path = f"field/{field}/context/{few}/option"
    options = [one["id"] for one in site.post(path, two, status=200)["options"]]
    wrong = {"options": [{"id": options[0], "value": "Pink"}, {"id": "999999", "value": "Grey"}]}
    site.put(path, wrong, status=404)
    assert [one["value"] for one in site.get(path)["values"]] == ["Red", "Blue"]
    for body in (
        {"customFieldOptionIds": [options[0]]},
        {"position": "First", "customFieldOptionIds": []},
    ):
        site.put(f"{path}/move", body, status=400)
    site.post(f"field/{field}/context/{few}/project/remove", {"projectIds": [other]}, status=400)
    default = {"type": "option.single", "contextId": few, "optionId": options[0]}
    site.put(f"field/{field}/context/defaultValue", {"defaultValues": [default]})
    assert len(site.get(f"field/{field}/context/defaultValue")["values"]) == 1
    site.put(
        f"field/{field}/context/defaultValue", {"defaultValues": [{**default, "optionId": None}]}
    )
    assert site.get(f"field/{field}/context/defaultValue")["values"] == []


def test_fields_are_searched_as_told(site: Site) -> None:
    bare = field_of(site, "url")
    assert next(one for one in site.get("field") if one["id"] == bare)["searchable"] is False
    shown = {one["id"] for one in site.get("field", by="dev")}
    assert {"attachment", "issuekey", "worklog"} <= shown  # in no list, or on no screen
    kinds = {one["schema"]["type"] for one in site.get("field/search?type=custom")["values"]}
    assert kinds
    assert all(
        one["id"].startswith("customfield_")
        for one in site.get("field/search?type=custom")["values"]
    )
    site.put(f"field/{bare}", {"searcherKey": f"{KINDS}exacttextsearcher"})
    site.put(f"field/{bare}", {"searcherKey": None})
    site.put(f"field/{bare}", {"searcherKey": "tea"}, status=400)


def test_schemes_have_their_defaults(site: Site) -> None:
    kinds = [one["id"] for one in site.get("issuetype") if one["name"] in ("Task", "Bug")]
    flows = site.post("workflowscheme", {"name": "Flows"})
    assert flows["defaultWorkflow"] == "jira"
    las, team = (
        site.get("project/LAS")["id"],
        {"key": "TM", "name": "Team", "leadAccountId": site.ids["ada"]},
    )
    managed = site.post(
        "project",
        {
            **team,
            "projectTypeKey": "software",
            "projectTemplateKey": "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum",
        },
    )["id"]
    found = site.get(f"workflowscheme/project?projectId={las}&projectId={managed}&projectId=999999")
    assert [one["projectIds"] for one in found["values"]] == [[las]]
    site.put("workflowscheme/project", {"workflowSchemeId": None, "projectId": las})
    assert (
        "id"
        not in site.get(f"workflowscheme/project?projectId={las}")["values"][0]["workflowScheme"]
    )
    site.put("workflowscheme/project", {"workflowSchemeId": str(flows["id"]), "projectId": las})
    at = f"workflowscheme/{flows['id']}"
    assert site.get(f"{at}?returnDraftIfExists=true")["id"] == flows["id"]
    assert site.get(f"{at}/default?returnDraftIfExists=true") == {"workflow": "jira"}
    site.put(at, {"name": "Other"}, status=400)
    draft = site.put(f"{at}/draft", {"name": "Draft"}, status=200)
    assert draft["draft"] is True
    configuration = {"fieldConfigurationSchemeId": None, "projectId": las}
    site.put("fieldconfigurationscheme/project", configuration)
    types = {"name": "Few", "issueTypeIds": kinds[:1], "defaultIssueTypeId": kinds[1]}
    site.post("issuetypescheme", types, status=400)
    scheme = site.post("issuetypescheme", {"name": "Few", "issueTypeIds": kinds[:1]})[
        "issueTypeSchemeId"
    ]
    site.put(f"issuetypescheme/{scheme}/issuetype", {"issueTypeIds": kinds}, status=400)
    site.put(
        "issuetypescheme/project",
        {"issueTypeSchemeId": scheme, "projectId": site.get("project/OPS")["id"]},
    )
    site.delete(f"issuetypescheme/{scheme}")
    rest = site.get(f"issuetypescheme/project?projectId={site.get('project/OPS')['id']}")["values"]
    assert rest[0]["issueTypeScheme"]["isDefault"] is True
    made = site.post("issuetype", {"name": "Leak", "type": "standard"})["id"]
    usual = next(one for one in site.get("issuetypescheme")["values"] if one.get("isDefault"))
    mapped = site.get(f"issuetypescheme/mapping?issueTypeSchemeId={usual['id']}&maxResults=100")[
        "values"
    ]
    assert made in [one["issueTypeId"] for one in mapped]


def test_security_schemes_have_their_silences(site: Site) -> None:
    path = "issuesecurityschemes"
    body = {"name": "Secret", "levels": [{"name": "Low"}, {"name": "High"}]}
    made = site.post(path, body)["id"]
    site.post(path, {"name": "SECRET"}, status=400)
    levels = site.get(f"{path}/level?schemeId={made}")["values"]
    assert [one["isDefault"] for one in levels] == [False, False]
    assert site.get(f"{path}/level?schemeId={made}&onlyDefault=true")["values"] == []
    mapped = {"issueSecuritySchemeId": made, "defaultLevelId": levels[0]["id"]}
    site.put(f"{path}/level/default", {"defaultValues": [mapped]})
    found = site.get(f"{path}/level?schemeId={made}&onlyDefault=true")["values"]
    assert [one["name"] for one in found] == ["Low"]
    assert site.get(f"{path}/level?id={levels[1]['id']}&onlyDefault=true")["values"] == []
    site.put(f"{path}/level/default", {"defaultValues": [{**mapped, "defaultLevelId": None}]})
    assert site.get(f"{path}/level?schemeId={made}&onlyDefault=true")["values"] == []
    las = site.get("project/LAS")["id"]
    for scheme in (made, None):
        answer = site.call("PUT", f"{path}/project", {"projectId": las, "schemeId": scheme})
        assert answer.status in (303, 204), answer.body
        site.advance()
    site.get("project/LAS/issuesecuritylevelscheme", status=404)


def test_priorities_and_resolutions_have_their_silences(site: Site) -> None:
    for path in ("priority", "resolution"):
        one = site.get(f"{path}/search")["values"][0]["id"]
        site.put(f"{path}/default", {"id": one})
        assert [row["id"] for row in site.get(f"{path}/search?onlyDefault=true")["values"]] == [one]
        other = site.get(f"{path}/search")["values"][1]["id"]
        assert site.get(f"{path}/search?onlyDefault=true&id={other}")["values"] == []
        site.put(f"{path}/default", {"id": None})
        assert site.get(f"{path}/search?onlyDefault=true")["values"] == []
        found = site.get(f"{path}/search?id={one}&id=999999")["values"]
        assert [row["id"] for row in found] == [one]
    number = site.get("project/LAS")["id"]
    whole = site.get(f"priority/search?projectId={number}")["total"]
    assert site.get(f"priority/search?projectId={number}&projectId=999999")["total"] == whole


def test_permission_and_notification_schemes_are_replaced_as_told(site: Site) -> None:
    grant = {"permission": "BROWSE_PROJECTS", "holder": {"type": "anyone"}}
    made = site.post("permissionscheme", {"name": "Strict", "permissions": [grant]})["id"]
    kept = site.put(f"permissionscheme/{made}", {"name": "Stricter"}, status=200)
    assert (kept["name"], len(kept["permissions"])) == ("Stricter", 1)
    gone = site.put(f"permissionscheme/{made}", {"name": "Strict", "permissions": []}, status=200)
    assert gone["permissions"] == []
    assert site.get(f"permissionscheme/{made}?expand=user")["permissions"] == []
    number = site.get("project/LAS")["id"]
    other = site.post("notificationscheme", {"name": "Loud"})["id"]
    usual = site.get("notificationscheme?onlyDefault=true")["values"]
    assert len(usual) == 1
    assert site.get(f"notificationscheme?onlyDefault=true&id={other}")["values"] == []
    assert number


def test_spaces_are_named_and_changed_as_told(site: Site) -> None:
    site.get("project/las", status=404)
    for wrong in ("1AB", "ab", "A", "A-B", "LAS"):
        body = {"key": wrong, "name": f"New {wrong}", "leadAccountId": site.ids["ada"]}
        refused = site.post("project", {**body, "projectTypeKey": "software"}, status=400)
        assert set(refused["errors"]) == {"projectKey"}
    assert site.get("project/search?maxResults=1000")["maxResults"] == 100
    shown = site.get("project/LAS")
    assert {"description", "issueTypes", "lead"} <= set(shown)
    number = shown["id"]
    site.put(f"project/{number}/email", {"emailAddress": "las@site.example"})
    site.put(f"project/{number}/email", {"emailAddress": ""})
    assert site.get(f"project/{number}/email")["emailAddress"] != "las@site.example"
    assert site.get("projectvalidate/validProjectName?name=Free") == "Free"
    part = site.post(
        "component", {"name": "Beam", "project": "LAS", "leadAccountId": site.ids["dev"]}
    )
    assert part["assigneeType"] == "PROJECT_DEFAULT"
    assert "lead" not in site.put(f"component/{part['id']}", {"leadAccountId": ""}, status=200)
    key = site.issue(components=[{"name": "Beam"}])
    site.delete(f"component/{part['id']}")
    assert site.get(f"issue/{key}?fields=components")["fields"]["components"] == []
    version = site.post("version", {"name": "1.0", "project": "LAS"})
    key = site.issue(fixVersions=[{"name": "1.0"}])
    for _ in range(2):
        again = site.put(f"version/{version['id']}", {"released": True}, status=200)
    assert again["released"] is True
    site.post(f"version/{version['id']}/removeAndSwap", {}, status=204)
    assert site.get(f"issue/{key}?fields=fixVersions")["fields"]["fixVersions"] == []
    site.get("project/recent?properties=nothing")


def test_filters_and_dashboards_show_what_they_are_asked(site: Site) -> None:
    made = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)
    assert made["sharedUsers"]["items"] == made["subscriptions"]["items"] == []
    assert made["sharePermissions"] == []  # as the caller shares by default
    everybody = {"sharePermissions": [{"type": "global"}]}
    other = site.post("filter", {"name": "All", "jql": "project = LAS", **everybody}, status=200)
    site.put(f"filter/{other['id']}/favourite", by="dev", status=200)
    site.put(f"filter/{other['id']}", {"sharePermissions": []}, status=200)
    assert site.get("filter/favourite", by="dev") == []
    assert names(site.get("filter/search?filterName=in&isSubstringMatch=true")) == ["Mine"]
    assert names(site.get("filter/search?filterName=IN&isSubstringMatch=true")) == ["Mine"]
    for by, writable in (("ada", True), ("dev", False)):
        found = site.get("filter/search?filterName=All&expand=isWritable", by=by)["values"]
        assert [one["isWritable"] for one in found] == ([writable] if found else []), by
    shown = {"name": "Wall", "editPermissions": [], **everybody}
    wall = site.post("dashboard", shown, status=200)["id"]
    assert "isFavourite" in site.get(f"dashboard/{wall}")
    assert names(site.get("dashboard/search?dashboardName=wall", by=None)) == ["Wall"]
    added = [
        site.post(
            f"dashboard/{wall}/gadget",
            {**site.get("dashboard/gadgets")["gadgets"][0], "position": {"row": row, "column": 0}},
            status=200,
        )["id"]
        for row in range(3)
    ]
    site.delete(f"dashboard/{wall}/gadget/{added[0]}")
    rest = site.get(f"dashboard/{wall}/gadget")["gadgets"]
    assert [(one["id"], one["position"]["row"]) for one in rest] == [(added[1], 0), (added[2], 1)]


def test_workflows_are_listed_as_told(site: Site) -> None:
    one = site.get("workflow")[0]["name"]
    assert site.get(f"workflow?workflowName={one}")["name"] == one
    assert len(site.get("workflow")) > 1
    few = site.get(f"workflow/search?workflowName={one}")["values"]
    assert [(flow["id"]["name"], flow["transitions"]) for flow in few] == [(one, [])]
    assert site.get("workflow/search")["total"] == len(site.get("workflow"))
    found = site.get(f"workflow/search?queryString={one.upper()}")["values"]
    assert one in [flow["id"]["name"] for flow in found]
    assert site.get("workflows/search")["total"] >= len(site.get("workflow"))


def test_lists_and_moves_keep_to_their_words(site: Site) -> None:
    site.get("component?projectIdsOrKeys=las", status=404)
    field = field_of(site)
    site.post(f"field/{field}/trash", status=200)
    assert names(site.get("field/search/trashed?type=custom")) == ["Colour"]
    screen = site.get("screens")["values"][0]["id"]
    tab = site.get(f"screens/{screen}/tabs")[0]["id"]
    fields = f"screens/{screen}/tabs/{tab}/fields"
    first, second = (one["id"] for one in site.get(fields)[:2])
    body = {"after": second, "position": "First"}
    site.post(f"{fields}/{first}/move", body, status=204)
    assert [one["id"] for one in site.get(fields)[:2]] == [second, first]
    scheme = site.post("screenscheme", {"name": "New", "screens": {"default": screen}})["id"]
    site.put(f"screenscheme/{scheme}", {"screens": {"default": None}}, status=400)
    many = {
        "fields": [{"type": "FIELD_ID", "identifier": f"customfield_{n}"} for n in range(51)],
        "associationContexts": [{"type": "PROJECT_ID", "identifier": 10000}],
    }
    for method in ("PUT", "DELETE"):
        assert site.call(method, "field/association", many).status == 400
