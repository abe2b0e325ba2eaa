"""How a careful scrum master closes a sprint: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from episodes.families.t05.kinds import kind_of
from episodes.families.t05.reading import Rule, named_in, rule_of
from episodes.families.t05.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import Answer, Look, RetryingSpace
from episodes.tasks.tracker_acts import comments_of, quoted, read_issue, search, text_of
from episodes.tasks.tracker_looking import LOOKS
from sandlot.service import Space

CHANGE: Final = "tracker_agile.partiallyUpdateSprint"
PUT: Final = "tracker_agile.moveIssuesToSprintAndRank"
BOARDS: Final = "tracker_agile.getAllBoards"
SPRINTS: Final = "tracker_agile.getAllSprints"
WITH: Final = ("summary", "status", "issuetype", "labels", "project")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done, as it was read: the two sprints, the rule, and who goes where."""

    old: Mapping[str, Any]
    new: Mapping[str, Any]
    rule: Rule
    carried: list[str]
    returned: list[str]


def by_api(space: ActingSpace) -> None:
    """Read sprints, work and guide; move what is carried over, complete, start, finish."""
    space = RetryingSpace(space, {**LOOKS, **OWN_LOOKS})
    job = look_into(space)
    carry(space, job.new, job.carried)
    complete(space, job.old)
    start(space, job.new, job.rule.weeks)
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> Job:
    """Find the sprints that the goal names, and read their work and the team's guide.

    Raises:
        LookupError: something is not there.
    """
    found = sprints_of(space)
    names = named_in(space.goal, [sprint["name"] for sprint in found])
    named = [sprint for name in names for sprint in found if sprint["name"] == name]
    old = next((one for one in named if one["state"] == "active"), None)
    new = next((one for one in named if one["state"] == "future"), None)
    if old is None or new is None:
        raise LookupError("the goal names no sprint that runs and one that is to come")
    rows = search(space, f"sprint = {old['id']} AND statusCategory != Done", *WITH)
    work = [row for row in rows if not row["fields"]["issuetype"]["subtask"]]
    rule = read_rule(space, work[0]["fields"]["project"]["key"])
    carried = [row["key"] for row in work if _kind(row) in rule.carried]
    returned = [row["key"] for row in work if _kind(row) not in rule.carried]
    return Job(old, new, rule, carried, returned)


def sprints_of(space: ActingSpace) -> list[dict[str, Any]]:
    """Return the sprints of all boards that are not over, each once."""
    found: dict[int, dict[str, Any]] = {}
    for board in space.act(BOARDS, type="scrum")["body"]["values"]:
        shown = space.act(SPRINTS, board=board["id"], state="active,future")
        found |= {sprint["id"]: sprint for sprint in shown["body"]["values"]}
    return list(found.values())


def read_rule(space: ActingSpace, project: str) -> Rule:
    """Return the rule in force of a space.

    Raises:
        LookupError: it has no guide.
    """
    words = quoted("close our sprints")
    rows = search(space, f"project = {project} AND summary ~ {words}", "summary")
    if not rows:
        raise LookupError(f"{project} has no guide to closing sprints")
    guide = read_issue(space, rows[0]["key"])
    said = [text_of(one["body"]) for one in comments_of(space, guide["key"])]
    return rule_of([text_of(guide["fields"]["description"]), *said])


def _kind(row: Mapping[str, Any]) -> str:
    fields = row["fields"]
    return kind_of(
        labels=frozenset(fields["labels"]),
        bug=fields["issuetype"]["name"] == "Bug",
        started=fields["status"]["statusCategory"]["key"] == "indeterminate",
    )


def carry(space: ActingSpace, sprint: Mapping[str, Any], keys: list[str]) -> None:
    """Put issues into a sprint."""
    space.act(PUT, sprint=sprint["id"], body={"issues": keys})


def complete(space: ActingSpace, sprint: Mapping[str, Any]) -> None:
    """Complete a sprint: what is open and still in it goes to the backlog."""
    space.act(CHANGE, sprint=sprint["id"], body={"state": "closed"})


def start(space: ActingSpace, sprint: Mapping[str, Any], weeks: int) -> None:
    """Start a sprint now, for so many weeks."""
    shown = space.act("tracker_agile.getSprint", sprint=sprint["id"])
    begin = datetime.fromisoformat(str(shown["now"]))
    dates = {
        "startDate": begin.isoformat(),
        "endDate": (begin + timedelta(weeks=weeks)).isoformat(),
    }
    space.act(CHANGE, sprint=sprint["id"], body={"state": "active", **dates})


def put(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether issues are in the sprint into which they were to go."""
    wanted = set(arguments["body"]["issues"])
    jql = f"sprint = {arguments['sprint']}"
    found = space.act(
        "tracker_searchAndReconsileIssuesUsingJql", jql=jql, maxResults=100, fields="summary"
    )
    return found if wanted <= {row["key"] for row in found["body"]["issues"]} else None


def changed(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether a sprint is in the state into which it was to come."""
    found = space.act("tracker_agile.getSprint", sprint=arguments["sprint"])
    return found if found["body"]["state"] == arguments["body"]["state"] else None


OWN_LOOKS: Final[Mapping[str, Look]] = {PUT: put, CHANGE: changed}
SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
