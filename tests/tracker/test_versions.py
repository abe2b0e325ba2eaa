"""Versions: their order, their dates, what becomes of their issues, and related work."""

from __future__ import annotations

from typing import Any

from tests.tracker.issues import add_field
from tests.tracker.site import Site

NO_DATE = "The date must be of the form yyyy-MM-dd."


def make(site: Site, name: str, **values: Any) -> Any:
    """Make a version of LAS."""
    number = int(site.get("project/LAS")["id"])
    return site.post("version", {"name": name, "projectId": number, **values})


def names(site: Site, query: str = "") -> list[str]:
    """Return the names of LAS's versions."""
    found = site.get(f"project/LAS/version?{query}", by="dev")["values"]
    return [one["name"] for one in found]


def fix_versions(site: Site, key: str, field: str = "fixVersions") -> list[str]:
    """Return the names of an issue's versions."""
    found = site.get(f"issue/{key}?fields={field}")["fields"][field]
    return [one["name"] for one in found]


def test_a_version_is_made_changed_and_shown(site: Site) -> None:
    """Dates come with what people read; only one that is not released can be overdue."""
    dates = {"startDate": "2020-01-01", "releaseDate": "2020-02-29"}
    made = make(site, "1.0", description="First", driver=site.ids["dev"], **dates)
    assert (made["archived"], made["released"], made["overdue"]) == (False, False, True)
    assert made["userReleaseDate"] == "29/Feb/20"
    path = f"version/{made['id']}"
    shown = site.get(f"{path}?expand=driver,operations,approvers,issuesstatus", by="dev")
    assert shown["driver"] == site.ids["dev"]
    assert shown["issuesStatusForFixVersion"] == {
        "unmapped": 0,
        "toDo": 0,
        "inProgress": 0,
        "done": 0,
    }
    changed = site.put(path, {"released": True, "description": "Done"}, status=200)
    assert (changed["released"], changed["description"]) == (True, "Done")
    assert "overdue" not in changed
    number = int(site.get("project/LAS")["id"])
    for body, errors in (
        ({"name": "1.0"}, {"name": "A version with this name already exists in this project."}),
        ({"name": ""}, {"name": "You must specify a valid version name"}),
        ({"name": "2", "startDate": "soon"}, {"startDate": NO_DATE}),
        ({"name": "2", "startDate": "2021-01-02", "releaseDate": "2021-01-01"},
         {"startDate": "Start date must be before or equal to the release date."}),
    ):  # fmt: skip
        assert site.post("version", {"projectId": number, **body}, status=400)["errors"] == errors
    errors = site.post("version", {"name": "2"}, status=400)["errors"]
    assert errors == {"projectId": "The project must be specified."}
    error = site.post("version", {"name": "2", "projectId": number}, by="dev", status=404)
    assert error["errorMessages"][0].startswith(f"Project with id '{number}' does not exist")
    error = site.put(path, {"name": "2"}, by="dev", status=400)
    assert error["errorMessages"] == [
        "You must have global or project administrator rights to update versions."
    ]
    error = site.get("version/4711", status=404)
    assert error["errorMessages"] == ["Could not find version for id '4711'"]


def test_what_a_body_expands_is_in_the_answer(site: Site) -> None:
    """`expand` of a new or changed version is in its body: text with commas, or a list."""
    driver = {"driver": site.ids["dev"]}
    made = make(site, "1.0", **driver, expand="issuesstatus,operations")
    assert {"issuesStatusForFixVersion", "operations"} <= set(made)
    path = f"version/{made['id']}"
    changed = site.put(path, {"description": "A", "expand": ["driver"]}, status=200)
    assert changed["driver"] == site.ids["dev"]
    assert "issuesStatusForFixVersion" not in changed
    assert "driver" not in site.put(path, {"description": "B"}, status=200)


def test_versions_are_listed_moved_and_filtered(site: Site) -> None:
    """New ones come last; a move changes the order and nothing else."""
    made = {name: make(site, name) for name in ("a", "b", "c", "d")}
    assert names(site) == ["a", "b", "c", "d"]

    def move(name: str, **to: str) -> list[str]:
        moved = site.post(f"version/{made[name]['id']}/move", to, status=200)
        assert moved["name"] == name
        return names(site)

    assert move("d", position="First") == ["d", "a", "b", "c"]
    assert move("d", position="Later") == ["a", "d", "b", "c"]
    assert move("a", position="Last") == ["d", "b", "c", "a"]
    assert move("a", position="Earlier") == ["d", "b", "a", "c"]
    assert move("d", after=made["a"]["self"]) == ["b", "a", "d", "c"]
    path = f"version/{made['a']['id']}/move"
    error = site.post(path, {}, status=400)
    assert error["errorMessages"] == [
        "You must specify either 'after' or 'position', and not both."
    ]
    error = site.post(path, {"position": "Up"}, status=400)
    assert error["errorMessages"][0].startswith("The position 'Up' is invalid")
    site.put(f"version/{made['c']['id']}", {"released": True}, status=200)
    site.put(f"version/{made['b']['id']}", {"archived": True}, status=200)
    assert names(site, "status=released,archived") == ["b", "c"]
    assert names(site, "status=unreleased&orderBy=-name") == ["d", "a"]
    assert names(site, "query=D") == ["d"]
    page = site.get("project/LAS/version?maxResults=3&startAt=3")
    assert ([one["name"] for one in page["values"]], page["isLast"]) == (["c"], True)
    assert [one["name"] for one in site.get("project/LAS/versions")] == ["b", "a", "d", "c"]
    error = site.get("project/LAS/version?status=lost", status=400)
    assert error["errorMessages"] == ["The version status 'lost' is not valid."]


