"""What somebody starred: spaces, boards, filters and dashboards whose pages are there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clones.tracker.models import Favourite, Queue
from clones.tracker.queries.boards import visible_boards
from clones.tracker.queries.desks import AGENT
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.queries.sharing import visible_dashboards, visible_filters
from clones.tracker.web.frame.entries import board_address, is_there
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.shell import words


@dataclass(frozen=True, slots=True)
class Starred:
    """A starred thing, what it is, and where it leads."""

    name: str
    kind: str
    address: str


def starred(rights: Rights) -> list[Starred]:
    """Return what somebody starred and still sees, by kind and name."""
    ids: dict[str, list[int]] = defaultdict(list)
    for row in Favourite.objects.filter(user=rights.user).order_by("position", "id"):
        ids[row.kind].append(row.entity)
    found = [
        *_spaces(rights, ids["project"]),
        *_boards(rights, ids["board"]),
        *_filters(rights, ids["filter"]),
        *_dashboards(rights, ids["dashboard"]),
        *_queues(rights, ids["queue"]),
    ]
    return [one for one in found if is_there(one.address)]


def _spaces(rights: Rights, ids: Sequence[int]) -> Iterable[Starred]:
    rows = visible_projects(rights).filter(id__in=ids) if ids else ()
    for project in rows:
        yield Starred(project.name, words().space.capitalize(), f"/browse/{project.key}")


def _boards(rights: Rights, ids: Sequence[int]) -> Iterable[Starred]:
    rows = visible_boards(rights).filter(id__in=ids) if ids else ()
    for board in rows:
        if board.project is not None:
            yield Starred(board.name, "Board", board_address(board.project, board))


def _filters(rights: Rights, ids: Sequence[int]) -> Iterable[Starred]:
    rows = visible_filters(rights).filter(id__in=ids).order_by("name", "id") if ids else ()
    for row in rows:
        yield Starred(row.name, "Filter", f"/issues/?filter={row.id}")


def _dashboards(rights: Rights, ids: Sequence[int]) -> Iterable[Starred]:
    rows = visible_dashboards(rights).filter(id__in=ids).order_by("name", "id") if ids else ()
    for row in rows:
        yield Starred(row.name, "Dashboard", f"/jira/dashboards/{row.id}")


def _queues(rights: Rights, ids: Sequence[int]) -> Iterable[Starred]:
    works = sorted(rights.projects_with(AGENT)) if ids else ()
    rows = Queue.objects.filter(id__in=ids, desk__project__in=works) if ids else None
    for row in () if rows is None else rows.select_related("desk__project").order_by("name", "id"):
        at = settings_address(row.desk.project).removesuffix("/settings")
        yield Starred(row.name, "Queue", f"{at}/queues/custom/{row.id}")
