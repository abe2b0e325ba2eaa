"""Admin Center's schedules: the hours of a week, and holidays."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import ListPage, ListRow, Panel, linked_row
from clones.helpdesk import queries
from clones.helpdesk.domain import business_hours as domain
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import Schedule, User
from clones.helpdesk.rules.zones import all_names, name_of
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages, row_tables
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection
from clones.helpdesk.web.admin.row_tables import Row, RowTable, RowView
from clones.helpdesk.web.properties import FormErrors

ACTIVE = "admin_schedules"
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
HOURS, HOLIDAYS = "hours", "holiday"
HOUR_NAMES = ("day", "start", "end")
HOLIDAY_NAMES = ("id", "name", "start_date", "end_date")
TIME = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)")
BLANK_HOURS: Row = {"day": "1", "start": "09:00", "end": "17:00"}
BLANK_HOLIDAY: Row = dict.fromkeys(HOLIDAY_NAMES, "")


@admin_page
def schedules(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the schedules, the default one first."""
    rows = Schedule.objects.all()
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    listing = ListPage(
        "Schedules",
        ACTIVE,
        [
            Panel(
                ("Name", "Time zone", "Hours a week", "Holidays"),
                empty="No schedules: the business is always open.",
            )
        ],
        acts=[pages.creating("Add schedule", reverse("helpdesk:admin_schedule_new"))],
        search=pages.search(request),
    )
    return pages.show_list(request, agent, listing, rows.order_by("-default", "name", "id"), _line)


@admin_page
def schedule(request: SandboxRequest, agent: Agent, key: int | None = None) -> HttpResponse:
    """Show the form of a schedule, or of a new one, or take it."""
    found = _schedule(key) if key is not None else None
    if request.method != "POST":
        if found is not None:
            sightings.note(found, "detail")
        return _form(request, agent, found, _values(found))
    values = _sent(request.POST)
    complaints = None
    if not row_tables.asks_for_rows(request.POST):
        saved, complaints = pages.attempt(lambda: _write(found, values, agent.user))
        if saved is not None:
            address = reverse("helpdesk:admin_schedule", args=[saved.id])
            return shell.go(address, "saved", saved.name)
    again = _schedule(key) if key is not None else None
    return _form(request, agent, again, values, complaints)


