"""The facts of T03 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from typing import Any, Final

from clones.tracker.models import (
    Component,
    Issue,
    IssueLabel,
    IssueVersion,
    Project,
    Version,
)
from episodes.tasks.tracker_acts import text_of

CODE: Final = re.compile(r"[A-Z]{2}X\d{4}")
MARKERS: Final = (
    ("signing in", ("password", "sign in", "sign-in", "account page", "account today")),
    ("speed", ("slow", "four minutes", "a wait")),
    ("saving", ("saved",)),
    ("screen", ("screen", "drawn", "total is shown")),
)
EFFECTS: Final = (("nuisance", "nuisance"), ("lost", "lost"), ("go on", "go on"))
REACHES: Final = (("everybody", "everybody"), ("several", "several"), ("one person", "one person"))


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    named = [project for project in Project.objects.all() if project.name in goal]
    if not named:
        raise LookupError("the goal names no space")
    project = max(named, key=lambda one: len(one.name))
    marked = {row.issue_id for row in IssueLabel.objects.all() if row.label == "incoming"}
    every = list(
        Issue.objects.filter(project=project).select_related("status", "resolution").order_by("id")
    )
    reports = [issue for issue in every if issue.id in marked]
    guide = next(
        issue
        for issue in every
        if issue.status.category != "done" and "Titles say little" in text_of(issue.description)
    )
    text = text_of(guide.description)
    entries = [_entry(issue, every, marked, text) for issue in reports]
    return {
        "space": project.key,
        "guide": guide.id,
        "reports": entries,
        "issues": [issue.id for issue in reports],
        "records": sorted(entry["record"] for entry in entries if entry["record"] is not None),
    }


def _entry(issue: Issue, every: list[Issue], marked: set[int], guide: str) -> dict[str, Any]:
    text = text_of(issue.description)
    code = CODE.search(text)
    entry: dict[str, Any] = {
        "issue": issue.id,
        "key": issue.key,
        "sort": "other",
        "component": None,
        "priority": None,
        "resolution": None,
        "link": None,
        "record": None,
        "record_key": None,
    }
    if code is None:
        return {**entry, "resolution": "Won't Do"}
    same = [
        other for other in every if other.id not in marked and code[0] in text_of(other.description)
    ]
    record = same[0] if same else None
    if record is not None:
        entry |= {"record": record.id, "record_key": record.key}
        if not _came_back(record, text):
            return {**entry, "link": "Duplicate", "resolution": "Duplicate"}
        entry |= {"link": "Relates", "sort": "regression"}
    return {
        **entry,
        "component": _component(issue, text, guide),
        "priority": _priority(text, guide),
    }


def _came_back(record: Issue, text: str) -> bool:
    seen = text.partition("Seen in ")[2].split()[0].rstrip(".")
    fixed = [row.version_id for row in IssueVersion.objects.all() if row.issue_id == record.id]
    if not fixed:
        return False
    days = {
        row.name: row.release_date
        for row in Version.objects.all()
        if row.project_id == record.project_id
    }
    names = {row.id: row.name for row in Version.objects.all()}
    first, then = days[seen], days[names[fixed[0]]]
    return first is not None and then is not None and first >= then


def _component(issue: Issue, text: str, guide: str) -> int:
    low = text.lower()
    about = next(name for name, words in MARKERS if any(word in low for word in words))
    lines = [line for line in guide.splitlines() if ":" in line]
    name = next(
        line.partition(": ")[2]
        for line in lines
        if about in line.partition(": ")[0] and len(line.partition(": ")[0]) < 40
    )
    rows = [row for row in Component.objects.all() if row.project_id == issue.project_id]
    return next(row.id for row in rows if row.name == name)


def _priority(text: str, guide: str) -> str:
    low = text.lower()
    effect = next(name for name, word in EFFECTS if word in low)
    reach = next(name for name, word in REACHES if word in low)
    line = next(
        line
        for line in guide.splitlines()
        if effect in line.partition(":")[0] and "everybody" in line
    )
    part = next(part for part in line.partition(": ")[2].split(", ") if reach in part)
    return part.rpartition(" ")[2]
