"""Workflows, screens, permissions, notifications and security levels, by their schemes."""

from __future__ import annotations

from typing import Any

from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.admin import audited, fill, name_of, refused
from tests.tracker.web.conftest import visitor
from tests.tracker.workflows import LAS

WORKFLOWS = address_of("workflows")
FLOW_SCHEMES = address_of("workflow-schemes")
SCREENS = address_of("screens")
SCREEN_SCHEMES = address_of("screen-schemes")
TYPE_SCREENS = address_of("type-screens")
PERMISSIONS = address_of("permission-schemes")
NOTIFICATIONS = address_of("notification-schemes")
SECURITY = address_of("security-schemes")


def flow_scheme_of(site: Site, key: str) -> int:
    """Return the workflow scheme of a space."""
    project = site.get(f"project/{key}")["id"]
    (found,) = site.get(f"workflowscheme/project?projectId={project}")["values"]
    return int(found["workflowScheme"]["id"])


def flow_id(site: Site, name: str) -> str:
    """Return the uuid of a workflow."""
    (found,) = site.post("workflows", {"workflowNames": [name]}, status=200)["workflows"]
    return str(found["id"])


def types(site: Site) -> dict[str, str]:
    """Return the ids of the site's types by name."""
    return {one["name"]: one["id"] for one in site.get("issuetype") if "scope" not in one}


def test_workflows_are_listed_with_what_uses_them(site: Site) -> None:
    ada = visitor(site)
    page = ada.get(WORKFLOWS)
    assert LAS in page.main
    assert LAS not in ada.get(WORKFLOWS, tab="inactive").main
    assert LAS not in ada.get(WORKFLOWS, query="no such").main
    page = ada.get(f"{WORKFLOWS}/{flow_id(site, LAS)}")
    for text in ("In Progress", "Create", "Laser control"):
        assert text in page.main
    page = refused(ada, f"{WORKFLOWS}/{flow_id(site, LAS)}/delete")
    assert page.said == ["Cannot delete an active workflow."]
    ada.get(f"{WORKFLOWS}/nothing", status=404)


def test_a_workflow_is_created_copied_and_deleted(site: Site) -> None:
    ada = visitor(site)
    wanted = site.get("statuses/search?searchString=Done")["values"]
    status = name_of([one for one in wanted if one["scope"]["type"] == "GLOBAL"], "Done")["id"]
    page = refused(ada, f"{WORKFLOWS}/create", name="One")
    assert page.said == ["Choose the status in which work begins."]
    fill(ada, f"{WORKFLOWS}/create", name="One", status=status)
    (made,) = site.post("workflows", {"workflowNames": ["One"]}, status=200)["workflows"]
    assert [one["statusReference"] for one in made["statuses"]] == [status]
    assert [one["type"] for one in made["transitions"]] == ["INITIAL"]
    fill(ada, f"{WORKFLOWS}/{flow_id(site, LAS)}/copy", name="Two")
    found = site.post("workflows", {"workflowNames": [LAS, "Two"]}, status=200)["workflows"]
    names = [sorted(one["name"] for one in flow["transitions"]) for flow in found]
    assert names[0] == names[1]
    page = refused(ada, f"{WORKFLOWS}/{flow_id(site, LAS)}/copy", name="Two")
    assert page.said
    assert "Two" in ada.get(WORKFLOWS, tab="inactive").main
    fill(ada, f"{WORKFLOWS}/{made['id']}/delete")
    assert site.post("workflows", {"workflowNames": ["One"]}, status=200)["workflows"] == []


