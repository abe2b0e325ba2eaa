"""How a careful scrum master plans a sprint: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from episodes.families.t04.planning import Item, best_plans
from episodes.families.t04.reading import (
    Absence,
    Guide,
    absences_of,
    guide_of,
    named_in,
    room_of,
    space_in,
)
from episodes.families.t04.solve_browser import in_browser
from episodes.families.t04.words import ABSENCES, GUIDE, NAMED, goal_text
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import Answer, Look, RetryingSpace
from episodes.tasks.tracker_acts import quoted, read_issue, search, text_of
from episodes.tasks.tracker_looking import LOOKS
from sandlot.service import Space

PUT: Final = "tracker_agile.moveIssuesToSprintAndRank"
CHANGE: Final = "tracker_agile.partiallyUpdateSprint"
BOARDS: Final = "tracker_agile.getAllBoards"
SPRINTS: Final = "tracker_agile.getAllSprints"
SEARCH: Final = "tracker_searchAndReconsileIssuesUsingJql"
SPRINT: Final = "customfield_10020"
POINTS: Final = "customfield_10026"
WITH: Final = ("summary", "status", "priority", "assignee", "issuelinks", SPRINT, POINTS)

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done, as it was read.

    `rows` is all work that carries the label and is not done, `held` what of it is in the sprint,
    `ready` what may be planned. `sprints` are all of the board that are not over.
    """

    sprint: Json
    sprints: Sequence[Json]
    guide: Guide
    absences: Sequence[Absence]
    rows: Sequence[Json]
    held: Sequence[Json]
    ready: Sequence[Json]

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day of the sprint."""
        first, last = (
            datetime.fromisoformat(str(self.sprint[name])).date()
            for name in ("startDate", "endDate")
        )
        return first, last

    @property
    def room(self) -> dict[str, float]:
        """How many points each person can take, besides what is in the sprint."""
        room = room_of(self.guide, self.absences, *self.days)
        for row in self.held:
            room[holder_of(row)] -= points_of(row)
        return room

    @property
    def items(self) -> list[Item[str]]:
        """What may be planned, each with the open work that blocks it."""
        there = {row["key"] for row in self.held}
        return [
            Item(
                row["key"],
                holder_of(row),
                points_of(row),
                self.guide.worth[row["fields"]["priority"]["name"]],
                frozenset(blockers_of(row) - there),
            )
            for row in self.ready
        ]

    def best(self) -> list[str]:
        """Return the keys of the plan that is worth the most, in the order of their rows."""
        names = best_plans(self.items, self.room, 1)[0].names
        return [row["key"] for row in self.ready if row["key"] in names]

    def goal(self, keys: Sequence[str]) -> str:
        """Return the goal of the sprint with this work planned."""
        planned = [row for row in self.rows if row["key"] in keys]
        whole = [*self.held, *planned]
        named = [row["key"] for row in whole if row["fields"]["priority"]["name"] == NAMED]
        return goal_text(sum(points_of(row) for row in whole), named)


def by_api(space: ActingSpace) -> None:
    """Read the guide, who is away and the work; plan it, tell the goal, finish."""
    space = RetryingSpace(space, {**LOOKS, **OWN_LOOKS})
    job = look_into(space)
    keys = job.best()
    put(space, job.sprint, keys)
    tell(space, job.sprint, job.goal(keys))
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> Job:
    """Read all that planning the sprint takes.

    Raises:
        LookupError: something is not there.
    """
    row = _titled(space, "plan our sprints", GUIDE)
    project = row["fields"]["project"]
    guide = guide_of(_texts(space, row["key"]))
    row = _titled(space, "away", ABSENCES)
    absences = absences_of(_texts(space, row["key"]), guide.rates)
    sprints, sprint = _sprints(space, project["key"])
    label = quoted(guide.label)
    jql = f"project = {project['key']} AND labels = {label} AND statusCategory != Done"
    rows = search(space, f"{jql} ORDER BY key", *WITH)
    held = [row for row in rows if sprint["id"] in sprints_of(row)]
    ready = [row for row in rows if not sprints_of(row) and _is_ready(row, guide)]
    return Job(sprint, sprints, guide, absences, rows, held, ready)


def _titled(space: ActingSpace, words: str, title: str) -> Json:
    """Return the open work item with a title of the space that the goal names."""
    jql = f"summary ~ {quoted(words)} AND statusCategory != Done"
    rows = search(space, jql, "summary", "project")
    fitting = [
        row
        for row in rows
        if row["fields"]["summary"] == title.format(space=row["fields"]["project"]["name"])
    ]
    name = space_in(space.goal, [row["fields"]["project"]["name"] for row in fitting])
    return next(row for row in fitting if row["fields"]["project"]["name"] == name)


def _texts(space: ActingSpace, key: str) -> list[str]:
    """Return the text of a work item and what was said below it, oldest first."""
    fields = read_issue(space, key)["fields"]
    said = [text_of(one["body"]) for one in fields["comment"]["comments"]]
    return [text_of(fields["description"]), *said]


def _sprints(space: ActingSpace, project: str) -> tuple[list[Json], Json]:
    """Return the sprints of the board that has the one in the goal, and that one.

    Raises:
        LookupError: no board of the space has it.
    """
    boards = space.act(BOARDS, type="scrum", projectKeyOrId=project)["body"]["values"]
    for board in boards:
        shown = space.act(SPRINTS, board=board["id"], state="active,future")["body"]["values"]
        try:
            name = named_in(space.goal, [sprint["name"] for sprint in shown])
        except LookupError:
            continue
        return shown, next(sprint for sprint in shown if sprint["name"] == name)
    raise LookupError(f"no board of {project} has the sprint of the goal")


def sprints_of(row: Json) -> list[int]:
    """Return the sprints that work is or was in."""
    return [sprint["id"] for sprint in row["fields"].get(SPRINT) or ()]


def holder_of(row: Json) -> str:
    """Return whose work it is, "" for nobody's."""
    return str((row["fields"]["assignee"] or {}).get("displayName", ""))


