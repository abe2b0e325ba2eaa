"""What belongs to a space: features, sender, properties, types, keys and names, categories."""

from __future__ import annotations

import pytest

from tests.tracker.site import Site

AGILITY = "com.pyxis.greenhopper.jira:gh-simplified-agility-scrum"


def team_managed(site: Site) -> int:
    """Make a team-managed space TM, which dev leads, and return its id."""
    body = {"key": "TM", "name": "Team", "leadAccountId": site.ids["dev"]}
    made = site.post("project", {**body, "projectTemplateKey": AGILITY})
    return int(made["id"])


def test_unverified_features_are_shown_or_hidden(site: Site) -> None:
    """Locked ones stay; sprints need the backlog; strangers change nothing."""
    team_managed(site)
    found = {one["feature"]: one for one in site.get("project/TM/features", by="dev")["features"]}
    assert found["jsw.agility.sprints"]["prerequisites"] == ["jsw.agility.backlog"]
    assert {one["state"] for one in found.values()} == {"ENABLED"}
    path = "project/TM/features/jsw.agility"
    for feature in ("sprints", "backlog"):
        body = {"state": "DISABLED"}
        after = site.put(f"{path}.{feature}", body, by="dev", status=200)["features"]
        states = {one["feature"]: one["state"] for one in after}
        assert states[f"jsw.agility.{feature}"] == "DISABLED"
    for feature, state, text in (
        ("sprints", "ENABLED", "The feature 'jsw.agility.sprints' needs: jsw.agility.backlog"),
        ("board", "DISABLED", "The feature 'jsw.agility.board' cannot be changed."),
        ("tea", "ENABLED", "The feature 'jsw.agility.tea' does not exist for this project."),
        ("backlog", "MAYBE", "The state 'MAYBE' is invalid: use ENABLED or DISABLED."),
    ):
        error = site.put(f"{path}.{feature}", {"state": state}, by="dev", status=400)
        assert error["errorMessages"] == [text]
    error = site.put(f"{path}.reports", {"state": "DISABLED"}, by="dana", status=403)
    assert error["errorMessages"] == ["You do not have permission to administer this project."]
    assert site.get("project/IT/features")["features"] == []


def test_the_hierarchy_of_a_team_managed_space(site: Site) -> None:
    """Levels begin with the base; company-managed spaces have none of their own."""
    number = team_managed(site)
    found = site.get(f"project/{number}/hierarchy", by="dev")
    assert found["projectId"] == number
    assert [(one["level"], one["name"]) for one in found["hierarchy"]] == [
        (0, "Base"),
        (1, "Epic"),
        (-1, "Subtask"),
    ]
    assert [kind["name"] for kind in found["hierarchy"][0]["issueTypes"]] == [
        "Story",
        "Task",
        "Bug",
    ]
    classic = site.get("project/LAS")["id"]
    error = site.get(f"project/{classic}/hierarchy", status=404)
    assert error["errorMessages"] == [f"Project with id '{classic}' is not simplified."]
    error = site.get("project/TM/hierarchy", status=404)
    assert error["errorMessages"] == ["No project could be found with id 'TM'."]


def test_unverified_the_sender_of_a_space(site: Site) -> None:
    """Admins set it, or take it back; everybody who sees the space reads it."""
    number = site.get("project/LAS")["id"]
    usual = site.get(f"project/{number}/email", by="dev")
    site.put(f"project/{number}/email", {"emailAddress": "lasers@site.example"})
    assert site.get(f"project/{number}/email", by="dev") == {"emailAddress": "lasers@site.example"}
    assert site.get("project/LAS")["email"] == "lasers@site.example"
    errors = site.put(f"project/{number}/email", {"emailAddress": "lasers"}, status=400)["errors"]
    assert errors == {"emailAddress": "The email address is not valid."}
    site.put(f"project/{number}/email", {"emailAddress": None})
    assert site.get(f"project/{number}/email", by="dev") == usual
    error = site.put(
        f"project/{number}/email", {"emailAddress": "a@b.example"}, by="dev", status=403
    )
    assert error["errorMessages"] == ["You do not have permission to administer this project."]


