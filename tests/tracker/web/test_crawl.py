"""No dead link and no control that does nothing, on any page, for any role."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from snapshots.sandboxes import Sandboxes
from tests.crawler import Crawler, Findings
from tests.tracker.boards import board_of, running_sprint, sprint_on
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at, port

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["port"]  # the fixture: the data plane, served for this module's tests

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

WORK = (
    "/jira/for-you",
    "/browse/{story}",
    "/browse/{request}",
    "/jira/boards",
    "/jira/software/c/projects/LAS/boards/{scrum}",
    "/jira/software/c/projects/LAS/boards/{scrum}/backlog",
    "/jira/software/c/projects/OPS/boards/{kanban}",
    "/issues/?jql=project%20in%20(LAS,%20OPS)",
    "/jira/filters",
    "/jira/dashboards",
)
PORTAL = ("/servicedesk/customer/portals", "/servicedesk/customer/user/requests")
ADMIN = ("/jira/settings", "/jira/software/c/projects/LAS/settings/details")
SETTINGS = ("/jira/settings", "/secure/admin", "/jira/software/c/projects/LAS/settings")


@dataclass(frozen=True, slots=True)
class Walk:
    """A crawl: who walks, from where, into which pages, and how much there is to use at least."""

    login: str
    seeds: tuple[str, ...]
    within: tuple[str, ...]
    least: int


WALKS = {
    "admin-settings": Walk("ada", ADMIN, SETTINGS, 200),
    "developer": Walk("dev", WORK, ("/",), 200),
    "guest": Walk("guest", ("/jira/for-you", "/issues/", "/jira/filters"), ("/",), 30),
    "customer": Walk("cara", PORTAL, ("/",), 20),
}


def furnished(site: Site) -> dict[str, Any]:
    """Put some work everywhere; return the ids and keys that addresses name."""
    scrum, kanban = board_of(site, "LAS"), board_of(site, "OPS")
    epic = site.issue("Beam", issuetype={"name": "Epic"})
    bug = site.issue("It stops", issuetype={"name": "Bug"}, labels=["hot"])
    story = site.issue("Cut faster", issuetype={"name": "Story"}, parent={"key": epic})
    site.issue("Oil it", project={"key": "OPS"})
    running, later = running_sprint(site, scrum), sprint_on(site, scrum, "Sprint 2")
    agile = "/rest/agile/1.0"
    site.post(f"{agile}/sprint/{running}/issue", {"issues": [story]}, status=204)
    site.post(f"{agile}/sprint/{later}/issue", {"issues": [bug]}, status=204)
    body = {"type": {"name": "Blocks"}, "inwardIssue": {"key": bug}, "outwardIssue": {"key": story}}
    site.post("issueLink", body)
    said = {"type": "doc", "version": 1, "content": [_paragraph("See the log.")]}
    site.post(f"issue/{story}/comment", {"body": said})
    site.post(f"issue/{story}/worklog", {"timeSpent": "2h"})
    site.post("version", {"name": "1.0", "projectId": int(site.get("project/LAS")["id"])})
    site.post("component", {"name": "Optics", "project": "LAS"})
    site.post("filter", {"name": "Hot work", "jql": "labels = hot"}, status=200)
    site.post(
        "dashboard", {"name": "Wall", "sharePermissions": [], "editPermissions": []}, status=200
    )
    asked = open_desk(site).ask()
    return {
        "scrum": scrum,
        "kanban": kanban,
        "story": story,
        "request": asked["issueKey"],
    }


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def crawl(site: Site, sandboxes: Sandboxes, port: str, walk: Walk) -> Findings:
    """Go everywhere as one of the site's people and print what was used."""
    names = furnished(site)
    seeds = [seed.format(**names) for seed in walk.seeds]
    with ThreadPoolExecutor(1) as registry:

        def play(page: Page, expect: Any) -> Findings:
            del expect
            registry.submit(sandboxes.mark, site.row.id, "signed-in").result()

            def take_back() -> None:
                registry.submit(sandboxes.rewind, site.row.id, "signed-in").result()

            origin = f"http://tracker.{site.row.id}.localhost:{port}"
            return Crawler(page, origin, take_back, within=walk.within).crawl(seeds)

        found: Findings = play_at(site, port, seeds[0], play, login=walk.login)
    for scope, count in sorted(found.used.items()):
        print(f"{count:5} {scope}")
    print(f"{found.total:5} controls used as {walk.login}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("walk", list(WALKS.values()), ids=list(WALKS))
def test_every_control_does_something(
    site: Site, sandboxes: Sandboxes, port: str, walk: Walk
) -> None:
    found = crawl(site, sandboxes, port, walk)
    assert found.wrong == []
    assert found.total >= walk.least
