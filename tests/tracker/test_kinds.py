"""Priorities, resolutions, statuses and the schemes of priorities."""

from __future__ import annotations

from typing import Any

from clones.core.clock import now
from clones.tracker.models import Issue, Project, Task, User
from tests.tracker.conftest import Site

NOBODY = "You are not authorized to perform this action. Administrator privileges are required."
Refusal = tuple[str, str, Any, int, str]


def _refused(site: Site, cases: list[Refusal]) -> None:
    for method, path, body, status, text in cases:
        answer = site.call(method, path, body)
        assert answer.status == status, (method, path, body, answer.body)
        assert text in answer.body["errorMessages"][0], (method, path, body, answer.body)


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def test_priorities_are_made_moved_and_given_by_default(site: Site) -> None:
    assert _names(site.get("priority", by="dev")) == ["Highest", "High", "Medium", "Low", "Lowest"]
    body = {"name": "Urgent", "statusColor": "#f00", "description": "At once"}
    made = site.post("priority", body)["id"]
    shown = site.get(f"priority/{made}")
    assert (shown["name"], shown["statusColor"], shown["isDefault"]) == ("Urgent", "#f00", False)
    site.put("priority/move", {"ids": [made], "position": "First"})
    site.put("priority/move", {"ids": ["5", 4], "after": "1"})
    order = ["Urgent", "Highest", "Lowest", "Low", "High", "Medium"]
    assert _names(site.get("priority")) == order
    scheme = site.get("priorityscheme?onlyDefault=true&expand=priorities")["values"][0]
    assert _names(scheme["priorities"]["values"]) == order
    site.put("priority/default", {"id": made})
    assert site.get(f"priority/{made}")["isDefault"] is True
    key = site.issue("New ones are urgent")
    assert site.get(f"issue/{key}?fields=priority")["fields"]["priority"]["id"] == made
    assert [one["id"] for one in site.get("priority/search?onlyDefault=true")["values"]] == [made]
    icon = "images/icons/priorities/blocker.png"
    site.put(f"priority/{made}", {"name": "Very urgent", "iconUrl": icon})
    assert site.get(f"priority/{made}")["iconUrl"].endswith("/images/icons/priorities/blocker.png")
    page = site.get("priority/search?priorityName=urg&expand=schemes&id=1&id=" + made)
    assert _names(page["values"]) == ["Very urgent"]
    assert page["values"][0]["schemes"]["total"] == 1
    first = site.get("priority/search?maxResults=2")
    assert (first["total"], first["isLast"], len(first["values"])) == (6, False, 2)
    assert "startAt=2" in first["nextPage"]
    site.put("priority/default", {"id": None})
    assert site.get("priority/search?onlyDefault=true")["total"] == 0


def test_what_priorities_refuse(site: Site) -> None:
    new = {"name": "New", "statusColor": "#123456"}
    cases: list[Refusal] = [
        ("POST", "priority", {**new, "name": "low"}, 400, "A priority with this name already"),
        ("POST", "priority", {**new, "name": ""}, 400, "The name has to be provided."),
        ("POST", "priority", {**new, "name": "x" * 61}, 400, "length of the name must not exceed"),
        ("POST", "priority", {**new, "statusColor": "red"}, 400, "The statusColor must be a color"),
        (
            "POST",
            "priority",
            {**new, "description": "x" * 256},
            400,
            "The length of the description must not exceed 255 characters.",
        ),
        ("POST", "priority", {**new, "iconUrl": "/x.png"}, 400, "The iconUrl is invalid."),
        (
            "POST",
            "priority",
            {**new, "iconUrl": "/x.png", "avatarId": 1},
            400,
            "Both iconUrl and avatarId cannot be defined.",
        ),
        ("PUT", "priority/default", {}, 400, "The id has to be provided."),
        ("PUT", "priority/default", {"id": "99"}, 404, "Priority with ID 99 not found."),
        ("PUT", "priority/move", {"ids": ["99"], "position": "Last"}, 404, "Priority with ID 99"),
        ("PUT", "priority/move", {"ids": ["1", "1"], "position": "Last"}, 400, "duplicates"),
        (
            "PUT",
            "priority/move",
            {"ids": [str(id) for id in range(1001)], "position": "Last"},
            400,
            "The ids must contain no more than 1,000 items.",
        ),
        ("PUT", "priority/move", {"ids": ["1"]}, 400, "Either 'after' or 'position' has to be"),
        (
            "PUT",
            "priority/move",
            {"ids": ["1"], "after": "2", "position": "First"},
            400,
            "'after' and 'position' were provided.",
        ),
        ("PUT", "priority/move", {"ids": ["1"], "position": "Up"}, 400, "The position 'Up' is"),
        ("PUT", "priority/1", {}, 400, "At least one request body parameter"),
        ("GET", "priority/x", None, 404, "Priority with ID x not found."),
        ("GET", "priority/search?startAt=x", None, 400, "is not a valid number"),
    ]
    _refused(site, cases)
    assert site.post("priority", new, by="dev", status=403)["errorMessages"] == [NOBODY]


