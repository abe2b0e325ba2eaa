"""The site as a whole: spaces, what is turned on, the banner, the audit log, webhooks."""

from __future__ import annotations

from clones.core.models import Delivery
from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.admin import audited, fill, name_of, refused
from tests.tracker.web.conftest import visitor

SPACES = address_of("spaces")
CATEGORIES = address_of("categories")
GENERAL = address_of("general")
BANNER = address_of("banner")
AUDIT = address_of("audit-log")
WEBHOOKS = address_of("webhooks")
TRACKING = address_of("time-tracking")
WEBHOOK_API = "/rest/webhooks/1.0/webhook"


def test_spaces_are_archived_thrown_away_and_brought_back(site: Site) -> None:
    ada = visitor(site)
    project = site.get("project/OPS")["id"]
    site.issue(project={"key": "OPS"})
    page = ada.get(SPACES)
    for name in ("Laser control", "Operations", "IT help"):
        assert name in page.main
    assert "Operations" not in ada.get(SPACES, query="laser").main
    assert "Operations" not in ada.get(SPACES, type="service_desk").main
    at = f"{SPACES}/{project}"
    fill(ada, f"{at}/archive")
    assert "Operations" in ada.get(SPACES, tab="archived").main
    page = refused(ada, f"{at}/delete")
    assert "You can't delete a project if it's archived." in page.said[0]
    ada.post(f"{at}/restore")
    assert "archived" not in site.get("project/OPS")
    fill(ada, f"{at}/trash")
    assert "Operations" in ada.get(SPACES, tab="deleted").main
    assert "Operations" not in ada.get(SPACES).main
    page = ada.get(f"{at}/delete")
    assert "1 work item is deleted with it." in page.main
    fill(ada, f"{at}/delete")
    site.advance()
    ada.get(f"{at}/delete", status=404)
    assert audited(site)[0] == "Project deleted"