def test_a_release_sends_what_is_left_to_another_version(site: Site) -> None:
    """Resolved issues stay; counts tell them apart."""
    first, second = make(site, "1"), make(site, "2")
    done = site.issue(fixVersions=[{"id": first["id"]}])
    left = site.issue(fixVersions=[{"id": first["id"]}])
    moves = site.get(f"issue/{done}/transitions")["transitions"]
    move = next(one for one in moves if one["to"]["statusCategory"]["key"] == "done")
    site.post(f"issue/{done}/transitions", {"transition": {"id": move["id"]}}, status=204)
    path = f"version/{first['id']}"
    counted = site.get(f"{path}/unresolvedIssueCount")
    assert (counted["issuesCount"], counted["issuesUnresolvedCount"]) == (2, 1)
    shown = site.get(f"{path}?expand=issuesstatus")["issuesStatusForFixVersion"]
    assert (shown["done"], shown["toDo"]) == (1, 1)
    site.put(path, {"released": True, "moveUnfixedIssuesTo": second["self"]}, status=200)
    assert (fix_versions(site, done), fix_versions(site, left)) == (["1"], ["2"])
    items = site.get(f"issue/{left}/changelog")["values"][-1]["items"]
    assert [(one["field"], one["fromString"], one["toString"]) for one in items] == [
        ("Fix Version", "1", None),
        ("Fix Version", None, "2"),
    ]


def test_a_removed_version_is_replaced_or_taken_away(site: Site) -> None:
    """Fixed and affected issues each get their own successor; merging is one for both."""
    one, two, three, four = (make(site, name) for name in ("1", "2", "3", "4"))
    key = site.issue(fixVersions=[{"id": one["id"]}])
    bug = site.issue(issuetype={"name": "Bug"}, versions=[{"id": one["id"]}])
    counted = site.get(f"version/{one['id']}/relatedIssueCounts")
    assert (counted["issuesFixedCount"], counted["issuesAffectedCount"]) == (1, 1)
    assert counted["self"].endswith(f"/rest/api/3/version/{one['id']}")
    query = f"moveFixIssuesTo={two['id']}&moveAffectedIssuesTo={one['id']}"
    errors = site.delete(f"version/{one['id']}?{query}", status=400)["errors"]
    assert errors == {
        "moveAffectedIssuesTo": "You cannot move the issues to the version being deleted."
    }
    error = site.delete(f"version/{one['id']}", by="dev", status=404)
    assert error["errorMessages"] == [f"Could not find version for id '{one['id']}'"]
    body = {"moveFixIssuesTo": two["id"], "moveAffectedIssuesTo": three["id"]}
    site.post(f"version/{one['id']}/removeAndSwap", body, status=204)
    assert (fix_versions(site, key), fix_versions(site, bug, "versions")) == (["2"], ["3"])
    site.put(f"version/{two['id']}/mergeto/{four['id']}")
    assert fix_versions(site, key) == ["4"]
    site.delete(f"version/{four['id']}")
    assert fix_versions(site, key) == []
    assert names(site) == ["3"]


def test_issues_that_name_a_version_in_fields_of_their_own_are_counted(site: Site) -> None:
    version = make(site, "1")
    field, _ = add_field(site, "multiversion", "Seen in")
    values: dict[str, Any] = {field: [{"id": version["id"]}]}
    for _ in range(2):
        site.issue(**values)
    counted = site.get(f"version/{version['id']}/relatedIssueCounts")
    assert (counted["issuesFixedCount"], counted["issuesAffectedCount"]) == (0, 0)
    assert counted["issueCountWithCustomFieldsShowingVersion"] == 2
    assert counted["customFieldUsage"] == [
        {
            "fieldName": "Seen in",
            "customFieldId": int(field.removeprefix("customfield_")),
            "issueCountWithVersionInCustomField": 2,
        }
    ]


def test_work_that_belongs_to_a_version(site: Site) -> None:
    """Those who edit issues tie links to a version; archived versions keep what they have."""
    version = make(site, "1")
    path = f"version/{version['id']}/relatedwork"
    body = {"category": "Design", "title": "Sketch", "url": "https://x.example/1"}
    made = site.post(path, body, by="dev")
    assert made == {**body, "relatedWorkId": made["relatedWorkId"]}
    assert site.get(path, by="dev") == [made]
    changed = site.put(path, {**made, "title": "Plan"}, by="dev", status=200)
    assert changed == {**made, "title": "Plan"}
    assert site.get(path) == [changed]
    errors = site.post(path, {"category": "Design"}, by="dev", status=400)["errors"]
    assert errors == {"url": "A valid URL must be specified."}
    error = site.put(path, {**made, "relatedWorkId": "x"}, by="dev", status=404)
    assert error["errorMessages"] == ["Could not find related work with id 'x'"]
    site.put(f"version/{version['id']}", {"archived": True}, status=200)
    error = site.put(path, made, by="dev", status=400)
    assert error["errorMessages"] == ["The related work of an archived version cannot be changed."]
    site.delete(f"{path}/{made['relatedWorkId']}", by="dev")
    assert site.get(path) == []
