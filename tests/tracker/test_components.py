"""Components: who gets their issues, how many they have, what becomes of those."""

from __future__ import annotations

from typing import Any

from tests.tracker.site import Site

NAMELESS = "The component name specified is invalid - cannot be an empty string"


def make(site: Site, name: str, **values: Any) -> Any:
    """Make a component of LAS."""
    return site.post("component", {"name": name, "project": "LAS", **values})


def test_whom_issues_of_a_component_go_to(site: Site) -> None:
    """The nominal assignee counts where there is one; else the space's default."""
    number = int(site.get("project/LAS")["id"])
    lead = {"leadAccountId": site.ids["dev"], "assigneeType": "COMPONENT_LEAD"}
    made = make(site, "Beam", description="Light", **lead)
    assert (made["project"], made["projectId"], made["description"]) == ("LAS", number, "Light")
    assert made["realAssigneeType"] == "COMPONENT_LEAD"
    assert made["realAssignee"]["accountId"] == made["lead"]["accountId"] == site.ids["dev"]
    assert made["isAssigneeTypeValid"] is True
    path = f"component/{made['id']}"
    changed = site.put(path, {"leadAccountId": ""}, status=200)
    assert "lead" not in changed
    assert (changed["isAssigneeTypeValid"], changed["realAssigneeType"]) == (
        False,
        "PROJECT_DEFAULT",
    )
    changed = site.put(path, {"assigneeType": "PROJECT_LEAD", "name": "Ray"}, status=200)
    assert changed["assignee"]["displayName"] == "Ada Brandt"
    assert site.get(path, by="dev") == changed
    site.get(path, by="guest", status=404)


def test_unverified_what_is_wrong_with_a_component(site: Site) -> None:
    """Names are needed and taken once in a space; only those who run it make components."""
    make(site, "Beam")
    taken = "A component with the name beam already exists in this project."
    for given, field, text in (
        ({"name": "beam"}, "name", taken),
        ({"name": " "}, "name", f"{NAMELESS}."),
        ({"name": "a" * 256}, "name", "The component name must not exceed 255 characters."),
        ({"assigneeType": "CAT"}, "assigneeType", "The assignee type 'CAT' is invalid."),
        ({"leadAccountId": "x"}, "leadAccountId", "The user with account ID 'x' does not exist."),
    ):
        body = {"project": "LAS", "name": "B", **given}
        assert site.post("component", body, status=400)["errors"] == {field: text}
    errors = site.post("component", {"name": "B"}, status=400)["errors"]
    assert errors == {"project": "The project must be specified."}
    error = site.post("component", {"name": "B", "project": "LAS"}, by="dev", status=403)
    assert error["errorMessages"] == [
        "You do not have permission to administer components in this project."
    ]
    error = site.get("component/4711", status=404)
    assert error["errorMessages"] == ["The component with id 4711 does not exist."]


def test_components_are_listed_with_the_counts_of_their_issues(site: Site) -> None:
    """Lists page, order and filter."""
    beam, mirror, stage = (
        make(site, name, description=f"{name}!") for name in ("Beam", "Mirror", "Stage")
    )
    for parts in ([beam], [beam, mirror], [beam]):
        site.issue(components=[{"id": part["id"]} for part in parts])
    path = "project/LAS/component"
    found = site.get(f"{path}?orderBy=-issueCount&maxResults=2", by="dev")
    assert [(one["name"], one["issueCount"]) for one in found["values"]] == [
        ("Beam", 3),
        ("Mirror", 1),
    ]
    assert (found["total"], found["isLast"]) == (3, False)
    rest = site.get(found["nextPage"].partition("localhost:8800")[2], by="dev")
    assert [one["name"] for one in rest["values"]] == ["Stage"]
    found = site.get(f"{path}?query=irr", by="dev")["values"]
    assert [one["name"] for one in found] == ["Mirror"]
    error = site.get(f"{path}?orderBy=taste", by="dev", status=400)
    assert error["errorMessages"] == ["The orderBy field 'taste' is not valid."]
    assert site.get("project/LAS/components", by="dev") == [beam, mirror, stage]
    found = site.get("component?projectIdsOrKeys=LAS,OPS&maxResults=1&orderBy=-name", by="dev")
    assert (found["total"], found["values"][0]["name"]) == (3, "Stage")
    error = site.get("component", by="dev", status=404)
    assert error["errorMessages"] == ["At least one project must be specified."]
    counted = site.get(f"component/{beam['id']}/relatedIssueCounts", by="dev")
    assert counted["issueCount"] == 3


def test_issues_of_a_removed_component_get_another(site: Site) -> None:
    """Histories tell of both; without a successor the component only goes."""
    beam, mirror = make(site, "Beam"), make(site, "Mirror")
    key = site.issue(components=[{"id": beam["id"]}])
    both = site.issue(components=[{"id": beam["id"]}, {"id": mirror["id"]}])
    error = site.delete(f"component/{beam['id']}?moveIssuesTo={beam['id']}", status=404)
    assert error["errorMessages"] == [f"The component with id {beam['id']} does not exist."]
    site.delete(f"component/{beam['id']}?moveIssuesTo={mirror['id']}")
    for issue in (key, both):
        fields = site.get(f"issue/{issue}?fields=components")["fields"]
        assert [one["name"] for one in fields["components"]] == ["Mirror"]
    items = site.get(f"issue/{key}/changelog")["values"][-1]["items"]
    assert [(one["field"], one["fromString"], one["toString"]) for one in items] == [
        ("Component", "Beam", None),
        ("Component", None, "Mirror"),
    ]
    site.delete(f"component/{mirror['id']}")
    assert site.get(f"issue/{key}?fields=components")["fields"]["components"] == []
    site.get(f"component/{mirror['id']}", status=404)