def test_categories_group_spaces(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{CATEGORIES}/add", name="Hardware", description="With screws.")
    page = refused(ada, f"{CATEGORIES}/add", name="hardware")
    assert page.said == ["The project category name 'hardware' already exists."]
    category = name_of(site.get("projectCategory"), "Hardware")["id"]
    project = site.get("project/LAS")["id"]
    fill(ada, f"{SPACES}/{project}/category", category=category)
    assert site.get("project/LAS")["projectCategory"]["name"] == "Hardware"
    assert "Laser control" in ada.get(SPACES, category=category).main
    assert "Operations" not in ada.get(SPACES, category=category).main
    assert "Laser control" in ada.get(CATEGORIES).main
    fill(ada, f"{CATEGORIES}/{category}", name="Machines")
    assert name_of(site.get("projectCategory"), "Machines")["id"] == category
    fill(ada, f"{CATEGORIES}/{category}/delete")
    assert "projectCategory" not in site.get("project/LAS")


def test_options_are_turned_off_for_the_whole_site(site: Site) -> None:
    ada = visitor(site)
    key = site.issue()
    url = "https://hooks.example/in"
    fill(ada, f"{WEBHOOKS}/create", name="Features", url=url, events=["option_voting_changed"])
    ada.post(f"{GENERAL}/switch", {"key": "voting_enabled", "on": ""})
    assert site.get("configuration")["votingEnabled"] is False
    site.get(f"issue/{key}/votes", status=404)
    with site.store():
        (owed,) = Delivery.objects.filter(clone="tracker")
        assert owed.event == "option_voting_changed"
        assert '"property":{"key":"jira.option.voting","value":"false"}' in owed.body
    ada.post(f"{GENERAL}/switch", {"key": "voting_enabled", "on": "1"})
    site.get(f"issue/{key}/votes")
    page = ada.post(f"{GENERAL}/switch", {"key": "tea", "on": "1"}, status=422)
    assert "No property exists with key 'tea'" in page.main
    fill(ada, f"{GENERAL}/properties/jira.title", value="Lasers")
    assert site.get("serverInfo")["serverTitle"] == "Lasers"
    page = refused(ada, f"{GENERAL}/properties/jira.newsletter.tip.delay.days", value="x")
    assert "is not a valid number." in page.said[0]
    ada.get(f"{GENERAL}/properties/tea", status=404)


def test_the_banner_is_on_every_page_until_it_is_dismissed(site: Site) -> None:
    ada, dev = visitor(site), visitor(site, "dev")
    message = '<b>Down</b> on Friday<script>alert("x")</script>'
    fill(ada, f"{BANNER}/edit", message=message, isEnabled="on", isDismissible="on")
    assert site.get("announcementBanner")["isEnabled"] is True
    page = dev.get("/jira/for-you")
    assert "<b>Down</b> on Friday" in page.html
    assert "alert" not in page.html
    dev.post("/jira/announcement/dismiss", {"back": "/jira/filters"})
    assert "on Friday" not in dev.get("/jira/for-you").html
    assert "on Friday" in ada.get("/jira/for-you").html
    fill(ada, f"{BANNER}/edit", message="Down on Monday")
    assert "Down on Monday" in dev.get("/jira/for-you").html
    fill(ada, f"{BANNER}/edit", isEnabled=[])
    assert "Monday" not in dev.get("/jira/for-you").html


def test_time_tracking_is_set(site: Site) -> None:
    ada = visitor(site)
    page = refused(ada, f"{TRACKING}/edit", workingHoursPerDay="25")
    assert page.said == ["The working hours per day must be greater than 0 and at most 24."]
    fill(ada, f"{TRACKING}/edit", workingHoursPerDay="7.5", defaultUnit="hour")
    found = site.get("configuration/timetracking/options")
    assert (found["workingHoursPerDay"], found["defaultUnit"]) == (7.5, "hour")
    ada.post(f"{TRACKING}/switch", {"on": ""})
    assert site.get("configuration")["timeTrackingEnabled"] is False
    assert "Time tracking is off." in ada.get(TRACKING).main


def test_the_audit_log_is_searched_and_narrowed(site: Site) -> None:
    ada = visitor(site)
    fill(ada, f"{CATEGORIES}/add", name="Hardware")
    site.post("role", {"name": "Testers"}, status=200)
    page = ada.get(AUDIT)
    assert "Project category created" in page.main
    page = ada.get(AUDIT, query="category hardware")
    assert "Hardware" in page.main
    assert "Testers" not in page.main
    assert "Hardware" not in ada.get(AUDIT, category="permissions").main
    assert "Hardware" not in ada.get(AUDIT, to="2026-06-15").main
    assert "Hardware" in ada.get(f"{AUDIT}?from=2026-06-16&to=2026-06-16").main


def test_the_audit_log_is_shown_in_parts(site: Site) -> None:
    ada = visitor(site)
    for number in range(55):
        site.post("projectCategory", {"name": f"Kind {number}"})
    page = ada.get(AUDIT)
    assert "Kind 54" in page.main
    assert "Kind 4 " not in page.main
    (later,) = page.links("Next").values()
    page = ada.get(f"{AUDIT}{later}")
    assert "Kind 4 " in page.main
    assert "Kind 54" not in page.main
    assert "Previous" in page.links()


def test_webhooks_are_kept_with_their_query(site: Site) -> None:
    ada = visitor(site)
    url = "https://hooks.example/in"
    page = refused(ada, f"{WEBHOOKS}/create", name="In", url="ftp://x")
    assert page.said == ["The URL must begin with http:// or https://."]
    events = ["jira:issue_created", "sprint_started"]
    page = refused(ada, f"{WEBHOOKS}/create", name="In", url=url, jql="project =", events=events)
    assert "Error in JQL Query: " in page.said[0]
    assert page.form(f"{WEBHOOKS}/create")["events"] == events
    fill(
        ada, f"{WEBHOOKS}/create", name="In", url=url, jql="project = LAS", events=events,
        secret="s3cret", exclude_body="on",
    )  # fmt: skip
    (found,) = site.get(WEBHOOK_API)
    assert (found["enabled"], found["isSigned"], found["excludeBody"]) == (True, True, True)
    assert set(found["events"]) == set(events)
    assert list(found["filters"].values()) == ["project = LAS"]
    at = f"{WEBHOOKS}/{found['self'].rpartition('/')[2]}"
    fill(ada, at, name="Out", events=["jira:issue_created"])
    (found,) = site.get(WEBHOOK_API)
    assert (found["name"], found["isSigned"]) == ("Out", True)
    ada.post(f"{at}/switch", {"on": ""})
    site.issue()
    with site.store():
        assert not Delivery.objects.filter(clone="tracker").exists()
    assert site.get(WEBHOOK_API)[0]["enabled"] is False
    fill(ada, f"{at}/delete")
    assert site.get(WEBHOOK_API) == []


def test_shared_filters_and_dashboards_are_handed_on_and_deleted(site: Site) -> None:
    ada = visitor(site)
    shared = {"sharePermissions": [{"type": "loggedin"}]}
    body = {"name": "Hot", "jql": "labels = hot", **shared}
    saved = site.post("filter", body, by="dev", status=200)["id"]
    body = {"name": "Wall", "editPermissions": [], **shared}
    wall = site.post("dashboard", body, by="dev", status=200)["id"]
    filters, dashboards = address_of("shared-filters"), address_of("shared-dashboards")
    assert "Dev Anand" in ada.get(filters, query="hot").main
    fill(ada, f"{filters}/{saved}/owner", owner=site.ids["dana"])
    assert site.get(f"filter/{saved}")["owner"]["accountId"] == site.ids["dana"]
    fill(ada, f"{dashboards}/{wall}/owner", owner=site.ids["dana"])
    assert site.get(f"dashboard/{wall}")["owner"]["accountId"] == site.ids["dana"]
    fill(ada, f"{filters}/{saved}/delete")
    fill(ada, f"{dashboards}/{wall}/delete")
    site.get(f"filter/{saved}", by="dana", status=404)
    site.get(f"dashboard/{wall}", by="dana", status=404)
