"""Removing what is not there: from a set in silence, a thing by its id with 404.

Whoever votes, watches, fills a role or stars a filter is in a set, and who is not in it stays out
of it without a word: sites were seen to do so for votes and roles. What has an id is missed.
"""

from __future__ import annotations

import re
from typing import Any

from clones.core.operations import Operation
from clones.tracker.api.entry import operations
from snapshots.sandboxes import Sandboxes
from tests.tracker.boards import board_of, sprint_on
from tests.tracker.desk_site import ROOT, open_desk
from tests.tracker.site import Site
from tests.tracker.test_comments import paragraph

NONE = "999999"
ASKED: dict[str, Any] = {"X-ExperimentalApi": "opt-in"}
# Removals from a set: the address with its body, and the status of success.
SETS: dict[str, tuple[str, Any, int]] = {
    "deleteActor": ("project/LAS/role/{role}?user=nobody", None, 204),
    "deleteDefaultWorkflow": ("workflowscheme/{workflowscheme}/default", None, 200),
    "deleteFavouriteForFilter": ("filter/{filter}/favourite", None, 200),
    "deleteProjectRoleActorsFromRole": ("role/{role}/actors?user={dana}", None, 200),
    "desk.removeCustomers": (
        f"{ROOT}/servicedesk/{{servicedesk}}/customer", {"accountIds": ["{dana}"]}, 204
    ),
    "desk.removeOrganization": (
        f"{ROOT}/servicedesk/{{servicedesk}}/organization",
        {"organizationId": "{organization}"},
        204,
    ),
    "desk.removeRequestParticipants": (
        f"{ROOT}/request/{{request}}/participant", {"accountIds": ["{dana}"]}, 200
    ),
    "desk.removeUsersFromOrganization": (
        f"{ROOT}/organization/{{organization}}/user", {"accountIds": ["{dana}"]}, 204
    ),
    "desk.unsubscribe": (f"{ROOT}/request/{{request}}/notification", None, 204),
    "removeUserFromGroup": ("group/user?groupname=jira-administrators&accountId={dana}", None, 200),
    "removeVote": ("issue/{issue}/votes", None, 204),
    "removeWatcher": ("issue/{issue}/watchers?accountId={dana}", None, 204),
    "resetColumns": ("filter/{filter}/columns", None, 204),
    "resetUserColumns": ("user/columns", None, 204),
}  # fmt: skip
# What names in its query or body the things that it deletes: a thing that is not there is missed.
NAMED: dict[str, tuple[str, int]] = {
    "bulkDeleteWorklogs": ("issue/{issue}/worklog", 404),
    "deleteDraftWorkflowMapping": (
        "workflowscheme/{workflowscheme}/draft/workflow?workflowName=none", 404
    ),
    "deleteRemoteIssueLinkByGlobalId": ("issue/{issue}/remotelink?globalId=none", 404),
    "deleteStatusesById": ("statuses?id=" + NONE, 400),
    "deleteUserProperty": ("user/properties/none?accountId={dana}", 404),
    "deleteWebhookById": ("webhook", 403),  # only apps have any
    "deleteWorkflowMapping": ("workflowscheme/{workflowscheme}/workflow?workflowName=none", 404),
    "deleteWorkflowTransitionProperty": (
        "workflow/transitions/1/properties?key=none&workflowName=none", 404
    ),
    "removeGroup": ("group?groupname=none", 404),
    "removePreference": ("mypreferences?key=none", 404),
    "removeUser": ("user?accountId=none", 404),
}  # fmt: skip
BODIES = {"bulkDeleteWorklogs": {"ids": [int(NONE)]}, "deleteWebhookById": {"webhookIds": [1]}}
# The description has no answer to what is not there, or another than 404.
OTHERWISE = {
    "deleteDashboard": 400,
    "deletePermissionSchemeEntity": 400,
    "deletePriorityScheme": 400,
}
# These begin a task, or change all fields at once: there is nothing that could be missed.
NEITHER = {"bulkDeleteIssueProperty", "deleteDraftDefaultWorkflow", "removeAssociations"}


