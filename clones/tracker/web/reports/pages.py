"""The pages of a board's reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.charts import Chart
from clones.tracker.models import Board, Issue, Sprint
from clones.tracker.queries.boards import columns_of, done_statuses, has_sprints, statuses_of
from clones.tracker.queries.reports.flows import ways_on
from clones.tracker.queries.reports.sprint_tales import Tales, tales_of
from clones.tracker.rules.board_settings import working_days
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.reports.flow import cumulative_flow
from clones.tracker.rules.reports.guidelines import guideline, level_days
from clones.tracker.rules.reports.sprints import (
    KINDS,
    ScopeChange,
    SprintIssue,
    burndown,
    sprint_commitment,
    total,
)
from clones.tracker.rules.reports.sprints import sprint_report as report_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.access import board_address, page_of_board
from clones.tracker.web.boards.header import header_of
from clones.tracker.web.parts.times import day_text, when
from clones.tracker.web.reports.charts import (
    Scale,
    area_chart,
    burndown_chart,
    pair_chart,
)
from clones.tracker.web.reports.query_params import (
    DAYS,
    Statistic,
    range_asked,
    sprint_asked,
    sprints_of,
    statistic_asked,
)
from clones.tracker.web.shell import page, words

LAST_SPRINTS: Final = 7
UNREADABLE: Final = "The filter of this board asks for something that you cannot see."
MOMENTS: Final = 100  # of a cumulative flow: longer spans are shown in steps of several days
REPORTS: Final = (
    (
        "burndown-chart",
        "Burndown chart",
        "Track the work that is left in a sprint, and whether its goal will be met.",
        True,
    ),
    (
        "sprint-retrospective",
        "Sprint report",
        "See what was completed in a sprint, what was not, and how its scope changed.",
        True,
    ),
    (
        "velocity-chart",
        "Velocity chart",
        "Compare what was committed to and what was completed, sprint by sprint.",
        True,
    ),
    (
        "cumulative-flow-diagram",
        "Cumulative flow diagram",
        "See how many {items} were in each column of the board over time.",
        False,
    ),
)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """An event of a burndown as its table shows it."""

    when: str
    issue: Issue
    kind: str
    detail: str
    increase: str
    decrease: str
    left: str


@dataclass(frozen=True, slots=True)
class SprintIssueRow:
    """An issue in a report of a sprint."""

    issue: Issue
    added: bool
    estimate: str


@dataclass(frozen=True, slots=True)
class SprintIssueList:
    """A list of a report of a sprint; `all` leads to its issues."""

    key: str
    name: str
    rows: Sequence[SprintIssueRow]
    sum: str
    all: str


def _reports(board: Board) -> list[tuple[str, str, str]]:
    items = words().items
    return [
        (f"{board_address(board)}/reports/{path}", name, said.format(items=items))
        for path, name, said, of_sprints in REPORTS
        if has_sprints(board) or not of_sprints
    ]


def _shown(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    template: str,
    *,
    name: str,
    context: dict[str, Any],
) -> HttpResponse:
    here = {
        **header_of(board, "reports"),
        "name": name,
        "reports": _reports(board),
        "overview": f"{board_address(board)}/reports",
        "at": request.path,
    }
    place = board.project.name if board.project is not None else board.name
    return page(
        request, who, f"tracker/reports/{template}.html", {**here, **context},
        title=f"{name} - {place}", active="space-reports", project=board.project,
    )  # fmt: skip


@page_of_board
def overview(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show which reports there are of a board."""
    return _shown(request, who, board, "overview", name="Reports", context={})


