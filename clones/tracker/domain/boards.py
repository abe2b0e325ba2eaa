"""Writing boards.

create_board_for(project, type) -> Board      # of a new space, with a filter and columns
create_board(name=..., type=..., filter=..., project=..., actor=...) -> Board
delete_board(board, actor=...)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from clones.core import clock
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.properties import forget_properties
from clones.tracker.models import (
    Board,
    BoardAdmin,
    BoardColumn,
    BoardColumnStatus,
    Filter,
    Project,
    Share,
    Status,
    WorkflowScheme,
    WorkflowSchemeItem,
    WorkflowStatus,
)
from clones.tracker.queries.agile_fields import estimate_field
from clones.tracker.queries.boards import administers, projects_named, referenced
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql import JqlError, parse

NAME_LIMIT: Final = 255
# The columns of a new board, and the categories of the statuses that they show.
COLUMNS: Final = (
    ("To Do", ("undefined", "new")),
    ("In Progress", ("indeterminate",)),
    ("Done", ("done",)),
)
# What keeps released work off a new kanban board, as on the vendor's.
UNRELEASED: Final = "fixVersion in unreleasedVersions() OR fixVersion is EMPTY"
Columns = Sequence[tuple[str, Sequence[Status]]]


def create_board_for(project: Project, type: str, *, actor: Rights | None = None) -> Board:
    """Give a new space its board, over a filter of its own that whoever sees the space sees.

    Args:
        project: the space, with its workflow scheme.
        type: scrum or kanban; a team-managed space gets a simple board, with sprints for scrum.
        actor: who makes it; its lead, if nobody is named.
    """
    owner = actor.user if actor is not None and actor.user is not None else project.lead
    now = clock.now()
    found = Filter.objects.create(
        id=next_id(Filter),
        name=f"Filter for {project.key} board",
        owner=owner,
        jql=f"project = {project.key} ORDER BY Rank ASC",
        created=now,
    )
    Share.objects.create(id=next_id(Share), filter=found, type="project", project=project)
    settings = {"sprints": type == "scrum"} if project.simplified else {}
    board = Board(
        name=f"{project.key} board",
        type="simple" if project.simplified else type,
        filter=found,
        project=project,
        owner=owner,
        settings=settings,
        created=now,
    )
    return _insert(board, [project], actor or Rights(owner))


def create_board(
    *,
    name: str | None,
    type: str | None,
    filter_id: int | None,
    project: Project | None,
    actor: Rights,
) -> Board:
    """Create a board over a filter; where it is in no space, it is the actor's.

    Without the right to create what others share the board is private.

    Raises:
        Invalid: the name is missing or too long, the type is none, or there is no such filter.
        Forbidden: the actor is a customer, or nobody.
    """
    if actor.user is None or actor.user.account_type == "customer":
        raise Forbidden("You do not have permission to create boards.")
    wrong: dict[str, str] = {}
    name = (name or "").strip()
    if not name:
        wrong["name"] = "The board name must be specified."
    elif len(name) >= NAME_LIMIT:
        wrong["name"] = f"The board name must be shorter than {NAME_LIMIT} characters."
    if type not in {"scrum", "kanban", "agility"}:
        wrong["type"] = "The board type must be one of: scrum, kanban."
    found = visible_filters(actor).filter(id=filter_id).first() if filter_id is not None else None
    if found is None:
        wrong["filterId"] = "The filter does not exist or you do not have permission to view it."
    if wrong or found is None:
        raise Invalid(fields=wrong)
    shared = Share.objects.filter(filter=found).exists()
    board = Board(
        name=name,
        type="simple" if type == "agility" else str(type),
        filter=found,
        project=project,
        owner=actor.user,
        is_private=shared and not actor.holds_global("CREATE_SHARED_OBJECTS"),
        created=clock.now(),
    )
    spaces = projects_named(referenced(found.jql)) or ([project] if project is not None else [])
    return _insert(board, spaces, actor)


def delete_board(board: Board, *, actor: Rights) -> None:
    """Delete a board; its filter, its sprints and the issues stay.

    Raises:
        Forbidden: the actor may not change it, or it is a team-managed space's.
    """
    if not administers(actor, board):
        raise Forbidden("You do not have permission to delete this board.")
    if board.type == "simple":
        raise Forbidden("Boards of team-managed projects cannot be deleted.")
    publish(Event("board_deleted", actor, board=board))
    forget_properties("board", [str(board.id)])
    board.delete()


def require_change(board: Board, actor: Rights) -> None:
    """Hold somebody to being an admin of a board.

    Raises:
        Forbidden: they are none.
    """
    if not administers(actor, board):
        raise Forbidden("You do not have permission to edit this board.")


def checked_query(text: str, field: str) -> str:
    """Return the text of a query that boards keep.

    Raises:
        Invalid: it is no JQL; `field` names it.
    """
    try:
        parse(text)
    except JqlError as error:
        raise Invalid(fields={field: " ".join(error.texts)}) from error
    return text


def _insert(board: Board, spaces: Sequence[Project], actor: Rights) -> Board:
    board.id = next_id(Board)
    simplified = board.project is not None and board.project.simplified
    if board.type == "scrum" or board.settings.get("sprints"):
        field = estimate_field(simplified=simplified)
        board.estimation = None if field is None else field.key
    elif board.type == "kanban":
        board.sub_query = UNRELEASED
    board.save(force_insert=True)
    BoardAdmin.objects.create(id=next_id(BoardAdmin), board=board, user=board.owner)
    statuses = statuses_of_projects([space.id for space in spaces])
    if simplified:
        write_columns(board, [(status.name, [status]) for status in _by_category(statuses)])
    else:
        write_columns(board, _by_columns(statuses))
    publish(Event("board_created", actor, board=board))
    return board


def _by_columns(statuses: Sequence[Status]) -> Columns:
    return [
        (name, [status for status in statuses if status.category in categories])
        for name, categories in COLUMNS
    ]


def _by_category(statuses: Sequence[Status]) -> list[Status]:
    return [status for _, part in _by_columns(statuses) for status in part]


def write_columns(board: Board, columns: Columns) -> None:
    """Write the columns of a board that has none, in their order."""
    rows = [
        BoardColumn(id=id, board=board, name=name, position=position)
        for position, (id, (name, _)) in enumerate(
            zip(next_ids(BoardColumn, len(columns)), columns, strict=True)
        )
    ]
    BoardColumn.objects.bulk_create(rows)
    places = [
        BoardColumnStatus(column=row, status=status, position=position)
        for row, (_, statuses) in zip(rows, columns, strict=True)
        for position, status in enumerate(statuses)
    ]
    for id, place in zip(next_ids(BoardColumnStatus, len(places)), places, strict=True):
        place.id = id
    BoardColumnStatus.objects.bulk_create(places)


def statuses_of_projects(projects: Collection[int]) -> list[Status]:
    """Return the statuses of the workflows of some spaces, in the order of the workflows."""
    schemes = WorkflowScheme.objects.filter(projects__in=projects)
    flows = set(schemes.values_list("default_workflow_id", flat=True))
    items = WorkflowSchemeItem.objects.filter(scheme__in=schemes.values("id"))
    flows |= set(items.values_list("workflow_id", flat=True))
    rows = WorkflowStatus.objects.filter(workflow__in=flows).select_related("status")
    places = rows.order_by("position", "workflow_id", "id")
    return list({place.status_id: place.status for place in places}.values())
