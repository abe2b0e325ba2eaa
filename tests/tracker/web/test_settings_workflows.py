"""Workflows in the settings of a space: looked at, changed in a draft, published."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.tracker.models import ProjectRole, Status
from clones.tracker.rules.workflow.drafts import CATEGORIES
from tests.tracker import workflows
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor

AT = "/jira/software/c/projects/LAS/settings/workflows"


@pytest.fixture
def ada(site: Site) -> Visit:
    """An admin of the site at the pages."""
    return visitor(site)


@pytest.fixture
def root(ada: Visit) -> str:
    """The address of the workflow of LAS."""
    links = re.findall(rf'href="({AT}/[0-9a-f-]+)"', ada.get(AT).html)
    assert links
    return str(links[0])


def flow(site: Site, root: str) -> dict[str, Any]:
    """Return a workflow as the API has it."""
    uuid = root.rpartition("/")[2]
    body = {"workflowIds": [uuid]}
    found = site.post("workflows", body, status=200)
    shown: dict[str, Any] = found["workflows"][0]
    shown["names"] = {one["statusReference"]: one["name"] for one in found["statuses"]}
    return shown


def statuses(site: Site, root: str) -> list[str]:
    shown = flow(site, root)
    return [shown["names"][one["statusReference"]] for one in shown["statuses"]]


def transitions(site: Site, root: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in flow(site, root)["transitions"]}


def test_a_workflow_is_shown_as_a_diagram_and_as_lists(site: Site, ada: Visit, root: str) -> None:
    page = ada.get(root)
    names = statuses(site, root)
    picture = page.html.partition('data-testid="workflow-editor.diagram"')[2].partition("</svg>")[0]
    for name in names:
        assert f'aria-label="Status {name}"' in picture
        assert f">{name}" in page.html.partition('aria-label="Statuses"')[2]
    for name, item in transitions(site, root).items():
        assert f'href="{root}/transitions/{item["id"]}"' in picture
        assert name in page.main
    assert "nan" not in picture


def page_of_category(site: Site, status: str) -> str:
    """Return the category of a status as a workflow's form calls it."""
    with site.store():
        return CATEGORIES[Status.objects.get(id=status).category]


def test_a_draft_changes_nothing_until_it_is_published(site: Site, ada: Visit, root: str) -> None:
    before = flow(site, root)
    ada.post(f"{root}/statuses/add", {"name": "Peer review", "category": "IN_PROGRESS"})
    assert flow(site, root) == before
    # One of the site's or a new one, not both: neither is taken in silence.
    with site.store():
        others = Status.objects.filter(project=None).exclude(name__in=statuses(site, root))
        other = str(others.order_by("id")[0].id)
    both = ada.post(f"{root}/statuses/add", {"status": other, "name": "Peer review 2"}, 400)
    assert both.said == ["Choose a status, or New status with a name: not both."]
    wrong = "IN_PROGRESS" if page_of_category(site, other) != "IN_PROGRESS" else "DONE"
    own = ada.post(f"{root}/statuses/add", {"status": other, "category": wrong}, 400)
    assert "A status that there is keeps its category" in own.said[0]
    assert flow(site, root) == before
    taken = ada.post(f"{root}/statuses/add", {"name": "Done", "category": "DONE"}, 400)
    assert 'Status name "Done" already in use. Try a different name.' in taken.said[0]
    page = ada.get(root)
    assert "No transitions lead to this status." in page.main
    reference = re.search(
        r'/statuses/([^/"]+)/remove"[^>]*aria-label="Remove status Peer review"', page.html
    )
    assert reference is not None
    first = before["statuses"][0]["statusReference"]
    sent = {"name": "Ask for review", "from": [first], "to": reference[1], "screen": ""}
    made = ada.post(f"{root}/transitions/add", sent)
    assert made.location.startswith(f"{root}/transitions/")
    assert flow(site, root) == before
    ada.post(f"{root}/publish")
    assert "Peer review" in statuses(site, root)
    item = transitions(site, root)["Ask for review"]
    assert item["type"] == "DIRECTED"
    assert flow(site, root)["version"]["versionNumber"] == before["version"]["versionNumber"] + 1
    assert "Draft" not in ada.get(root).main
    key = site.issue()
    offered = site.get(f"issue/{key}/transitions")["transitions"]
    to = next(one for one in offered if one["name"] == "Ask for review")
    site.post(f"issue/{key}/transitions", {"transition": {"id": to["id"]}}, status=204)
    found = site.get(f"issue/{key}?fields=status")["fields"]["status"]["name"]
    assert found == "Peer review"


