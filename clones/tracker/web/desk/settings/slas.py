"""The SLAs of a desk in its settings: when their clocks run, and what goals they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain import sla_metrics
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.sla_goals import Goal, change_goals
from clones.tracker.models import Calendar, ServiceDesk, SlaGoal, SlaMetric
from clones.tracker.queries.slas import condition_names, metrics_of
from clones.tracker.rules.desk.wording import friendly_duration, read_duration
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.ordering import stepped
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.settings.access import (
    at,
    carry_out,
    form_of_desk_settings,
    page_of_desk_settings,
    settle,
    shown,
)
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of

CURRENT: Final = "slas"
ALWAYS: Final = "24/7 Calendar (Default)"
PARTS: Final = {
    "start": "Start: begin counting time when",
    "pause": "Pause on: time is not counted during",
    "stop": "Stop: finish counting time when",
}


@dataclass(frozen=True, slots=True)
class GoalLine:
    """A goal as people read it; `falls` is whether it can change places with the next one."""

    id: int
    jql: str
    length: str
    calendar: str
    falls: bool = False


def metric_in(desk: ServiceDesk, key: int) -> SlaMetric:
    """Return an SLA of a desk.

    Raises:
        NotFound: there is none.
    """
    found = SlaMetric.objects.filter(desk=desk, id=key).first()
    if found is None:
        raise NotFound("The SLA metric does not exist or you do not have permission to view it.")
    found.desk = desk
    return found


@page_of_desk_settings
def sla_list(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the SLAs of a desk, with their conditions and goals."""
    metrics = list(metrics_of([desk.project_id]))
    names = condition_names(desk)
    rows = SlaGoal.objects.filter(metric__in=metrics).select_related("calendar")
    goals = list(rows.order_by("metric_id", "position", "id"))
    context = {
        "home": at(desk, CURRENT),
        "lines": [
            (
                metric,
                [
                    (label, [names[part].get(word, word) for word in getattr(metric, part)])
                    for part, label in PARTS.items()
                ],
                _lines([goal for goal in goals if goal.metric_id == metric.id]),
            )
            for metric in metrics
        ],
    }
    return shown(request, who, desk, "slas", context, title="SLAs", current=CURRENT)


def _lines(goals: Sequence[SlaGoal]) -> list[GoalLine]:
    """Return the goals of an SLA: the one for all remaining requests stays the last."""
    after: list[SlaGoal | None] = [*goals, None][1:]
    return [
        replace(_line(goal), falls=bool(goal.jql and following is not None and following.jql))
        for goal, following in zip(goals, after, strict=True)
    ]


def _line(goal: SlaGoal) -> GoalLine:
    length = "" if goal.milliseconds is None else friendly_duration(goal.milliseconds)
    calendar = ALWAYS if goal.calendar is None else goal.calendar.name
    return GoalLine(goal.id, goal.jql, length, calendar)


def _conditions(desk: ServiceDesk, metric: SlaMetric | None) -> list[Input]:
    names = condition_names(desk)
    return [
        Input(part, label, "checks", choices=chosen(names[part].items(), getattr(metric, part, ())))
        for part, label in PARTS.items()
    ]


