"""What queries find in the database is what a slow reading of the same rows finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clones.core.clock import now
from clones.core.journal import act
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.tracker.models import Issue, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import planned_search, read_search, site_of
from clones.tracker.rules.jql import JqlError
from sandlot.cli.measures.drawing import Drawing, Grammar, fields_of_site
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from tests.conftest import PRESENT, bind
from tests.sandbox_pool import SandboxPool
from tests.tracker.jql_oracle import SORTS, Oracle
from tests.tracker.jql_world import World
from tests.tracker.site import Site, furnish

DRAWN = 250  # for each of two viewers
SEED = 20_260_616
DATES = [
    "-5d", "2d", "'2026-06-10'", "'2026/06/01 10:00'", "startOfWeek()", "now()",
    "startOfDay(-9d)", "endOfMonth(-1)", "'-3w 2d'", "1780000000000",
]  # fmt: skip
NUMBERS = ["0", "1", "2", "3", "2.25", "50", "100", "-1", "12.5"]
OPERANDS: dict[str, list[str]] = {
    "user": ["'Ada Brandt'", "'dev@site.example'", "currentUser()", "'Dana Ruiz'", "nobody"],
    "version": ["'1.0'", "'2.0'", "'1.1 beta'", "'3.0'", "earliestUnreleasedVersion(LAS)",
                "latestReleasedVersion(OPS)"],
    "category": ["Machines"],
    "component": ["API", "Optics"],
    "datetime": DATES,
    "date": DATES,
    "duration": ["1h", "'1h 30m'", "30", "0.5h", "1d"],
    "filter": ["'Mine 0'", "'Mine 1'"],
    "group": ["'site-admins'", "'jira-users'"],
    "issue": ["{}"],
    "rank": ["{}"],
    "issue type": ["Bug", "Task", "Epic", "'Sub-task'", "Story"],
    "label": ["red", "HOT", "äh", "'cold'"],
    "level": ["Epic", "'0'", "-1", "Base"],
    "link type": ["Blocks", "'is blocked by'", "'relates to'", "'clones'", "Duplicate"],
    "number": NUMBERS,
    "option": ["Red", "Blue", "green"],
    "cascade": ["Red", "'Left'", "cascadeOption(Red)", "cascadeOption(Blue, 'Left')",
                "cascadeOption(Red, 'none')"],
    "organization": ["Acme", "Borg"],
    "priority": ["Highest", "Medium", "Lowest", "3"],
    "project": ["LAS", "'Operations'", "IT", "10000"],
    "project type": ["software", "service_desk"],
    "property": ["3", "4.5", "Hot", "'hot beam'", "'true'", "'2026-06-12'", "1", "-9d", "beam"],
    "request type": ["'Get IT help'", "'Request new hardware'"],
    "resolution": ["Done", "Unresolved", "Duplicate", "\"Won't Do\""],
    "security level": ["Secret"],
    "sla": ["breached()", "running()", "paused()", "completed()", "everBreached()",
            "withinCalendarHours()"],
    "approval": ["approved()", "pending()", "myApproval()", "myPending()", "pendingBy('Dev Anand')",
                 "approver('Ada Brandt', 'Dana Ruiz')"],
    "sprint": ["'Run 0'", "'Run 1'", "'Run 2'"],
    "status": ["'To Do'", "Done", "'In Progress'", "'In Review'"],
    "status category": ["Done", "'To Do'", "new", "4"],
    "string": ["portal", "'HTTP://a.example'", "color_2"],
    "text": ["beam", "'\"laser beam\"'", "'co*'", "'beam -laser'", "'beam OR cold'", "'man?al'",
             "'over-heats'", "ÄRGER", "'*am'"],
}  # fmt: skip
LISTS: dict[str, list[str]] = {
    "user": ["membersOf('jira-users')", "inactiveUsers()", "organizationMembers(Acme)"],
    "version": ["releasedVersions()", "unreleasedVersions(LAS)", "releasedVersions(LAS, OPS)"],
    "component": ["componentsLeadByUser()", "componentsLeadByUser('Dev Anand')"],
    "project": ["projectsLeadByUser()", "projectsWhereUserHasRole(Administrators)",
                "projectsWhereUserHasPermission('Edit Issues')"],
    "issue": ["linkedIssues({})", "linkedIssues({}, 'is blocked by', 'relates to')",
              "votedIssues()", "watchedIssues()", "issueHistory()",
              "updatedBy('Dev Anand', '-20d')", "updatedBy('Ada Brandt', '-30d', '-9d')",
              "issuesWithRemoteLinksByGlobalId('page=1', 'page=3')"],
    "issue type": ["standardIssueTypes()", "subTaskIssueTypes()"],
    "sprint": ["openSprints()", "closedSprints()", "futureSprints()"],
}  # fmt: skip
AUTHORS = ["currentUser()", "('Dev Anand', 'Ada Brandt')"]
MOMENTS = [
    "before -9d", "after '2026-06-01'", "on '2026-06-05'", "on -3d",
    "during ('2026-05-20', '2026-06-02')", "before endOfWeek(-1) after -30d",
]  # fmt: skip
COLOUR = ("Colour", "option", ("=", "!=", "in", "not in", "is", "is not"))


@pytest.fixture(scope="session")
def jql_image(library: Library) -> Manifest:
    """An image of a site with a few hundred issues of all sorts."""
    store = server().data / "tracker-jql.sqlite"
    engine().new_store(store)
    with server().stores.bind(store), unit_of_work("write"):
        SandboxState.objects.create(id=1, now=PRESENT, seed="jql")
        with act(actor="system", label="install"):
            furnish()
            World(SEED).fill()
    server().stores.discard(store)
    engine().seal(store)
    return library.add(store, world="jql", size="tiny", seed=1, parent=None)


@pytest.fixture
def jql_site(sandbox_pool: SandboxPool, jql_image: Manifest) -> Iterator[Site]:
    """A sandbox of that site."""
    with sandbox_pool.borrow(jql_image) as row:
        yield Site(row)


@pytest.mark.parametrize("login", ["ada", "dev"])
def test_queries_find_what_a_slow_reading_finds(jql_site: Site, login: str) -> None:
    with bind(jql_site.row), unit_of_work("read"):
        rights = Rights(User.objects.get(account_id=jql_site.ids[login]))
        site = site_of(rights)
        oracle = Oracle(rights, site, now())
        keys = [issue.key for issue in oracle.seen.values()]
        fields = [*fields_of_site(OPERANDS), COLOUR]
        grammar = Grammar(fields, OPERANDS, LISTS, AUTHORS, MOMENTS, keys, list(SORTS))
        drawing = Drawing(SEED + len(login), grammar)
        drawn = filled = refused = 0
        while drawn < DRAWN:
            text = drawing.query()
            try:
                wanted = oracle.find(text)
            except JqlError:
                refused += 1
                continue
            search = planned_search(text, site)
            assert list(search.issues.values_list("id", flat=True)) == wanted, text
            drawn += 1
            filled += bool(wanted)
            if drawn % 10 == 0:
                assert paged(search.text, rights) == wanted, text
        # Most queries find something, and not all.
        assert filled > DRAWN / 2
        assert refused < DRAWN / 4


def test_what_somebody_sees_is_looked_for_on_no_index_of_sqlite(jql_site: Site) -> None:
    """Else it is read whole and sorted, where the newest issues are at hand."""
    with bind(jql_site.row), unit_of_work("read"):
        rights = Rights(User.objects.get(account_id=jql_site.ids["ada"]))
        plan = planned_search("level is empty", site_of(rights)).issues[:51].explain()
        assert plan
        if engine().name == "sqlite":
            assert ("USING INDEX" in plan, "ORDER BY" in plan) == (False, False)


def paged(text: str, rights: Rights) -> list[int]:
    search, found, token = read_search(text, rights), list[int](), None
    for _ in range(100):
        rows, token = search.page(token, 17)
        found += [row.id for row in rows]
        if token is None:
            break
    return found


def test_the_whole_site_is_seen_by_rules_of_the_site(jql_site: Site) -> None:
    with bind(jql_site.row), unit_of_work("read"):
        everything = Issue.objects.filter(archived_at=None)
        assert read_search("text ~ beam or summary !~ beam", None).found.count() == (
            everything.count()
        )