@admin_page
def delete_schedule(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Ask whether a schedule shall go, and let it go."""
    found = _schedule(key)
    question = ConfirmPage(
        ACTIVE,
        f"Delete schedule {found.name}",
        "Where it was the default, the oldest of the others is the default from then on.",
        reverse("helpdesk:admin_schedule", args=[key]),
        reverse("helpdesk:admin_schedules"),
        found.name,
    )
    return pages.ask_first(
        request, agent, question, lambda: domain.delete_schedule(found, actor=agent.user)
    )


def _schedule(key: int) -> Schedule:
    return queries.one(Schedule.objects.all(), "schedule", key)


def _line(found: Schedule) -> ListRow:
    minutes = sum(item["end_time"] - item["start_time"] for item in found.intervals)
    return linked_row(
        reverse("helpdesk:admin_schedule", args=[found.id]),
        f"{found.name} (default)" if found.default else found.name,
        name_of(found.time_zone),
        f"{minutes / 60:g}",
        str(len(found.holidays)),
    )


def _write(found: Schedule | None, values: dict[str, Any], actor: User) -> Schedule:
    """Write a schedule with its week and its holidays: those without an id are new."""
    changes = {name: values[name] for name in ("name", "time_zone")}
    intervals = [_interval(row) for row in values[HOURS]]
    if found is None:
        saved = domain.create_schedule(actor=actor, changes=changes)
    else:
        saved = domain.update_schedule(found, actor=actor, changes=changes)
    domain.set_week(saved, actor=actor, intervals=intervals)
    standing = {item["id"]: item for item in domain.holidays_of(saved)}
    sent = [(keys.number(row["id"]), row) for row in values[HOLIDAYS]]
    for key in standing.keys() - {key for key, _ in sent}:
        domain.delete_holiday(saved, key, actor=actor)
    for key, row in sent:
        given = {name: row[name] for name in HOLIDAY_NAMES if name != "id"}
        given["end_date"] = given["end_date"] or given["start_date"]
        if key is None:
            domain.add_holiday(saved, actor=actor, changes=given)
        elif any(standing.get(key, {}).get(name) != value for name, value in given.items()):
            domain.update_holiday(saved, key, actor=actor, changes=given)
    return saved


def _interval(row: Row) -> dict[str, int]:
    """Return hours as minutes of the week.

    Raises:
        RecordInvalid: the times are none.
    """
    day = keys.number(row["day"])
    found = [TIME.fullmatch(row[name]) for name in ("start", "end")]
    if day is None or day >= len(DAYS) or None in found:
        raise RecordInvalid.of("intervals", "Intervals: times are written as 09:00", "InvalidValue")
    start, end = (int(item[1]) * 60 + int(item[2]) for item in found if item is not None)
    return {
        "start_time": day * domain.DAY + start,
        "end_time": day * domain.DAY + end,
    }


def _values(found: Schedule | None) -> dict[str, Any]:
    intervals = found.intervals if found is not None else domain.OFFICE_HOURS
    holidays = domain.holidays_of(found) if found is not None else []
    return {
        "name": found.name if found is not None else "",
        "time_zone": found.time_zone if found is not None else "",
        HOURS: [
            {
                "day": str(item["start_time"] // domain.DAY),
                "start": _clock_text(item["start_time"] % domain.DAY),
                # The last minute of a day ends it; it does not begin the next one.
                "end": _clock_text((item["end_time"] - 1) % domain.DAY + 1),
            }
            for item in intervals
        ],
        HOLIDAYS: [{name: str(item[name]) for name in HOLIDAY_NAMES} for item in holidays],
    }


def _clock_text(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _sent(post: QueryDict) -> dict[str, Any]:
    hours = row_tables.sent_rows(post, HOURS, HOUR_NAMES)
    holidays = row_tables.sent_rows(post, HOLIDAYS, HOLIDAY_NAMES)
    return {
        "name": post.get("name", ""),
        "time_zone": post.get("time_zone", ""),
        HOURS: row_tables.edited_rows(post, HOURS, hours, BLANK_HOURS),
        HOLIDAYS: row_tables.edited_rows(post, HOLIDAYS, holidays, BLANK_HOLIDAY),
    }


def _form(
    request: SandboxRequest,
    agent: Agent,
    found: Schedule | None,
    values: dict[str, Any],
    complaints: FormErrors | None = None,
) -> HttpResponse:
    zone = name_of(values["time_zone"])
    zones = [(name, name) for name in sorted({*all_names(), *([zone] if zone else [])})]
    named = (
        forms.field("name", "Name", values["name"], required=True, complaints=complaints),
        forms.select("time_zone", "Time zone", zone, [("", "-"), *zones], complaints=complaints),
    )
    name = found.name if found is not None else "New schedule"
    form = Form(
        ACTIVE,
        f"{name} (default)" if found is not None and found.default else name,
        reverse("helpdesk:admin_schedules"),
        (
            FormSection("", named),
            FormSection("Weekly hours", table=_hours(values[HOURS], complaints)),
            FormSection("Holidays", table=_holidays(values[HOLIDAYS])),
        ),
        delete_url=reverse("helpdesk:admin_schedule_delete", args=[found.id])
        if found is not None
        else None,
        submit_label="Save" if found is not None else "Create schedule",
    )
    return pages.show_form(request, agent, form, complaints)


def _hours(rows: list[Row], complaints: FormErrors | None) -> RowTable:
    days = [(str(number), name) for number, name in enumerate(DAYS)]
    views = []
    for index, row in enumerate(rows):
        called = [row_tables.input_name(HOURS, index, name) for name in HOUR_NAMES]
        fields = (
            forms.select(called[0], f"Day {index + 1}", row["day"], days),
            forms.field(called[1], f"Opens {index + 1}", row["start"], placeholder="09:00"),
            forms.field(called[2], f"Closes {index + 1}", row["end"], placeholder="17:00"),
        )
        views.append(RowView("", (), fields))
    return RowTable(
        HOURS,
        "Weekly hours",
        ("Day", "Opens", "Closes"),
        tuple(views),
        "Add hours",
        empty="Never open.",
        error=complaints.by_input.get("intervals", "") if complaints else "",
    )


def _holidays(rows: list[Row]) -> RowTable:
    views = []
    labels = {"name": "Holiday", "start_date": "First day", "end_date": "Last day"}
    for index, row in enumerate(rows):
        fields = tuple(
            forms.field(
                row_tables.input_name(HOLIDAYS, index, name),
                f"{label} {index + 1}",
                row[name],
                kind="text" if name == "name" else "date",
            )
            for name, label in labels.items()
        )
        views.append(RowView("", row_tables.hidden(HOLIDAYS, index, {"id": row["id"]}), fields))
    return RowTable(HOLIDAYS, "Holidays", tuple(labels.values()), tuple(views), "Add holiday")
