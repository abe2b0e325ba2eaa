"""The tabs of a space, on its own pages and on those of its boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from clones.tracker.models import Board, Project
from clones.tracker.web.boards.access import backlog_address, board_address
from clones.tracker.web.settings.navigation import settings_address

RELEASES: Final = "com.atlassian.jira.jira-projects-plugin:release-page"


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a space: where it leads, and whether one is there."""

    name: str
    address: str
    current: bool


def space_address(project: Project, rest: str = "") -> str:
    """Return the address of a space, or of a page of it."""
    root = settings_address(project).removesuffix("/settings")
    return f"{root}/{rest}" if rest else root


def releases_address(project: Project) -> str:
    """Return the address of a space's releases."""
    return f"/projects/{project.key}?{urlencode({'selectedItem': RELEASES})}"


def components_address(project: Project) -> str:
    """Return the address of a space's components."""
    return space_address(project, "components")


def all_work_address(project: Project) -> str:
    """Return the address of all the issues of a space."""
    query = urlencode({"jql": f'project = "{project.key}" ORDER BY created DESC'})
    return f"/issues/?{query}"


def tabs_of(
    project: Project | None,
    board: Board | None,
    current: str,
    *,
    backlog: bool,
    desk: bool = False,
) -> list[Tab]:
    """Return the tabs of a space, of a board, or of both.

    Args:
        project: the space; None for a board that is in none.
        board: the board whose pages are among them; None where there is none.
        current: queues, customers, summary, timeline, backlog, board, calendar, list, reports,
            releases, components.
        backlog: whether the board has a backlog.
        desk: whether whoever looks is an agent of the space's desk.
    """
    found: list[tuple[str, str, str]] = []
    if project is not None and desk:
        found.append(("queues", "Queues", space_address(project, "queues")))
        found.append(("customers", "Customers", space_address(project, "customers")))
    if project is not None:
        found.append(("summary", "Summary", space_address(project, "summary")))
        if project.type != "service_desk" and _shows(project, "roadmap"):
            found.append(("timeline", "Timeline", space_address(project, "timeline")))
    if board is not None:
        if backlog:
            found.append(("backlog", "Backlog", backlog_address(board)))
        name = "Active sprints" if board.type == "scrum" else "Board"
        found.append(("board", name, board_address(board)))
    if project is not None:
        found.append(("calendar", "Calendar", space_address(project, "calendar")))
        found.append(("list", "List", space_address(project, "list")))
    if board is not None and (project is None or _shows(project, "reports")):
        found.append(("reports", "Reports", f"{board_address(board)}/reports"))
    if project is not None:
        if project.type == "software" and _shows(project, "releases"):
            found.append(("releases", "Releases", releases_address(project)))
        found.append(("components", "Components", components_address(project)))
        found.append(("all", "All work", all_work_address(project)))
    return [Tab(name, address, key == current) for key, name, address in found]


def _shows(project: Project, part: str) -> bool:
    """Tell whether a space shows a part that its settings can hide."""
    return all(
        state != "DISABLED"
        for feature, state in project.features.items()
        if feature.endswith(f".{part}")
    )
