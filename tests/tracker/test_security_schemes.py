"""Issue security: levels hide issues from those who are no members of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.site import Site

PATH = "issuesecurityschemes"


@pytest.fixture
def scheme(site: Site) -> str:
    """Return the id of a scheme: Reporters (the default) and Admins."""
    body = {
        "name": "Hidden",
        "levels": [
            {"name": "Reporters", "isDefault": True, "members": [{"type": "reporter"}]},
            {"name": "Admins", "members": [{"type": "group", "parameter": "administrators"}]},
        ],
    }
    return str(site.post(PATH, body)["id"])


def levels(site: Site, scheme: str) -> dict[str, str]:
    """Return the ids of a scheme's levels by their names."""
    return {one["name"]: one["id"] for one in site.get(f"{PATH}/{scheme}")["levels"]}


def use(site: Site, scheme: str | None, mappings: list[Any] | None = None) -> None:
    """Let LAS use a scheme."""
    body = {"projectId": site.get("project/LAS")["id"], "schemeId": scheme}
    body["oldToNewSecurityLevelMappings"] = mappings or []
    assert site.call("PUT", f"{PATH}/project", body).status == 303
    site.advance()


def level_of(site: Site, key: str) -> str | None:
    """Return the name of an issue's level."""
    found = site.get(f"issue/{key}?fields=security")["fields"]["security"]
    return found and str(found["name"])


def test_levels_hide_issues(site: Site, scheme: str) -> None:
    """Issues get levels when their space gets a scheme, others when a level goes."""
    key, number = site.issue(by="dev"), levels(site, scheme)
    use(site, scheme, [{"oldLevelId": "-1", "newLevelId": number["Admins"]}])
    assert level_of(site, key) == "Admins"
    site.get(f"issue/{key}", by="dev", status=404)
    shown = site.get("project/LAS/issuesecuritylevelscheme")
    assert (shown["id"], shown["name"]) == (int(scheme), "Hidden")
    assert shown["defaultSecurityLevelId"] == int(number["Reporters"])
    assert [one["name"] for one in shown["levels"]] == list(number)
    found = site.get("project/LAS/securitylevel")["levels"]
    assert [one["name"] for one in found] == ["Admins"]
    assert site.get("project/LAS/securitylevel", by="dev") == {"levels": []}
    error = site.get("project/LAS/issuesecuritylevelscheme", by="dev", status=403)
    assert error["errorMessages"] == ["You do not have permission to administer this project."]
    path = f"{PATH}/{scheme}/level/{number['Admins']}"
    answer = site.call("DELETE", f"{path}?replaceWith={number['Reporters']}")
    assert answer.status == 303
    site.advance()
    task = answer.headers["Location"].rpartition("/rest/api/3/")[2]
    assert site.get(task)["status"] == "COMPLETE"
    assert list(levels(site, scheme)) == ["Reporters"]
    site.get(f"issue/{key}", status=404)
    items = site.get(f"issue/{key}/changelog", by="dev")["values"][-1]["items"]
    assert [(one["fromString"], one["toString"]) for one in items] == [("Admins", "Reporters")]
    error = site.delete(f"{PATH}/{scheme}", status=400)
    assert error["errorMessages"] == [
        "You can't delete an issue security scheme if any projects are associated with it."
    ]
    use(site, None)
    assert level_of(site, key) is None
    site.get("project/LAS/issuesecuritylevelscheme", status=404)
    site.delete(f"{PATH}/{scheme}")
    site.get(f"{PATH}/{scheme}", status=404)


