"""What the description's prose requires where its schema says optional, and what excludes what.

Each row is a request that lacks what the prose asks for, or has two parameters of which it allows
one, and how the description says that is answered.
"""

from __future__ import annotations

from typing import Any

import pytest

from snapshots.sandboxes import Sandboxes
from tests.tracker.boards import AGILE
from tests.tracker.site import Site

Row = tuple[str, str, Any, int]
PEOPLE: list[Row] = [
    ("GET", "user", None, 400),
    ("GET", "user/bulk", None, 400),
    ("GET", "user/bulk/migration", None, 400),
    ("GET", "user/groups", None, 400),
    ("GET", "user/properties", None, 400),
    ("GET", "user/properties/a", None, 400),
    ("PUT", "user/properties/a", {}, 400),
    ("DELETE", "user/properties/a", None, 400),
    ("DELETE", "user", None, 400),
    ("GET", "user/search", None, 400),
    ("GET", "user/search?query=a&accountId=b", None, 400),
    ("GET", "user/picker?query=a&exclude=b&excludeAccountIds=c", None, 400),
    ("GET", "user/assignable/search", None, 400),
    ("GET", "user/assignable/search?query=a", None, 400),
    ("GET", "user/assignable/search?project=LAS&query=a&accountId=b", None, 400),
    ("GET", "user/assignable/multiProjectSearch?query=a", None, 400),
    ("GET", "user/assignable/multiProjectSearch?projectKeys=LAS", None, 400),
    ("GET", "user/assignable/multiProjectSearch?projectKeys=LAS&query=a&accountId=b", None, 400),
    ("GET", "user/permission/search?projectKey=LAS", None, 400),
    ("GET", "user/permission/search?permissions=BROWSE_PROJECTS", None, 400),
    ("GET", "user/permission/search?permissions=&projectKey=LAS", None, 400),
    ("GET", "user/permission/search?permissions=NONE&projectKey=LAS", None, 400),
    (
        "GET", "user/permission/search?permissions=BROWSE&projectKey=LAS&query=a&accountId=b",
        None, 400,
    ),
    ("GET", "user/viewissue/search?projectKey=LAS", None, 400),
    ("GET", "user/viewissue/search?query=a", None, 400),
    ("GET", "user/viewissue/search?projectKey=LAS&query=a&accountId=b", None, 400),
    ("GET", "user/search/query", None, 400),
    ("GET", "user/search/query/key", None, 400),
    ("GET", "groupuserpicker", None, 400),
    ("GET", "group", None, 400),
    ("GET", "group?groupname=jira-users&groupId=x", None, 400),
    ("POST", "group", {}, 400),
    ("DELETE", "group", None, 400),
    ("DELETE", "group?groupname=jira-users&swapGroup=a&swapGroupId=b", None, 400),
    ("GET", "group/member", None, 400),
    ("GET", "group/member?groupname=jira-users&groupId=x", None, 400),
    ("POST", "group/user", {"accountId": "{dev}"}, 400),
    ("POST", "group/user?groupname=jira-users", {}, 400),
    ("DELETE", "group/user?accountId={dev}", None, 400),
    ("DELETE", "group/user?groupname=jira-users", None, 400),
    ("GET", "groups/picker?exclude=a&excludeId=b", None, 400),
    ("GET", "mypermissions", None, 400),
    ("GET", "mypermissions?permissions=", None, 400),
    ("GET", "mypreferences", None, 404),
    ("PUT", "mypreferences", "x", 404),
    ("DELETE", "mypreferences", None, 404),
    ("GET", "project/LAS/role/{role}", None, 200),
    ("DELETE", "project/LAS/role/{role}", None, 400),
    ("DELETE", "project/LAS/role/{role}?group=a&groupId=b", None, 400),
    ("POST", "project/LAS/role/{role}", {}, 400),
    ("POST", "project/LAS/role/{role}", {"group": ["a"], "groupId": ["b"]}, 400),
    ("DELETE", "role/{role}/actors", None, 400),
    ("POST", "role/{role}/actors", {}, 400),
    ("PUT", "role/{role}", {"name": "New"}, 400),
    ("POST", "role/{role}", {}, 400),
    ("POST", "role", {}, 400),
]  # fmt: skip
ISSUES: list[Row] = [
    ("PUT", "issue/{issue}", b"", 400),
    ("POST", "issue", {"fields": {}}, 400),
    ("POST", "issue/bulk", {"issueUpdates": [{"fields": {}}]}, 400),
    ("PUT", "issue/{issue}/assignee", {}, 400),
    ("POST", "issue/{issue}/notify", {"subject": "a"}, 400),
    ("DELETE", "issue/{issue}/remotelink", None, 400),
    ("POST", "issue/{issue}/remotelink", {}, 400),
    ("POST", "issue/{issue}/transitions", {}, 400),
    ("POST", "issue/{issue}/transitions", {"fields": {}}, 400),
    ("POST", "issue/{issue}/transitions", {"transition": {}}, 400),
    ("DELETE", "issue/{issue}/watchers", None, 400),
    ("POST", "issue/{issue}/comment", {}, 400),
    ("POST", "issue/{issue}/worklog", {}, 400),
    ("POST", "issue/{issue}/worklog?adjustEstimate=new", {"timeSpent": "1m"}, 400),
    ("POST", "issue/{issue}/worklog?adjustEstimate=manual", {"timeSpent": "1m"}, 400),
    ("PUT", "issue/{issue}/worklog/{worklog}?adjustEstimate=new", {"timeSpent": "1m"}, 400),
    ("DELETE", "issue/{issue}/worklog/{worklog}?adjustEstimate=new", None, 400),
    ("DELETE", "issue/{issue}/worklog/{worklog}?adjustEstimate=manual", None, 400),
    ("DELETE", "issue/{issue}/worklog", {}, 400),
    ("POST", "issue/{issue}/worklog/move", {}, 400),
    ("POST", "worklog/list", {"ids": []}, 400),
    ("POST", "comment/list", {"ids": []}, 400),
    ("POST", "issueLink", {}, 400),
    ("POST", "issueLink", {"inwardIssue": {"key": "{issue}"}, "outwardIssue": {"key": "{issue}"}},
     400),
    ("POST", "issueLinkType", {"name": "a"}, 400),
    ("POST", "search/jql", {}, 400),
    ("POST", "search/approximate-count", {}, 400),
    ("POST", "jql/parse", {"queries": []}, 400),
    ("GET", "jql/autocompletedata/suggestions", None, 400),
    ("GET", "jql/autocompletedata/suggestions?fieldName=status&predicateValue=a", None, 400),
    ("POST", "issue/bulkfetch", {}, 400),
    ("POST", "changelog/bulkfetch", {}, 400),
    ("GET", f"{AGILE}/issue/{{issue}}/estimation", None, 400),
    ("PUT", f"{AGILE}/issue/{{issue}}/estimation", {"value": "1"}, 400),
    ("PUT", f"{AGILE}/issue/rank", {"issues": ["{issue}"]}, 400),
    ("POST", f"{AGILE}/sprint", {}, 400),
    ("POST", f"{AGILE}/sprint", {"name": "a"}, 400),
    ("POST", f"{AGILE}/board", {"name": "a", "type": "scrum"}, 400),
    ("POST", f"{AGILE}/board", {"type": "scrum", "filterId": 1}, 400),
]  # fmt: skip
SETTINGS: list[Row] = [
    ("POST", "component", {"project": "LAS"}, 400),
    ("POST", "component", {"name": "a"}, 400),
    ("POST", "version", {"project": "LAS"}, 400),
    ("POST", "version", {"name": "a"}, 400),
    ("POST", "version/{version}/move", {}, 400),
    ("POST", "version/{version}/move", {"after": "x", "position": "First"}, 400),
    ("GET", "dashboard/search?owner=a&accountId=b", None, 400),
    ("GET", "dashboard/search?groupname=a&groupId=b", None, 400),
    ("GET", "filter/search?owner=a&accountId=b", None, 400),
    ("GET", "filter/search?groupname=a&groupId=b", None, 400),
    ("POST", "filter", {"jql": "project = LAS"}, 400),
    (
        "POST", "filter",
        {"name": "a", "jql": "", "sharePermissions": [{"type": "projectRole"}]}, 400,
    ),
    ("POST", "dashboard", {}, 400),
    ("POST", "field", {"type": "com.atlassian.jira.plugin.system.customfieldtypes:url"}, 400),
    ("POST", "field", {"name": "a"}, 400),
    ("POST", "issuetype", {}, 400),
    ("POST", "issuetypescheme", {"name": "a"}, 400),
    ("POST", "issuetypescreenscheme", {"name": "a"}, 400),
    ("POST", "screenscheme", {"name": "a"}, 400),
    ("POST", "screens", {}, 400),
    ("POST", "priority", {"name": "a"}, 400),
    ("PUT", "priority/{priority}", {}, 400),
    ("PUT", "priority/move", {"ids": ["{priority}"]}, 400),
    ("PUT", "resolution/move", {"ids": ["10000"]}, 400),
    ("POST", "resolution", {}, 400),
    ("POST", "projectCategory", {}, 400),
    ("POST", "permissionscheme", {}, 400),
    ("POST", "notificationscheme", {}, 400),
    ("POST", "issuesecurityschemes", {}, 400),
    ("POST", "workflowscheme", {}, 400),
    ("POST", "project", {"key": "NEW", "name": "a"}, 400),
    ("POST", "project", {"key": "NEW", "name": "a", "leadAccountId": "{dev}"}, 400),
    ("PUT", "workflowscheme/{workflowscheme}/workflow", {}, 404),
    ("DELETE", "workflowscheme/{workflowscheme}/workflow", None, 404),
    ("POST", "issuetype/{issuetype}/avatar2", b"", 400),
    ("PUT", "issuetype/{issuetype}/properties/a", b"", 400),
    ("DELETE", "webhook", {}, 400),
    ("GET", "issuetype/project", None, 400),
    ("GET", "fieldconfigurationscheme/project", None, 400),
    ("GET", "issuetypescheme/project", None, 400),
    ("GET", "issuetypescreenscheme/project", None, 400),
    ("GET", "workflowscheme/project", None, 400),
]  # fmt: skip


