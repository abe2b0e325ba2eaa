"""Sites on which every issue is somebody's: who gets it, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.models import PermissionGrant, Project
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor

SWITCH = "/jira/settings/system/general-configuration/switch"
NOBODY = {"assignee": "Issues must be assigned."}


@pytest.fixture
def ada(site: Site) -> Visit:
    """An admin, on whose site issues must be assigned."""
    found = visitor(site)
    assert site.get("configuration")["unassignedIssuesAllowed"] is True
    found.post(SWITCH, {"key": "unassigned_issues_allowed", "on": ""})
    assert site.get("configuration")["unassignedIssuesAllowed"] is False
    return found


def assignee(site: Site, key: str) -> Any:
    """Return the account of who has an issue, None if nobody has it."""
    found = site.get(f"issue/{key}?fields=assignee")["fields"]["assignee"]
    return None if found is None else found["accountId"]


def test_new_issues_go_to_the_lead_instead_of_nobody(site: Site, ada: Visit) -> None:
    key = site.issue()
    assert assignee(site, key) == site.ids["ada"]
    body = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "It stops"}
    error = site.post("issue", {"fields": {**body, "assignee": None}}, status=400)
    assert error["errors"] == NOBODY
    assert assignee(site, site.issue(assignee={"id": site.ids["dev"]})) == site.ids["dev"]
    ada.post(SWITCH, {"key": "unassigned_issues_allowed", "on": "1"})
    assert assignee(site, site.issue()) is None


def test_issues_are_not_taken_from_everybody(site: Site, ada: Visit) -> None:
    key = site.issue(assignee={"id": site.ids["dev"]})
    error = site.put(f"issue/{key}", {"fields": {"assignee": None}}, status=400)
    assert error["errors"] == NOBODY
    error = site.put(f"issue/{key}/assignee", {"accountId": None}, status=400)
    assert error["errors"] == NOBODY
    page = ada.get(f"/browse/{key}?edit=assignee")
    form = page.form("/fields/assignee")
    assert form["assignee"] == site.ids["dev"]
    assert 'value="">Unassigned' not in page.html
    page = ada.post(f"/browse/{key}/fields/assignee", {"assignee": ""}, 422)
    assert page.said == [NOBODY["assignee"]]
    assert assignee(site, key) == site.ids["dev"]
    site.put(f"issue/{key}/assignee", {"accountId": "-1"})
    assert assignee(site, key) == site.ids["ada"]


def test_a_lead_who_cannot_have_issues_is_no_way_out(site: Site, ada: Visit) -> None:
    del ada
    with site.writing():
        scheme = Project.objects.get(key="LAS").permission_scheme
        PermissionGrant.objects.filter(scheme=scheme, permission="ASSIGNABLE_USER").delete()
    body = {"project": {"key": "LAS"}, "issuetype": {"name": "Task"}, "summary": "It stops"}
    error = site.post("issue", {"fields": body}, status=400)
    assert error["errors"] == {
        "assignee": "The default assignee does NOT have ASSIGNABLE permission OR Unassigned work"
        " items are turned off."
    }
