"""The facts of T15 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.tracker.models import (
    Approval,
    Approver,
    ChangeItem,
    Comment,
    Issue,
    Project,
    SlaGoal,
    SlaMetric,
    User,
)
from episodes.tasks.tracker_acts import text_of
from episodes.tasks.tracker_people import listed_users
from seeds.people.models import PersonState

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
STOPS: Final = str.maketrans(",.;:", "    ")
NEEDS: Final = {
    "laptop": "asset tag",
    "printer": "floor",
    "VPN": "version",
    "shared folder": "owner",
    "new account": "cost centre",
}
TOLD: Final = "Tell the customer:"


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: something that the goal speaks of is not there.
    """
    space = _space(goal)
    guide = _guide(space)
    text = text_of(guide.description)
    metric = next(
        row
        for row in SlaMetric.objects.filter(desk__project=space)
        if f"until {row.name} is missed" in text
    )
    mine = _mine(space)
    waiting = next(one for one in mine if one.status.name == "Waiting for approval")
    resting = next(one for one in mine if one.status.name == "Waiting for customer")
    running = [one for one in mine if one not in (waiting, resting)]
    left = {one.id: _left(one, metric) for one in running}
    running.sort(key=lambda one: left[one.id])
    entries = [_entry(one, late=left[one.id] <= 0) for one in running]
    words = text.translate(STOPS).split()
    approval = next(row for row in Approval.objects.all() if row.issue_id == waiting.id)
    named = next(row.user for row in Approver.objects.all() if row.approval_id == approval.id)
    decider = _decider(guide, named)
    return {
        "space": space.key,
        "guide": guide.id,
        "promise": metric.name,
        "metric": metric.id,
        "entries": entries,
        "waiting": waiting.id,
        "waiting_key": waiting.key,
        "approval": approval.id,
        "named": named.id,
        "decider": decider.id,
        "days": int(words[words.index("working") - 1]),
        "buyer": next(row.id for row in User.objects.all() if _orders(row, text)),
        "resting": resting.key,
        "codes": _codes(space),
        "said": max(Comment.objects.values_list("id", flat=True)),
        "changed": max(ChangeItem.objects.values_list("id", flat=True)),
        **_decision(waiting),
    }


def _space(goal: str) -> Project:
    found = [project for project in Project.objects.order_by("id") if project.name in goal]
    if not found:
        raise LookupError("the goal names no space")
    return max(found, key=lambda project: len(project.name))


def _guide(space: Project) -> Issue:
    for issue in Issue.objects.filter(project=space, resolution=None):
        if "in the order of the time that is left" in text_of(issue.description):
            return issue
    raise LookupError("the desk has no guide to its queue")


def _mine(space: Project) -> list[Issue]:
    handed_out = listed_users()
    rows = Issue.objects.filter(project=space, resolution=None).select_related("status", "priority")
    return [row for row in rows.order_by("id") if row.assignee_id in handed_out]


def _left(issue: Issue, metric: SlaMetric) -> int:
    """Return the minutes that are left for a request, counted one by one through the calendar."""
    priority = "" if issue.priority is None else issue.priority.name
    goals = sorted(SlaGoal.objects.filter(metric=metric), key=lambda row: (row.position, row.id))
    goal = next(row for row in goals if not row.jql or row.jql.endswith(f" {priority}"))
    passed, moment = 0, issue.created
    while moment < clock.now():
        passed += goal.calendar is None or _is_open(goal.calendar, moment)
        moment += timedelta(minutes=1)
    return (goal.milliseconds or 0) // 60_000 - passed


def _is_open(calendar: Any, moment: datetime) -> bool:
    local = moment.astimezone(ZoneInfo(calendar.time_zone))
    spans = calendar.hours.get(f"{local:%A}".upper(), [])
    return any(start <= f"{local:%H:%M}" < end for start, end in spans)


def _entry(issue: Issue, *, late: bool) -> dict[str, Any]:
    tell, need, note = None, None, None
    for comment in Comment.objects.filter(issue=issue):
        _, found, message = text_of(comment.body).partition(TOLD)
        if found:
            tell = next(word for word in _plain(message) if any(sign.isdigit() for sign in word))
            note = comment.id
    if tell is None:
        text = text_of(issue.description)
        need = next(need for word, need in NEEDS.items() if word in text)
    return {
        "issue": issue.id,
        "key": issue.key,
        "kind": "lacking" if tell is None else "ready",
        "tell": tell,
        "need": need,
        "late": late,
        "note": note,
    }


def _plain(text: str) -> list[str]:
    return [word.strip(",.;:") for word in text.split()]


def _decider(guide: Issue, named: User) -> User:
    """Return who stands in for an approver today, the approver if nobody does."""
    today = clock.now().date()
    for comment in Comment.objects.filter(issue=guide, author=named):
        words = _plain(text_of(comment.body))
        days = [
            date(int(words[at + 1]), MONTHS.index(word) + 1, int(words[at - 1]))
            for at, word in enumerate(words)
            if word in MONTHS
        ]
        if days[0] <= today <= days[1]:
            text = text_of(comment.body)
            return next(
                row for row in User.objects.all() if f"time {row.display_name} approves" in text
            )
    return named


def _orders(user: User, text: str) -> bool:
    return f"assign the request to {user.display_name}, who orders it" in text


def _codes(space: Project) -> list[str]:
    """Return the order numbers in notes on open requests of a desk."""
    found = set[str]()
    for comment in Comment.objects.filter(issue__project=space, issue__resolution=None):
        text = text_of(comment.body)
        if TOLD in text:
            found |= {word for word in _plain(text) if word.startswith("PO-")}
    return sorted(found)


def _decision(waiting: Issue) -> dict[str, Any]:
    """Return what the one who decides has in mind; it stands nowhere else yet."""
    state = PersonState.objects.get(thread=f"tracker.issue:{waiting.id}")
    plan = state.knowledge["approval"]
    again = None
    words = _plain(plan["says"])
    for at, word in enumerate(words):
        if word in MONTHS:
            month = MONTHS.index(word) + 1
            again = f"{words[at + 1]}-{month:02}-{int(words[at - 1]):02}"
    return {"decision": plan["decision"], "again": again}
