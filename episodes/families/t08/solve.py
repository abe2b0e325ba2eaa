"""How a careful developer brings work to Done: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from episodes.families.t08.reading import (
    GUIDE,
    Guide,
    guide_of,
    likest,
    resolution_of,
    space_of,
    value_of,
)
from episodes.families.t08.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from episodes.tasks.tracker_acts import (
    assign,
    edit,
    find_person,
    move,
    moves_of,
    named_move,
    read_issue,
    say,
    search,
    take,
    text_of,
)
from episodes.tasks.tracker_looking import LOOKS
from sandlot.service import Space

ROUNDS: Final = 6
OPEN: Final = "statusCategory != Done"


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be closed, as it was read: its fields, and what the guide and comments say."""

    issue: Mapping[str, Any]
    guide: Guide
    value: str | float
    resolution: str

    @property
    def key(self) -> str:
        """Its key."""
        return str(self.issue["key"])

    @property
    def status(self) -> str:
        """Where it stands."""
        return str(self.issue["fields"]["status"]["name"])

    def open_parts(self) -> list[str]:
        """Return the keys of its sub-tasks that are not done."""
        return [
            part["key"]
            for part in self.issue["fields"]["subtasks"]
            if part["fields"]["status"]["statusCategory"]["key"] != "done"
        ]


def by_api(space: ActingSpace) -> None:
    """Read the work and the guide; do what its steps ask for, one after another; finish."""
    space = RetryingSpace(space, LOOKS)
    work = look_into(space)
    for part in work.open_parts():
        close(space, part, work.resolution)
    if work.status == "To Do":
        move(space, work.key, "In Progress")
    fill(space, work)
    move(space, work.key, "In Review")
    if work.guide.approver is not None:
        ask(space, work)
    close(space, work.key, work.resolution)
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> Work:
    """Find the work that is meant, and the guide of its space; read both."""
    rows = search(space, f"assignee = currentUser() AND {OPEN}", "summary", "project")
    name = space_of(space.goal, [row["fields"]["project"]["name"] for row in rows])
    mine = [row for row in rows if row["fields"]["project"]["name"] == name]
    chosen = mine[likest(space.goal, [row["fields"]["summary"] for row in mine])]
    issue = read_issue(space, chosen["key"])
    words = '(summary ~ "work" OR summary ~ "Done")'
    where = f"project = {issue['fields']['project']['key']} AND {OPEN} AND {words}"
    found = search(space, f"{where} ORDER BY created DESC", "summary")
    guides = [row for row in found if GUIDE.match(row["fields"]["summary"])]
    if not guides:
        raise LookupError(f"{name} has no guide to closing work")
    shown = space.act("tracker_getIssue", issueIdOrKey=guides[0]["key"])
    today = datetime.fromisoformat(shown["now"]).date()
    text = text_of(shown["body"]["fields"]["description"])
    guide = guide_of(text, said_on(shown["body"]), today)
    said = said_on(issue)
    return Work(issue, guide, value_of(guide.field, said), resolution_of(said))


def said_on(issue: Mapping[str, Any]) -> list[str]:
    """Return what was said on an issue, oldest first."""
    comments = issue["fields"]["comment"]["comments"]
    return [text_of(said["body"]) for said in sorted(comments, key=lambda one: one["created"])]


def fill(space: ActingSpace, work: Work) -> None:
    """Fill the field that review asks for with what was agreed on."""
    fields: dict[str, dict[str, Any]] = {
        "Fix versions": {"fixVersions": [{"name": work.value}]},
        "Story Points": {"customfield_10026": work.value},
        "Due date": {"duedate": work.value},
    }
    edit(space, work.key, **fields[work.guide.field])


def ask(space: ActingSpace, work: Work) -> None:
    """Give the work to whoever approves it, say what there is to look at, and wait for it.

    Raises:
        LookupError: nobody approves it.
    """
    person = find_person(space, str(work.guide.approver))
    assign(space, work.key, person["accountId"])
    say(space, work.key, "Ready for your approval: everything agreed here is done and filled in.")
    for _ in range(ROUNDS):
        space.act("wait", minutes=1440)
        if named_move(moves_of(space, work.key), "Close") is not None:
            return
    raise LookupError("nobody approved the work")


def close(space: ActingSpace, key: str, resolution: str) -> None:
    """Take an issue through Close, with its resolution.

    Raises:
        LookupError: it is not offered.
    """
    chosen = named_move(moves_of(space, key), "Close")
    if chosen is None:
        raise LookupError(f"{key} cannot be closed")
    take(space, key, chosen["id"], fields={"resolution": {"name": resolution}})


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