def test_levels_and_members_are_written(site: Site, scheme: str) -> None:
    """Levels are added, renamed and made defaults; members come and go."""
    body = {"levels": [{"name": "Team", "description": "Us", "members": [{"type": "projectLead"}]}]}
    site.put(f"{PATH}/{scheme}/level", body)
    number = levels(site, scheme)["Team"]
    path = f"{PATH}/{scheme}/level/{number}"
    site.put(path, {"name": "Crew"})
    assert site.get(f"securitylevel/{number}", by=None)["name"] == "Crew"
    body = {"defaultValues": [{"issueSecuritySchemeId": scheme, "defaultLevelId": number}]}
    site.put(f"{PATH}/level/default", body)
    found = site.get(f"{PATH}/level?onlyDefault=true&schemeId={scheme}")
    assert [(one["name"], one["isDefault"]) for one in found["values"]] == [("Crew", True)]
    member = {"type": "user", "parameter": site.ids["dev"]}
    site.put(f"{path}/member", {"members": [member]})
    error = site.put(f"{path}/member", {"members": [member]}, status=400)
    assert error["errorMessages"] == ["The member already exists in the issue security level."]
    found = site.get(f"{PATH}/level/member?levelId={number}&maxResults=1")
    assert (found["total"], found["isLast"]) == (2, False)
    one = site.get(f"{PATH}/level/member?levelId={number}&startAt=1")["values"][0]
    assert one["holder"]["value"] == site.ids["dev"]
    assert (one["issueSecurityLevelId"], one["issueSecuritySchemeId"]) == (number, scheme)
    older = site.get(f"{PATH}/{scheme}/members?issueSecurityLevelId={number}")["values"]
    assert [member["id"] for member in older][1] == int(one["id"])
    site.delete(f"{path}/member/{one['id']}")
    assert site.get(f"{PATH}/level/member?id={one['id']}")["values"] == []
    error = site.delete(f"{path}/member/{one['id']}", status=404)
    text = f"Issue security level member with ID {one['id']} not found."
    assert error["errorMessages"] == [text]
    site.put(f"{PATH}/{scheme}", {"name": "Veiled", "description": "Much"})
    listed = site.get(f"{PATH}")["issueSecuritySchemes"]
    assert [(one["name"], one["description"]) for one in listed] == [("Veiled", "Much")]


def test_schemes_are_found_with_their_spaces(site: Site, scheme: str) -> None:
    """Only spaces that are asked for are shown, where some are."""
    use(site, scheme)
    las = site.get("project/LAS")["id"]
    site.post(PATH, {"name": "Apart"})
    found = site.get(f"{PATH}/search")
    assert [(one["name"], one["projectIds"]) for one in found["values"]] == [
        ("Apart", []),
        ("Hidden", [int(las)]),
    ]
    found = site.get(f"{PATH}/search?projectId={las}")["values"]
    assert [one["id"] for one in found] == [int(scheme)]
    uses = site.get(f"{PATH}/project?issueSecuritySchemeId={scheme}")["values"]
    assert uses == [{"issueSecuritySchemeId": scheme, "projectId": las}]
    error = site.get(f"{PATH}/search", by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")
    error = site.get(f"{PATH}/{scheme}", by="dev", status=403)
    text = "You do not have permission to view the issue security scheme."
    assert error["errorMessages"] == [text]


def test_unverified_what_is_wrong_with_schemes(site: Site, scheme: str) -> None:
    """Names are needed and taken once; ids are numbers, and of something."""
    for body, text in (
        ({"name": "hidden"}, "An issue security scheme with the name 'hidden' already exists."),
        ({"name": ""}, "The name of the issue security scheme must not be empty."),
        (
            {"name": "N", "levels": [{"name": "a"}, {"name": "A"}]},
            "An issue security level with the name 'A' already exists.",
        ),
        (
            {"name": "N", "levels": [{"name": n, "isDefault": True} for n in "ab"]},
            "Only one issue security level can be the default.",
        ),
        (
            {"name": "N", "levels": [{"name": "a", "members": [{"type": "cat"}]}]},
            "Invalid permission holder type 'cat'.",
        ),
    ):
        assert site.post(PATH, body, status=400)["errorMessages"] == [text]
    error = site.get(f"{PATH}/4711", status=404)
    assert error["errorMessages"] == ["Issue security scheme with ID 4711 not found."]
    body = {"projectId": site.get("project/LAS")["id"], "schemeId": "x"}
    error = site.put(f"{PATH}/project", body, status=400)
    assert error["errorMessages"] == [
        "x is not a valid value. The issue security scheme ID must be a positive integer."
    ]
    error = site.get(f"{PATH}/level?id=-1000", status=400)
    assert error["errorMessages"] == [
        "-1000 is not a valid value. id must be zero or a positive integer."
    ]
    error = site.get("securitylevel/4711", status=404)
    assert error["errorMessages"] == ["Issue security level with ID 4711 not found."]
    error = site.put(f"{PATH}/{scheme}/level", {"levels": []}, status=400)
    assert error["errorMessages"] == ["At least one issue security level must be specified."]
