"""Reading boards: which there are for somebody, and of what they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.domain.errors import NotFound
from clones.tracker.models import (
    Board,
    BoardAdmin,
    BoardColumn,
    BoardColumnStatus,
    FormerProjectKey,
    Issue,
    Project,
    Sprint,
)
from clones.tracker.queries.rights import Rights, visible_issues, visible_projects
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql import JqlError, parse
from clones.tracker.rules.jql.nodes import And, Clause, Comparison, Or, Value, singles

BOARD_GONE: Final = (
    "The requested board cannot be viewed because it either does not exist or you do not have"
    " permission to view it."
)
SPRINT_GONE: Final = "Sprint does not exist or you do not have permission to view it."
_PROJECT: Final = frozenset({"project", "space"})


def visible_boards(rights: Rights) -> QuerySet[Board]:
    """Return the boards that somebody sees, by id.

    Those are boards over a filter that is shared with them, in a space that they see or with a
    person; a private one is its owner's.
    """
    spaces = visible_projects(rights).order_by().values("id")
    rows = Board.objects.filter(filter__in=visible_filters(rights).order_by().values("id"))
    rows = rows.filter(Q(project=None) | Q(project__in=spaces))
    mine = Q(is_private=False)
    if rights.user is not None:
        mine |= Q(owner=rights.user)
    return rows.filter(mine).select_related("project", "owner", "filter").order_by("id")


def find_board(rights: Rights, id: int) -> Board:
    """Return a board.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found = visible_boards(rights).filter(id=id).first()
    if found is None:
        raise NotFound(BOARD_GONE)
    return found


def find_any_board(rights: Rights, id: int) -> tuple[Board, bool]:
    """Return a board and whether they see it: admins find those, too, that they do not see.

    Raises:
        NotFound: there is none, or none for them.
    """
    found = visible_boards(rights).filter(id=id).first()
    if found is not None:
        return found, True
    hidden = Board.objects.filter(id=id).select_related("project", "owner", "filter").first()
    if hidden is None or not rights.is_admin:
        raise NotFound(BOARD_GONE)
    return hidden, False


def administers(rights: Rights, board: Board) -> bool:
    """Tell whether somebody may change a board.

    Its admins and the site's may; on boards of team-managed spaces those of the space.
    """
    if rights.user is None:
        return False
    if rights.is_admin or board.owner_id == rights.user.id:
        return True
    if board.type == "simple" and board.project is not None:
        return rights.may("ADMINISTER_PROJECTS", board.project)
    named = BoardAdmin.objects.filter(board=board)
    return named.filter(Q(user=rights.user) | Q(group__in=rights.group_ids)).exists()


def administered(rights: Rights, boards: Sequence[Board]) -> set[int]:
    """Return which of some boards somebody may change, with one statement."""
    if rights.user is None:
        return set()
    if rights.is_admin:
        return {board.id for board in boards}
    named = BoardAdmin.objects.filter(board__in=[board.id for board in boards])
    named = named.filter(Q(user=rights.user) | Q(group__in=rights.group_ids))
    found = set(named.values_list("board_id", flat=True))
    found |= {board.id for board in boards if board.owner_id == rights.user.id}
    return found | {
        board.id
        for board in boards
        if board.type == "simple"
        and board.project is not None
        and rights.may("ADMINISTER_PROJECTS", board.project)
    }


def has_sprints(board: Board) -> bool:
    """Tell whether work on a board goes in sprints: team-managed boards may be set to it."""
    return board.type == "scrum" or (board.type == "simple" and bool(board.settings.get("sprints")))


def has_kanban_backlog(board: Board) -> bool:
    """Tell whether the first column of a board is its backlog."""
    return not has_sprints(board) and bool(board.settings.get("backlog"))


def columns_of(board: Board) -> list[BoardColumn]:
    """Return a board's columns in their order, with their statuses."""
    rows = BoardColumn.objects.filter(board=board).order_by("position", "id")
    return list(rows.prefetch_related("statuses"))


def statuses_of(column: BoardColumn) -> list[int]:
    """Return the statuses of a column that came with them, in their order."""
    rows = sorted(column.statuses.all(), key=lambda row: (row.position, row.id))
    return [row.status_id for row in rows]


def mapped_statuses(board: Board) -> QuerySet[BoardColumnStatus]:
    """Return the statuses that a board shows: a query of single values."""
    rows = BoardColumnStatus.objects.filter(column__board=board)
    return rows.values("status")  # type: ignore[return-value]