def test_unverified_issues_of_a_priority_that_goes_get_the_default_one(site: Site) -> None:
    key = site.issue("Hot", priority={"id": "1"})
    answer = site.call("DELETE", "priority/1")
    assert answer.status == 303
    task = answer.body["id"]
    assert answer.headers["Location"].endswith(f"/rest/api/3/task/{task}")
    assert site.get(f"task/{task}")["status"] == "COMPLETE"
    shown = site.get(f"issue/{key}?fields=priority&expand=changelog")
    assert shown["fields"]["priority"]["name"] == "Medium"
    assert shown["changelog"]["histories"][0]["items"][0]["toString"] == "Medium"
    assert "Highest" not in _names(site.get("priority"))


def test_schemes_of_priorities_give_spaces_their_own(site: Site) -> None:
    hot = site.issue("Hot", priority={"id": "1"})
    cold = site.issue("Cold", priority={"id": "4"})
    las = int(site.get("project/LAS")["id"])
    wanted: dict[str, Any] = {
        "name": "Three",
        "priorityIds": [2, 3, 4],
        "defaultPriorityId": 2,
        "projectIds": [las],
    }
    text = "The priorities with IDs [1, 5] require mapping."
    assert text in site.post("priorityscheme", wanted, status=400)["errorMessages"][0]
    planned = {"priorities": {"add": [2, 3, 4]}, "projects": {"add": [las]}}
    suggested = site.post("priorityscheme/mappings", planned, status=200)
    assert [one["id"] for one in suggested["values"]] == ["1", "5"]
    wanted["mappings"] = {"in": {"1": 2, "5": 4}}
    made = site.post("priorityscheme", wanted, status=202)
    assert made["task"]["status"] == "ENQUEUED"
    scheme = made["id"]
    assert site.get(f"issue/{hot}?fields=priority")["fields"]["priority"]["name"] == "High"
    assert site.get(f"issue/{cold}?fields=priority")["fields"]["priority"]["name"] == "Low"
    offered = site.get(f"priorityscheme/{scheme}/priorities")
    assert [(one["name"], one["sequence"]) for one in offered["values"]] == [
        ("High", "0"),
        ("Medium", "1"),
        ("Low", "2"),
    ]
    users = site.get(f"priorityscheme/{scheme}/projects?query=laser")
    assert [one["key"] for one in users["values"]] == ["LAS"]
    free = site.get(f"priorityscheme/priorities/available?schemeId={scheme}&exclude=5")
    assert _names(free["values"]) == ["Highest"]
    fields = {
        "project": {"key": "LAS"},
        "issuetype": {"name": "Task"},
        "summary": "Not offered",
        "priority": {"id": "1"},
    }
    assert "priority" in site.post("issue", {"fields": fields}, status=400)["errors"]
    change: dict[str, Any] = {
        "name": "Four",
        "priorities": {"add": {"ids": [1]}, "remove": {"ids": [4]}},
    }
    answer = site.put(f"priorityscheme/{scheme}", change, status=400)
    assert "provide a value for the 'in' mappings object" in answer["errorMessages"][0]
    change["mappings"] = {"in": {"4": 3}}
    updated = site.put(f"priorityscheme/{scheme}", change, status=202)
    assert _names(updated["priorityScheme"]["priorities"]["values"]) == [
        "High",
        "Medium",
        "Highest",
    ]
    assert site.get(f"issue/{cold}?fields=priority")["fields"]["priority"]["name"] == "Medium"
    in_use = site.delete(f"priorityscheme/{scheme}", status=400)["errorMessages"]
    assert in_use == ["The priority scheme cannot be deleted because it is used by projects."]
    site.put(f"priorityscheme/{scheme}", {"projects": {"remove": {"ids": [las]}}}, status=202)
    site.delete(f"priorityscheme/{scheme}")
    assert [one["isDefault"] for one in site.get("priorityscheme")["values"]] == [True]
    with site.store():
        assert Project.objects.get(key="LAS").priority_scheme.is_default


