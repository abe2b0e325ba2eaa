"""The facts of T01 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from datetime import UTC
from typing import Any, Final

from clones.tracker.models import (
    ChangeItem,
    Comment,
    Component,
    FormerIssueKey,
    Issue,
    IssueComponent,
    IssueLink,
    IssueVersion,
    Worklog,
)
from episodes.tasks.tracker_acts import text_of

ASKS: Final = {
    "is fixed": "fixed",
    "was fixed": "fixed",
    "changed hands": "taken",
    "one assignee to another": "taken",
    "present assignee": "before",
    "Done for good": "done",
    "reached Done": "done",
    "was logged": "spent",
    "is blocked": "blocker",
    "when it was filed": "priority",
    "was filed with": "priority",
    "build": "build",
}
MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    fact = next((name for words, name in ASKS.items() if words in goal), None)
    if fact is None:
        raise LookupError("the goal asks for nothing known")
    issue = _meant(goal)
    return {
        "fact": fact,
        "issue": issue.id,
        "key": issue.key,
        "answer": _answer(fact, issue),
        "support": [[["tracker_issue", str(issue.id)]]],
    }


def _meant(goal: str) -> Issue:
    """Return the one work item that everything said in the goal fits.

    Raises:
        LookupError: none fits, or several do.
    """
    fitting = [
        issue
        for issue in Issue.objects.select_related("project", "reporter", "resolution", "issue_type")
        if issue.issue_type.name == "Bug" and _fits(goal, issue)
    ]
    if len(fitting) != 1:
        raise LookupError(f"{len(fitting)} work items are as the goal says")
    return fitting[0]


def _fits(goal: str, issue: Issue) -> bool:
    reporter = "" if issue.reporter is None else issue.reporter.display_name
    code = re.search(r"KX\w+", goal)
    if code is not None:
        return code[0] in text_of(issue.description)
    if "had the key" in goal:
        keys = [row.key for row in FormerIssueKey.objects.all() if row.issue_id == issue.id]
        return any(f"had the key {key} before" in goal for key in keys)
    if issue.resolution is not None and issue.resolution.name == "Duplicate":
        return False
    space = issue.project.name
    if "in the component" in goal:
        return f"of {space} that {reporter} filed" in goal and _of_component(goal, issue)
    if f"{reporter} filed in {space} on" in goal:
        at = issue.created.astimezone(UTC)
        return f"on {at.day} {MONTHS[at.month - 1]} {at.year}" in goal
    said = goal.partition(f"the bug in {space} about ")[2].partition(" (not")[0]
    return bool(said) and _is_about(issue.summary, said)


def _of_component(goal: str, issue: Issue) -> bool:
    names = {row.id: row.name for row in Component.objects.all()}
    own = [row.component_id for row in IssueComponent.objects.all() if row.issue_id == issue.id]
    return any(f"in the component {names[key]} of" in goal for key in own)


def _is_about(summary: str, described: str) -> bool:
    """Tell whether nearly every longer word of a summary is in a description, in some form."""
    words = [word for word in re.findall(r"[a-z]+", summary.lower()) if len(word) > 3]
    missing = [word for word in words if word[:4] not in described.lower()]
    return bool(words) and len(missing) <= len(words) // 4


def _answer(fact: str, issue: Issue) -> Any:
    items = [item for item in ChangeItem.objects.order_by("created", "id") if _is_of(item, issue)]
    hands = [item for item in items if item.field_id == "assignee"]
    if fact == "fixed":
        rows = [row for row in IssueVersion.objects.select_related("version") if row.kind == "fix"]
        return next(row.version.name for row in rows if row.issue_id == issue.id)
    if fact == "taken":
        return hands[-1].created.astimezone(UTC).isoformat()
    if fact == "before":
        return hands[-1].old_string
    if fact == "done":
        done = [item for item in items if item.field_id == "status" and item.new_string == "Done"]
        return done[-1].created.astimezone(UTC).isoformat()
    if fact == "spent":
        return sum(row.seconds for row in Worklog.objects.all() if row.issue_id == issue.id) // 60
    if fact == "blocker":
        for link in IssueLink.objects.select_related("type", "source"):
            if link.destination_id == issue.id and link.type.outward == "blocks":
                return link.source.key
    if fact == "priority":
        return next(item.old_string for item in items if item.field_id == "priority")
    said = [text_of(row.body) for row in Comment.objects.order_by("created") if _on(row, issue)]
    found = [part for text in said for part in re.findall(r"build was ([\d.]+\d)", text)]
    return found[-1]


def _is_of(item: ChangeItem, issue: Issue) -> bool:
    return item.issue_id == issue.id


def _on(row: Comment, issue: Issue) -> bool:
    return row.issue_id == issue.id