def test_a_draft_is_changed_published_and_discarded(site: Site) -> None:
    """An active scheme stays as it is until its draft is published, by which work moves."""
    ada = visitor(site)
    scheme = flow_scheme_of(site, "LAS")
    at, ids = f"{FLOW_SCHEMES}/{scheme}", types(site)
    key = site.issue()
    (other,) = site.post("workflows", {"workflowNames": ["jira"]}, status=200)["workflows"]
    with site.writing():
        from clones.tracker.models import Workflow  # noqa: PLC0415 - only this test reads it

        number = Workflow.objects.get(uuid=other["id"]).id
    fill(ada, f"{at}/workflows/add", workflow=str(number), types=[ids["Task"]])
    found = site.get(f"workflowscheme/{scheme}")
    assert ids["Task"] not in found["issueTypeMappings"]
    draft = site.get(f"workflowscheme/{scheme}/draft")
    assert draft["issueTypeMappings"][ids["Task"]] == "jira"
    assert "which is not in use yet" in ada.get(at).main
    assert "published scheme" in ada.get(at, view="original").main
    fill(ada, f"{at}/discard")
    site.get(f"workflowscheme/{scheme}/draft", status=404)
    fill(ada, f"{at}/workflows/add", workflow=str(number), types=[ids["Task"]])
    form = ada.get(f"{at}/publish").form(f"{at}/publish")
    asked = [name for name in form if name.startswith(f"{ids['Task']}-")]
    page = refused(ada, f"{at}/publish")
    assert "is missing the mappings required for statuses" in page.said[0]
    wanted = site.get("statuses/search?searchString=Reopened")["values"]
    site_status = next(one["id"] for one in wanted if "scope" in one)
    fill(ada, f"{at}/publish", **dict.fromkeys(asked, site_status))
    site.advance()
    assert site.get(f"workflowscheme/{scheme}")["issueTypeMappings"][ids["Task"]] == "jira"
    assert site.get(f"issue/{key}?fields=status")["fields"]["status"]["id"] == site_status


def test_a_workflow_scheme_is_made_copied_and_deleted(site: Site) -> None:
    ada = visitor(site)
    ids = types(site)
    at = fill(ada, f"{FLOW_SCHEMES}/add", name="Ours", defaultWorkflow=LAS).location
    page = refused(ada, f"{FLOW_SCHEMES}/add", name="ours")
    assert page.said == ["A workflow scheme with that name already exists."]
    uuid = flow_id(site, LAS)
    fill(ada, f"{at}/workflows/{uuid}", types=[ids["Bug"]])
    scheme = int(at.rpartition("/")[2])
    assert site.get(f"workflowscheme/{scheme}")["issueTypeMappings"] == {ids["Bug"]: LAS}
    copied = fill(ada, f"{at}/copy", name="Theirs").location
    found = site.get(f"workflowscheme/{copied.rpartition('/')[2]}")
    assert (found["name"], found["issueTypeMappings"]) == ("Theirs", {ids["Bug"]: LAS})
    ada.post(f"{at}/workflows/{uuid}/remove")
    found = site.get(f"workflowscheme/{scheme}")
    assert (found["issueTypeMappings"], found["defaultWorkflow"]) == ({}, "jira")
    fill(ada, f"{at}/delete")
    site.get(f"workflowscheme/{scheme}", status=404)
    page = refused(ada, f"{FLOW_SCHEMES}/{flow_scheme_of(site, 'LAS')}/delete")
    assert page.said == ["The workflow scheme is active and cannot be deleted."]


def tab_fields(site: Site, screen: str, tab: int) -> list[str]:
    return [one["id"] for one in site.get(f"screens/{screen}/tabs/{tab}/fields")]


