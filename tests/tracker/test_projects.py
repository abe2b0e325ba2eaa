"""Spaces: made from templates, found, renamed, put away and brought back."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import Board, Issue, Project, ServiceDesk
from tests.tracker.site import Site

SOFTWARE = "com.pyxis.greenhopper.jira:gh-simplified-"
BUSINESS = "com.atlassian.jira-core-project-templates:jira-core-simplified-"
DESK = "com.atlassian.servicedesk:simplified-"


NO_TYPE = (
    "An invalid project type was specified. Make sure the project type is available in your Jira "
    "instance. Please talk to your Jira administrator if you need more help."
)
NO_TEMPLATE = (
    "The project template specified does not exist. Make sure the project template is available "
    "in your Jira instance. Please talk to your Jira administrator if you need more help."
)


def make(site: Site, key: str, **values: Any) -> Any:
    """Make a space and return what the API says of it."""
    lead = {"leadAccountId": site.ids["dev"]}
    if "projectTemplateKey" not in values:
        values = {"projectTypeKey": "software", **values}
    site.post("project", {"key": key, "name": f"Space {key}", **lead, **values})
    return site.get(f"project/{key}")


@pytest.mark.parametrize(
    ("template", "kind", "style", "board"),
    [
        (f"{SOFTWARE}scrum-classic", "software", "classic", "scrum"),
        (f"{SOFTWARE}kanban-classic", "software", "classic", "kanban"),
        (f"{SOFTWARE}agility-scrum", "software", "next-gen", "simple"),
        (f"{BUSINESS}project-management", "business", "classic", None),
        (f"{DESK}it-service-management", "service_desk", "classic", None),
    ],
)
def test_a_template_gives_a_space_all_it_needs(
    site: Site, template: str, kind: str, style: str, board: str | None
) -> None:
    """A new space has types, workflows, roles and its board or desk; issues can be made in it."""
    made = make(site, "NEW", projectTemplateKey=template, projectTypeKey=kind)
    assert (made["projectTypeKey"], made["style"]) == (kind, style)
    assert made["simplified"] == (style == "next-gen")
    assert made["lead"]["accountId"] == site.ids["dev"]
    assert made["components"] == made["versions"] == []
    assert ("uuid" in made) == made["simplified"]
    types = {kind["name"]: kind["id"] for kind in made["issueTypes"]}
    assert "Task" in types
    statuses = site.get("project/NEW/statuses", by="dev")
    assert {one["id"] for one in statuses} == set(types.values())
    assert all(one["statuses"] for one in statuses)
    fields = {"project": {"key": "NEW"}, "issuetype": {"id": types["Task"]}, "summary": "First"}
    assert site.post("issue", {"fields": fields}, by="dev")["key"] == "NEW-1"
    with site.store():
        project = Project.objects.get(key="NEW")
        assert list(Board.objects.filter(project=project).values_list("type", flat=True)) == (
            [board] if board else []
        )
        assert ServiceDesk.objects.filter(project=project).exists() == (kind == "service_desk")
    name = "Administrator" if made["simplified"] else "Administrators"
    role = made["roles"][name].partition("/rest/api/3/")[2]
    actors = site.get(role)["actors"]
    assert [one["displayName"] for one in actors] == ["Dev Anand", "jira-administrators"]


def test_unverified_what_is_wrong_with_a_new_space_is_said_by_field(site: Site) -> None:
    """Everything that is wrong is said at once; only admins make company-managed spaces."""
    body: dict[str, Any] = {"key": "las", "name": "laser CONTROL", "leadAccountId": "nobody"}
    errors = site.post("project", body, status=400)["errors"]
    assert errors == {
        "projectKey": (
            "Project keys must start with an uppercase letter, followed by one or more "
            "uppercase alphanumeric characters."
        ),
        "projectName": "A project with that name already exists.",
        "projectLead": "You must specify a valid project lead.",
        "projectType": NO_TYPE,
    }
    kind = {"projectTypeKey": "software"}
    lead = {"leadAccountId": site.ids["dev"], "name": "Other", **kind}
    for key, text in (
        ("", "You must specify a valid project key."),
        ("ABCDEFGHIJK", "The project key must not exceed 10 characters in length."),
        ("OPS", "A project with that project key already exists."),
    ):
        errors = site.post("project", {"key": key, **lead}, status=400)["errors"]
        assert errors == {"projectKey": text}
    body = {"key": "OTH", **lead, "projectTypeKey": "business"}
    body["projectTemplateKey"] = f"{SOFTWARE}scrum-classic"
    errors = site.post("project", body, status=400)["errors"]
    assert errors == {"projectTemplateKey": "The project template is not of the project type."}
    for none in ({}, {"projectTypeKey": "tea"}, {"projectTypeKey": None, "projectTemplateKey": ""}):
        body = {"key": "OTH", "name": "Other", "leadAccountId": site.ids["dev"], **none}
        assert site.post("project", body, status=400)["errors"] == {"projectType": NO_TYPE}
    errors = site.post("project", {"key": "OTH", **lead, "projectTemplateKey": "tea"}, status=400)
    assert errors["errorMessages"] == [NO_TEMPLATE]
    body = {"key": "OTH", **lead, "permissionScheme": 4711}
    errors = site.post("project", body, status=400)["errors"]
    assert errors == {"permissionScheme": "The permissionScheme with id '4711' does not exist."}
    error = site.post("project", {"key": "OTH", **lead}, by="dev", status=403)
    assert error["errorMessages"] == ["You do not have permission to create projects."]
    team = {"key": "OTH", **lead, "projectTemplateKey": f"{SOFTWARE}agility-kanban"}
    assert site.post("project", team, by="dev")["key"] == "OTH"


def test_spaces_are_found_by_those_who_see_them(site: Site) -> None:
    """Searches page, order and filter; whoever has no product sees no space."""
    found = site.get("project/search?maxResults=2&orderBy=-name&expand=lead,insight,description")
    assert [one["name"] for one in found["values"]] == ["Operations", "Laser control"]
    assert (found["total"], found["isLast"], found["maxResults"]) == (3, False, 2)
    assert found["values"][0]["insight"] == {"totalIssueCount": 0}
    assert found["values"][0]["lead"]["displayName"] == "Ada Brandt"
    assert "startAt=2" in found["nextPage"]
    found = site.get("project/search?maxResults=2&startAt=2&orderBy=-name")
    assert [one["key"] for one in found["values"]] == ["IT"]
    assert found["isLast"] is True
    for query, keys in (
        ("query=laser", ["LAS"]),
        ("keys=OPS&keys=IT", ["IT", "OPS"]),
        ("typeKey=service_desk,business", ["IT"]),
        ("action=edit", ["IT", "LAS", "OPS"]),
        ("status=archived", []),
    ):
        assert [one["key"] for one in site.get(f"project/search?{query}")["values"]] == keys, query
    mine = site.get("project/search?action=create", by="dev")["values"]
    assert [one["key"] for one in mine] == ["LAS", "OPS"]
    assert site.get("project/search?action=edit", by="dev")["values"] == []
    assert site.get("project/search", by="guest")["total"] == 0
    assert site.get("project", by=None) == []
    assert [one["key"] for one in site.get("project?expand=url", by="dev")] == ["LAS", "OPS"]
    for query, text in (
        ("orderBy=colour", "The orderBy field 'colour' is not valid."),
        ("status=lost", "The project status 'lost' is not valid."),
        ("action=eat", "The action 'eat' is not valid."),
        ("id=x", "x is not a valid value. id must be zero or a positive integer."),
    ):
        error = site.get(f"project/search?{query}", status=400)
        assert error["errorMessages"] == [text]
    error = site.get("project/LAS", by="guest", status=404)
    assert error["errorMessages"] == ["No project could be found with key 'LAS'."]
    assert site.get("project/las", status=404)["errorMessages"] == [
        "No project could be found with key 'las'."
    ]


def test_recent_spaces_are_those_whose_issues_were_looked_at(site: Site) -> None:
    """The latest comes first."""
    assert site.get("project/recent", by="dev") == []
    for key in ("OPS", "LAS"):
        site.advance(60)
        fields = {"project": {"key": key}, "issuetype": {"name": "Task"}, "summary": "Seen"}
        site.post("issue?updateHistory=true", {"fields": fields}, by="dev")
    assert [one["key"] for one in site.get("project/recent", by="dev")] == ["LAS", "OPS"]
    assert site.get("project/recent", by="dana") == site.get("project/recent", by=None) == []
    assert [one["key"] for one in site.get("project?recent=1", by="dev")] == ["LAS"]


def test_a_new_key_leaves_the_old_ones_alive(site: Site) -> None:
    """Issues get new keys; old keys of space and issues lead there, and nobody else gets them."""
    first, second = site.issue("One"), site.issue("Two")
    assert (first, second) == ("LAS-1", "LAS-2")
    body = {"key": "LASER", "name": "Lasers", "description": "Beams", "url": "https://x.example"}
    changed = site.put("project/LAS", body, status=200)
    assert (changed["key"], changed["name"]) == ("LASER", "Lasers")
    assert (changed["description"], changed["url"]) == ("Beams", "https://x.example")
    assert site.get("issue/LAS-2")["key"] == "LASER-2"
    keys = site.get("project/search?expand=projectKeys&keys=LASER")["values"][0]["projectKeys"]
    assert keys == ["LASER", "LAS"]
    assert site.get("project/LAS")["key"] == "LASER"
    assert site.issue("Three", project={"key": "LASER"}) == "LASER-3"
    taken = {
        "key": "LAS",
        "name": "New",
        "leadAccountId": site.ids["dev"],
        "projectTypeKey": "software",
    }
    errors = site.post("project", taken, status=400)["errors"]
    assert errors == {"projectKey": "A project with that project key already exists."}
    # There and back: nothing is left of the key in between but what leads here.
    site.put("project/LASER", {"key": "LAS"}, status=200)
    assert site.get("issue/LASER-3")["key"] == "LAS-3"
    assert site.get("issue/LAS-1")["key"] == "LAS-1"
    released = {"releasedProjectKeys": ["LASER"]}
    site.put("project/LAS", released, status=200)
    site.get("project/LASER", status=404)
    errors = site.put("project/LAS", released, status=400)["errors"]
    assert errors == {"releasedProjectKeys": "Released keys must be former keys of the project."}
    with site.store():
        assert sorted(Issue.objects.values_list("key", flat=True)) == ["LAS-1", "LAS-2", "LAS-3"]


def test_who_runs_a_space_changes_it_and_admins_its_key(site: Site) -> None:
    """Developers may not change a space; who fills its role may, but for key and schemes."""
    error = site.put("project/LAS", {"name": "Mine"}, by="dev", status=403)
    assert error["errorMessages"] == ["You do not have permission to administer this project."]
    roles = site.get("project/LAS/role")
    role = roles["Administrators"].rpartition("/")[2]
    site.post(f"project/LAS/role/{role}", {"user": [site.ids["dev"]]}, status=200)
    body = {"name": "Mine", "assigneeType": "PROJECT_LEAD", "leadAccountId": site.ids["dana"]}
    changed = site.put("project/LAS", body, by="dev", status=200)
    assert changed["assigneeType"] == "PROJECT_LEAD"
    assert changed["lead"]["accountId"] == site.ids["dana"]
    site.put("project/LAS", {"key": "MINE"}, by="dev", status=403)
    errors = site.put("project/LAS", {"leadAccountId": site.ids["cara"]}, status=400)["errors"]
    assert errors == {"projectLead": "You must specify a valid project lead."}
    errors = site.put("project/LAS", {"avatarId": 4711}, status=400)["errors"]
    assert errors == {"avatarId": "The avatar does not exist."}
    assert site.put("project/LAS", {"avatarId": 10403}, by="dev", status=200)["name"] == "Mine"
    records = site.get("auditing/record?filter=Project+updated")["records"][1:]
    names = [one["fieldName"] for one in records[0]["changedValues"]]
    assert names == ["Name", "Default assignee", "Project lead"]


def test_unverified_archive_and_trash_and_back(site: Site) -> None:
    """Archived spaces can be looked at; those in the trash are gone until they are restored."""
    key = site.issue()
    site.post("project/LAS/archive", status=204)
    error = site.post("project/LAS/archive", status=400)
    assert error["errorMessages"] == ["The project 'LAS' is archived or in the trash already."]
    found = site.get("project/search?status=archived")["values"]
    assert [(one["key"], one["archived"]) for one in found] == [("LAS", True)]
    assert found[0]["archivedBy"]["displayName"] == "Ada Brandt"
    error = site.delete("project/LAS", status=400)
    assert error["errorMessages"][0].startswith("You can't delete a project if it's archived.")
    site.put("project/LAS", {"name": "Other"}, status=403)
    restored = site.post("project/LAS/restore", status=200)
    assert "archived" not in restored
    site.delete("project/LAS")
    site.get(f"issue/{key}", status=404)
    site.get("project/LAS", by="dev", status=404)
    trashed = site.get("project/LAS")
    assert trashed["deleted"] is True
    assert trashed["retentionTillDate"] > trashed["deletedDate"]
    assert site.get("project/search?status=deleted", by="dev")["values"] == []
    site.post("project/LAS/restore", by="dev", status=404)
    site.post("project/LAS/restore", status=200)
    assert site.get(f"issue/{key}")["key"] == key
    error = site.post("project/LAS/restore", status=400)
    assert error["errorMessages"] == ["The project 'LAS' is neither archived nor in the trash."]
    error = site.delete("project/LAS", by="dev", status=404)
    assert error["errorMessages"] == ["No project could be found with key 'LAS'."]
    error = site.post("project/LAS/archive", by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")


def test_spaces_go_for_good(site: Site) -> None:
    """At once, by a task, or when sixty days in the trash are over."""
    key = site.issue()
    site.put(f"issue/{key}/properties/a", {"x": 1}, status=201)
    site.delete("project/LAS?enableUndo=false")
    site.get("project/LAS", status=404)
    answer = site.call("POST", "project/OPS/delete")
    assert answer.status == 303
    task = answer.headers["Location"].rpartition("/rest/api/3/")[2]
    site.advance()
    assert site.get(task)["status"] == "COMPLETE"
    site.get("project/OPS", status=404)
    make(site, "TM", projectTemplateKey=f"{SOFTWARE}agility-scrum")
    fields = {"project": {"key": "TM"}, "issuetype": {"name": "Task"}, "summary": "First"}
    site.post("issue", {"fields": fields})
    site.delete("project/TM")
    restored = site.post("project/TM/restore", by="dev", status=200)
    assert (restored["key"], "deleted" in restored) == ("TM", False)
    site.delete("project/TM")
    site.advance(59 * 86400)
    assert site.get("project/TM")["deleted"] is True
    site.advance(2 * 86400)
    site.get("project/TM", status=404)
    fields = {"project": {"key": "IT"}, "issuetype": {"name": "Task"}, "summary": "First"}
    site.post("issue", {"fields": fields})
    site.delete("project/IT?enableUndo=false")
    with site.store():
        assert not Project.objects.exists()
        assert not Issue.objects.exists()
        assert not ServiceDesk.objects.exists()
