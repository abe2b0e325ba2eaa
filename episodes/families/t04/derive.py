"""The facts of T04 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from clones.tracker.models import (
    Comment,
    FieldValue,
    Issue,
    IssueLabel,
    IssueLink,
    IssueSprint,
    Sprint,
    User,
)
from episodes.tasks.tracker_acts import text_of

Entry = dict[str, Any]


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    quoted = re.findall(r'"([^"]+)"', goal)
    sprints = [one for one in Sprint.objects.order_by("id") if one.name in quoted]
    if len(sprints) != 1:
        raise LookupError(f"the goal names {len(sprints)} sprints")
    sprint = sprints[0]
    guide, away = _text(goal, "How we plan our sprints"), _text(goal, "Who is away")
    rules = _words(guide)
    said = [" ".join(text_of(row.body).split()) for row in _comments(guide)]
    tables = [re.findall(r"(Highest|High|Medium|Low): (\d+)", text) for text in [rules, *said]]
    worth = {name: int(value) for name, value in [table for table in tables if table][-1]}
    rates = _rates(guide)
    room = {
        person: rate * _days(sprint, _gone(away, _name(person))) for person, rate in rates.items()
    }
    there = _in(sprint)
    held = {issue.id: _entry(issue) for issue in _all() if issue.id in there}
    label = re.findall(r"carries the label ([\w-]+)", rules)[0]
    work = {
        issue.id: {**_entry(issue), "worth": worth[_priority(issue)], "needs": _needs(issue, held)}
        for issue in _labelled(label)
        if issue.project_id == guide.project_id and _is_ready(issue, rates)
    }
    left = {
        person: points - sum(one["points"] for one in held.values() if one["who"] == person)
        for person, points in room.items()
    }
    return {
        "space": guide.project.key,
        "guide": guide.id,
        "away": away.id,
        "said": sorted(row.id for row in _comments(away)),
        "sprint": sprint.id,
        "room": {str(person): points for person, points in room.items()},
        "work": {str(key): entry for key, entry in work.items()},
        "held": {str(key): entry for key, entry in held.items()},
        "best": _best(list(work.items()), left),
    }


# Texts


def _text(goal: str, begins: str) -> Issue:
    """Return the open work item of the goal's space whose summary begins so."""
    found = [
        issue
        for issue in _all()
        if issue.summary.startswith(begins)
        and issue.project.name in goal
        and issue.summary.endswith(issue.project.name)
        and issue.status.category != "done"
    ]
    if not found:
        raise LookupError(f"nothing is called {begins}")
    return max(found, key=lambda issue: len(issue.project.name))


def _words(issue: Issue) -> str:
    return " ".join(text_of(issue.description).split())


def _comments(issue: Issue) -> list[Comment]:
    rows = Comment.objects.order_by("created", "id")
    return [row for row in rows if row.issue_id == issue.id]


def _rates(guide: Issue) -> dict[int, float]:
    """Return what each person takes on a day, by the user."""
    rates = {}
    for line in text_of(guide.description).split("\n"):
        found = re.fullmatch(r"(.+): ([\d.]+) a day", line)
        if found is not None:
            named = [user for user in User.objects.order_by("id") if user.display_name == found[1]]
            rates[named[0].id] = float(found[2])
    return rates


def _name(person: int) -> str:
    return next(user.display_name for user in User.objects.order_by("id") if user.id == person)


def _gone(away: Issue, name: str) -> list[tuple[date, date]]:
    """Return when somebody is away, without what they took back."""
    found: list[tuple[date, date]] = []
    for row in _comments(away):
        text = " ".join(text_of(row.body).split())
        days = re.findall(r"(\d+ \w+ \d{4})", text)
        if not text.startswith(f"{name} ") or len(days) != 2:
            continue
        first, last = (datetime.strptime(f"{day} +0000", "%d %B %Y %z").date() for day in days)
        if "after all" in text:
            found.remove((first, last))
        else:
            found.append((first, last))
    return found


def _days(sprint: Sprint, gone: list[tuple[date, date]]) -> int:
    if sprint.start_date is None or sprint.end_date is None:
        raise LookupError(f"{sprint.name} has no dates")
    day, number = sprint.start_date.date(), 0
    while day <= sprint.end_date.date():
        here = not any(first <= day <= last for first, last in gone)
        number += here and day.isoweekday() <= 5
        day += timedelta(days=1)
    return number


# Work


def _all() -> list[Issue]:
    return list(Issue.objects.select_related("project", "status", "priority").order_by("id"))


def _in(sprint: Sprint) -> set[int]:
    return {
        row.issue_id for row in IssueSprint.objects.order_by("id") if row.sprint_id == sprint.id
    }


def _priority(issue: Issue) -> str:
    return "" if issue.priority is None else issue.priority.name


def _points(issue: Issue) -> float | None:
    rows = FieldValue.objects.order_by("id")
    found = [row.number for row in rows if row.issue_id == issue.id and row.field_id == 10026]
    return found[0] if found else None


def _entry(issue: Issue) -> Entry:
    return {
        "key": issue.key,
        "who": issue.assignee_id,
        "points": _points(issue),
        "named": _priority(issue) == "Highest",
    }


def _labelled(label: str) -> list[Issue]:
    keys = {row.issue_id for row in IssueLabel.objects.order_by("id") if row.label == label}
    return [issue for issue in _all() if issue.id in keys]


def _is_ready(issue: Issue, rates: dict[int, float]) -> bool:
    if issue.status.category == "done" or issue.assignee_id not in rates:
        return False
    placed = {row.issue_id for row in IssueSprint.objects.order_by("id")}
    return issue.id not in placed and _points(issue) is not None


def _needs(issue: Issue, held: dict[int, Entry]) -> list[int]:
    """Return the open work that blocks an issue and is not in the sprint already."""
    links = IssueLink.objects.select_related("type", "source__status").order_by("id")
    return sorted(
        link.source_id
        for link in links
        if link.destination_id == issue.id
        and link.type.outward == "blocks"
        and link.source.status.category != "done"
        and link.source_id not in held
    )


def _best(work: list[tuple[int, Entry]], left: dict[int, float]) -> int:
    """Return what the best plan is worth: every choice of work is looked at."""
    worth = 0
    needs = {key: set(entry["needs"]) for key, entry in work}
    for bits in range(1 << len(work)):
        chosen = [work[place] for place in range(len(work)) if bits >> place & 1]
        names = {key for key, _ in chosen}
        value = sum(entry["worth"] for _, entry in chosen)
        if value <= worth or any(not needs[key] <= names for key in names):
            continue
        load = dict.fromkeys(left, 0.0)
        for _, entry in chosen:
            load[entry["who"]] += entry["points"]
        if all(load[person] <= left[person] for person in left):
            worth = value
    return worth
