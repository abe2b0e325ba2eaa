"""The facts of T05 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.tracker.models import Comment, Issue, IssueLabel, IssueSprint, Sprint
from episodes.tasks.tracker_acts import text_of

LINES: Final = {
    "blocked": "Labelled blocked",
    "bug": "Bugs",
    "started": "In progress",
    "untouched": "Not begun",
}


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    quoted = re.findall(r'"([^"]+)"', goal)
    rows = [one for one in Sprint.objects.order_by("id") if one.name in quoted]
    old = next((one for one in rows if one.state == "active"), None)
    new = next((one for one in rows if one.state == "future"), None)
    if old is None or new is None:
        raise LookupError("the goal names no sprint that runs and one that is to come")
    members = _members(old)
    top = [issue for issue in members if issue.parent_id is None or not issue.issue_type.subtask]
    guide = _guide(goal, {issue.project_id for issue in top})
    rule = _rule(guide)
    carried, returned, finished = [], [], []
    for issue in top:
        if issue.status.category == "done":
            finished.append(issue)
        elif re.search(rf"{LINES[_kind(issue)]}: next sprint", rule):
            carried.append(issue)
        else:
            returned.append(issue)
    lasts = re.search(r"lasts (\d+) week", rule)
    return {
        "space": guide.project.key,
        "guide": guide.id,
        "old": old.id,
        "new": new.id,
        "weeks": int(lasts[1]) if lasts else 0,
        "carried": sorted(issue.id for issue in carried),
        "returned": sorted(issue.id for issue in returned),
        "carried_keys": sorted(issue.key for issue in carried),
        "returned_keys": sorted(issue.key for issue in returned),
        "finished": sorted(issue.id for issue in finished),
        "finished_keys": sorted(issue.key for issue in finished),
        "parts": sorted(issue.id for issue in members if issue.issue_type.subtask),
    }


def _members(sprint: Sprint) -> list[Issue]:
    keys = {
        link.issue_id for link in IssueSprint.objects.order_by("id") if link.sprint_id == sprint.id
    }
    rows = Issue.objects.select_related("project", "status", "issue_type").order_by("id")
    return [issue for issue in rows if issue.id in keys]


def _kind(issue: Issue) -> str:
    labels = {row.label for row in IssueLabel.objects.order_by("id") if row.issue_id == issue.id}
    if "blocked" in labels:
        return "blocked"
    if issue.issue_type.name == "Bug":
        return "bug"
    return "started" if issue.status.category == "indeterminate" else "untouched"


def _guide(goal: str, spaces: set[int]) -> Issue:
    found = [
        issue
        for issue in Issue.objects.select_related("project").order_by("id")
        if issue.project_id in spaces
        and issue.project.name in goal
        and issue.summary.startswith("How we close our sprints")
    ]
    if len(found) != 1:
        raise LookupError(f"{len(found)} guides to closing sprints")
    return found[0]


def _rule(guide: Issue) -> str:
    said = Comment.objects.filter(issue=guide).order_by("created", "id")
    texts = [text_of(guide.description), *(text_of(comment.body) for comment in said)]
    rules = [" ".join(text.split()) for text in texts if "lasts" in text]
    if not rules:
        raise LookupError("the guide has no rule")
    return rules[-1]
