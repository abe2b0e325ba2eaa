"""The calendar of a space: what is due, released and begun, day by day in a month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.dates import MONTHS

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Issue, Project, Version
from clones.tracker.queries.plans import (
    due_between,
    releases_between,
    sprints_between,
    without_day,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.releases.access import version_address
from clones.tracker.web.shell import go
from clones.tracker.web.space.access import form_of_space, page_of_space, space_page
from clones.tracker.web.space.dates import issue_of, set_days
from clones.tracker.web.space.spans import month_asked, months_later, weeks_of
from clones.tracker.web.space.tabs import space_address

MOST: Final = 600  # issues of a month
A_DAY: Final = 6  # issues that a day shows; the others are listed elsewhere
WAITING: Final = 20  # open issues without a day, beside the month
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Where weeks begin on Sundays.
SUNDAYS: Final = ("US", "CA", "MX", "BR", "JP", "KR", "IL", "TW")


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the month, or beside it."""

    day: date
    inside: bool
    today: bool
    issues: Sequence[Issue]
    more: int
    all: str
    releases: Sequence[tuple[Version, str]]
    notes: Sequence[str]

    @property
    def label(self) -> str:
        """The day in words."""
        return f"{self.day:%A}, {MONTHS[self.day.month]} {self.day.day}"


@page_of_space
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show a month: `month` (`2026-03`)."""
    return calendar_page(request, who, project)


def calendar_page(
    request: SandboxRequest, who: Visitor, project: Project, *, refused: str = ""
) -> HttpResponse:
    """Return the calendar; `refused` is why what somebody did there was not done."""
    rights = who.rights
    today = rights.asked_at.astimezone(rights.zone).date()
    month = month_asked(request.GET.get("month", ""), today)
    begins = 6 if who.user.locale.rpartition("_")[2] in SUNDAYS else 0
    weeks = weeks_of(month, begins)
    here = space_address(project, "calendar")

    def at(day: date) -> str:
        return f"{here}?month={day:%Y-%m}"

    context = {
        "month": f"{MONTHS[month.month]} {month.year}",
        "asked": f"{month:%Y-%m}",
        "weeks": _days(project, who, weeks, month, today),
        "weekdays": [WEEKDAYS[(begins + place) % 7] for place in range(7)],
        "before": at(months_later(month, -1)),
        "after": at(months_later(month, 1)),
        "now_address": here,
        "waiting": list(without_day(project, rights)[:WAITING]),
        "edits": rights.may("EDIT_ISSUES", project),
        "dates": f"{space_address(project)}/dates",
        "move": f"{here}/move?month={month:%Y-%m}",
    }
    return space_page(
        request, who, project, "tracker/space/calendar.html", context,
        name="Calendar", current="calendar", refused=refused, status=400 if refused else 200,
    )  # fmt: skip


def _days(
    project: Project, who: Visitor, weeks: Sequence[Sequence[date]], month: date, today: date
) -> list[list[Day]]:
    first, last = weeks[0][0], weeks[-1][-1]
    issues: dict[date, list[Issue]] = defaultdict(list)
    for issue in due_between(project, who.rights, first, last)[:MOST]:
        assert issue.due_date is not None  # noqa: S101 - it was asked for by its day
        issues[issue.due_date].append(issue)
        sightings.note(issue, "list")
    releases: dict[date, list[tuple[Version, str]]] = defaultdict(list)
    for version in releases_between(project, first, last):
        assert version.release_date is not None  # noqa: S101 - likewise
        releases[version.release_date].append((version, version_address(version)))
    notes: dict[date, list[str]] = defaultdict(list)
    for sprint, span in sprints_between(project, who.rights, first, last):
        if span.first is not None:
            notes[span.first].append(f"{sprint.name} starts")
        if span.last is not None:
            notes[span.last].append(f"{sprint.name} ends")

    def day_of(day: date) -> Day:
        found = issues.get(day, [])
        jql = f'project = "{project.key}" AND due = {day.isoformat()}'
        return Day(
            day,
            day.month == month.month,
            day == today,
            found[:A_DAY],
            max(0, len(found) - A_DAY),
            f"/issues/?{urlencode({'jql': jql})}",
            releases.get(day, []),
            notes.get(day, []),
        )

    return [[day_of(day) for day in week] for week in weeks]


@form_of_space
def move(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let an issue be due on another day: `issue` (its key), `day`."""
    issue = issue_of(who, project, posted_text(request, "issue"))
    day = posted_text(request, "day")

    def write() -> None:
        if not day:
            raise Invalid("You must say on which day it is due.")
        set_days(issue, {"duedate": day}, who.rights)

    _, refusal = attempt(write)
    if refusal is not None:
        said = f"{issue.key} was not moved. {' '.join(refusal.sentences)}"
        return calendar_page(request, who, project, refused=said)
    month = request.GET.get("month", "")
    back = space_address(project, "calendar") + (f"?{urlencode({'month': month})}" if month else "")
    return go(back, f"{issue.key} is due on {day}")
