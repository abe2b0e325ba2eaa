"""No dead link and no control that does nothing, on any page, for any role."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from clones.tracker.rules.gadgets import KINDS
from clones.tracker.web.boards.settings.frame import PAGES
from snapshots.sandboxes import Sandboxes
from tests.crawler import Crawler, Findings
from tests.page_templates import Templates
from tests.tiers import EVERYTHING
from tests.tracker.boards import board_of, running_sprint, sprint_on
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

SCRUM = "/jira/software/c/projects/LAS/boards/{scrum}"
KANBAN = "/jira/software/c/projects/OPS/boards/{kanban}"
SPACE = "/jira/software/c/projects/LAS/settings"
DESK = "/jira/servicedesk/projects/IT"
WORK = (
    "/jira/for-you",
    "/browse/{story}",
    "/browse/{epic}",
    "/browse/{bug}",
    "/browse/{request}",
    "/jira/boards",
    SCRUM,
    f"{SCRUM}/backlog",
    KANBAN,
    "/issues/?jql=project%20in%20(LAS,%20OPS)",
    "/issues/?jql=labels%20%3D%20cold",  # nothing is found
    "/jira/filters",
    "/jira/dashboards",
)
PORTAL = ("/servicedesk/customer/portals", "/servicedesk/customer/user/requests")
CONFIGS = (
    *(f"{SCRUM}?config={page}" for page in PAGES),
    *(f"{KANBAN}?config={page}" for page in ("general", "columns")),
)
RUNNING = (f"{SPACE}/details", f"{DESK}/settings/request-types", *CONFIGS, SCRUM, "/projects/LAS")
# Pages that all spaces have are looked at in one, but what is its kind's own: boards, queues, and
# of a desk's settings the desk's.
COMMON = re.compile(
    r"^/(jira/(?:software/c|servicedesk)/projects|projects|browse)/(?:OPS|IT)"
    r"(?=-|$|\?|/(?!boards|queues|customers|settings/(?:request-|slas|cal|portal|cust|sat|email)))"
)
# Nor does it matter of which field or setting a form is.
NAMED = re.compile(
    r"(/field-configurations/\d+/fields|/general-configuration/properties|/grants(?=/[A-Z]))/[^/?]+"
)
BY_ITSELF = ("/jira/viewed/",)  # an issue's page says that somebody looks at it


@dataclass(frozen=True, slots=True)
class Walk:
    """A crawl: who walks, from where, into which pages, and how much there is to use at least."""

    login: str
    seeds: tuple[str, ...]
    within: tuple[str, ...]
    least: int


WALKS = {
    "admin-site": Walk(
        "ada", ("/jira/settings", "/jira/projects"), ("/jira/settings", "/jira/projects"), 200
    ),
    "admin-spaces": Walk(
        "ada", RUNNING, (SPACE, f"{DESK}/settings", "/jira/software/c/projects/LAS/boards"), 200
    ),
    "developer": Walk("dev", WORK, ("/",), 200),
    "guest": Walk("guest", ("/jira/for-you", "/issues/", "/jira/filters"), ("/",), 30),
    "customer": Walk("cara", PORTAL, ("/",), 20),
}


def alike(address: str) -> str:
    """Return the address of the page that one is the same as, in the space that is looked at."""
    address = NAMED.sub(r"\1/it", address)
    found = COMMON.match(address)
    if found is None or address.startswith("/browse/IT-"):  # a request is more than an issue
        return address
    family = "jira/software/c/projects" if found[1].startswith("jira") else found[1]
    return f"/{family}/LAS{address[found.end() :]}"


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
    site.post("filter", {"name": "Hot work", "jql": "labels = hot"}, by="dev", status=200)
    board: dict[str, Any] = {"name": "Wall", "sharePermissions": [], "editPermissions": []}
    wall = site.post("dashboard", board, by="dev", status=200)["id"]
    for kind in KINDS:
        named = {"uri": kind.uri} if kind.module_key is None else {"moduleKey": kind.module_key}
        site.post(f"dashboard/{wall}/gadget", named, by="dev", status=200)
    asked = open_desk(site).ask()
    return {
        "scrum": scrum,
        "kanban": kanban,
        "epic": epic,
        "bug": bug,
        "story": story,
        "request": asked["issueKey"],
    }


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


def crawl(
    site: Site, sandboxes: Sandboxes, port: str, walk: Walk, templates: Templates | None
) -> Findings:
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
            crawler = Crawler(
                page,
                origin,
                take_back,
                within=walk.within,
                alike=alike,
                by_itself=BY_ITSELF,
                templates=templates,
            )
            return crawler.crawl(seeds)

        found: Findings = play_at(site, port, seeds[0], play, login=walk.login)
    for scope, count in sorted(found.used.items()):
        print(f"{count:5} {scope}")
    print(f"{found.total:5} controls used on {found.pages} pages as {walk.login}")
    return found


@pytest.fixture(scope="module")
def templates() -> Templates | None:
    """What the walks of a merge have used so far; where everything is walked, nothing is kept."""
    return None if EVERYTHING else Templates("clones.tracker.urls")


@pytest.mark.slow(shares="templates")
@pytest.mark.parametrize(
    "walk",
    [
        pytest.param(walk, id=name, marks=pytest.mark.crawls("tracker", place, of=len(WALKS)))
        for place, (name, walk) in enumerate(WALKS.items())
    ],
)
def test_every_control_does_something(
    site: Site, sandboxes: Sandboxes, port: str, walk: Walk, templates: Templates | None
) -> None:
    found = crawl(site, sandboxes, port, walk, templates)
    assert found.wrong == []
    assert found.total >= walk.least