def test_transitions_are_changed_and_deleted(site: Site, ada: Visit, root: str) -> None:
    name, item = next(
        (name, one) for name, one in transitions(site, root).items() if one["type"] != "INITIAL"
    )
    edit = f"{root}/transitions/{item['id']}/edit"
    form = ada.get(edit).form("/edit")
    ada.post(edit, {**form, "name": "Renamed"})
    page = ada.post(edit, {**form, "name": ""}, 400)
    assert page.said == ["Enter a transition name."]
    ada.post(f"{root}/publish")
    assert name not in transitions(site, root)
    assert transitions(site, root)["Renamed"]["id"] == item["id"]
    ada.post(f"{root}/transitions/{item['id']}/delete")
    ada.post(f"{root}/discard")
    assert "Renamed" in transitions(site, root)
    ada.post(f"{root}/transitions/{item['id']}/delete")
    ada.post(f"{root}/publish")
    assert "Renamed" not in transitions(site, root)
    initial = next(one for one in transitions(site, root).values() if one["type"] == "INITIAL")
    refused = ada.post(f"{root}/transitions/{initial['id']}/delete", status=400)
    assert refused.said == ["A workflow must have exactly one initial transition."]


def test_rules_are_added_edited_and_removed_and_hold(site: Site, ada: Visit, root: str) -> None:
    item = next(one for one in transitions(site, root).values() if one["type"] != "INITIAL")
    at = f"{root}/transitions/{item['id']}"
    kind = "system:validate-field-value|fieldRequired"
    asked = ada.post(f"{at}/validators/add", {"kind": kind}, 200)
    form = asked.form("/validators/add")
    assert {"fieldsRequired", "ignoreContext", "errorMessage"} <= set(form)
    empty = ada.post(f"{at}/validators/add", form, 400)
    assert empty.said == [
        "The parameter fieldsRequired of the rule system:validate-field-value is required."
    ]
    ada.post(
        f"{at}/validators/add",
        {**form, "fieldsRequired": ["duedate", "labels"], "errorMessage": "Say when."},
    )
    shown = ada.get(at).main
    assert "Required fields: Due date, Labels" in shown
    assert "Error message: Say when." in shown
    ada.post(f"{root}/publish")
    rule = transitions(site, root)[item["name"]]["validators"][-1]
    assert rule["ruleKey"] == "system:validate-field-value"
    assert rule["parameters"]["fieldsRequired"] == "duedate,labels"
    key = site.issue()
    moved = site.call("POST", f"issue/{key}/transitions", {"transition": {"id": item["id"]}})
    assert moved.status == 400
    assert moved.body["errorMessages"] == ["Say when."]
    number = len(item.get("validators", []))
    edited = ada.get(f"{at}/validators/{number}").form(f"/validators/{number}")
    assert edited["fieldsRequired"] == ["duedate", "labels"]
    ada.post(f"{at}/validators/{number}", {**edited, "errorMessage": "Say when first."})
    ada.post(f"{root}/publish")
    moved = site.call("POST", f"issue/{key}/transitions", {"transition": {"id": item["id"]}})
    assert moved.body["errorMessages"] == ["Say when first."]
    ada.post(f"{at}/validators/{number}/remove")
    ada.post(f"{root}/publish")
    site.post(f"issue/{key}/transitions", {"transition": {"id": item["id"]}}, status=204)


