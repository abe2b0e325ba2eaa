"""Making issues at the page and the dialog of it, and the screens of transitions."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.tracker.issues import add_component, add_field, add_version, configure
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor

CREATE = "/secure/CreateIssue"


def space(site: Site, key: str) -> str:
    """Return the id of a space."""
    found: str = site.get(f"project/{key}")["id"]
    return found


def kind(site: Site, name: str, project: str = "LAS") -> str:
    """Return the id of a type of a space."""
    found = site.get(f"issue/createmeta/{project}/issuetypes")["issueTypes"]
    return str(next(one["id"] for one in found if one["name"] == name))


def test_an_issue_is_made_with_the_fields_of_its_screen(site: Site) -> None:
    component, version = add_component(site, "Optics"), add_version(site, "1.0")
    cascade, [above, below] = add_field(site, "cascadingselect", "Place", "Hall", "Hall/Bay")
    several, [one, two] = add_field(site, "multicheckboxes", "Traits", "Loud", "Hot")
    ada = visitor(site)
    asked: dict[str, Any] = {"pid": space(site, "LAS"), "issuetype": kind(site, "Task")}
    page = ada.get(CREATE, **asked)
    form = page.form(CREATE)
    assert (form["pid"], form["issuetype"]) == (asked["pid"], asked["issuetype"])
    assert (form["reporter"], form["assignee"]) == (site.ids["ada"], "-1")
    assert 'id="summary-field"' in page.html
    given = {
        "summary": "Burns",
        "description": "h1. Smoke\n\n* much",
        "components": [component],
        "fixVersions": [version],
        "labels": "hot loud",
        "duedate": "2027-01-02",
        "timetracking_originalestimate": "1d 2h",
        cascade: above,
        f"{cascade}:1": below,
        several: [one, two],
        "file": SimpleUploadedFile("a.txt", b"a", "text/plain"),
    }
    answer = ada.post(CREATE, {**form, **given})
    key = answer.location.rpartition("/")[2]
    flag = ada.get("/jira/for-you")
    assert f'You\'ve created "{key}" work item' in flag.part("flag")
    assert flag.links("View work item") == {"View work item": f"/browse/{key}"}
    found = site.get(f"issue/{key}")["fields"]
    assert found["summary"] == "Burns"
    assert [node["type"] for node in found["description"]["content"]] == ["heading", "bulletList"]
    assert [row["name"] for row in found["components"]] == ["Optics"]
    assert [row["name"] for row in found["fixVersions"]] == ["1.0"]
    assert (found["labels"], found["duedate"]) == (["hot", "loud"], "2027-01-02")
    assert found["timetracking"]["originalEstimateSeconds"] == 10 * 3600
    assert (found[cascade]["value"], found[cascade]["child"]["value"]) == ("Hall", "Bay")
    assert [row["value"] for row in found[several]] == ["Loud", "Hot"]
    assert [row["filename"] for row in found["attachment"]] == ["a.txt"]
    assert found["reporter"]["accountId"] == site.ids["ada"]


def test_what_is_missing_is_said_beside_its_field(site: Site) -> None:
    field, _ = add_field(site, "textfield", "Serial")
    configure(site, field, is_required=True)
    dev = visitor(site, "dev")
    form: dict[str, Any] = dev.get(CREATE, pid=space(site, "LAS")).form(CREATE)
    page = dev.post(CREATE, {**form, "summary": "", "description": "kept"}, 422)
    assert "Serial is required." in page.text
    page = dev.post(CREATE, {**form, "summary": "", field: "K7", "description": "kept"}, 422)
    assert "You must specify a summary of the issue." in page.text
    assert 'id="summary-field-error"' in page.html
    again = page.form(CREATE)
    assert (again[field], again["description"]) == ("K7", "kept")
    assert site.get("search/jql?jql=project=LAS")["issues"] == []


def test_another_space_or_type_asks_for_other_fields(site: Site) -> None:
    dev = visitor(site, "dev")
    form = dev.get(CREATE, pid=space(site, "LAS")).form(CREATE)
    part = kind(site, "Sub-task")
    page = dev.post(CREATE, {**form, "summary": "Typed", "issuetype": part, "reload": "1"}, 200)
    assert page.form(CREATE)["summary"] == "Typed"
    assert page.form(CREATE)["parent"] == ""
    parent = site.issue("Whole")
    made = dev.post(CREATE, {**page.form(CREATE), "parent": parent.lower(), "another": "1"}, 200)
    assert made.form(CREATE)["summary"] == ""
    [child] = site.get(f"issue/{parent}")["fields"]["subtasks"]
    assert f'You\'ve created "{child["key"]}" work item' in made.part("flag")
    page = dev.post(CREATE, {**page.form(CREATE), "parent": ""}, 422)
    assert "Issue type is a sub-task but parent issue key or id not specified." in page.text


def test_a_dialog_comes_back_to_the_page_it_was_opened_on(site: Site) -> None:
    dev = visitor(site, "dev")
    form = dev.get(CREATE, back="/jira/for-you?tab=reported").form(CREATE)
    sent = {"atl_token": _token(dev), **form, "summary": "By dialog"}
    answer = dev.client.post(CREATE, sent, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, "/jira/for-you?tab=reported")
    assert "By dialog" in dev.get("/jira/for-you", tab="reported").main
    assert dev.get(CREATE, back="https://elsewhere.example/").form(CREATE)["back"] in (
        "/jira/for-you",
        "",
    )


def _token(dev: Any) -> str:
    html: str = dev.get("/jira/for-you").html
    return html.partition('data-token="')[2].partition('"')[0]


def test_who_may_not_make_issues_is_told(site: Site) -> None:
    button = "atlassian-navigation--create-button"
    assert button in visitor(site, "dev").get("/jira/for-you").html
    assert button not in visitor(site, "guest").get("/jira/for-you").html
    page = visitor(site, "guest").get(CREATE, 403)
    assert "You do not have permission to create work items in any space." in page.main


def test_a_transition_with_a_screen_asks_for_its_fields(site: Site) -> None:
    key = site.issue(project={"key": "IT"}, issuetype=_first_type(site))
    at = f"/browse/{key}"
    ada = visitor(site)
    moves = site.get(f"issue/{key}/transitions?expand=transitions.fields")["transitions"]
    asking = [one for one in moves if "resolution" in one["fields"]]
    assert asking, [one["name"] for one in moves]
    action = f"{at}/transition/{asking[0]['id']}"
    page = ada.get(action)
    assert "Please select" in page.main
    refused = ada.post(action, {**page.form(action), "comment": "Kept"}, 422)
    assert "Resolution is required." in refused.text
    assert refused.form(action)["comment"] == "Kept"
    done = site.get("resolution")[0]["id"]
    assert ada.post(action, {**refused.form(action), "resolution": done}).location == at
    found = site.get(f"issue/{key}")["fields"]
    assert found["status"]["id"] == asking[0]["to"]["id"]
    assert found["resolution"]["id"] == done
    assert "Kept" in ada.get(at).main


def _first_type(site: Site) -> dict[str, str]:
    found = site.get("issue/createmeta/IT/issuetypes")["issueTypes"]
    return {"id": next(one["id"] for one in found if one["hierarchyLevel"] == 0)}
