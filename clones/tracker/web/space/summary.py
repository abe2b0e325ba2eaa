"""The summary of a space: its last week, where its work stands, and who has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.safestring import SafeString

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import IssueType, Priority, Project, Status, User
from clones.tracker.queries.space_summary import (
    SummaryShare,
    by_person,
    by_priority,
    by_status,
    by_type,
    epics_of,
    issues_in,
    week_of,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.dashboards.activity import activity
from clones.tracker.web.parts.pictures import face, priority_picture, type_picture
from clones.tracker.web.shell import words
from clones.tracker.web.space.access import page_of_space, space_page

ENTRIES: Final = 10
RADIUS: Final = 15.9155  # a circle whose way round is 100 long


@dataclass(frozen=True, slots=True)
class SummaryBar:
    """A bar of the summary: `length` of a hundred, and where its issues are listed."""

    name: str
    picture: SafeString
    count: int
    percent: int
    length: int
    address: str
    look: str


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of a ring that is 100 round: its length, that of the rest, and where it begins."""

    length: float
    rest: float
    offset: float
    look: str
    said: str


@page_of_space
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the summary of a space."""
    rights, now = who.rights, who.rights.asked_at
    issues = issues_in(project, rights)
    statuses = by_status(issues)
    week = week_of(issues, now, rights)
    base = f'project = "{project.key}"'
    items = words().items
    context = {
        "week": [
            ("completed", week.completed, "in the last 7 days",
             _listed(base, "statusCategory = Done AND statusCategoryChangedDate >= -7d")),
            ("updated", week.updated, "in the last 7 days", _listed(base, "updated >= -7d")),
            ("created", week.created, "in the last 7 days", _listed(base, "created >= -7d")),
            ("due soon", week.due, "in the next 7 days",
             _listed(base, "statusCategory != Done AND due >= startOfDay() AND due <= 7d")),
        ],
        "total": sum(share.count for share in statuses),
        "statuses": _lines(statuses, base, "status"),
        "arcs": arcs_of(statuses),
        "priorities": _lines(by_priority(issues), f"{base} AND statusCategory != Done", "priority"),
        "types": _lines(by_type(issues), base, "type"),
        "people": _lines(by_person(issues), f"{base} AND statusCategory != Done", "assignee"),
        "epics": epics_of(project, rights),
        "entries": activity(rights, ENTRIES, project),
        "empty": f"There are no {items} here yet.",
    }  # fmt: skip
    return space_page(
        request, who, project, "tracker/space/summary.html", context,
        name="Summary", current="summary",
    )  # fmt: skip


def _listed(*clauses: str) -> str:
    query = f"{' AND '.join(clauses)} ORDER BY updated DESC"
    return f"/issues/?{urlencode({'jql': query})}"


def _lines(shares: Sequence[SummaryShare], base: str, field: str) -> list[SummaryBar]:
    most = max((share.count for share in shares), default=0)
    return [
        SummaryBar(
            _name(share, field),
            _picture(share),
            share.count,
            share.percent,
            round(100 * share.count / most) if most else 0,
            _listed(base, f"{field} {_value(share)}"),
            share.row.category if isinstance(share.row, Status) else "bar",
        )
        for share in shares
    ]


def _name(share: SummaryShare, field: str) -> str:
    if isinstance(share.row, User):
        return share.row.display_name
    if share.row is None:
        return "Unassigned" if field == "assignee" else "None"
    return share.row.name


def _value(share: SummaryShare) -> str:
    if share.row is None:
        return "is EMPTY"
    if isinstance(share.row, User):
        return f'= "{share.row.account_id}"'
    return f"= {share.row.id}"


def _picture(share: SummaryShare) -> SafeString:
    match share.row:
        case IssueType():
            return type_picture(share.row)
        case Priority():
            return priority_picture(share.row)
        case User():
            return face(share.row)
    return SafeString("")


def arcs_of(shares: Sequence[SummaryShare]) -> list[Arc]:
    """Return a ring of three parts: to do, in progress, done."""
    counts = {"new": 0, "indeterminate": 0, "done": 0}
    for share in shares:
        category = share.row.category if isinstance(share.row, Status) else "new"
        counts[category if category in counts else "new"] += share.count
    total = sum(counts.values())
    names = {"new": "To do", "indeterminate": "In progress", "done": "Done"}
    found, before = [], 0.0
    for category, count in counts.items():
        if count:
            length = 100 * count / total
            said = f"{names[category]}: {count}"
            found.append(
                Arc(round(length, 2), round(100 - length, 2), round(25 - before, 2), category, said)
            )
            before += length
    return found
