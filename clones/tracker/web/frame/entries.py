"""What the bar and the sidebar lead to. An entry whose page is not there is not shown.

Whether it is there is asked of the addresses themselves: whoever adds a page to `web.urls` need
not tell the sidebar of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.urls import resolve

from clones.tracker.domain.administration import runs_project
from clones.tracker.models import Board, Favourite, Project
from clones.tracker.queries.boards import visible_boards
from clones.tracker.queries.createmeta import creates_somewhere
from clones.tracker.queries.desks import works_at
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.web import plain_pages
from clones.tracker.web.admin.navigation import AREAS, Area
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.vocabulary import say

SPACES_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class SidebarEntry:
    """A line of the sidebar: `key` is what pages call it as `active`."""

    key: str
    label: str
    address: str
    icon: str
    test_id: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """A space in the sidebar, and the pages of it that are there."""

    project: Project
    address: str
    pages: Sequence[SidebarEntry]
    current: bool


_BEFORE: Final = (
    SidebarEntry("home", "For you", "/jira/for-you", "person-avatar", "NAV4_for-you"),
    SidebarEntry("recent", "Recent", "/jira/for-you?tab=viewed", "clock", "NAV4_recent"),
    SidebarEntry(
        "starred", "Starred", "/jira/for-you?tab=starred", "star-unstarred", "NAV4_starred"
    ),
)
_AFTER: Final = (
    SidebarEntry("filters", "Filters", "/jira/filters", "filter", "NAV4_filters"),
    SidebarEntry("dashboards", "Dashboards", "/jira/dashboards", "dashboard", "NAV4_dashboards"),
    SidebarEntry("issues", "All work", "/issues/", "work-items", "NAV4_all-work"),
    SidebarEntry("boards", "Boards", "/jira/boards", "board", "NAV4_boards"),
)
ALL_SPACES: Final = "/jira/projects"


@lru_cache(maxsize=512)
def is_there(address: str) -> bool:
    """Tell whether a page answers at an address, told by its path."""
    path = address.partition("?")[0]
    return resolve(path, urlconf="clones.tracker.urls").func is not plain_pages.page_not_found


@dataclass(frozen=True, slots=True)
class Sidebar:
    """What the sidebar shows to somebody; `creates` tells whether they can make issues anywhere."""

    before: Sequence[SidebarEntry]
    spaces: Sequence[Space]
    all_spaces: str
    after: Sequence[SidebarEntry]
    settings: Sequence[Area]
    creates: bool


def sidebar_of(rights: Rights, current: Project | None) -> Sidebar:
    """Return what the sidebar shows to somebody on a page of a space, or of none."""
    return Sidebar(
        before=[entry for entry in _BEFORE if is_there(entry.address)],
        spaces=_spaces(rights, current),
        all_spaces=ALL_SPACES if is_there(ALL_SPACES) else "",
        after=[entry for entry in _AFTER if is_there(entry.address)],
        settings=AREAS if rights.is_admin else (),
        creates=creates_somewhere(rights),
    )


def _spaces(rights: Rights, current: Project | None) -> list[Space]:
    """Return the spaces that are shown: the current and starred ones first, then by name."""
    rows = Favourite.objects.filter(user=rights.user, kind="project")
    starred = set(rows.values_list("entity", flat=True))
    at = None if current is None else current.id
    found = list(visible_projects(rights).filter(archived_at=None)[:100])
    found.sort(key=lambda one: (one.id != at, one.id not in starred, one.name.casefold(), one.id))
    shown = found[:SPACES_SHOWN]
    boards = _boards(rights, current)
    return [
        Space(
            project,
            f"/browse/{project.key}",
            [
                *desk_pages(rights, project),
                *pages_of(project, boards),
                *settings_of(rights, project),
            ]
            if project.id == at
            else (),
            project.id == at,
        )
        for project in sorted(shown, key=lambda one: (one.id not in starred, one.name.casefold()))
    ]


def _boards(rights: Rights, project: Project | None) -> list[Board]:
    if project is None:
        return []
    return list(visible_boards(rights).filter(project=project)[:5])


def pages_of(project: Project, boards: Sequence[Board]) -> list[SidebarEntry]:
    """Return the pages of a space that are there: boards, backlogs, all its work."""
    found = []
    for board in boards:
        at = board_address(project, board)
        label = board.name if len(boards) > 1 else "Board"
        found.append(SidebarEntry(f"board-{board.id}", label, at, "board"))
        if board.type == "scrum":
            label = f"{board.name}: backlog" if len(boards) > 1 else "Backlog"
            found.append(SidebarEntry(f"backlog-{board.id}", label, f"{at}/backlog", "backlog"))
    query = urlencode({"jql": f'project = "{project.key}" ORDER BY created DESC'})
    found.append(SidebarEntry("list", "All work", f"/issues/?{query}", "list-bulleted"))
    return [entry for entry in found if is_there(entry.address)]


def desk_pages(rights: Rights, project: Project) -> list[SidebarEntry]:
    """Return the pages of a space's desk, for those who work at it."""
    if not works_at(rights, project):
        return []
    at = settings_address(project).removesuffix("/settings")
    return [
        SidebarEntry("queues", "Queues", f"{at}/queues", "inbox"),
        SidebarEntry("customers", "Customers", f"{at}/customers", "people-group"),
    ]


def settings_of(rights: Rights, project: Project) -> list[SidebarEntry]:
    """Return the entry of a space's settings, for those who run it."""
    address = settings_address(project, "details")
    if not is_there(address) or not runs_project(rights, project):
        return []
    return [SidebarEntry("settings", say("Space settings"), address, "settings")]


def board_address(project: Project, board: Board) -> str:
    """Return the address of a board in its space."""
    kind = "projects" if project.simplified else "c/projects"
    return f"/jira/software/{kind}/{project.key}/boards/{board.id}"


def space_address(rights: Rights, project: Project) -> str:
    """Return where a space begins: its queues, its first board, else all its work, else home."""
    pages = [*desk_pages(rights, project), *pages_of(project, _boards(rights, project))]
    return pages[0].address if pages else "/jira/for-you"