def test_what_schemes_of_priorities_refuse(site: Site) -> None:
    new = {"name": "New", "priorityIds": [1], "defaultPriorityId": 1}
    default = site.get("priorityscheme")["values"][0]["id"]
    made = site.post("priorityscheme", new)["id"]
    las = int(site.get("project/LAS")["id"])
    path = f"priorityscheme/{made}"
    into = {"projects": {"add": {"ids": [las]}}}
    keys = {str(id): 1 for id in (2, 3, 4, 5)}
    cases: list[Refusal] = [
        ("POST", "priorityscheme", new, 400, "The name is used by another scheme."),
        ("POST", "priorityscheme", {**new, "name": "A", "priorityIds": []}, 400, "At least one"),
        (
            "POST",
            "priorityscheme",
            {**new, "name": "A", "priorityIds": [1, 99]},
            400,
            "The priorities with IDs [99] do not exist.",
        ),
        (
            "POST",
            "priorityscheme",
            {**new, "name": "A", "defaultPriorityId": 2},
            400,
            "The default priority ID has to be present in priority IDs list.",
        ),
        (
            "POST",
            "priorityscheme",
            {**new, "name": "A", "projectIds": [1]},
            400,
            "The projects with IDs [1] do not exist.",
        ),
        ("PUT", path, {"priorities": {"remove": {"ids": [1]}}}, 400, "at least one priority"),
        (
            "PUT",
            path,
            {**into, "mappings": {"in": {**keys, "99": 1}}},
            400,
            "The priorities with IDs [99] provided as keys for the 'in' mappings object do not",
        ),
        (
            "PUT",
            path,
            {**into, "mappings": {"in": {**keys, "1": 1}}},
            400,
            "The priorities with IDs [1] do not require mapping.",
        ),
        (
            "PUT",
            path,
            {**into, "mappings": {"in": {**keys, "2": 3}}},
            400,
            "The priorities with IDs [3] being mapped to are not in the current scheme.",
        ),
        ("GET", "priorityscheme/99/priorities", None, 404, "The priority scheme was not found."),
        ("DELETE", f"priorityscheme/{default}", None, 400, "default priority scheme cannot be"),
    ]
    cases.append(("DELETE", "priority/1", None, 400, "The last priority of a priority scheme"))
    _refused(site, cases)
    assert site.delete(path, by="dev", status=403)["errorMessages"] == [NOBODY]