def test_a_screen_has_tabs_and_fields_in_order(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{SCREENS}/add", name="Report").location
    screen = at.rpartition("/")[2]
    (tab,) = site.get(f"screens/{screen}/tabs")
    here = f"{at}/tabs/{tab['id']}"
    fill(ada, f"{here}/fields/add", fields=["summary", "duedate", "labels"])
    assert "summary" not in ada.get(f"{here}/fields/add").form("/fields/add")["fields"]
    assert tab_fields(site, screen, tab["id"]) == ["summary", "duedate", "labels"]
    ada.post(f"{here}/fields/labels/move", {"way": "up"})
    ada.post(f"{here}/fields/summary/remove")
    assert tab_fields(site, screen, tab["id"]) == ["labels", "duedate"]
    fill(ada, f"{at}/tabs/add", name="More")
    page = refused(ada, f"{at}/tabs/add", name="more")
    assert page.said == ["The name is used by another tab of the screen."]
    second = name_of(site.get(f"screens/{screen}/tabs"), "More")["id"]
    ada.post(f"{at}/tabs/{second}/move", {"way": "up"})
    assert [one["name"] for one in site.get(f"screens/{screen}/tabs")] == ["More", "Field Tab"]
    fill(ada, f"{at}/tabs/{second}/rename", name="First")
    copied = fill(ada, f"{at}/copy", name="Report 2").location.rpartition("/")[2]
    tabs = site.get(f"screens/{copied}/tabs")
    assert [one["name"] for one in tabs] == ["First", "Field Tab"]
    assert tab_fields(site, copied, tabs[1]["id"]) == ["labels", "duedate"]
    fill(ada, f"{at}/tabs/{second}/delete")
    assert [one["name"] for one in site.get(f"screens/{screen}/tabs")] == ["Field Tab"]
    fill(ada, f"{at}/delete")
    assert site.get(f"screens?id={screen}")["values"] == []


def test_screens_by_operation_and_by_type(site: Site) -> None:
    ada = visitor(site)
    screen = fill(ada, f"{SCREENS}/add", name="Short").location.rpartition("/")[2]
    page = refused(ada, f"{SCREEN_SCHEMES}/add", name="Ours")
    assert page.said == ["The default screen has to be provided."]
    at = fill(ada, f"{SCREEN_SCHEMES}/add", name="Ours", default=screen, create=screen).location
    scheme = at.rpartition("/")[2]
    (found,) = site.get(f"screenscheme?id={scheme}")["values"]
    assert found["screens"] == {"default": int(screen), "create": int(screen)}
    page = refused(ada, f"{SCREENS}/{screen}/delete")
    assert page.said == ["The screen is used in a screen scheme."]
    fill(ada, f"{at}/edit", create="")
    (found,) = site.get(f"screenscheme?id={scheme}")["values"]
    assert found["screens"] == {"default": int(screen)}
    mine = fill(ada, f"{TYPE_SCREENS}/add", name="By type", screens=scheme).location
    bug = types(site)["Bug"]
    fill(ada, f"{mine}/types/add", type=bug, screens=scheme)
    other = next(
        one["id"] for one in site.get("screenscheme")["values"] if str(one["id"]) != scheme
    )
    fill(ada, f"{mine}/types/{bug}", screens=str(other))
    number = mine.rpartition("/")[2]
    path = f"issuetypescreenscheme/mapping?issueTypeScreenSchemeId={number}"
    mapping = {one["issueTypeId"]: one["screenSchemeId"] for one in site.get(path)["values"]}
    assert mapping == {"default": scheme, bug: str(other)}
    fill(ada, f"{mine}/types/default", screens=str(other))
    ada.post(f"{mine}/types/{bug}/remove")
    mapping = {one["issueTypeId"]: one["screenSchemeId"] for one in site.get(path)["values"]}
    assert mapping == {"default": str(other)}
    space = site.get("project/LAS")["id"]
    fill(ada, f"{mine}/spaces/add", space=space)
    used = site.get(f"issuetypescreenscheme/project?projectId={space}")["values"]
    assert used[0]["issueTypeScreenScheme"]["id"] == number
    page = refused(ada, f"{mine}/delete")
    assert "because it is assigned to one or more projects." in page.said[0]
    fill(ada, f"{at}/delete")
    assert site.get(f"screenscheme?id={scheme}")["values"] == []


def grants(site: Site, scheme: str, permission: str) -> set[tuple[str, str | None]]:
    found = site.get(f"permissionscheme/{scheme}/permission")["permissions"]
    return {
        (one["holder"]["type"], one["holder"].get("value"))
        for one in found
        if one["permission"] == permission
    }


def test_permissions_are_granted_and_taken(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{PERMISSIONS}/add", name="Strict").location
    scheme = at.rpartition("/")[2]
    role = name_of(site.get("role"), "Developers")["id"]
    both = ["BROWSE_PROJECTS", "CREATE_ISSUES"]
    fill(ada, f"{at}/grants/add", permissions=both, holder=f"projectRole:{role}")
    fill(ada, f"{at}/grants/add?permission=BROWSE_PROJECTS", holder="reporter:")
    assert grants(site, scheme, "CREATE_ISSUES") == {("projectRole", str(role))}
    assert grants(site, scheme, "BROWSE_PROJECTS") == {
        ("projectRole", str(role)), ("reporter", None),
    }  # fmt: skip
    page = ada.get(at)
    assert "Space role (Developers), Reporter" in page.main
    page = refused(ada, f"{at}/grants/add?permission=BROWSE_PROJECTS", holder="reporter:")
    assert page.said == ["The permission grant already exists in the permission scheme."]
    form = ada.get(f"{at}/grants/BROWSE_PROJECTS/remove")
    value = form.html.partition('type="checkbox" name="grants" value="')[2].partition('"')[0]
    fill(ada, f"{at}/grants/BROWSE_PROJECTS/remove", grants=[value])
    assert grants(site, scheme, "BROWSE_PROJECTS") == {("reporter", None)}
    copied = fill(ada, f"{at}/copy", name="Strict 2").location.rpartition("/")[2]
    assert grants(site, copied, "CREATE_ISSUES") == {("projectRole", str(role))}
    fill(ada, f"{at}/delete")
    site.get(f"permissionscheme/{scheme}", status=404)
    page = refused(ada, f"{PERMISSIONS}/0/delete")
    assert page.said == ["Cannot delete a permission scheme that is in use by a project."]


def recipients_of(site: Site, scheme: str) -> dict[str, list[str]]:
    found = site.get(f"notificationscheme/{scheme}?expand=all")
    return {
        one["event"]["name"]: [row["notificationType"] for row in one["notifications"]]
        for one in found["notificationSchemeEvents"]
    }


def test_people_are_told_of_events_by_a_scheme(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{NOTIFICATIONS}/add", name="Loud").location
    scheme = at.rpartition("/")[2]
    fill(ada, f"{at}/notifications/add", events=["1", "6"], recipient="AllWatchers:")
    fill(ada, f"{at}/notifications/add?event=1", recipient=f"User:{site.ids['dev']}")
    assert recipients_of(site, scheme) == {
        "Issue created": ["AllWatchers", "User"], "Issue commented": ["AllWatchers"],
    }  # fmt: skip
    assert "All watchers, Single user (Dev Anand)" in ada.get(at).main
    page = refused(ada, f"{at}/notifications/add?event=1", recipient="AllWatchers:")
    assert page.said == ["The notification already exists in the notification scheme."]
    page = refused(ada, f"{at}/notifications/add?event=1")
    assert page.said == ["Choose who is told."]
    html = ada.get(f"{at}/notifications/6/remove").html
    value = html.partition('type="checkbox" name="notifications" value="')[2].partition('"')[0]
    fill(ada, f"{at}/notifications/6/remove", notifications=[value])
    assert "Issue commented" not in recipients_of(site, scheme)
    fill(ada, f"{at}/edit", name="Quiet")
    assert site.get(f"notificationscheme/{scheme}")["name"] == "Quiet"
    fill(ada, f"{at}/delete")
    site.get(f"notificationscheme/{scheme}", status=404)


def members(site: Site, scheme: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = site.get(
        f"issuesecurityschemes/level/member?schemeId={scheme}&expand=all"
    )["values"]
    return found


def test_security_levels_have_members_a_default_and_an_heir(site: Site) -> None:
    ada = visitor(site)
    at = fill(ada, f"{SECURITY}/add", name="Secrets").location
    scheme = at.rpartition("/")[2]
    fill(ada, f"{at}/levels/add", name="Staff")
    fill(ada, f"{at}/levels/add", name="Lasers", default="on")
    found = site.get(f"issuesecurityschemes/{scheme}")
    ids = {one["name"]: one["id"] for one in found["levels"]}
    assert found["defaultSecurityLevelId"] == int(ids["Lasers"])
    here = f"{at}/levels/{ids['Staff']}"
    fill(ada, f"{here}/members/add", holder=f"user:{site.ids['dev']}")
    (member,) = members(site, scheme)
    assert member["holder"]["value"] == site.ids["dev"]
    page = refused(ada, f"{here}/members/add", holder=f"user:{site.ids['dev']}")
    assert page.said == ["The member already exists in the issue security level."]
    assert "Single user (Dev Anand)" in ada.get(at).main
    ada.post(f"{here}/members/{member['id']}/remove")
    assert members(site, scheme) == []
    ada.post(f"{at}/default", {"level": ids["Staff"]})
    found = site.get(f"issuesecurityschemes/{scheme}")
    assert found["defaultSecurityLevelId"] == int(ids["Staff"])
    fill(ada, here, name="Everybody here")
    fill(ada, f"{at}/levels/{ids['Lasers']}/delete", replacement=ids["Staff"])
    site.advance()
    found = site.get(f"issuesecurityschemes/{scheme}")
    assert [one["name"] for one in found["levels"]] == ["Everybody here"]
    fill(ada, f"{at}/delete")
    assert audited(site)[0] == "Issue security scheme deleted"