def points_of(row: Json) -> float:
    """Return how many points work has, 0 if it has none."""
    return float(row["fields"].get(POINTS) or 0)


def blockers_of(row: Json) -> set[str]:
    """Return the keys of the open work that blocks work."""
    return {
        link["inwardIssue"]["key"]
        for link in row["fields"]["issuelinks"]
        if link["type"]["inward"] == "is blocked by"
        and "inwardIssue" in link
        and link["inwardIssue"]["fields"]["status"]["statusCategory"]["key"] != "done"
    }


def _is_ready(row: Json, guide: Guide) -> bool:
    return holder_of(row) in guide.rates and row["fields"].get(POINTS) is not None


def put(space: ActingSpace, sprint: Json, keys: Sequence[str]) -> None:
    """Put work into a sprint."""
    space.act(PUT, sprint=sprint["id"], body={"issues": list(keys)})


def tell(space: ActingSpace, sprint: Json, goal: str) -> None:
    """Set the goal of a sprint."""
    space.act(CHANGE, sprint=sprint["id"], body={"goal": goal})


def was_put(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether work is in the sprint into which it was to go."""
    wanted = set(arguments["body"]["issues"])
    jql = f"sprint = {arguments['sprint']}"
    found = space.act(SEARCH, jql=jql, maxResults=100, fields="summary")
    return found if wanted <= {row["key"] for row in found["body"]["issues"]} else None


def was_told(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether a sprint has the goal that it was to get."""
    found = space.act("tracker_agile.getSprint", sprint=arguments["sprint"])
    return found if found["body"].get("goal") == arguments["body"]["goal"] else None


OWN_LOOKS: Final[Mapping[str, Look]] = {PUT: was_put, CHANGE: was_told}
SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