def test_resolutions(site: Site) -> None:
    names = ["Done", "Won't Do", "Duplicate", "Cannot Reproduce"]
    listed = site.get("resolution", by="dev")
    assert _names(listed) == names
    done, wont = listed[0]["id"], listed[1]["id"]
    made = site.post("resolution", {"name": "Known", "description": "We know"})["id"]
    site.put("resolution/move", {"ids": [made], "after": done})
    site.put("resolution/default", {"id": made})
    site.put(f"resolution/{made}", {"name": "Known error"})
    assert site.get(f"resolution/{made}")["description"] == "We know"
    page = site.get("resolution/search?maxResults=2")
    assert _names(page["values"]) == ["Done", "Known error"]
    assert (page["total"], page["isLast"], page["values"][1]["isDefault"]) == (5, False, True)
    assert site.get(f"resolution/search?onlyDefault=true&id={done}")["total"] == 0
    key = site.issue("Ended")
    with site.writing():
        Issue.objects.filter(key=key).update(resolution=int(made))
    cases: list[Refusal] = [
        ("POST", "resolution", {"name": "done"}, 400, "A resolution with this name already"),
        ("PUT", "resolution/default", {}, 400, "The id has to be provided."),
        ("PUT", "resolution/move", {"ids": ["1"], "after": done}, 404, "Resolution with ID 1 not"),
        ("PUT", f"resolution/{made}", {"description": "x"}, 400, "The name has to be provided."),
        ("DELETE", f"resolution/{made}", None, 400, "The replaceWith has to be provided."),
        ("DELETE", f"resolution/{made}?replaceWith={made}", None, 400, "must differ"),
        ("DELETE", f"resolution/{made}?replaceWith=1", None, 404, "Resolution with ID 1 not"),
        ("GET", "resolution/1", None, 404, "Resolution with ID 1 not found."),
    ]
    _refused(site, cases)
    answer = site.call("DELETE", f"resolution/{made}?replaceWith={wont}")
    assert answer.status == 303
    shown = site.get(f"issue/{key}?fields=resolution&expand=changelog")
    assert shown["fields"]["resolution"]["name"] == "Won't Do"
    item = shown["changelog"]["histories"][0]["items"][0]
    assert (item["field"], item["from"], item["to"]) == ("resolution", made, wont)
    assert site.get(f"task/{answer.body['id']}")["result"] == {"updatedIssues": 1}
    assert _names(site.get("resolution")) == names
    assert site.post("resolution", {"name": "Mine"}, by="dev", status=403)["errorMessages"]


def test_statuses_of_the_site(site: Site) -> None:
    active = site.get("status", by="dev")
    by_name = {one["name"]: one for one in active}
    assert by_name["In Progress"]["statusCategory"]["key"] == "indeterminate"
    assert site.get("status", by=None) == []
    assert site.get("status/in progress", by="dev") == by_name["In Progress"]
    categories = site.get("statuscategory")
    assert [(one["id"], one["key"]) for one in categories] == [
        (1, "undefined"),
        (2, "new"),
        (4, "indeterminate"),
        (3, "done"),
    ]
    assert site.get("statuscategory/done") == site.get("statuscategory/3") == categories[3]
    new = {"name": "Blocked", "statusCategory": "IN_PROGRESS", "description": "Waits"}
    made = site.post("statuses", {"scope": {"type": "GLOBAL"}, "statuses": [new]}, status=200)[0]
    assert (made["scope"], made["statusCategory"]) == ({"type": "GLOBAL"}, "IN_PROGRESS")
    id = made["id"]
    assert site.get(f"status/{id}", status=404)["errorMessages"]
    change = {"id": id, "name": "Held", "statusCategory": "TODO"}
    site.put("statuses", {"statuses": [change]})
    assert site.get(f"statuses?id={id}&id=99")[0]["name"] == "Held"
    assert site.get("statuses/byNames?name=Held&name=Nothing")[0]["description"] == "Waits"
    page = site.get("statuses/search?searchString=hel&statusCategory=TODO")
    assert [one["id"] for one in page["values"]] == [id]
    las = site.get("project/LAS")["id"]
    of_las = {one["name"] for one in site.get(f"statuses/search?projectId={las}")["values"]}
    assert "Held" not in of_las
    assert "Done" in of_las
    done = by_name["Done"]["id"]
    first = site.get(f"statuses/{done}/projectUsages?maxResults=1")["projects"]
    rest = site.get(
        f"statuses/{done}/projectUsages?nextPageToken={first['nextPageToken']}&maxResults=200"
    )["projects"]
    assert las in [one["id"] for one in first["values"] + rest["values"]]
    assert "nextPageToken" not in rest
    flows = site.get(f"statuses/{done}/workflowUsages")
    assert flows["workflows"]["values"]
    types = site.get(f"statuses/{done}/project/{las}/issueTypeUsages")["issueTypes"]["values"]
    assert len(types) == 5
    site.delete(f"statuses?id={id}")
    assert site.get(f"statuses?id={id}") == []