def made(site: Site) -> dict[str, str]:
    """Make what removals are asked of; return ids by the segment of a path before them."""
    desk = open_desk(site)
    key = site.issue()
    comment = site.post(f"issue/{key}/comment", {"body": paragraph("It hums")})
    worklog = site.post(f"issue/{key}/worklog", {"timeSpent": "1m"})
    version = site.post("version", {"name": "1.0", "project": "LAS"})
    kept = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)
    shown = {"name": "Wall", "sharePermissions": [], "editPermissions": []}
    dashboard = site.post("dashboard", shown, status=200)["id"]
    gadget = site.get("dashboard/gadgets")["gadgets"][0]
    board = board_of(site)
    kind = "com.atlassian.jira.plugin.system.customfieldtypes:select"
    field = site.post("field", {"name": "Colour", "type": kind})["id"]
    screen = str(site.get("screens")["values"][0]["id"])
    security = site.post(
        "issuesecurityschemes", {"name": "Secret", "levels": [{"name": "Low", "isDefault": True}]}
    )["id"]
    scheme = str(site.post("workflowscheme", {"name": "Flows"})["id"])
    return {
        "board": str(board),
        "comment": str(comment["id"]),
        "context": site.get(f"field/{field}/context")["values"][0]["id"],
        "dana": site.ids["dana"],
        "dashboard": str(dashboard),
        "field": field,
        "filter": str(kept["id"]),
        "issue": key,
        "issuesecurityschemes": str(security),
        "issuetype": site.get("issuetype")[0]["id"],
        "issuetypescheme": site.get("issuetypescheme")["values"][0]["id"],
        "items": str(site.post(f"dashboard/{dashboard}/gadget", gadget, status=200)["id"]),
        "level": site.get(f"issuesecurityschemes/{security}")["levels"][0]["id"],
        "notificationscheme": str(site.get("notificationscheme")["values"][0]["id"]),
        "organization": desk.post("organization", {"name": "Acme"})["id"],
        "owner": site.get("project/LAS")["id"],
        "permissionscheme": str(site.get("permissionscheme")["permissionSchemes"][0]["id"]),
        "project": "LAS",
        "request": desk.ask()["issueKey"],
        "requesttype": next(iter(desk.types.values())),
        "role": str(next(one["id"] for one in site.get("role") if one["name"] == "Developers")),
        "screens": screen,
        "servicedesk": desk.id,
        "sprint": str(sprint_on(site, board)),
        "tabs": str(site.get(f"screens/{screen}/tabs")[0]["id"]),
        "type": "project",
        "version": str(version["id"]),
        "workflowscheme": scheme,
        "worklog": str(worklog["id"]),
    }


def address(operation: Operation, found: dict[str, str]) -> str:
    """Return the address of a thing that is not there, among things that are."""
    segments = list(operation.segments)
    places = [place for place, part in enumerate(segments) if part.startswith("{")]
    for place in places:
        segments[place] = found[segments[place - 1]] if place != places[-1] else NONE
    return "/" + "/".join(segments)


def filled(sent: Any, found: dict[str, str]) -> Any:
    """Return an address or body with the ids of what was made."""
    if isinstance(sent, dict):
        return {name: filled(value, found) for name, value in sent.items()}
    if isinstance(sent, list):
        return [filled(value, found) for value in sent]
    return re.sub(r"\{(\w+)\}", lambda name: found[name[1]], sent) if sent else sent


def deletions() -> dict[str, Operation]:
    """Return the operations that remove something."""
    return {one.id: one for one in operations().all.values() if one.method == "DELETE"}


def test_removing_from_a_set_what_is_not_in_it_succeeds_in_silence(
    site: Site, sandboxes: Sandboxes
) -> None:
    found = made(site)
    wrong = []
    for name, (path, body, status) in SETS.items():
        sandboxes.mark(site.row.id, "before")
        by = "dev" if name.startswith("desk.") else "ada"
        for _ in range(2):
            answer = site.call("DELETE", filled(path, found), filled(body, found), by=by, **ASKED)
            if answer.status != status:
                wrong.append((name, answer.status, answer.body))
        if name not in ("desk.unsubscribe", "deleteDefaultWorkflow"):
            assert sandboxes.diff(site.row.id, "before") == [], name
    assert not wrong, "\n".join(map(str, wrong))


def test_deleting_a_thing_that_is_not_there_is_missed(site: Site, sandboxes: Sandboxes) -> None:
    """Among parents that are there, and by a name in the query; and every removal is in a list."""
    found = made(site)
    sandboxes.mark(site.row.id, "before")
    wrong = []
    for name, operation in deletions().items():
        if name in SETS or name in NEITHER:
            continue
        path, status = NAMED.get(name) or (address(operation, found), OTHERWISE.get(name, 404))
        answer = site.call("DELETE", filled(path, found), BODIES.get(name), **ASKED)
        if answer.status != status:
            wrong.append((name, path, answer.status, answer.body))
    assert not wrong, "\n".join(map(str, wrong))
    assert sandboxes.diff(site.row.id, "before") == []
    lists = [*SETS, *NAMED, *OTHERWISE, *NEITHER]
    assert len(lists) == len(set(lists))
    assert set(lists) <= set(deletions())
