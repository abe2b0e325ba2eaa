"""What clients ask for and no description has: sessions, development tools, lists that are none."""

from __future__ import annotations

from tests.tracker.site import Site


def test_who_a_session_is_of(site: Site) -> None:
    """So the public Python client sees whether a credential is good."""
    found = site.get("/rest/auth/1/session", by="dev")
    assert found["name"] == site.ids["dev"]
    assert site.get(found["self"].partition("8800")[2], by="dev")["accountId"] == site.ids["dev"]
    site.get("/rest/auth/1/session", by=None, status=401)
    site.post("/rest/auth/1/session", {"username": "dev"}, status=405)


def test_no_development_tool_is_connected(site: Site) -> None:
    key = site.issue()
    number = site.get(f"issue/{key}")["id"]
    for version in ("latest", "1.0"):
        path = f"/rest/dev-status/{version}/issue"
        summary = site.get(f"{path}/summary?issueId={number}")
        assert {kind["overall"]["count"] for kind in summary["summary"].values()} == {0}
        assert {"pullrequest", "build", "branch", "repository"} <= set(summary["summary"])
        asked = f"issueId={number}&applicationType=GitHub&dataType=pullrequest"
        assert site.get(f"{path}/detail?{asked}") == {"errors": [], "detail": []}
        for what in ("summary", "detail"):
            site.get(f"{path}/{what}", status=400)
            site.get(f"{path}/{what}?issueId=999999", status=404)
            site.get(f"{path}/{what}?issueId={number}", by="guest", status=404)


def test_there_is_no_list_of_all_filters(site: Site) -> None:
    """A filter can be made at that address, and still the site knows no such endpoint."""
    for version in ("2", "3", "latest"):
        path = f"/rest/api/{version}/filter"
        answer = site.call("GET", path)
        assert (answer.status, answer.body["detail"]) == (404, f"No endpoint GET {path}.")
    assert site.call("PUT", "filter", {}).status == 405
    for path in ("/rest/greenhopper/1.0/rapidview", "/rest/greenhopper/1.0/sprintquery/1"):
        site.get(path, status=404)
