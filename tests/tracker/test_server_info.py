"""What the server says of itself, its licences and products."""

from __future__ import annotations

from tests.tracker.site import Site


def test_the_server_is_of_the_cloud_to_anybody(site: Site) -> None:
    """Clients branch on the kind of deployment and the version before they sign in."""
    found = site.get("/rest/api/2/serverInfo", by=None)
    assert found["deploymentType"] == "Cloud"
    assert found["versionNumbers"] == [1001, 0, 0]
    assert found["version"] == "1001.0.0-SNAPSHOT"
    assert found["baseUrl"] == f"http://tracker.{site.row.id}.localhost:8800"
    later = site.advance(3600) or site.get("serverInfo", by=None)["serverTime"]
    assert later > found["serverTime"]


def test_products_and_who_has_them(site: Site) -> None:
    """Products are had through groups; admins see by whom."""
    roles = {role["key"]: role for role in site.get("applicationrole")}
    assert sorted(roles) == ["jira-core", "jira-servicedesk", "jira-software"]
    software = roles["jira-software"]
    assert software["defaultGroups"] == ["jira-software-users"]
    assert software["userCount"] == 3  # ada, dev, dana
    assert software["remainingSeats"] == software["numberOfSeats"] - 3
    assert site.get("applicationrole/jira-software") == software
    error = site.get("applicationrole/jira-tea", status=404)
    assert error["errorMessages"] == ["The application role with key 'jira-tea' was not found."]
    error = site.get("applicationrole", by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized to perform this action.")

    applications = site.get("instance/license", by="dev")["applications"]
    assert {one["id"]: one["plan"] for one in applications} == dict.fromkeys(roles, "PAID")
    counted = site.get("license/approximateLicenseCount")
    assert counted == {"key": "license.totalApproximateUserCount", "value": "3"}
    counted = site.get("license/approximateLicenseCount/product/jira-software")
    assert counted["value"] == "3"
    site.get("license/approximateLicenseCount", by="dev", status=403)
