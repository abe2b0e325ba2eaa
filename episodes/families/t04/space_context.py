"""Where a sprint is planned: who manages the sprints of which board, for whom, over which days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Final

from clones.core import clock
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Board, IssueLabel, Project, Sprint, User
from clones.tracker.queries.boards import has_sprints, may_manage, projects_of
from clones.tracker.queries.rights import Rights
from episodes.families.t04 import words
from episodes.families.t04.drawing import PEOPLE, working_day
from episodes.families.t04.params import Params
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Persona
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import in_office_hours

POINTS: Final = "customfield_10026"
# Hours at which it is the same day for everybody, or nearly.
FROM, TO = 9, 12


@dataclass(frozen=True, slots=True)
class SpaceContext:
    """Where it happens, and for whom: `other` is a colleague that the guide does not name.

    `label` is what work carries that may be planned.
    """

    persona: Persona
    board: Board
    space: Project
    people: list[User]
    other: User
    label: str


@dataclass(frozen=True, slots=True)
class Sprints:
    """The sprint that runs, the one to be planned, and the one that sounds like it."""

    running: Sprint
    next: Sprint
    twin: Sprint


def find_ground(chance: Random) -> SpaceContext:
    """Choose a board over one live space that estimates by points, and people who work there.

    Raises:
        CannotArrange: nobody who is handed out manages the sprints of such a board, there are too
            few people, or every label is in use.
    """
    persona, board, space = _managed(chance)
    people = colleagues(space, but=[user_of(persona).id])
    if len(people) <= PEOPLE:
        raise CannotArrange("too few people have work of this space")
    chosen = chance.sample(people, PEOPLE + 1)
    taken = set(IssueLabel.objects.values_list("label", flat=True))
    labels = [label for label in words.LABELS if label not in taken]
    if not labels:
        raise CannotArrange("the world has all of these labels")
    return SpaceContext(
        persona, board, space, chosen[:PEOPLE], chosen[PEOPLE], chance.choice(labels)
    )


def _managed(chance: Random) -> tuple[Persona, Board, Project]:
    for role in ("developer", "admin"):
        try:
            persona = persona_on_tracker("scrum master", role=role)
        except CannotArrange:
            continue
        rights = Rights(user_of(persona))
        live = {space.id: space for space in live_spaces()}
        fitting = []
        for board in Board.objects.select_related("project", "filter").order_by("id"):
            over = projects_of(board) or []
            if len(over) != 1 or over[0].id not in live or not has_sprints(board):
                continue
            if board.type != "scrum" or board.estimation != POINTS:
                continue
            if may_manage(rights, board) and rights.may("SCHEDULE_ISSUES", over[0]):
                fitting.append((board, live[over[0].id]))
        if fitting:
            board, space = chance.choice(fitting)
            return persona, board, space
    raise CannotArrange("nobody who is handed out manages a board that estimates by points")


def ago(days: int, chance: Random) -> datetime:
    """Return a moment in office hours so many days ago, or on the Friday before."""
    return in_office_hours(clock.now() - timedelta(days=days), chance.randrange(20, 500))


def day_of(sprint: Sprint, place: int) -> date:
    """Return the day that is so many days after a sprint's first.

    Raises:
        LookupError: the sprint has no dates.
    """
    if sprint.start_date is None:
        raise LookupError(f"{sprint.name} has no dates")
    return sprint.start_date.date() + timedelta(days=place)


def make_sprints(params: Params, board: Board, chance: Random) -> Sprints:
    """Write the three sprints; the one to be planned has its dates, from a Monday to a Friday.

    Raises:
        CannotArrange: the world's sprints have all of their names.
    """
    taken = set(Sprint.objects.values_list("name", flat=True))
    free = [names for names in words.NAMES if not taken & set(names)]
    if not free:
        raise CannotArrange("the world's sprints have all of these names")
    running, following, twin = chance.choice(free)
    begun = ago(8, chance)
    monday = clock.now() + timedelta(days=7 - clock.now().weekday())
    begin = monday.replace(hour=FROM, minute=0, second=0, microsecond=0)
    last = begin.replace(hour=TO) + timedelta(days=working_day(params.weeks * 5 - 1))
    return Sprints(
        _sprint(board, running, begun, begun + timedelta(days=11), state="active"),
        _sprint(board, following, begin, last),
        _sprint(board, twin, None, None),
    )


def _sprint(
    board: Board,
    name: str,
    begin: datetime | None,
    end: datetime | None,
    *,
    state: str = "future",
) -> Sprint:
    sprint = Sprint(
        id=next_id(Sprint),
        board=board,
        name=name,
        state=state,
        start_date=begin,
        end_date=end,
        created=clock.now() - timedelta(days=20),
    )
    sprint.position = sprint.id
    sprint.save(force_insert=True)
    return sprint
