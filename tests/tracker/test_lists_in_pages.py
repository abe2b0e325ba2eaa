"""Lists are given page by page, whatever they are of."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.conftest import Site
from tests.tracker.desk_site import open_desk

SECURITY = "issuesecurityschemes"
DESK = "/rest/servicedeskapi"


def walk(site: Site, path: str) -> list[Any]:
    """Return a list's entries, asked for one by one, and in one piece to compare."""
    sign = "&" if "?" in path else "?"
    start, size = ("start", "limit") if path.startswith(DESK) else ("startAt", "maxResults")

    def asked(place: int, count: int) -> list[Any]:
        body = site.get(f"{path}{sign}{start}={place}&{size}={count}")
        if isinstance(body, list):
            return body
        assert (body[start], body[size]) == (place, count)
        return list(body["fields"] if "fields" in body else body["values"])

    whole = asked(0, 50)
    one_by_one = [asked(place, 1) for place in range(len(whole) + 1)]
    assert one_by_one == [*([one] for one in whole), []]
    return whole


@pytest.fixture
def secured(site: Site) -> str:
    """Return the id of the second of two schemes of security; LAS has it."""
    body = {"levels": [{"name": "Team"}, {"name": "Board"}]}
    site.post(SECURITY, {"name": "First", **body})
    scheme = site.post(SECURITY, {"name": "Second", **body})["id"]
    member = {"members": [{"type": "user", "parameter": site.ids[who]} for who in ("dev", "dana")]}
    level = site.get(f"{SECURITY}/{scheme}")["levels"][0]["id"]
    site.put(f"{SECURITY}/{scheme}/level/{level}/member", member)
    for key in ("LAS", "OPS"):
        use = {"projectId": site.get(f"project/{key}")["id"], "schemeId": scheme}
        site.call("PUT", f"{SECURITY}/project", use)
    site.advance()
    return str(scheme)


def test_schemes_of_security_levels_and_members(site: Site, secured: str) -> None:
    found = walk(site, f"{SECURITY}/search")
    assert [one["name"] for one in found] == ["First", "Second"]
    levels = walk(site, f"{SECURITY}/level?schemeId={secured}")
    assert [one["name"] for one in levels] == ["Team", "Board"]
    assert len(walk(site, f"{SECURITY}/{secured}/members")) == 2
    uses = walk(site, f"{SECURITY}/project")
    assert [one["issueSecuritySchemeId"] for one in uses] == [secured] * 2


def test_spaces_of_schemes_of_notifications(site: Site) -> None:
    assert len(walk(site, "notificationscheme/project")) == 3


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("users", ["Ada Brandt", "Dev Anand", "Dana Ruiz", "Cara Holm", "Guy Est"]),
        ("user/assignable/multiProjectSearch?query=a&projectKeys=LAS", ["Ada Brandt", "Dev Anand"]),
        (
            "user/permission/search?permissions=BROWSE_PROJECTS&query=a&projectKey=LAS",
            ["Ada Brandt", "Dev Anand"],
        ),
        ("user/viewissue/search?query=a&projectKey=LAS", ["Ada Brandt", "Dev Anand"]),
    ],
)
def test_people(site: Site, path: str, names: list[str]) -> None:
    assert [one["displayName"] for one in walk(site, path)] == names


def test_components_of_spaces(site: Site) -> None:
    for name in ("Beam", "Optics"):
        site.post("component", {"name": name, "project": "LAS"})
    found = walk(site, "component?projectIdsOrKeys=LAS")
    assert [one["name"] for one in found] == ["Beam", "Optics"]


def test_fields_of_a_type(site: Site) -> None:
    task = next(one["id"] for one in site.get("issuetype") if one["name"] == "Task")
    fields = walk(site, f"issue/createmeta/LAS/issuetypes/{task}")
    assert "summary" in [one["fieldId"] for one in fields]


def test_issues_by_the_token_of_the_next_page(site: Site) -> None:
    keys = [site.issue() for _ in range(3)]
    path = "search/jql?jql=project=LAS ORDER BY key&fields=key&maxResults=2"
    first = site.get(path)
    assert [one["key"] for one in first["issues"]] == keys[:2]
    second = site.get(f"{path}&nextPageToken={first['nextPageToken']}")
    assert [one["key"] for one in second["issues"]] == keys[2:]
    assert second["isLast"]


def test_organizations_of_a_site_and_of_a_desk(site: Site) -> None:
    desk = open_desk(site)
    for name in ("Acme", "Borg"):
        made = site.post(f"{DESK}/organization", {"name": name})
        body = {"organizationId": int(made["id"])}
        site.post(f"{DESK}/servicedesk/{desk.id}/organization", body, status=204)
    for path in (f"{DESK}/organization", f"{DESK}/servicedesk/{desk.id}/organization"):
        assert [one["name"] for one in walk(site, path)] == ["Acme", "Borg"]
