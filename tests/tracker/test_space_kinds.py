"""What a new space gets of types, screens and fields, and what lists of them cost."""

from __future__ import annotations

from typing import Any

from tests.tracker.boards import counted
from tests.tracker.conftest import Site

TEAM = "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum"
CLASSIC = "com.pyxis.greenhopper.jira:gh-simplified-basic"


def _space(site: Site, key: str, template: str) -> dict[str, Any]:
    body = {
        "key": key,
        "name": f"Space {key}",
        "projectTypeKey": "software",
        "projectTemplateKey": template,
        "leadAccountId": site.ids["ada"],
    }
    site.post("project", body)
    found: dict[str, Any] = site.get(f"project/{key}")
    return found


def test_a_team_managed_space_has_types_and_screens_of_its_own(site: Site) -> None:
    lists = ("issuetypescheme", "screenscheme", "issuetypescreenscheme")
    before = {path: site.get(path)["total"] for path in lists}
    space = _space(site, "CREW", TEAM)
    kinds = site.get(f"issuetype/project?projectId={space['id']}")
    assert [kind["name"] for kind in kinds] == ["Epic", "Story", "Task", "Subtask", "Bug"]
    scope = {"type": "PROJECT", "project": {"id": space["id"]}}
    assert [kind["scope"] for kind in kinds] == [scope] * 5
    assert {path: site.get(path)["total"] for path in lists} == before
    own = site.get("screens?scope=PROJECT")["values"]
    assert [(one["name"], one["scope"]) for one in own] == [("CREW: Issue Screen", scope)]
    assert site.get("screens?scope=GLOBAL&queryString=CREW")["total"] == 0
    scheme = site.get("issuetypescheme")["values"][0]["id"]
    screens = site.get("issuetypescreenscheme")["values"][0]["id"]
    for path, body, text in (
        (
            "issuetypescheme/project",
            {"issueTypeSchemeId": scheme},
            "Only classic projects can have issue type schemes assigned.",
        ),
        (
            "issuetypescreenscheme/project",
            {"issueTypeScreenSchemeId": screens},
            "Only classic projects can have issue type screen schemes assigned.",
        ),
        (
            "fieldconfigurationscheme/project",
            {},
            "Only classic projects can have field configuration schemes assigned.",
        ),
    ):
        given = {**body, "projectId": space["id"]}
        assert site.put(path, given, status=400)["errorMessages"] == [text]
    wanted = {"name": "Cooling", "statusCategory": "IN_PROGRESS"}
    made = site.post("statuses", {"scope": scope, "statuses": [wanted]}, status=200)
    assert made[0]["scope"] == scope
    fields = {"project": {"key": "CREW"}, "issuetype": {"id": kinds[2]["id"]}, "summary": "Own"}
    key = site.post("issue", {"fields": {**fields, "customfield_10016": 3}})["key"]
    assert site.get(f"issue/{key}")["fields"]["customfield_10016"] == 3
    # A type of the space is no type of another.
    other = {**fields, "project": {"key": "LAS"}}
    assert set(site.post("issue", {"fields": other}, status=400)["errors"]) == {"issuetype"}


def test_a_company_managed_space_has_schemes_of_its_own_over_the_sites_types(site: Site) -> None:
    space = _space(site, "CUT", CLASSIC)
    named = "CUT: Software Development"
    used = site.get(f"issuetypescheme/project?projectId={space['id']}")["values"][0]
    assert used["issueTypeScheme"]["name"] == f"{named} Issue Type Scheme"
    found = site.get(f"issuetypescreenscheme/project?projectId={space['id']}")["values"][0]
    assert found["issueTypeScreenScheme"]["name"] == f"{named} Issue Type Screen Scheme"
    shown = site.get("screenscheme?queryString=CUT&orderBy=name")["values"]
    assert [one["name"] for one in shown] == [
        f"{named} Bug Screen Scheme",
        f"{named} Default Screen Scheme",
    ]
    site.put("screens/" + str(shown[0]["screens"]["default"]), {"name": "CUT bugs"}, status=200)


def test_a_service_space_brings_its_types_and_fields(site: Site) -> None:
    project = site.get("project/IT")["id"]
    names = {kind["name"] for kind in site.get(f"issuetype/project?projectId={project}")}
    assert {"[System] Incident", "[System] Service request", "Sub-task"} <= names
    fields = {field["name"]: field for field in site.get("field")}
    assert fields["Impact"]["schema"]["type"] == "option"
    context = site.get(f"field/{fields['Impact']['id']}/context")["values"][0]["id"]
    options = site.get(f"field/{fields['Impact']['id']}/context/{context}/option")
    assert options["total"] == 4
    statuses = {one["name"] for one in site.get(f"statuses/search?projectId={project}")["values"]}
    assert {"Waiting for support", "Waiting for customer"} <= statuses


LISTS = (
    "issuetype",
    "issuetypescheme?expand=projects,issueTypes",
    "issuetypescreenscheme?expand=projects",
    "screenscheme?expand=issueTypeScreenSchemes",
    "screens?maxResults=100",
    "priority/search?expand=schemes",
    "priorityscheme?expand=priorities,projects",
    "field",
    "field/search?maxResults=100&expand=screensCount,contextsCount,projectsCount,lastUsed",
    "statuses/search",
    "status",
    "fieldconfigurationscheme/mapping",
)


def test_lists_take_as_many_statements_for_many_rows_as_for_few(site: Site) -> None:
    def costs() -> dict[str, int]:
        found = {}
        for path in LISTS:
            site.get(path)  # once for what is made once
            with counted(site) as statements:
                site.get(path)
            found[path] = len(statements)
        return found

    site.post("fieldconfigurationscheme", {"name": "First"})
    few = costs()
    for number in range(3):
        _space(site, f"CUT{number}", CLASSIC)
        site.post("priority", {"name": f"P{number}", "statusColor": "#fff"})
        new = {"name": f"S{number}", "priorityIds": [1, 2], "defaultPriorityId": 1}
        site.post("priorityscheme", new)
        kind = "com.atlassian.jira.plugin.system.customfieldtypes:select"
        site.post("field", {"name": f"F{number}", "type": kind})
        site.post("fieldconfigurationscheme", {"name": f"C{number}"})
    assert costs() == few
