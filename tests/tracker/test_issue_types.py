"""Types of issues: who sees them, how they are made and changed, what goes with one that goes."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Issue, IssueTypeSchemeItem, Project
from tests.tracker.conftest import Site

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x20\x00\x00\x00\x20\x08\x02\x00\x00\x00"
    + b"\x00" * 8
)


def _types(site: Site, by: str | None = "ada") -> dict[str, Any]:
    return {kind["name"]: kind for kind in site.get("issuetype", by=by)}


def test_everybody_sees_the_types_of_the_spaces_they_see(site: Site) -> None:
    found = _types(site)
    assert {"Epic", "Story", "Task", "Bug", "Sub-task"} <= set(found)
    assert found["Epic"]["hierarchyLevel"] == 1
    assert found["Sub-task"]["subtask"]
    assert found["Task"]["self"].endswith(f"/rest/api/3/issuetype/{found['Task']['id']}")
    assert _types(site, by=None) == {}
    project = site.get("project/LAS")["id"]
    listed = site.get(f"issuetype/project?projectId={project}")
    assert [kind["name"] for kind in listed] == ["Epic", "Story", "Task", "Bug", "Sub-task"]
    assert site.get(f"issuetype/{found['Task']['id']}", by="dev") == found["Task"]
    parts = site.get(f"issuetype/project?projectId={project}&level=-1")
    assert [kind["name"] for kind in parts] == ["Sub-task"]
    assert site.get("issuetype/project?projectId=99", status=404)["errorMessages"] == [
        "No project could be found with id '99'."
    ]
    answer = site.call("GET", f"issuetype/{found['Task']['id']}", by=None)
    assert (answer.status, answer.body["errorMessages"]) == (
        404,
        [f"The issue type with ID {found['Task']['id']} was not found."],
    )
    assert site.get("issuetype/task", status=400)["errorMessages"] == [
        "The issue type ID 'task' is invalid."
    ]


def test_an_admin_makes_and_changes_a_type(site: Site) -> None:
    made = site.post("issuetype", {"name": "Risk", "description": "May happen", "type": "standard"})
    assert (made["name"], made["hierarchyLevel"], made["subtask"]) == ("Risk", 0, False)
    with site.store():
        items = IssueTypeSchemeItem.objects.filter(issue_type=int(made["id"]))
        assert [item.scheme.is_default for item in items] == [True]
    path = f"issuetype/{made['id']}"
    changed = site.put(path, {"name": "Hazard"}, status=200)
    assert (changed["name"], changed["description"]) == ("Hazard", "May happen")
    assert site.get(path) == changed
    wrong: list[tuple[dict[str, Any], int, dict[str, str]]] = [
        ({"name": ""}, 400, {"name": "You must specify a name for this issue type."}),
        ({"name": "x" * 61}, 400, {"name": "The name must not exceed 60 characters."}),
        ({"name": "bug"}, 409, {"name": "An issue type with this name already exists."}),
        (
            {"name": "Up", "hierarchyLevel": 2},
            400,
            {"hierarchyLevel": "The hierarchy level 2 is not valid."},
        ),
        ({"name": "Up", "type": "high"}, 400, {"type": "The type 'high' is not valid."}),
    ]
    for body, status, errors in wrong:
        assert site.post("issuetype", body, status=status)["errors"] == errors
    assert site.put(path, {"avatarId": 7}, status=400)["errors"] == {
        "avatarId": "The avatar with ID 7 is not associated with this issue type."
    }
    refused = site.post("issuetype", {"name": "Mine"}, by="dev", status=403)
    assert "Administrator privileges are required" in refused["errorMessages"][0]


def test_a_loaded_picture_can_be_shown(site: Site) -> None:
    task = _types(site)["Task"]["id"]
    headers = {"X-Atlassian-Token": "no-check", "Content-Type": "image/png"}
    answer = site.call("POST", f"issuetype/{task}/avatar2?size=16", PNG, **headers)
    assert answer.status == 201, answer.body
    avatar = int(answer.body["id"])
    assert (answer.body["isSystemAvatar"], answer.body["owner"]) == (False, task)
    changed = site.put(f"issuetype/{task}", {"avatarId": avatar}, status=200)
    assert changed["avatarId"] == site.get(f"issuetype/{task}")["avatarId"] == avatar
    for data, size, text in (
        (b"text", 16, "The image type is not supported: use JPEG, GIF or PNG."),
        (PNG, 64, "The crop region extends beyond the edge of the image."),
    ):
        answer = site.call("POST", f"issuetype/{task}/avatar2?size={size}", data, **headers)
        assert (answer.status, answer.body["errorMessages"]) == (400, [text])


def test_issues_of_a_type_that_goes_become_issues_of_another(site: Site) -> None:
    types = _types(site)
    key = site.issue("Loose belt", issuetype={"name": "Story"})
    story, task, bug = (types[name]["id"] for name in ("Story", "Task", "Bug"))
    options = {kind["name"] for kind in site.get(f"issuetype/{story}/alternatives")}
    assert "Task" in options
    # Bugs have a screen of their own in LAS.
    assert not options & {"Bug", "Sub-task", "Epic"}
    cases = [
        ("", 404, "The issue type is in use. An alternative issue type has to be specified."),
        (f"?alternativeIssueTypeId={story}", 409, "its own alternative"),
        (
            f"?alternativeIssueTypeId={types['Sub-task']['id']}",
            409,
            "A standard issue type and a sub-task cannot replace one another.",
        ),
        (f"?alternativeIssueTypeId={bug}", 400, "does not have the same workflow"),
    ]
    for query, status, text in cases:
        body = site.delete(f"issuetype/{story}{query}", status=status)
        assert text in body["errorMessages"][0], body
    site.delete(f"issuetype/{story}?alternativeIssueTypeId={task}")
    assert "Story" not in _types(site)
    shown = site.get(f"issue/{key}?fields=issuetype&expand=changelog")
    assert shown["fields"]["issuetype"]["name"] == "Task"
    item = shown["changelog"]["histories"][0]["items"][0]
    assert (item["field"], item["fromString"], item["toString"]) == ("issuetype", "Story", "Task")
    spare = site.post("issuetype", {"name": "Spare"})["id"]
    site.delete(f"issuetype/{spare}")
    assert site.get(f"issuetype/{spare}", status=404)["errorMessages"]


def test_properties_of_a_type(site: Site) -> None:
    task = _types(site)["Task"]["id"]
    path = f"issuetype/{task}/properties"
    assert site.call("PUT", f"{path}/colour", {"hue": 7}).status == 201
    assert site.call("PUT", f"{path}/colour", {"hue": 8}).status == 200
    assert site.get(f"{path}/colour") == {"key": "colour", "value": {"hue": 8}}
    assert [one["key"] for one in site.get(path)["keys"]] == ["colour"]
    assert site.call("PUT", f"{path}/colour", b"{").body["errorMessages"] == [
        "The property value must be a valid JSON."
    ]
    assert site.call("PUT", f"{path}/colour", {}, by="dev").status == 403
    site.delete(f"{path}/colour")
    assert site.get(f"{path}/colour", status=404)["errorMessages"] == [
        "The property with key 'colour' does not exist."
    ]


PATH = "issuetypescheme"
NOBODY = "You are not authorized to perform this action. Administrator privileges are required."


def test_schemes_of_types_say_what_spaces_offer(site: Site) -> None:
    types = _types(site)
    ids = [types[name]["id"] for name in ("Task", "Epic", "Sub-task")]
    body = {"name": "Lean", "issueTypeIds": ids, "defaultIssueTypeId": ids[0]}
    scheme = site.post(PATH, body)["issueTypeSchemeId"]
    listed = site.get(f"{PATH}?queryString=lean&expand=issueTypes,projects")["values"]
    assert [kind["name"] for kind in listed[0]["issueTypes"]["values"]] == [
        "Task",
        "Epic",
        "Sub-task",
    ]
    assert listed[0]["projects"]["total"] == 0
    assert site.get(f"{PATH}?orderBy=-id&maxResults=1")["values"][0]["id"] == scheme
    site.put(f"{PATH}/{scheme}/issuetype", {"issueTypeIds": [types["Bug"]["id"]]})
    move = {"issueTypeIds": [types["Bug"]["id"]], "after": ids[0]}
    site.put(f"{PATH}/{scheme}/issuetype/move", move)
    mapping = site.get(f"{PATH}/mapping?issueTypeSchemeId={scheme}")
    order = [ids[0], types["Bug"]["id"], *ids[1:]]
    assert [one["issueTypeId"] for one in mapping["values"]] == order
    site.delete(f"{PATH}/{scheme}/issuetype/{ids[1]}")
    project = site.get("project/OPS")["id"]
    site.put(f"{PATH}/project", {"issueTypeSchemeId": scheme, "projectId": project})
    offered = site.get(f"issuetype/project?projectId={project}")
    assert [kind["name"] for kind in offered] == ["Task", "Bug", "Sub-task"]
    used = site.get(f"{PATH}/project?projectId={project}")["values"]
    assert [(one["issueTypeScheme"]["name"], one["projectIds"]) for one in used] == [
        ("Lean", [project])
    ]
    refused = site.post(
        "issue",
        {
            "fields": {
                "project": {"key": "OPS"},
                "issuetype": {"id": types["Story"]["id"]},
                "summary": "No such type here",
            }
        },
        status=400,
    )
    assert "issuetype" in refused["errors"]
    site.put(f"{PATH}/{scheme}", {"name": "Leaner", "defaultIssueTypeId": types["Bug"]["id"]})
    (leaner,) = site.get(f"{PATH}?id={scheme}")["values"]
    assert (leaner["name"], leaner["defaultIssueTypeId"]) == ("Leaner", types["Bug"]["id"])
    site.delete(f"{PATH}/{scheme}")
    with site.store():
        assert Project.objects.get(key="OPS").issue_type_scheme.is_default


Refusal = tuple[str, str, dict[str, Any] | None, int, str]


def _new_scheme_refusals(task: str, part: str) -> list[Refusal]:
    return [
        ("POST", "", {"name": "mine", "issueTypeIds": [task]}, 409, "The name is used by another"),
        ("POST", "", {"name": "", "issueTypeIds": [task]}, 400, "The name has to be provided."),
        ("POST", "", {"name": "X", "issueTypeIds": []}, 400, "issueTypeIds have to be provided"),
        ("POST", "", {"name": "X", "issueTypeIds": [part]}, 400, "At least one standard"),
        (
            "POST",
            "",
            {"name": "X", "issueTypeIds": [task], "defaultIssueTypeId": part},
            400,
            "The default issue type ID has to be present in issue type IDs list.",
        ),
        (
            "POST",
            "",
            {"name": "X", "issueTypeIds": ["1", task]},
            404,
            "These issue types were not found: 1",
        ),
    ]


def _scheme_refusals(site: Site) -> list[Refusal]:
    types = _types(site)
    task, part = types["Task"]["id"], types["Sub-task"]["id"]
    schemes = {one["name"]: one["id"] for one in site.get(f"{PATH}?maxResults=100")["values"]}
    default = schemes["Default Issue Type Scheme"]
    mine = site.post(PATH, {"name": "Mine", "issueTypeIds": [task]})["issueTypeSchemeId"]
    las = site.get("project/LAS")["id"]
    site.issue("A story", issuetype={"name": "Story"})
    return [
        *_new_scheme_refusals(task, part),
        ("PUT", "/9", {"name": "X"}, 404, "The issue type scheme was not found."),
        (
            "PUT",
            f"/{mine}",
            {"defaultIssueTypeId": part},
            400,
            "The default issue type has to be one of the issue types of the scheme.",
        ),
        ("DELETE", f"/{default}", None, 400, "The default issue type scheme can't be removed."),
        (
            "PUT",
            f"/{mine}/issuetype",
            {"issueTypeIds": [task]},
            400,
            f"already present in the issue type scheme: {task}",
        ),
        (
            "PUT",
            f"/{mine}/issuetype/move",
            {"issueTypeIds": [part], "position": "First"},
            400,
            f"Issue type IDs missing from the scheme are:  {part}",
        ),
        (
            "PUT",
            f"/{mine}/issuetype/move",
            {"issueTypeIds": [task]},
            400,
            "Either 'after' or 'position' has to be provided.",
        ),
        ("DELETE", f"/{mine}/issuetype/{task}", None, 400, "Can't remove the last standard"),
        ("DELETE", f"/{mine}/issuetype/{part}", None, 404, "was not found in the issue type"),
        ("DELETE", f"/{default}/issuetype/{task}", None, 400, "from the default issue type scheme"),
        (
            "PUT",
            "/project",
            {"issueTypeSchemeId": mine, "projectId": las},
            400,
            "This issue type scheme can't be assigned to the project.",
        ),
        (
            "PUT",
            "/project",
            {"issueTypeSchemeId": mine, "projectId": "1"},
            404,
            "The project was not found.",
        ),
    ]


def test_what_schemes_of_types_refuse(site: Site) -> None:
    for method, path, body, status, text in _scheme_refusals(site):
        answer = site.call(method, PATH + path, body)
        assert answer.status == status, (path, body, answer.body)
        assert text in answer.body["errorMessages"][0], (path, body, answer.body)
    assert site.get(PATH, by="dev", status=403)["errorMessages"] == [NOBODY]
    with site.store():
        assert Issue.objects.filter(issue_type__name="Story").count() == 1


@pytest.mark.parametrize("path", ["issuetypescheme/project", "issuetypescreenscheme/project"])
def test_spaces_must_be_named(site: Site, path: str) -> None:
    assert site.get(path, status=400)["errorMessages"]
