"""The calendars of a desk in its settings: working hours by weekday, and holidays."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import available_timezones

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.calendars import change_calendar, create_calendar, delete_calendar
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Calendar, ServiceDesk, SlaGoal
from clones.tracker.rules.desk.calendars import WEEKDAYS
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

CURRENT: Final = "calendars"
CLOSED: Final = "Closed"


def _calendar(desk: ServiceDesk, key: int) -> Calendar:
    found = Calendar.objects.filter(desk=desk, id=key).first()
    if found is None:
        raise NotFound("The calendar does not exist.")
    found.desk = desk
    return found


@page_of_desk_settings
def calendar_list(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the calendars of a desk."""
    rows = list(desk.calendars.order_by("name", "id"))
    goals = SlaGoal.objects.filter(calendar__in=rows).values_list("calendar_id", flat=True)
    used = set(goals)
    context = {
        "home": at(desk, CURRENT),
        "lines": [
            (row, [(day.title(), _hours(row, day) or CLOSED) for day in WEEKDAYS], row.id in used)
            for row in rows
        ],
    }
    return shown(request, who, desk, "calendars", context, title="Calendars", current=CURRENT)


def _hours(row: Calendar | None, day: str) -> str:
    """Return the spans of a day as people write them: 09:00-12:00, 13:00-17:00."""
    spans = [] if row is None else row.hours.get(day, ())
    return ", ".join(f"{start}-{end}" for start, end in spans)


@page_of_desk_settings
def new_calendar(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the form of a new calendar, or make it."""
    return _edited(request, who, desk, None)


@page_of_desk_settings
def edit_calendar(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Show the form of a calendar, or take other hours."""
    return _edited(request, who, desk, _calendar(desk, key))


def _edited(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, row: Calendar | None
) -> HttpResponse:
    zone = str(who.rights.zone) if row is None else row.time_zone
    inputs = [
        Input("name", "Name", value="" if row is None else row.name, required=True),
        Input(
            "zone",
            "Time zone",
            shape="select",
            choices=chosen(((one, one) for one in sorted(available_timezones())), [zone]),
        ),
        *(
            Input(
                f"hours-{day}",
                day.title(),
                value=_hours(row, day),
                hint="As 09:00-12:00, 13:00-17:00; empty when closed." if not place else "",
            )
            for place, day in enumerate(WEEKDAYS)
        ),
    ]
    path = f"{CURRENT}/new" if row is None else f"{CURRENT}/{row.id}"
    heading = "Create calendar" if row is None else f"Edit {row.name}"
    button = "Create" if row is None else "Save"
    sheet = FormPage(heading, at(desk, path), at(desk, CURRENT), inputs, button)

    def write(sent: PageForm) -> None:
        name, hours, there = sent.text("name"), _typed(sent), sent.text("zone")
        if row is None:
            create_calendar(desk, name, actor=who.rights, time_zone=there, hours=hours)
        else:
            change_calendar(
                row,
                name,
                actor=who.rights,
                time_zone=there,
                hours=hours,
                holidays=row.holidays,
            )

    return settle(request, who, desk, sheet, write, current=CURRENT, flag="Calendar saved")


def _typed(sent: PageForm) -> dict[str, list[list[str]]]:
    """Return the hours that a form says, by weekday.

    Raises:
        Invalid: a day's text is no list of spans.
    """
    found: dict[str, list[list[str]]] = {}
    for day in WEEKDAYS:
        text = sent.text(f"hours-{day}")
        spans = [part.split("-") for part in text.split(",")] if text else []
        if any(len(span) != 2 for span in spans):
            raise Invalid(fields={f"hours-{day}": "Enter hours as 09:00-17:00."})
        if spans:
            found[day] = [[start.strip(), end.strip()] for start, end in spans]
    return found


@page_of_desk_settings
def delete(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Ask whether a calendar is to be deleted; then delete it."""
    row = _calendar(desk, key)
    sheet = FormPage(
        f"Delete {row.name}?",
        at(desk, f"{CURRENT}/{row.id}/delete"),
        at(desk, CURRENT),
        button="Delete",
        said="A calendar that an SLA uses cannot be deleted.",
        danger=True,
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda _sent: delete_calendar(row, actor=who.rights),
        current=CURRENT,
        flag=f"{row.name} deleted",
    )


@page_of_desk_settings
def new_holiday(request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int) -> HttpResponse:
    """Show the form of a day on which nobody works, or take it."""
    row = _calendar(desk, key)
    inputs = [
        Input("name", "Name", required=True),
        Input("date", "Date", required=True, hint="As 2026-12-25."),
        Input("yearly", "Repeat yearly", shape="check"),
    ]
    action = at(desk, f"{CURRENT}/{row.id}/holidays/new")
    sheet = FormPage(f"Add holiday to {row.name}", action, at(desk, CURRENT), inputs, "Add")

    def write(sent: PageForm) -> None:
        name, day, yearly = sent.text("name"), sent.text("date"), sent.ticked("yearly")
        if not name:
            raise Invalid(fields={"name": "You must give the holiday a name."})
        try:
            _keep(row, who, [*row.holidays, {"name": name, "date": day, "recurring": yearly}])
        except Invalid as error:
            raise Invalid(fields={"date": "Enter a date as 2026-12-25."}) from error

    return settle(request, who, desk, sheet, write, current=CURRENT, flag="Holiday added")


@form_of_desk_settings
def remove_holiday(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, key: int
) -> HttpResponse:
    """Take a day from a calendar's holidays, by its place among them."""
    row = _calendar(desk, key)
    place = number_of(posted_text(request, "place"))
    left = [day for number, day in enumerate(row.holidays) if number != place]
    return carry_out(request, desk, lambda: _keep(row, who, left), CURRENT)


def _keep(row: Calendar, who: Visitor, holidays: list[dict[str, Any]]) -> None:
    change_calendar(
        row,
        row.name,
        actor=who.rights,
        time_zone=row.time_zone,
        hours=row.hours,
        holidays=holidays,
    )
