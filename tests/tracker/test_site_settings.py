"""Settings of the site: properties, time tracking, the banner; and the record of their changes."""

from __future__ import annotations

from clones.tracker.domain.settings import set_setting
from tests.tracker.site import Site

HOURS = "The working hours per day must be greater than 0"
DAYS = "The working days per week must be greater than 0"


def test_application_properties(site: Site) -> None:
    """They have defaults; admins set them to values of their type."""
    path = "application-properties"
    found = {one["key"]: one for one in site.get(path)}
    assert found["jira.clone.prefix"]["value"] == "CLONE -"
    advanced = {one["key"] for one in site.get(f"{path}/advanced-settings")}
    assert "jira.clone.prefix" in advanced
    assert "jira.title" not in advanced
    body = {"id": "jira.clone.prefix", "value": "Copy of"}
    changed = site.put(f"{path}/jira.clone.prefix", body, status=200)
    assert (changed["value"], changed["defaultValue"]) == ("Copy of", "CLONE -")
    assert site.get(f"{path}?key=jira.clone.prefix") == changed
    keys = [one["key"] for one in site.get(f"{path}?keyFilter=jira.lf.*")]
    assert keys[:2] == ["jira.lf.date.time", "jira.lf.date.day"]
    assert {"jira.lf.favicon.hires.url", "jira.lf.text.headingcolour"} <= set(keys) < set(found)
    assert [one["key"] for one in site.get(f"{path}?keyFilter=jira.lf.date.dmy")] == [
        "jira.lf.date.dmy"
    ]
    for key, value, text in (
        ("jira.newsletter.tip.delay.days", "x", "is not a valid number."),
        ("jira.date.time.picker.use.iso8061", "x", "must be true or false."),
        ("jira.issue.actions.order", "x", "is not allowed."),
    ):
        error = site.put(f"{path}/{key}", {"value": value}, status=400)
        assert error["errorMessages"] == [f"The value 'x' of the property '{key}' {text}"]
    for answer in (
        site.put(f"{path}/tea", {"value": "x"}, status=404),
        site.get(f"{path}?key=tea", status=404),
    ):
        assert answer["errorMessages"] == ["No property exists with key 'tea'"]
    site.put(f"{path}/jira.title", {"value": "Lasers"}, status=200)
    assert site.get("serverInfo")["serverTitle"] == "Lasers"
    site.get(path, by="dev", status=403)


def test_time_is_tracked_as_the_site_says(site: Site) -> None:
    """The length of a working day counts for what people write."""
    path = "configuration/timetracking"
    assert site.get(path) == {"key": "JIRA", "name": "JIRA provided time tracking"}
    assert site.get(f"{path}/list") == [site.get(path)]
    usual = site.get(f"{path}/options")
    assert usual == {
        "workingHoursPerDay": 8.0,
        "workingDaysPerWeek": 5.0,
        "timeFormat": "pretty",
        "defaultUnit": "minute",
    }
    changed = {**usual, "workingHoursPerDay": 6.0, "defaultUnit": "hour"}
    assert site.put(f"{path}/options", changed, status=200) == changed
    found = site.get("configuration", by="dev")
    assert (found["timeTrackingEnabled"], found["timeTrackingConfiguration"]) == (True, changed)
    for name, value, text in (
        ("workingHoursPerDay", 0, f"{HOURS} and at most 24."),
        ("workingDaysPerWeek", 8, f"{DAYS} and at most 7."),
        ("timeFormat", "x", "The time format 'x' is invalid."),
        ("defaultUnit", "x", "The default unit 'x' is invalid."),
    ):  # fmt: skip
        error = site.put(f"{path}/options", {**usual, name: value}, status=400)
        assert error["errorMessages"] == [text]
    errors = site.put(f"{path}/options", {}, status=400)["errors"]
    assert errors == {"workingHoursPerDay": "workingHoursPerDay is required."}
    error = site.put(path, {"key": "tea"}, status=400)
    assert error["errorMessages"] == [
        "The time tracking provider with the key 'tea' was not found."
    ]
    with site.writing():
        set_setting("time_tracking_provider", "")
    assert site.call("GET", path).status == 204
    found = site.get("configuration", by="dev")
    assert "timeTrackingConfiguration" not in found
    site.put(path, {"key": "Jira"})
    assert site.get(path)["key"] == "JIRA"


def test_the_banner(site: Site) -> None:
    """What is not given stays; its hash changes with it."""
    first = site.get("announcementBanner")
    assert (first["message"], first["isEnabled"]) == ("", False)
    site.put("announcementBanner", {"message": "Down at six", "isEnabled": True})
    site.put("announcementBanner", {"visibility": "PRIVATE"})
    found = site.get("announcementBanner")
    assert found["hashId"] != first["hashId"]
    assert {**found, "hashId": ""} == {
        "message": "Down at six",
        "isEnabled": True,
        "isDismissible": False,
        "visibility": "private",
        "hashId": "",
    }
    for body, text in (
        ({"message": None}, "Banner message cannot be null."),
        ({"visibility": "secret"}, "Banner visibility must be public or private."),
    ):
        error = site.put("announcementBanner", body, status=400)
        assert error["errorMessages"] == [text]
    error = site.get("announcementBanner", by="dev", status=403)
    assert error["errorMessages"] == ["Only admins can read banner configuration."]
    error = site.put("announcementBanner", {}, by="dev", status=403)
    assert error["errorMessages"] == ["Only admins can update banner configuration."]


def test_the_record_of_what_admins_did(site: Site) -> None:
    """The latest first, with words, within a span of time, from where on one wants."""
    made = site.post("projectCategory", {"name": "Machines"})
    site.advance(3600)
    middle = site.get("serverInfo")["serverTime"]
    site.advance(3600)
    site.post("group", {"name": "testers"})
    found = site.get("auditing/record?limit=2")
    assert [one["summary"] for one in found["records"]] == [
        "Group created",
        "Project category created",
    ]
    assert (found["offset"], found["limit"]) == (0, 2)
    assert found["total"] > 2
    record = found["records"][1]
    assert record["category"] == "projects"
    assert record["authorAccountId"] == site.ids["ada"]
    assert record["objectItem"] == {
        "typeName": "PROJECT_CATEGORY",
        "id": made["id"],
        "name": "Machines",
    }
    at = middle.replace("+", "%2B")
    for query, summaries in (
        ("filter=testers+group", ["Group created"]),
        ("filter=testers+machines", []),
        (f"from={at}", ["Group created"]),
        ("limit=1&offset=1", ["Project category created"]),
    ):
        records = site.get(f"auditing/record?{query}")["records"]
        assert [one["summary"] for one in records] == summaries, query
    assert site.get(f"auditing/record?to={at}&limit=1")["records"] == [record]
    error = site.get("auditing/record?from=soon", status=400)
    assert error["errorMessages"] == ["The parameter 'from' is not a valid date: soon"]
    error = site.get("auditing/record", by="dev", status=403)
    assert error["errorMessages"][0].startswith("You are not authorized")