def test_conditions_are_all_needed_or_any(site: Site, ada: Visit, root: str) -> None:
    item = next(one for one in transitions(site, root).values() if one["type"] != "INITIAL")
    at = f"{root}/transitions/{item['id']}"
    for sent in (
        {"kind": "system:restrict-issue-transition", "accountIds": [site.ids["dana"]]},
        {"kind": "system:restrict-issue-transition", "accountIds": [site.ids["ada"]]},
    ):
        ada.post(f"{at}/conditions/add", {**sent, "filled": "1"})
    assert f'action="{at}/operation"' in ada.get(at).html
    ada.post(f"{root}/publish")
    key = site.issue()

    def offered() -> bool:
        found = site.get(f"issue/{key}/transitions")["transitions"]
        return item["id"] in {one["id"] for one in found}

    assert not offered()
    ada.post(f"{at}/operation", {"operation": "ANY"})
    ada.post(f"{root}/publish")
    assert transitions(site, root)[item["name"]]["conditions"]["operation"] == "ANY"
    assert offered()


def test_a_status_that_issues_have_goes_only_with_another_for_them(
    site: Site, ada: Visit, root: str
) -> None:
    key = site.issue()
    shown = flow(site, root)
    here = site.get(f"issue/{key}?fields=status")["fields"]["status"]
    other = next(
        one["statusReference"] for one in shown["statuses"] if one["statusReference"] != here["id"]
    )
    refused = ada.post(f"{root}/statuses/{here['id']}/remove", status=400)
    assert f"The status {here['id']} is not in the workflow." in refused.said
    initial = next(one for one in shown["transitions"] if one["type"] == "INITIAL")
    edit = f"{root}/transitions/{initial['id']}/edit"
    ada.post(edit, {**ada.get(edit).form("/edit"), "to": other})
    ada.post(f"{root}/statuses/{here['id']}/remove")
    asked = ada.get(f"{root}/publish")
    assert f"Work items in {here['name']} get the status" in asked.main
    missing = ada.post(f"{root}/publish", status=400)
    assert missing.said == [f"Issues in the status with ID {here['id']} need a status mapping."]
    ada.post(f"{root}/publish", {f"status-{here['id']}": other})
    site.advance()
    assert site.get(f"issue/{key}?fields=status")["fields"]["status"]["id"] == other
    assert here["name"] not in statuses(site, root)


def test_whoever_runs_a_space_looks_at_the_sites_workflows_only(site: Site, root: str) -> None:
    with site.store():
        role = ProjectRole.objects.get(name="Administrators").id
    dev = visitor(site, "dev")
    dev.get(root, 403)
    site.post(f"project/LAS/role/{role}", {"user": [site.ids["dev"]]}, status=200)
    page = dev.get(root)
    assert "Add status" not in page.links()
    for form in ("statuses/add", "transitions/add", "publish", "discard"):
        dev.get(f"{root}/{form}", 403)
        dev.post(f"{root}/{form}", {}, 403)
    dev.get(root.replace("LAS", "OPS"), 403)


def test_the_administration_opens_the_same_editor(site: Site, ada: Visit, root: str) -> None:
    uuid = root.rpartition("/")[2]
    admin = f"/jira/settings/issues/workflows/{uuid}/edit"
    assert ada.get(admin).links()["Add status"] == f"{admin}/statuses/add"
    ada.post(f"{admin}/statuses/add", {"name": "Parked", "category": "TODO", "any": "on"})
    assert "Parked" in ada.get(root).main
    ada.post(f"{admin}/publish")
    assert transitions(site, root)["Parked"]["type"] == "GLOBAL"
    visitor(site, "dev").get(admin, 403)


def test_a_draft_of_an_older_version_is_refused(site: Site, ada: Visit, root: str) -> None:
    ada.post(f"{root}/statuses/add", {"name": "Parked", "category": "TODO", "any": "on"})
    workflows.change(site, "11", name="New")
    refused = ada.post(f"{root}/publish", status=400)
    assert refused.said == [
        "The workflow was changed since it was read: its version is not the latest."
    ]
    assert "Parked" not in statuses(site, root)
    ada.post(f"{root}/discard")
    assert "Parked" not in ada.get(root).main
