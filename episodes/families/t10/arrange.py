"""Plant a board that nobody has set up, its twin, and the request that says how it should be."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.board_configuration import (
    ColumnDraft,
    add_quick_filter,
    set_columns,
    set_sub_query,
    set_swimlanes,
)
from clones.tracker.domain.boards import create_board
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.filters import create_filter
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.sharing import Draft
from clones.tracker.models import (
    Board,
    BoardColumn,
    Issue,
    IssueType,
    Project,
    QuickFilter,
    Status,
    User,
)
from clones.tracker.queries.rights import Rights
from episodes.families.t02.arrange import LABELS, condition
from episodes.families.t02.drawing import Land
from episodes.families.t02.planting import land_of, spaces_of
from episodes.families.t10 import words
from episodes.families.t10.params import DOING, DONE, TODO, Params, params_of
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.tracker_acts import document
from episodes.tasks.tracker_people import listed_users, persona_on_tracker, user_of
from sandlot.service import Space

SPACES: Final = ("STU", "CLD")
OUTSIDE: Final = "PAY"
ANY: Final = frozenset({"insert", "update", "delete"})
BOARD_COLUMNS: Final = frozenset({"swimlanes", "constraint_type"})


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world lacks a space with a review, a developer, or people with work.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    present = clock.now()
    persona = persona_on_tracker("scrum master")
    agent = user_of(persona)
    space = _space(chance)
    asker = _asker(space, agent, chance)
    made_at = present - timedelta(days=chance.randrange(20, 90), minutes=chance.randrange(600))
    name = f"{space.name} {chance.choice(words.TEAM_NAMES)}"
    board = _board(space, name, agent, params, at=made_at)
    twin = _board(space, f"{name} (old)", agent, params, at=made_at - timedelta(days=60))
    wish = _wish(params, space, name, chance)
    asked_at = present - timedelta(minutes=chance.randrange(40, 400))
    subject = chance.choice(words.SUBJECTS)
    request = _request(space, words.request(wish, chance), subject, (asker, agent), at=asked_at)
    facts = {
        **wish,
        "board": board.id,
        "twin": twin.id,
        "request": request.id,
        "request_key": request.key,
        "asker": asker.id,
        "agent": agent.id,
        "kept": sorted(QuickFilter.objects.filter(board=board).values_list("id", flat=True)),
        "statuses": sorted(Status.objects.values_list("id", flat=True)),
        "obligations": [],
        "giver_reply": "It is all in the request. I have nothing to add to it.",
    }
    goal = stage.chance("goal").choice(goals_of(__file__))["text"]
    return Arranged(
        goal=str(goal.format(requester=asker.display_name, board=name, subject=subject)),
        persona=persona,
        facts=facts,
        allows=_allows(board, facts),
        start_path="/jira/for-you",
        oracle_steps=steps(params),
    )


def steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: there is no way but the pages."""
    columns = params.columns
    more = 3 * max(len(columns) - 3, 0) + 2 * max(3 - len(columns), 0)
    limits = sum(limit is not None for column in columns for limit in column[2:])
    browser = 11 + more + 3 * len(columns) + limits + 4 + 8 + 2
    return {"browser": browser}


def _space(chance: Random) -> Project:
    found = [space for key, space in spaces_of(SPACES).items() if key in SPACES]
    if not found:
        raise CannotArrange("the world has no space with a review")
    return chance.choice(found)


def _asker(space: Project, agent: User, chance: Random) -> User:
    """Return a colleague who works in the space; nobody else has that name."""
    busy = Issue.objects.filter(project=space).exclude(assignee=None)
    people = User.objects.filter(active=True, account_type="atlassian").exclude(id=agent.id)
    names, listed = list(User.objects.values_list("display_name", flat=True)), listed_users()
    found = [
        user
        for user in people.filter(id__in=busy.values("assignee")).order_by("id")
        if names.count(user.display_name) == 1 and user.email and user.id not in listed
    ]
    if not found:
        raise CannotArrange("nobody but the agent works in the space")
    return chance.choice(found)


def _board(space: Project, name: str, agent: User, params: Params, *, at: datetime) -> Board:
    """Make a board as boards are when nobody has set them up: one status is on no column."""
    rights = Rights(agent)
    keys = {row.name: row.id for row in Status.objects.filter(project=None).order_by("-id")}
    with clock.at(at), act(actor="world", label="board"):
        saved = create_filter(
            name=f"Filter for {name}",
            jql=f"project = {space.key} ORDER BY Rank ASC",
            shares=[Draft("loggedin")],
            actor=rights,
        )
        board = create_board(
            name=name, type="kanban", filter_id=saved.id, project=space, actor=rights
        )
        set_sub_query(board, "", actor=rights)
        columns = [
            ColumnDraft("Backlog", [keys[TODO]]),
            ColumnDraft("Work", [keys[DOING]]),
            ColumnDraft("Over", [keys[DONE]]),
        ]
        set_columns(board, columns, actor=rights)
        # What is wanted is never so already.
        set_swimlanes(board, "none" if params.lanes != "none" else "parent", actor=rights)
        add_quick_filter(board, "Only mine", "assignee = currentUser()", actor=rights)
    return board


