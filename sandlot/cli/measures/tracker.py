"""How long the tracker takes to answer: issues, a full board, queries drawn from the grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from django.db.models import Count

from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.tracker import models as m
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import planned_search, site_of
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.boards.access import board_address
from sandlot.cli.measures.asking import Asker
from sandlot.cli.measures.drawing import Drawing, Grammar, fields_of_site
from sandlot.cli.measures.figures import Figure, repeat
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

SEED = 37
QUERIES = 200
CARDS = 200
SHOWN = "summary,status,assignee,priority,issuetype,updated"
SORTS = (
    *("created", "updated", "issuekey", "priority", "duedate", "assignee", "labels", "votes"),
    *("timespent", "workratio", "statusCategory", "customfield_10019", "fixVersions", "parent"),
)
DATES = (
    *("-5d", "2d", "'-3w 2d'", "startOfWeek()", "now()", "startOfDay(-9d)", "endOfMonth(-1)"),
    *("startOfYear()", "endOfWeek(-20)"),
)
NUMBERS = ("0", "1", "2", "3", "5", "8", "13", "12.5", "-1")
WORDS = ("laser", "import", "'timeout OR crash'", "'\"lid open\"'", "'cut*'", "'sync -cloud'")
MOMENTS = (
    *("before -9d", "after -60d", "on -3d", "during (-90d, -30d)"),
    "before endOfWeek(-1) after -30d",
)
# Kinds of values whose texts are the names of rows.
NAMED = {
    "category": (m.ProjectCategory, "name"),
    "component": (m.Component, "name"),
    "filter": (m.Filter, "name"),
    "group": (m.Group, "name"),
    "issue type": (m.IssueType, "name"),
    "label": (m.IssueLabel, "label"),
    "link type": (m.IssueLinkType, "outward"),
    "option": (m.FieldOption, "value"),
    "organization": (m.Organization, "name"),
    "priority": (m.Priority, "name"),
    "project": (m.Project, "key"),
    "request type": (m.RequestType, "name"),
    "resolution": (m.Resolution, "name"),
    "security level": (m.SecurityLevel, "name"),
    "sprint": (m.Sprint, "name"),
    "status": (m.Status, "name"),
    "user": (m.User, "display_name"),
    "version": (m.Version, "name"),
}
PLAIN = {
    "date": DATES,
    "datetime": DATES,
    "duration": ("1h", "'1h 30m'", "30", "0.5h", "1d"),
    "issue": ("{}",),
    "rank": ("{}",),
    "level": ("Epic", "'0'", "-1", "Base"),
    "number": NUMBERS,
    "project type": ("software", "service_desk"),
    "property": ("3", "4.5", "Hot", "'true'", "1", "-9d"),
    "sla": ("breached()", "running()", "paused()", "completed()", "everBreached()"),
    "approval": ("approved()", "pending()", "myApproval()", "myPending()"),
    "status category": ("Done", "'To Do'", "new", "4"),
    "string": ("portal", "'HTTP://a.example'", "color_2"),
    "text": WORDS,
}
LISTS = {
    "version": ("releasedVersions()", "unreleasedVersions(STU)", "releasedVersions(STU, FWR)"),
    "component": ("componentsLeadByUser()",),
    "project": ("projectsLeadByUser()", "projectsWhereUserHasPermission('Edit Issues')"),
    "issue": ("linkedIssues({})", "votedIssues()", "watchedIssues()", "issueHistory()"),
    "issue type": ("standardIssueTypes()", "subTaskIssueTypes()"),
    "sprint": ("openSprints()", "closedSprints()", "futureSprints()"),
    "user": ("inactiveUsers()",),
}


def tracker_answers(sandboxes: Sandboxes, manifest: Manifest, times: int) -> Iterator[Figure]:
    """Yield how long issues, a board and queries take in a fresh sandbox of a world.

    Raises:
        Failed: an answer was no success.
    """
    row = sandboxes.create(manifest)
    asker = Asker(row, "tracker")
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        issues = m.Issue.objects.filter(archived_at=None, project__deleted_at=None)
        keys = [issue.key for issue in issues.select_related("project").order_by("id")]
        board = _fullest()
        queries = drawn_queries(SEED, QUERIES, keys)
    paths = [f"/rest/api/3/issue/{key}" for key in keys[:: max(len(keys) // 200, 1)]]
    figure = Figure(f"issue, {len(keys)} issues", "ms", budget=8.0)
    yield repeat(figure, times, asker.in_turn(paths))
    page = board_address(board)
    cards = asker.ask(page).count(b'data-testid="platform-board-kit.ui.card.card"')
    figure = Figure(f"board of {cards} cards", "ms", budget=60.0 * max(cards, CARDS) / CARDS)
    yield repeat(figure, max(times // 4, 10), asker.in_turn([page]))
    asked = [f"/rest/api/3/search/jql?jql={quote(text)}&fields={SHOWN}" for text in queries]
    figure = Figure(f"{len(asked)} queries of seed {SEED}", "ms", budget=40.0, budget_p95=40.0)
    yield repeat(figure, len(asked), asker.in_turn(asked), warm_up=1)
    sandboxes.delete(row.id)


def _fullest() -> m.Board:
    """Return the kanban board of the space with most issues."""
    sizes = dict(m.Issue.objects.order_by().values_list("project").annotate(Count("id")))
    boards = m.Board.objects.filter(type="kanban", project__deleted_at=None)
    found = boards.select_related("project").order_by("id")
    return max(found, key=lambda board: sizes.get(board.project_id, 0))


def drawn_queries(seed: int, count: int, keys: Sequence[str]) -> list[str]:
    """Return queries of the grammar that the bound site takes."""
    site = site_of(Rights(_admin()))
    drawing, found = Drawing(seed, _grammar(keys)), list[str]()
    while len(found) < count:
        text = drawing.query()
        try:
            planned_search(text, site)
        except JqlError:
            continue
        found.append(text)
    return found


def _grammar(keys: Sequence[str]) -> Grammar:
    """Return what queries of the site are made of: its fields and the names in its rows."""
    operands = {kind: tuple(texts) for kind, texts in PLAIN.items()}
    for kind, (model, column) in NAMED.items():
        rows = model._default_manager.order_by(column)
        names = rows.values_list(column, flat=True).distinct()
        operands[kind] = tuple(_quoted(name) for name in names if name) or ("none",)
    operands["user"] = (*operands["user"][:40], "currentUser()")
    authors = ("currentUser()", f"({', '.join(operands['user'][:2])})")
    return Grammar(fields_of_site(operands), operands, LISTS, authors, MOMENTS, keys, SORTS)


def _admin() -> m.User:
    group = m.GroupMember.objects.filter(group__name="site-admins", user__active=True)
    return group.order_by("user_id").select_related("user")[0].user


def _quoted(name: str) -> str:
    text = name.replace("\\", "\\\\").replace('"', '\\"').replace("{", "{{").replace("}", "}}")
    return f'"{text}"'