@pytest.fixture
def found(site: Site) -> dict[str, str]:
    """Return the ids that rows name."""
    key = site.issue()
    return {
        "dev": site.ids["dev"],
        "issue": key,
        "issuetype": site.get("issuetype")[0]["id"],
        "priority": site.get("priority/search")["values"][0]["id"],
        "role": str(next(one["id"] for one in site.get("role") if one["name"] == "Developers")),
        "version": site.post("version", {"name": "1.0", "project": "LAS"})["id"],
        "workflowscheme": str(site.post("workflowscheme", {"name": "Flows"})["id"]),
        "worklog": site.post(f"issue/{key}/worklog", {"timeSpent": "1m"})["id"],
    }


def filled(sent: Any, found: dict[str, str]) -> Any:
    """Return an address or body with the ids of what was made."""
    if isinstance(sent, dict):
        return {name: filled(value, found) for name, value in sent.items()}
    if isinstance(sent, list):
        return [filled(value, found) for value in sent]
    if isinstance(sent, str):
        for name, id in found.items():
            sent = sent.replace(f"{{{name}}}", id)
    return sent


@pytest.mark.parametrize("rows", [PEOPLE, ISSUES, SETTINGS], ids=["people", "issues", "settings"])
def test_what_prose_requires_is_required(
    site: Site, sandboxes: Sandboxes, found: dict[str, str], rows: list[Row]
) -> None:
    sandboxes.mark(site.row.id, "before")
    wrong = []
    for method, path, body, status in rows:
        headers: dict[str, Any] = {"X-Atlassian-Token": "no-check"}
        answer = site.call(method, filled(path, found), filled(body, found), **headers)
        if answer.status != status:
            wrong.append((method, path, body, answer.status, answer.body))
    assert not wrong, "\n".join(map(str, wrong))
    assert sandboxes.diff(site.row.id, "before") == []