def done_statuses(columns: Sequence[BoardColumn]) -> list[int]:
    """Return the statuses whose issues are done: those of the last column that has any."""
    for column in reversed(columns):
        found = statuses_of(column)
        if found:
            return found
    return []


@lru_cache(maxsize=4096)
def referenced(jql: str) -> frozenset[str] | None:
    """Return the spaces to which a query restricts what it finds, as it names them, in lower case.

    None: it finds issues of any. The rule is the vendor's: `project in (A, B) AND x` names A and
    B, `project in (A, B) OR x` none.
    """
    try:
        return _named(parse(jql).where)
    except JqlError:
        return None


def _named(clause: Clause | None) -> frozenset[str] | None:
    match clause:
        case Comparison(field, "=" | "in", operand) if field.name.lower() in _PROJECT:
            values = list(singles(operand))
            if not all(isinstance(value, Value) for value in values):
                return None
            return frozenset(value.text.lower() for value in values if isinstance(value, Value))
        case And(clauses):
            known = [named for part in clauses if (named := _named(part)) is not None]
            return frozenset.intersection(*known) if known else None
        case Or(clauses):
            parts = [_named(part) for part in clauses]
            known = [named for named in parts if named is not None]
            return frozenset[str]().union(*known) if len(known) == len(parts) else None
    return None


def _names(projects: QuerySet[Project]) -> dict[int, set[str]]:
    """Return what queries may call spaces, in lower case, by the space's id; former keys too."""
    found = {
        id: {key.lower(), name.lower(), str(id)}
        for id, key, name in projects.values_list("id", "key", "name")
    }
    former = FormerProjectKey.objects.filter(project__in=found)
    for project, key in former.values_list("project_id", "key"):
        found[project].add(key.lower())
    return found


def projects_of(board: Board) -> list[Project] | None:
    """Return the live spaces to which a board's filter is restricted, by name; None: to none."""
    return projects_named(referenced(board.filter.jql))


def projects_named(named: Iterable[str] | None) -> list[Project] | None:
    """Return the live spaces that a query names, by name."""
    if named is None:
        return None
    wanted = set(named)
    rows = Project.objects.filter(deleted_at=None)
    ids = [id for id, names in _names(rows).items() if names & wanted]
    return list(rows.filter(id__in=ids).order_by("name", "id"))


def boards_about(project: Project, boards: QuerySet[Board]) -> list[int]:
    """Return the ids of those boards whose filter names a space."""
    names = _names(Project.objects.filter(id=project.id))[project.id]
    rows = boards.values_list("id", "filter__jql")
    return [id for id, jql in rows if names & (referenced(jql) or frozenset())]


def visible_sprints(rights: Rights) -> QuerySet[Sprint]:
    """Return the sprints that somebody sees.

    They are of boards that they see, or there is an issue in them that they see.
    """
    boards = visible_boards(rights).order_by().values("id")
    issues = visible_issues(rights).filter(sprint_links__sprint=OuterRef("pk"))
    return Sprint.objects.filter(Q(board__in=boards) | Exists(issues)).select_related(
        "board", "board__filter", "board__project"
    )


def find_sprint(rights: Rights, id: int) -> Sprint:
    """Return a sprint.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    found = visible_sprints(rights).filter(id=id).first()
    if found is None:
        raise NotFound(SPRINT_GONE)
    return found


def may_manage(rights: Rights, sprint_board: Board | None, sprint: Sprint | None = None) -> bool:
    """Tell whether somebody may make, change, start and end sprints of a board.

    It takes the permission in each space that the board's filter is restricted to; where it is
    restricted to none, in all live software spaces; of a sprint whose board is gone, in the spaces
    of its issues.
    """
    held = rights.projects_with("MANAGE_SPRINTS_PERMISSION")
    if sprint_board is not None:
        spaces = projects_of(sprint_board)
        if spaces is None:
            live = Project.objects.filter(deleted_at=None, archived_at=None, type="software")
            return set(live.values_list("id", flat=True)) <= held
        live_ids = {project.id for project in spaces if project.is_live}
        return bool(live_ids) and live_ids <= held
    rows = Issue.objects.filter(sprint_links__sprint=sprint)
    return set(rows.values_list("project_id", flat=True)) <= held
