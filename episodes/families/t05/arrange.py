"""Plant a sprint that is over, the one to come, one that runs beside it, and the team's guide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.settings import set_setting
from clones.tracker.domain.sprints import move_all
from clones.tracker.models import Board, Project, Sprint, User
from clones.tracker.queries.boards import may_manage, projects_of, visible_boards
from clones.tracker.queries.rights import Rights
from episodes.families.t05 import words
from episodes.families.t05.kinds import BLOCKED, KINDS, Kind
from episodes.families.t05.params import Params, params_of
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_allowances import UPDATE, changing, filling
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, fresh, in_office_hours
from sandlot.service import Space

SPRINT_COLUMNS: Final = frozenset({"state", "start_date", "end_date", "complete_date"})
ISSUE_COLUMNS: Final = ("rank",)


@dataclass(frozen=True, slots=True)
class Sprints:
    """The sprint to be completed, the one to come, and the one that goes on."""

    old: Sprint
    new: Sprint
    beside: Sprint


@dataclass(slots=True)
class Work:
    """What was planted: unfinished work by kind, finished work, sub-tasks, the guide."""

    unfinished: dict[Kind, list[Planted]]
    finished: list[Planted]
    parts: list[Planted]
    beside: list[Planted]
    guide: Planted


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no board whose sprints the persona manages.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona, board, space = _ground(chance)
    people = colleagues(space, but=[user_of(persona).id])
    if len(people) < 3:
        raise CannotArrange("too few people have work of this space")
    with act(actor="world", label="tracker"):
        # The sprints of the world go on beside these.
        set_setting("parallel_sprints", True)
        sprints = _sprints(board, chance)
    work = _write(params, space, chance.sample(people, 3), sprints, chance)
    facts = _facts(params, space, sprints, work)
    template = stage.chance("goal").choice(goals_of(__file__))["text"]
    goal = template.format(old=sprints.old.name, new=sprints.new.name, space=space.name)
    return Arranged(
        goal=str(goal),
        persona=Persona("scrum master", persona.logins),
        facts=facts,
        allows=_allows(facts),
        start_path="/jira/for-you",
        oracle_steps=_steps(Rights(user_of(persona)), len(facts["carried"])),
    )


def _steps(rights: Rights, carried: int) -> dict[Space, int]:
    """Return how many steps the oracle takes: it looks through the boards that have sprints."""
    boards = visible_boards(rights).filter(type="scrum").count()
    return {"api": 10 + boards, "browser": 18 + 4 * carried}


def _ground(chance: Random) -> tuple[Persona, Board, Project]:
    """Return somebody who manages the sprints of a board over one live space."""
    for role in ("developer", "admin"):
        try:
            persona = persona_on_tracker("scrum master", role=role)
        except CannotArrange:
            continue
        rights = Rights(user_of(persona))
        fitting = []
        live = {space.id: space for space in live_spaces()}
        for board in visible_boards(rights).filter(type="scrum", project__in=list(live)):
            over = projects_of(board) or []
            # The pages of a space lead to its boards; here there is one to find.
            if [one.id for one in over] != [board.project_id] or _beside(board):
                continue
            if may_manage(rights, board) and rights.may("SCHEDULE_ISSUES", over[0]):
                fitting.append((board, live[over[0].id]))
        if fitting:
            board, space = chance.choice(fitting)
            return persona, board, space
    raise CannotArrange("nobody who is handed out manages the sprints of a board")


def _beside(board: Board) -> bool:
    return Board.objects.filter(project=board.project_id).exclude(id=board.id).exists()


def _ago(days: int, chance: Random) -> datetime:
    return in_office_hours(clock.now() - timedelta(days=days), chance.randrange(20, 500))


def _sprints(board: Board, chance: Random) -> Sprints:
    taken = set(Sprint.objects.values_list("name", flat=True))
    free = [names for names in words.NAMES if not taken & set(names)]
    if not free:
        raise CannotArrange("the world's sprints have all of these names")
    old, new, beside = chance.choice(free)
    begun = _ago(15, chance)
    return Sprints(
        _sprint(board, old, begun, begun + timedelta(days=14)),
        _sprint(board, new, None, None),
        _sprint(board, beside, begun + timedelta(days=6), begun + timedelta(days=27)),
    )


def _sprint(board: Board, name: str, begun: datetime | None, ends: datetime | None) -> Sprint:
    sprint = Sprint(
        id=next_id(Sprint),
        board=board,
        name=name,
        state="future" if begun is None else "active",
        start_date=begun,
        end_date=ends,
        created=clock.now() - timedelta(days=20),
    )
    sprint.position = sprint.id
    sprint.save(force_insert=True)
    return sprint


def _write(
    params: Params, space: Project, people: list[User], sprints: Sprints, chance: Random
) -> Work:
    """Write the guide, and the work of both sprints that run, sub-tasks last."""
    history = History()
    texts = chance.sample(words.SUMMARIES, 11)
    guide = _guide(history, params, space, people[0], chance)
    unfinished: dict[Kind, list[Planted]] = {
        kind: [
            _item(history, space, kind, texts.pop(), people=people, chance=chance)
            for _ in range(number)
        ]
        for kind, number in zip(KINDS, (1, 2, 2, 1), strict=True)
    }
    finished = [_done(history, space, texts.pop(), people, chance) for _ in range(2)]
    beside = [
        _item(history, space, kind, texts.pop(), people=people, chance=chance)
        for kind in ("started", "bug")
    ]
    open_parent, done_parent = unfinished["started"][0], finished[0]
    parts = []
    for place, text in enumerate(words.PARTS):
        # The open parent's parts are all done, one of the finished parent's is open.
        closed = _part(history, space, open_parent, text, people=people, chance=chance)
        history.move(closed, "Done", by=people[1], at=_ago(3, chance), resolution="Done")
        parts += [closed, _part(history, space, done_parent, text, people=people, chance=chance)]
        if place == 0:
            moved = parts[-1]
            history.move(moved, "Done", by=people[1], at=_ago(3, chance), resolution="Done")
    history.write()
    own = [*(one for rows in unfinished.values() for one in rows), *finished]
    lead = Rights(space.lead)
    with clock.at(_ago(2, chance)), act(actor="world", label="tracker"):
        move_all([fresh(one.made) for one in own], sprints.old, lead)
        move_all([fresh(one.made) for one in beside], sprints.beside, lead)
    return Work(unfinished, finished, parts, beside, guide)


def _guide(history: History, params: Params, space: Project, by: User, chance: Random) -> Planted:
    table = params.table()
    right = words.rule_text(table, params.weeks)
    other = words.rule_text({kind: not held for kind, held in table.items()}, params.weeks % 3 + 1)
    first = right if params.place == "description" else other
    guide = history.make(
        space,
        "Task",
        words.GUIDE.format(space=space.name),
        by=by,
        at=_ago(90, chance),
        description=first,
    )
    if params.place == "comment":
        text = f"{words.REPLACED}\n\n{right}"
        history.say(guide, by, text, at=_ago(30, chance))
    return guide


def _item(
    history: History, space: Project, kind: Kind, text: str, *, people: list[User], chance: Random
) -> Planted:
    """Write unfinished work of a kind; what is blocked was begun, as some bugs were."""
    labels: dict[str, Any] = {"labels": (BLOCKED,)} if kind == "blocked" else {}
    made = history.make(
        space,
        "Bug" if kind == "bug" else "Task",
        text,
        by=people[0],
        at=_ago(chance.randrange(10, 14), chance),
        assignee=chance.choice(people),
        **labels,
    )
    if kind in ("blocked", "started") or (kind == "bug" and chance.random() < 0.5):
        history.move(made, "In Progress", by=people[1], at=_ago(7, chance))
    return made


def _done(
    history: History, space: Project, text: str, people: list[User], chance: Random
) -> Planted:
    made = history.make(space, "Task", text, by=people[0], at=_ago(13, chance))
    history.move(made, "Done", by=people[1], at=_ago(5, chance), resolution="Done")
    return made


def _part(
    history: History,
    space: Project,
    parent: Planted,
    text: str,
    *,
    people: list[User],
    chance: Random,
) -> Planted:
    at = _ago(6, chance)
    return history.make(space, "Sub-task", text, by=people[2], at=at, parent=parent)


def _facts(params: Params, space: Project, sprints: Sprints, work: Work) -> dict[str, Any]:
    table = params.table()
    carried = [one for kind in KINDS if table[kind] for one in work.unfinished[kind]]
    returned = [one for kind in KINDS if not table[kind] for one in work.unfinished[kind]]
    return {
        "space": space.key,
        "guide": work.guide.id,
        "old": sprints.old.id,
        "new": sprints.new.id,
        "beside": sprints.beside.id,
        "weeks": params.weeks,
        "carried": sorted(one.id for one in carried),
        "returned": sorted(one.id for one in returned),
        "carried_keys": sorted(one.key for one in carried),
        "returned_keys": sorted(one.key for one in returned),
        "finished": sorted(one.id for one in work.finished),
        "finished_keys": sorted(one.key for one in work.finished),
        "parts": sorted(one.id for one in work.parts),
        "neighbour": work.beside[0].key,
        "obligations": [],
        "giver_reply": "The team's guide says it all. I know no more.",
    }


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    moved = [*facts["carried"], *facts["returned"]]
    sprints = frozenset({facts["old"], facts["new"]})
    return (
        Allow("tracker_sprint", UPDATE, keys=sprints, columns=SPRINT_COLUMNS),
        *changing(moved, ISSUE_COLUMNS),
        *filling([*moved, *facts["parts"]], "tracker_issuesprint"),
    )
