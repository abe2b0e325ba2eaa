"""The timeline of a space: its epics, what is below them, sprints and releases, as bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Issue, Project
from clones.tracker.queries.plans import (
    PlannedDays,
    children_of,
    epics_in,
    releases_between,
    rolled_up,
    spans_of,
    sprint_spans,
    sprints_between,
    start_field,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.times import day_text
from clones.tracker.web.releases.access import version_address
from clones.tracker.web.space.access import page_of_space, space_page
from clones.tracker.web.space.spans import SCALES, WIDTH, TimelineAxis, axis_of, day_asked, shifted
from clones.tracker.web.space.tabs import space_address

EPICS: Final = 100
CHILDREN: Final = 500
# Returns the page's own address with other epics open.
Address = Callable[[set[int]], str]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where, how long, what it says, and the class that it is drawn by."""

    x: float
    width: float
    said: str
    look: str


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """An issue of the timeline. `toggle` opens or closes an epic, "" where nothing is below."""

    issue: Issue
    dates: str
    bar: Bar | None
    child: bool = False
    toggle: str = ""
    open: bool = False
    below: int = 0


@dataclass(frozen=True, slots=True)
class Strip:
    """A sprint or a release above the rows."""

    name: str
    address: str
    dates: str
    bar: Bar | None


@page_of_space
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the timeline: `scale`, `from` (a day), `open` (ids of epics), `done`."""
    rights = who.rights
    today = rights.asked_at.astimezone(rights.zone).date()
    scale = request.GET.get("scale", "")
    scale = scale if scale in SCALES else "months"
    anchor = day_asked(request.GET.get("from", ""), today)
    done = request.GET.get("done") == "1"
    opened = {int(one) for one in request.GET.getlist("open") if is_digits(one)}
    axis = axis_of(scale, anchor)
    here = space_address(project, "timeline")
    asked = {"scale": scale, "from": anchor.isoformat(), "done": "1" if done else "0"}

    def address(open_ones: set[int] | None = None, /, **changes: str) -> str:
        shown = sorted(opened if open_ones is None else open_ones)
        query = urlencode({**asked, **changes, "open": shown}, doseq=True)
        return f"{here}?{query}"

    epics = list(epics_in(project, rights, done=done)[: EPICS + 1])
    rows = _rows(epics[:EPICS], opened, axis, who, address)
    line = axis.x(today) if axis.first <= today < axis.last else None
    context = {
        "axis": axis,
        "width": WIDTH,
        "rows": rows,
        "cut": len(epics) > EPICS,
        "today": line,
        "scales": [(name, address(scale=key), key == scale) for key, name in SCALES.items()],
        "before": address(**{"from": shifted(scale, anchor, -1).isoformat()}),
        "after": address(**{"from": shifted(scale, anchor, 1).isoformat()}),
        "now_address": address(**{"from": today.isoformat()}),
        "done": done,
        "done_address": address(done="0" if done else "1"),
        "sprints": _sprints(project, who, axis),
        "releases": _releases(project, axis),
        "edits": rights.may("EDIT_ISSUES", project),
        "dates": f"{space_address(project)}/dates",
    }
    return space_page(
        request, who, project, "tracker/space/timeline.html", context,
        name="Timeline", current="timeline",
    )  # fmt: skip


def _rows(
    epics: Sequence[Issue], opened: set[int], axis: TimelineAxis, who: Visitor, address: Address
) -> list[TimelineRow]:
    children = children_of([epic.id for epic in epics], who.rights)
    below = [child for epic in epics for child in children.get(epic.id, ())][:CHILDREN]
    spans: dict[int, PlannedDays] = dict(spans_of([*epics, *below], start_field()))
    sprints = sprint_spans([child.id for child in below], who.rights.zone)
    for child in below:
        if not spans[child.id].is_known:
            spans[child.id] = sprints.get(child.id, PlannedDays())
    found = []
    for epic in epics:
        sightings.note(epic, "list")
        mine = [child for child in children.get(epic.id, ()) if child.id in spans]
        is_open = epic.id in opened
        found.append(_epic(epic, mine, spans, axis, is_open=is_open, opened=opened, at=address))
        if is_open:
            for child in mine:
                sightings.note(child, "list")
                found.append(_row(child, spans[child.id], axis, child=True))
    return found


def _epic(
    epic: Issue,
    children: Sequence[Issue],
    spans: Mapping[int, PlannedDays],
    axis: TimelineAxis,
    *,
    is_open: bool,
    opened: set[int],
    at: Address,
) -> TimelineRow:
    row = _row(epic, spans[epic.id], axis)
    if not spans[epic.id].is_known:
        row = _row(epic, rolled_up(children, spans), axis, look="bar--rolled")
    toggle = at(opened - {epic.id} if is_open else opened | {epic.id}) if children else ""
    return TimelineRow(
        epic, row.dates, row.bar, toggle=toggle, open=is_open and bool(children),
        below=len(children),
    )  # fmt: skip


def _row(
    issue: Issue, span: PlannedDays, axis: TimelineAxis, *, child: bool = False, look: str = ""
) -> TimelineRow:
    dates = dates_text(span)
    look = look or ("bar--done" if issue.status.category == "done" else "bar--open")
    return TimelineRow(issue, dates, _bar(axis, span, f"{issue.key}: {dates}", look), child=child)


def _bar(axis: TimelineAxis, span: PlannedDays, said: str, look: str) -> Bar | None:
    place = axis.bar(span.first, span.last)
    return None if place is None else Bar(*place, said, look)


def dates_text(span: PlannedDays) -> str:
    """Return a span in words: with a dash between its days; "" for none."""
    if span.first == span.last or span.first is None or span.last is None:
        return day_text(span.first or span.last)
    return f"{day_text(span.first)} \N{EN DASH} {day_text(span.last)}"


def _sprints(project: Project, who: Visitor, axis: TimelineAxis) -> list[Strip]:
    found = []
    for sprint, span in sprints_between(project, who.rights, axis.first, axis.last):
        dates = dates_text(span)
        bar = _bar(axis, span, f"{sprint.name}: {dates}", f"bar--{sprint.state}")
        found.append(Strip(sprint.name, "", dates, bar))
    return found


def _releases(project: Project, axis: TimelineAxis) -> list[Strip]:
    found = []
    for version in releases_between(project, axis.first, axis.last):
        day: date | None = version.release_date
        text = day_text(day)
        bar = _bar(axis, PlannedDays(day, day), f"{version.name}: {text}", "bar--release")
        found.append(Strip(version.name, version_address(version), text, bar))
    return found