@page_of_board
def burndown_page(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show how the work of a sprint was burned down: chart, and what changed when."""
    statistic, context = _of_sprint(request, board)
    sprint = context["sprint"]
    if sprint is not None:
        tales = tales_of([sprint], statistic.key, _done(board), who.rights)
        events = burndown(tales.by_sprint[sprint.id], sprint.start_date, _until(sprint, who))
        context |= {
            "chart": chart_of(events, sprint, board, statistic, who),
            "events": _table(events, tales, statistic, who),
            **_dates(sprint, who),
        }
    return _shown(request, who, board, "burndown", name="Burndown chart", context=context)


@page_of_board
def sprint_page(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show what became of the issues of a sprint."""
    statistic, context = _of_sprint(request, board)
    sprint = context["sprint"]
    if sprint is not None:
        tales = tales_of([sprint], statistic.key, _done(board), who.rights)
        told, until = tales.by_sprint[sprint.id], _until(sprint, who)
        found = report_of(told, sprint.start_date, until)
        events = burndown(told, sprint.start_date, until)
        items = words().items
        parts = (
            ("completed", f"Completed {items}", found.completed),
            ("notCompleted", f"{items.capitalize()} not completed", found.not_completed),
            (
                "elsewhere",
                f"{items.capitalize()} completed outside of this sprint",
                found.elsewhere,
            ),
            ("removed", f"{items.capitalize()} removed from sprint", found.removed),
        )
        shown = [_part(key, name, lines, tales, statistic) for key, name, lines in parts if lines]
        context |= {
            "chart": chart_of(events, sprint, board, statistic, who),
            "parts": shown,
            "starred": any(row.added for part in shown for row in part.rows),
            **_dates(sprint, who),
        }
    return _shown(request, who, board, "sprint", name="Sprint report", context=context)


@page_of_board
def velocity(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show what the last sprints were to bring and brought."""
    statistic, known = statistic_asked(request, board)
    closed = [sprint for sprint in sprints_of(board) if sprint.state == "closed"]
    sprints = closed[:LAST_SPRINTS][::-1]
    tales = tales_of(sprints, statistic.key, _done(board), who.rights)
    rows, groups, completed = [], [], 0.0
    for sprint in sprints:
        assert sprint.start_date is not None  # noqa: S101 - only such are reported of
        kept = sprint_commitment(tales.by_sprint[sprint.id], sprint.start_date, _until(sprint, who))
        rows.append((sprint, statistic.written(kept.committed), statistic.written(kept.completed)))
        drawn = statistic.drawn(kept.committed), statistic.drawn(kept.completed)
        groups.append((sprint.name, *drawn))
        completed += kept.completed
    context = {
        "statistic": statistic,
        "statistics": known,
        "rows": rows,
        "average": statistic.written(round(completed / len(rows), 2)) if rows else "",
        "chart": pair_chart(groups, ("Commitment", "Completed")) if rows else None,
        "sprint_report": f"{board_address(board)}/reports/sprint-retrospective",
    }
    return _shown(request, who, board, "velocity", name="Velocity chart", context=context)


@page_of_board
def flow(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show how many issues were in each column, day by day."""
    zone, now = who.rights.zone, who.rights.asked_at
    columns = columns_of(board)
    refused = ""
    try:
        ways = ways_on(board, who.rights)
    except JqlError:
        # It names what they do not see: a space, a version of one.
        ways, refused = [], UNREADABLE
    today = now.astimezone(zone).date()
    oldest = min((way.created for way in ways), default=now).astimezone(zone).date()
    asked = range_asked(request, today, oldest)
    days = _days(asked.first, asked.last)
    ends = [min(now, datetime.combine(day + timedelta(days=1), time.min, zone)) for day in days]
    counts = cumulative_flow(ways, [statuses_of(column) for column in columns], ends)
    named = [(column.name, line) for column, line in zip(columns, counts, strict=True)]
    # Where there is but one day, it is drawn from its beginning.
    moments = ends if len(ends) > 1 else [ends[0] - timedelta(days=1), ends[0]]
    drawn = [(name, line if len(line) > 1 else [*line, *line]) for name, line in named]
    context = {
        "asked": asked,
        "refused": refused,
        "spans": [(key, name, key == asked.key) for key, name in DAYS.items()],
        "columns": [column.name for column in columns],
        "rows": [(day_text(day), [line[at] for _, line in named]) for at, day in enumerate(days)][
            ::-1
        ],
        "chart": area_chart(moments, drawn, zone) if ways else None,
    }
    return _shown(request, who, board, "flow", name="Cumulative flow diagram", context=context)


def _of_sprint(request: SandboxRequest, board: Board) -> tuple[Statistic, dict[str, Any]]:
    """Return what both reports of a sprint show of what was asked."""
    statistic, known = statistic_asked(request, board)
    sprints = sprints_of(board)
    sprint = sprint_asked(request, sprints)
    return statistic, {
        "sprint": sprint,
        "sprints": [(one, sprint is not None and one.id == sprint.id) for one in sprints],
        "statistic": statistic,
        "statistics": known,
    }


def _done(board: Board) -> list[int]:
    return done_statuses(columns_of(board))


def _until(sprint: Sprint, who: Visitor) -> datetime:
    return sprint.complete_date or who.rights.asked_at


def _dates(sprint: Sprint, who: Visitor) -> dict[str, str]:
    zone = who.rights.zone
    return {
        "began": when(sprint.start_date, zone),
        "ends": when(sprint.end_date, zone),
        "ended": when(sprint.complete_date, zone),
    }


def chart_of(
    events: Sequence[ScopeChange], sprint: Sprint, board: Board, statistic: Statistic, who: Visitor
) -> Chart:
    """Return the burndown of a sprint as a chart."""
    start = sprint.start_date
    assert start is not None  # noqa: S101 - only such are reported of
    until = _until(sprint, who)
    end = max(sprint.end_date or until, start + timedelta(minutes=1))
    begun = [event for event in events if event.kind == "start"]
    line = [(start, statistic.drawn(begun[-1].left) if begun else 0.0)]
    line += [(event.at, statistic.drawn(event.left)) for event in events if event.at > start]
    line.append((max(until, start), line[-1][1]))
    team = working_days(board.settings)
    days = ZoneInfo(team.zone)
    most = max(amount for _, amount in line)
    return burndown_chart(
        Scale(start, max(end, until), most),
        left=line,
        ideal=guideline(line[0][1], start, end, days, team.works_on),
        level=level_days(start, max(end, until), days, team.works_on),
        zone=who.rights.zone,
        unit="h" if statistic.is_time else "",
    )


def _table(
    events: Sequence[ScopeChange], tales: Tales, statistic: Statistic, who: Visitor
) -> list[ChangeRow]:
    item = words().item.capitalize()
    return [
        _change_row(event, tales.issues[event.issue], statistic, who.rights.zone, item)
        for event in events
    ]


def _change_row(
    event: ScopeChange, issue: Issue, statistic: Statistic, zone: ZoneInfo, item: str
) -> ChangeRow:
    details = {
        "start": f"{item} in the sprint at its start",
        "added": f"{item} added to sprint",
        "removed": f"{item} removed from sprint",
        "completed": f"{item} completed",
        "reopened": f"{item} reopened",
        "estimated": (
            f"Estimate changed from {statistic.written(event.before)}"
            f" to {statistic.written(event.after)}"
        ),
    }
    return ChangeRow(
        when(event.at, zone),
        issue,
        KINDS[event.kind],
        details[event.kind],
        statistic.written(event.by) if event.by > 0 else "",
        statistic.written(-event.by) if event.by < 0 else "",
        statistic.written(event.left),
    )


def _part(
    key: str, name: str, lines: Sequence[SprintIssue], tales: Tales, statistic: Statistic
) -> SprintIssueList:
    rows = [
        SprintIssueRow(tales.issues[line.issue], line.added, _estimate(line, statistic))
        for line in lines
    ]
    keys = ", ".join(row.issue.key for row in rows)
    return SprintIssueList(
        key,
        name,
        rows,
        statistic.written(total(lines)),
        f"/issues/?{urlencode({'jql': f'issueKey in ({keys})'})}",
    )


def _estimate(line: SprintIssue, statistic: Statistic) -> str:
    """Return an estimate, and where it changed in the sprint both: `3 → 5`."""
    last = statistic.written(line.last)
    return last if line.first == line.last else f"{statistic.written(line.first)} → {last}"


def _days(first: date, last: date) -> list[date]:
    """Return the days of a span, the last of them always; of a long one not every day."""
    every = max(1, -(-((last - first).days + 1) // MOMENTS))
    count = (last - first).days // every
    return [last - timedelta(days=every * (count - at)) for at in range(count + 1)]