@page_of_desk_settings
def new_sla(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of a new SLA, or make it; its goals follow."""
    inputs = [Input("name", "Name", required=True), *_conditions(desk, None)]
    sheet = FormPage("Create SLA", at(desk, f"{CURRENT}/new"), at(desk, CURRENT), inputs, "Create")
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: sla_metrics.create_metric(
            desk,
            actor=who.rights,
            name=sent.text("name"),
            start=sent.several("start"),
            pause=sent.several("pause"),
            stop=sent.several("stop"),
        ),
        current=CURRENT,
        flag="SLA created",
    )


@page_of_desk_settings
def edit_sla(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Show the form of an SLA's conditions, or take others."""
    metric = metric_in(desk, key)
    sheet = FormPage(
        f"Edit {metric.name}",
        at(desk, f"{CURRENT}/{metric.id}"),
        at(desk, CURRENT),
        _conditions(desk, metric),
        said="Clocks that run follow the conditions from what happens next.",
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: sla_metrics.change_metric(
            metric,
            actor=who.rights,
            start=sent.several("start"),
            pause=sent.several("pause"),
            stop=sent.several("stop"),
        ),
        current=CURRENT,
        flag=f"{metric.name} updated",
    )


@page_of_desk_settings
def delete_sla(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Ask whether an SLA is to be deleted; then delete it."""
    metric = metric_in(desk, key)
    sheet = FormPage(
        f"Delete {metric.name}?",
        at(desk, f"{CURRENT}/{metric.id}/delete"),
        at(desk, CURRENT),
        button="Delete",
        said="Its goals are deleted, and what was counted for requests.",
        danger=True,
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda _sent: sla_metrics.delete_metric(metric, actor=who.rights),
        current=CURRENT,
        flag=f"{metric.name} deleted",
    )


def _goals(metric: SlaMetric) -> list[SlaGoal]:
    return list(metric.goals.select_related("calendar").order_by("position", "id"))


def _kept(row: SlaGoal) -> Goal:
    return Goal(row.jql, row.milliseconds, row.calendar)


def _change(metric: SlaMetric, goals: Sequence[Goal], who: Visitor) -> None:
    """Give an SLA other goals.

    Raises:
        Invalid: as `change_goals`; a query that cannot be run is wrong beside its input.
    """
    try:
        change_goals(metric, goals, actor=who.rights)
    except JqlError as error:
        raise Invalid(fields={"jql": " ".join(error.texts)}) from error


@page_of_desk_settings
def new_goal(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Show the form of a new goal, or make it: before the one for all remaining requests."""
    metric = metric_in(desk, key)
    sheet = _goal_sheet(desk, f"Add goal to {metric.name}", f"{metric.id}/goals/new", None)

    def write(sent: PageForm) -> None:
        goals = [_kept(row) for row in _goals(metric)]
        made = _typed(sent, desk)
        place = len(goals) - 1 if goals and not goals[-1].jql and made.jql else len(goals)
        _change(metric, [*goals[:place], made, *goals[place:]], who)

    return settle(request, who, desk, sheet, write, current=CURRENT, flag="Goal added")


@page_of_desk_settings
def edit_goal(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int, goal: int
) -> HttpResponse:
    """Show the form of a goal, or take another query, length and calendar."""
    metric = metric_in(desk, key)
    rows = _goals(metric)
    row = _one(rows, goal)
    path = f"{metric.id}/goals/{row.id}"
    sheet = _goal_sheet(desk, f"Edit goal of {metric.name}", path, row)

    def write(sent: PageForm) -> None:
        made = _typed(sent, desk)
        _change(metric, [made if one.id == row.id else _kept(one) for one in rows], who)

    return settle(request, who, desk, sheet, write, current=CURRENT, flag="Goal updated")


@form_of_desk_settings
def place_goal(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int, goal: int
) -> HttpResponse:
    """Let a goal change places with its neighbour, or take it away."""
    metric = metric_in(desk, key)
    rows = {row.id: row for row in _goals(metric)}
    row, way = _one(list(rows.values()), goal), posted_text(request, "way")
    if way == "remove":
        order = [one for one in rows if one != row.id]
    else:
        order = stepped(list(rows), row.id, down=way == "down")
    return carry_out(
        request, desk, lambda: _change(metric, [_kept(rows[one]) for one in order], who), CURRENT
    )


def _one(rows: Sequence[SlaGoal], key: int) -> SlaGoal:
    found = next((row for row in rows if row.id == key), None)
    if found is None:
        raise NotFound("The goal does not exist.")
    return found


def _goal_sheet(desk: ServiceDesk, heading: str, path: str, row: SlaGoal | None) -> FormPage:
    line = None if row is None else _line(row)
    calendars = [(one.id, one.name) for one in desk.calendars.order_by("name", "id")]
    now = "" if row is None or row.calendar_id is None else str(row.calendar_id)
    inputs = [
        Input(
            "jql",
            "Issues (JQL)",
            shape="area",
            value="" if line is None else line.jql,
            hint="The first goal whose query finds a request counts. Without a query: all others.",
        ),
        Input(
            "duration",
            "Goal",
            value="" if line is None else line.length,
            hint="As 4h 30m. Without a length, these requests have no SLA.",
        ),
        Input(
            "calendar",
            "Calendar",
            shape="select",
            choices=chosen(calendars, [now]),
            none=ALWAYS,
        ),
    ]
    return FormPage(heading, at(desk, f"{CURRENT}/{path}"), at(desk, CURRENT), inputs)


def _typed(sent: PageForm, desk: ServiceDesk) -> Goal:
    """Return the goal that a form says.

    Raises:
        Invalid: its length is none, or the desk has no such calendar.
    """
    text = sent.text("duration")
    length = read_duration(text) if text else None
    if text and length is None:
        raise Invalid(fields={"duration": "Enter a time as 4h 30m."})
    key = sent.text("calendar")
    calendar = Calendar.objects.filter(desk=desk, id=number_of(key) or 0).first() if key else None
    if key and calendar is None:
        raise Invalid(fields={"calendar": "The calendar does not exist."})
    return Goal(sent.text("jql"), length, calendar)