def test_what_statuses_refuse(site: Site) -> None:
    done = next(one["id"] for one in site.get("status") if one["name"] == "Done")
    las = site.get("project/LAS")["id"]
    site_wide = {"type": "GLOBAL"}
    new = {"name": "X", "statusCategory": "DONE"}

    def wanted(scope: dict[str, Any], **values: Any) -> dict[str, Any]:
        return {"scope": scope, "statuses": [{**new, **values}]}

    cases: list[Refusal] = [
        ("POST", "statuses", wanted(site_wide, name="done"), 400, "'done' is already in use"),
        (
            "POST",
            "statuses",
            wanted(site_wide, name="x" * 256),
            400,
            "The name is too long, maxSize=255",
        ),
        ("POST", "statuses", wanted(site_wide, statusCategory="NEW"), 400, "category 'NEW'"),
        ("POST", "statuses", {"scope": site_wide, "statuses": []}, 400, "At least one status"),
        (
            "POST",
            "statuses",
            wanted({"type": "PROJECT", "project": {"id": las}}),
            400,
            "can only be created in team-managed projects",
        ),
        ("POST", "statuses", wanted({"type": "PROJECT"}), 400, "The project has to be provided."),
        ("PUT", "statuses", {"statuses": [{**new, "id": "99"}]}, 400, "were not found: 99"),
        ("DELETE", f"statuses?id={done}", None, 400, "used in workflows cannot be deleted"),
        ("DELETE", "statuses?id=99", None, 400, "were not found: 99"),
        ("GET", "statuses", None, 400, "The id has to be provided."),
        ("GET", "statuses/byNames", None, 400, "The name has to be provided."),
        ("GET", "statuses/search?statusCategory=NEW", None, 400, "category 'NEW' is invalid"),
        ("GET", "statuses/99/projectUsages", None, 404, "The status with ID 99 was not found."),
        (
            "GET",
            f"statuses/{done}/projectUsages?nextPageToken=abc",
            None,
            400,
            "Invalid format of nextPageToken",
        ),
        ("GET", "status/Nothing", None, 404, "The status with id or name 'Nothing' was not"),
        ("GET", "statuscategory/new-ish", None, 404, "'new-ish' was not found"),
    ]
    _refused(site, cases)
    body = wanted(site_wide, name="Mine")
    assert site.post("statuses", body, by="dev", status=403)["errorMessages"] == [NOBODY]
    assert site.get("statuses/search", by="guest", status=403)["errorMessages"] == [NOBODY]


def test_a_category_counts_at_once_for_issues_of_the_status(site: Site) -> None:
    key = site.issue("Category")
    status = site.get(f"issue/{key}?fields=status")["fields"]["status"]
    change = {"id": status["id"], "name": status["name"], "statusCategory": "DONE"}
    site.put("statuses", {"statuses": [change]})
    shown = site.get(f"issue/{key}?fields=status,statusCategory")["fields"]
    assert shown["status"]["statusCategory"]["key"] == "done"
    assert shown["statusCategory"]["key"] == "done"


def test_what_a_task_is_at_work_on_waits(site: Site) -> None:
    scheme = site.get("priorityscheme")["values"][0]["id"]
    last = site.get("resolution")[-1]["id"]
    with site.writing():
        user = User.objects.order_by("id")[0]
        payloads = {
            "delete_priority": {"priority": 1},
            "delete_resolution": {"resolution": int(last)},
            "migrate_priorities": {"scheme": int(scheme)},
        }
        for number, (kind, payload) in enumerate(payloads.items(), 1):
            Task.objects.create(
                id=number,
                kind=kind,
                payload=payload,
                submitted_by=user,
                submitted=now(),
                last_update=now(),
            )
    cases: list[Refusal] = [
        ("DELETE", "priority/1", None, 409, "A task to delete the issue priority is already"),
        (
            "DELETE",
            f"resolution/{last}?replaceWith=10000",
            None,
            409,
            "A task to delete the issue resolution is already running.",
        ),
        (
            "PUT",
            f"priorityscheme/{scheme}",
            {"name": "Too soon"},
            409,
            "An action with this priority scheme is still in progress.",
        ),
    ]
    _refused(site, cases)