def _wish(params: Params, space: Project, name: str, chance: Random) -> dict[str, Any]:
    """Return what is wanted, in names and in neutral conditions."""
    people = [user.account_id for user in _people(space)]
    labels = chance.sample(LABELS, 4)
    land = {"keys": [space.key, OUTSIDE], "labels": labels, "people": people}
    known = land_of(**land)
    names = chance.sample(words.QUICK_NAMES, 2)
    pairs = _conditions(params.pair, known, labels, chance)
    return {
        "space": space.key,
        "board_name": name,
        "land": land,
        "columns": [
            {"name": title, "statuses": list(held), "minimum": least, "maximum": most}
            for title, held, least, most in params.columns
        ],
        "quick": [
            {"name": title, "conditions": conditions}
            for title, conditions in zip(names, pairs, strict=True)
        ],
        "lanes": params.lanes,
    }


def _people(space: Project) -> list[User]:
    busy = Issue.objects.filter(project=space).exclude(assignee=None).values("assignee")
    rows = User.objects.filter(id__in=busy, active=True, account_type="atlassian")
    found = list(rows.order_by("id")[:4])
    if len(found) < 2:
        raise CannotArrange("too few people have work in the space")
    return found


def _conditions(
    pair: str, land: Land, labels: list[str], chance: Random
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the conditions of both filters: of the second one of two must hold besides."""
    days = chance.choice((7, 10, 14, 21))
    high = ["High", "Highest"]
    ranks, bug = [land.priorities[name] for name in high], [land.types["Bug"]]

    def priority(side: str) -> dict[str, Any]:
        return condition(side, "priority", "one_of", ranks, high)

    def labelled(side: str) -> dict[str, Any]:
        return condition(side, "labels", "some_of", labels[:2], labels[:2])

    def bugs(side: str) -> dict[str, Any]:
        return condition(side, "type", "one_of", bug, ["Bug"])

    def blank(side: str, about: str) -> dict[str, Any]:
        return condition(side, about, "blank", [], [])

    def timed(side: str, about: str, test: str) -> dict[str, Any]:
        return condition(side, about, test, [], [str(days)], days=days)

    return {
        "pressing": ([priority("all")], [blank("all", "assignee"), labelled("any"), bugs("any")]),
        "labelled": (
            [labelled("all")],
            [timed("all", "created", "since"), priority("any"), blank("any", "components")],
        ),
        "bugs": (
            [bugs("all")],
            [timed("all", "due", "due"), labelled("any"), priority("any")],
        ),
        "bare": (
            [blank("all", "components")],
            [condition("all", "unreleased", "filled", [], []), bugs("any"), priority("any")],
        ),
        "due": (
            [timed("all", "due", "due")],
            [blank("all", "assignee"), blank("any", "labels"), bugs("any")],
        ),
    }[pair]


def _request(
    space: Project, text: str, subject: str, people: tuple[User, User], *, at: datetime
) -> Issue:
    asker, agent = people
    kind = IssueType.objects.filter(project=None, name="Task").earliest("id")
    values = {"summary": subject, "description": document(text), "assignee": agent}
    planned = Planned(fields_of(space, kind), values)
    with clock.at(at), act(actor="world", label="request"):
        return create_issue(space, kind, planned, actor=Rights(asker), trusted=True)


def _allows(board: Board, facts: dict[str, Any]) -> tuple[Allow, ...]:
    """Allow the one board, its columns with their statuses, and new quick filters of it."""
    columns = sorted(BoardColumn.objects.filter(board=board).values_list("id", flat=True))
    insert = frozenset({"insert"})
    return (
        Allow(
            "tracker_board",
            frozenset({"update"}),
            keys=frozenset({board.id}),
            columns=BOARD_COLUMNS,
        ),
        Allow("tracker_boardcolumn", ANY, where={"board_id": board.id}),
        *(
            Allow("tracker_boardcolumnstatus", ANY, where={"column_id": column})
            for column in columns
        ),
        Allow("tracker_boardcolumnstatus", insert, at_most=8),
        Allow("tracker_quickfilter", insert, where={"board_id": board.id}, at_most=2),
    )
