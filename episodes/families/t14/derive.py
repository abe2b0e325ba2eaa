"""The facts of T14 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import Issue, IssueLink, IssueVersion, Version

MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    release = _meant(goal)
    issues = {
        row.id: row for row in Issue.objects.select_related("status", "project", "issue_type")
    }
    filed = {row.issue_id for row in IssueVersion.objects.all() if _is_fix(row, release)}
    done = {key for key, row in issues.items() if row.status.category == "done"}
    own = {key for key in filed if key not in done}
    if not own:
        raise LookupError("the release has no open work")
    graph = _blocking(own, done, passes="goes on through it" in goal) - done - filed
    wanted = [key for key in graph if _is_listed(issues[key], goal, release)]
    dated = [(issues[key].due_date, issues[key].key) for key in wanted if issues[key].due_date]
    return {
        "release": release.id,
        "graph": sorted(graph),
        "answer": {
            "blockers": sorted(issues[key].key for key in wanted),
            "first": min(dated)[1],
        },
        "own": sorted(issues[key].key for key in own),
        "support": [[["tracker_issue", str(key)] for key in sorted(graph)]],
    }


def _meant(goal: str) -> Version:
    """Return the one version that everything said in the goal fits.

    Raises:
        LookupError: none fits, or several do.
    """
    rows = [
        row
        for row in Version.objects.select_related("project").order_by("id")
        if not row.released and not row.archived and f"the {row.project.name} release" in goal
    ]
    if "is planned next" in goal:
        today = clock.now().date()
        rows = [row for row in rows if row.release_date is not None and row.release_date >= today]
        rows.sort(key=lambda row: str(row.release_date))
        del rows[1:]
    else:
        rows = [row for row in rows if _is_described(row, goal)]
    if len(rows) != 1:
        raise LookupError(f"{len(rows)} versions are as the goal says")
    return rows[0]


def _is_described(row: Version, goal: str) -> bool:
    before = f"the {row.project.name} release "
    called = row.description.partition(":")[0]
    sayings = [f"{row.name} ", f"{row.name},", f'that its description calls "{called}"']
    if row.release_date is not None:
        sayings.append(f"that is planned for {_spelt(row.release_date)}")
    if row.start_date is not None:
        sayings.append(f"that was started on {_spelt(row.start_date)}")
    return any(f"{before}{saying}" in goal for saying in sayings)


def _spelt(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _is_fix(row: IssueVersion, release: Version) -> bool:
    return row.version_id == release.id and row.kind == "fix"


def _blocking(own: set[int], done: set[int], *, passes: bool) -> set[int]:
    """Return all that leads to the release's open work: link after link until nothing is added."""
    rows = IssueLink.objects.select_related("type")
    pairs = [(row.source_id, row.destination_id) for row in rows if row.type.outward == "blocks"]
    found = set(own)
    size = 0
    while size != len(found):
        size = len(found)
        for blocker, blocked in pairs:
            if blocked in found and (passes or blocked not in done):
                found.add(blocker)
    return found


def _is_listed(row: Issue, goal: str, release: Version) -> bool:
    if "List only those that belong to other spaces" in goal:
        return row.project_id != release.project_id
    if "List only those that nobody is assigned to" in goal:
        return row.assignee_id is None
    if "List only bugs" in goal:
        return row.issue_type.name == "Bug"
    if "List only those on which work has not begun" in goal:
        return row.status.category == "new"
    return True