def test_properties_of_spaces(site: Site) -> None:
    """Those who run a space write them, those who see it read them, lists bring them along."""
    path = "project/LAS/properties"
    site.put(f"{path}/team", {"size": 4}, status=201)
    site.put(f"{path}/team", {"size": 5}, status=200)
    assert site.get(f"{path}/team", by="dev") == {"key": "team", "value": {"size": 5}}
    number = site.get("project/LAS")["id"]
    keys = site.get(path, by="dev")["keys"]
    assert [one["key"] for one in keys] == ["team"]
    assert keys[0]["self"].endswith(f"/rest/api/3/project/{number}/properties/team")
    assert site.get("project/LAS?properties=team,other")["properties"] == {"team": {"size": 5}}
    found = site.get("project/search?properties=team&keys=LAS")["values"][0]
    assert found["properties"] == {"team": {"size": 5}}
    for query, keys in (("size=5", ["LAS"]), ("size=4", [])):
        found = site.get(f"project/search?propertyQuery=[team].{query}")["values"]
        assert [one["key"] for one in found] == keys
    error = site.get("project/search?propertyQuery=team", status=400)
    assert error["errorMessages"] == ["The property query 'team' is not valid."]
    error = site.put(f"{path}/team", {"size": 6}, by="dev", status=403)
    assert error["errorMessages"] == [
        "You do not have permission to edit the properties of this project."
    ]
    site.delete(f"{path}/team")
    error = site.get(f"{path}/team", status=404)
    assert error["errorMessages"] == ["The property with key 'team' does not exist."]


def test_types_of_spaces(site: Site) -> None:
    """All are listed to anybody; accessible are those that one has a product for."""
    found = site.get("project/type", by=None)
    assert [one["key"] for one in found] == ["software", "service_desk", "business"]
    assert site.get("project/type/software", by=None) == found[0]
    assert site.get("project/type/accessible", by="dev") == found
    assert site.get("project/type/software/accessible", by="dev") == found[0]
    text = ["The project type 'service_desk' was not found."]
    assert (
        site.get("project/type/service_desk/accessible", by="dev", status=404)["errorMessages"]
        == text
    )
    assert site.get("project/type/tea", by=None, status=404)["errorMessages"] == [
        "The project type 'tea' was not found."
    ]


@pytest.mark.parametrize(
    ("wanted", "valid"),
    [("NEW", "NEW"), ("LAS", "LAS2"), ("laser beam", "LASERBEAM"), ("x", "XPROJ"), ("", "")],
)
def test_keys_are_suggested(site: Site, wanted: str, valid: str) -> None:
    """A free key is returned as it is, another is mended."""
    assert site.get(f"projectvalidate/validProjectKey?key={wanted}") == valid


def test_keys_and_names_are_validated(site: Site) -> None:
    """What is wrong is said under the field's name, with success."""
    path = "projectvalidate/key?key="
    assert site.get(f"{path}NEW") == {"errorMessages": [], "errors": {}}
    assert site.get(f"{path}LAS")["errors"] == {
        "projectKey": "A project with that project key already exists."
    }
    assert site.get(f"{path}N")["errors"]["projectKey"].startswith("Project keys must start with")
    path = "projectvalidate/validProjectName"
    assert site.get(f"{path}?name=Fresh") == "Fresh"
    assert site.get(f"{path}?name=laser+control") == "laser control 2"
    error = site.get(path, status=400)
    assert error["errorMessages"] == ["The query parameter 'name' must be provided."]


def test_categories_of_spaces(site: Site) -> None:
    """Made, changed and removed by admins; spaces show theirs and are found by it."""
    made = site.post("projectCategory", {"name": "Machines", "description": "What moves"})
    assert (made["name"], made["description"]) == ("Machines", "What moves")
    assert site.get("projectCategory", by="guest") == [made]
    site.put("project/LAS", {"categoryId": int(made["id"])}, status=200)
    assert site.get("project/LAS")["projectCategory"] == made
    found = site.get(f"project/search?categoryId={made['id']}")["values"]
    assert [one["key"] for one in found] == ["LAS"]
    path = f"projectCategory/{made['id']}"
    assert site.put(path, {"name": "Beams"}, status=200)["name"] == "Beams"
    assert site.get(path)["description"] == "What moves"
    error = site.post("projectCategory", {"name": "beams"}, status=409)
    assert error["errors"] == {"name": "The project category name 'beams' already exists."}
    error = site.post("projectCategory", {"name": " "}, status=400)
    assert error["errors"] == {"name": "Project category name is required."}
    error = site.put(path, {"description": "x" * 1001}, status=400)
    assert error["errors"] == {
        "description": "Project category description cannot exceed 1000 characters."
    }
    error = site.post("projectCategory", {"name": "Other"}, by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")
    site.delete(path)
    assert "projectCategory" not in site.get("project/LAS")
    error = site.get(path, status=404)
    assert error["errorMessages"] == [f"Could not find project category with ID '{made['id']}'"]
