"""The facts of T08 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import Comment, Issue, Project, Resolution, Status, User, Version
from clones.tracker.models import Transition as Step
from clones.tracker.queries.workflows import workflow_of
from episodes.tasks.tracker_acts import text_of

FIELDS: Final = {
    "Fix versions": "fixVersions",
    "Story Points": "customfield_10026",
    "Due date": "duedate",
}
STOPS: Final = str.maketrans(",.;:", "    ")
MONTHS: Final = {
    name: number
    for number, name in enumerate(
        (
            *("January", "February", "March", "April", "May", "June", "July", "August"),
            *("September", "October", "November", "December"),
        ),
        start=1,
    )
}


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    project = _space(goal)
    issue = _meant(goal, project)
    guide = _guide(project)
    said = _said(issue)
    text = text_of(guide.description)
    asked = next(field for name, field in FIELDS.items() if f"review, {name} must" in text)
    end = _resolution(said[-1])
    parts = _open_parts(issue)
    return {
        "issue": issue.id,
        "key": issue.key,
        "guide": guide.id,
        "path": _path(issue),
        "asked": asked,
        "value": _value(asked, project, said),
        "parts": [part.id for part in parts],
        "part_keys": [part.key for part in parts],
        "resolution": end,
        "approver": _approver(guide, text),
        "space": project.key,
    }


def _space(goal: str) -> Project:
    found = [project for project in Project.objects.order_by("id") if project.name in goal]
    if not found:
        raise LookupError("the goal names no space")
    return max(found, key=lambda project: len(project.name))


def _meant(goal: str, project: Project) -> Issue:
    """Return the open issue whose summary shares most words with the goal."""
    words = {word[:5].lower() for word in goal.translate(STOPS).replace('"', " ").split()}
    best: tuple[float, Issue] | None = None
    for issue in Issue.objects.filter(project=project).select_related("status", "assignee"):
        if issue.status.category == "done" or issue.assignee is None or issue.summary == "":
            continue
        own = {word[:5].lower() for word in issue.summary.translate(STOPS).split()}
        own = {word for word in own if len(word) > 3}
        share = len(own & words) / max(len(own), 1) + (issue.summary in goal)
        named = issue.reporter is not None and issue.reporter.display_name in goal
        share += named
        if best is None or share > best[0]:
            best = (share, issue)
    if best is None:
        raise LookupError("nothing in the space could be meant")
    return best[1]


def _guide(project: Project) -> Issue:
    for issue in Issue.objects.filter(project=project).select_related("status"):
        if "one after the other" in text_of(issue.description) and issue.status.category != "done":
            return issue
    raise LookupError("the space has no guide to closing work")


def _said(issue: Issue) -> list[str]:
    rows = sorted(Comment.objects.filter(issue=issue), key=lambda row: (row.created, row.id))
    return [text_of(row.body) for row in rows]


def _resolution(text: str) -> str:
    dropped = any(words in text for words in ("decided against", "dropped"))
    wanted = "Won't Do" if dropped else "Done"
    for row in Resolution.objects.all():
        if row.name == wanted:
            return row.name
    raise LookupError(f"there is no resolution {wanted}")


def _open_parts(issue: Issue) -> list[Issue]:
    every = Issue.objects.order_by("id").select_related("status")
    below = [part for part in every if part.parent_id == issue.id]
    return [part for part in below if part.status.category != "done"]


def _path(issue: Issue) -> list[str]:
    """Walk the steps that lead from one status to one other, until one that is done."""
    names = {row.id: row for row in Status.objects.all()}
    flow = workflow_of(issue.project, issue.issue_type)
    ahead: dict[int, int] = {}
    for step in Step.objects.filter(workflow=flow):
        if step.type == "DIRECTED" and step.name not in ("Back to work", "Reopen"):
            ahead[int(step.sources[0]["status"])] = int(step.to_status_id or 0)
    at = issue.status_id
    found = [names[at].name]
    while at in ahead:
        at = ahead[at]
        found.append(names[at].name)
    return found


def _value(asked: str, project: Project, said: list[str]) -> Any:
    for text in reversed(said):
        words = text.translate(STOPS).split()
        if asked == "customfield_10026" and "points" in words:
            return float(words[words.index("points") - 1])
        if asked == "duedate":
            for place, word in enumerate(words):
                if word in MONTHS and place and words[place - 1].isdigit():
                    year = int(words[place + 1])
                    return date(year, MONTHS[word], int(words[place - 1])).isoformat()
        if asked == "fixVersions":
            named = [
                version
                for version in Version.objects.filter(project=project)
                if f" {version.name}." in text or f" {version.name} " in text
            ]
            if named:
                return str(max(named, key=lambda version: len(version.name)).id)
    raise LookupError(f"nobody says what {asked} is to hold")


def _approver(guide: Issue, text: str) -> str | None:
    if "Nobody needs to approve it" in text:
        return None
    today = clock.now().date()
    notes = [said for said in _said(guide) if said.startswith("I am away from")]
    people = [user.display_name for user in User.objects.all()]
    for note in notes:
        words = note.translate(STOPS).split()
        days = [
            datetime(
                int(words[at + 1]), MONTHS[word], int(words[at - 1]), tzinfo=clock.now().tzinfo
            )
            for at, word in enumerate(words)
            if word in MONTHS
        ]
        if days[0].date() <= today <= days[1].date():
            return next(name for name in people if f"time {name} approves" in note)
    named = [name for name in people if f": {name} does." in text or f", {name}, can" in text]
    return named[0] if named else None
