"""Admin Center's schedules: the hours of a week, and holidays."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import ListPage, ListRow, Panel, linked_row
from clones.core.web.row_tables import Row, RowTable, TableRow
from clones.helpdesk import queries
from clones.helpdesk.domain import business_hours as domain
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import Schedule, User
from clones.helpdesk.rules.zones import all_names, name_of
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import date, line, select
from clones.helpdesk.web.admin.pages import ConfirmPage, Form, FormSection

ACTIVE = "admin_schedules"
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
HOURS, HOLIDAYS = "hours", "holiday"
HOUR_NAMES = ("day", "start", "end")
HOLIDAY_NAMES = ("id", "name", "start_date", "end_date")
TIME = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)")
BLANK_HOURS: Row = {"day": "1", "start": "09:00", "end": "17:00"}


@admin_page
def schedules(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the schedules, the default one first."""
    rows = Schedule.objects.all()
    rows = pages.searched(request, rows, "name")
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

    def write(sent: PageForm) -> WriteResult:
        saved = _write(found, sent, agent.user)
        return saved.name, reverse("helpdesk:admin_schedule", args=[saved.id])

    names = {"intervals": HOURS}
    return pages.ask(request, agent, _form(found), write, record=found, names=names)


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


def _write(found: Schedule | None, sent: PageForm, actor: User) -> Schedule:
    """Write a schedule with its week and its holidays: those without an id are new."""
    changes = {name: sent.text(name) for name in ("name", "time_zone")}
    intervals = [_interval(row) for row in sent.rows(HOURS)]
    if found is None:
        saved = domain.create_schedule(actor=actor, changes=changes)
    else:
        saved = domain.update_schedule(found, actor=actor, changes=changes)
    domain.set_week(saved, actor=actor, intervals=intervals)
    standing = {item["id"]: item for item in domain.holidays_of(saved)}
    holidays = [(keys.number(row["id"]), row) for row in sent.rows(HOLIDAYS)]
    for key in standing.keys() - {key for key, _ in holidays}:
        domain.delete_holiday(saved, key, actor=actor)
    for key, row in holidays:
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


def _clock_text(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _form(found: Schedule | None) -> Form:
    zone = name_of(found.time_zone) if found is not None else ""
    zones = [(name, name) for name in sorted({*all_names(), *([zone] if zone else [])})]
    name = found.name if found is not None else ""
    title = name or "New schedule"
    return Form(
        ACTIVE,
        f"{title} (default)" if found is not None and found.default else title,
        reverse("helpdesk:admin_schedules"),
        (
            FormSection(
                "",
                (
                    line("name", "Name", name, required=True),
                    select("time_zone", "Time zone", zone, [("", "-"), *zones]),
                ),
            ),
            FormSection("Weekly hours", table=_hours(found)),
            FormSection("Holidays", table=_holidays(found)),
        ),
        delete_url=reverse("helpdesk:admin_schedule_delete", args=[found.id])
        if found is not None
        else None,
        submit_label="Save" if found is not None else "Create schedule",
    )


def _hours(found: Schedule | None) -> RowTable:
    days = [(str(number), name) for number, name in enumerate(DAYS)]

    def hours(place: int, row: Row) -> TableRow:
        return TableRow(
            (
                select("day", f"Day {place}", row["day"], days),
                line("start", f"Opens {place}", row["start"], placeholder="09:00"),
                line("end", f"Closes {place}", row["end"], placeholder="17:00"),
            )
        )

    return RowTable(
        HOURS,
        "Weekly hours",
        ("Day", "Opens", "Closes"),
        HOUR_NAMES,
        hours,
        [
            {
                "day": str(item["start_time"] // domain.DAY),
                "start": _clock_text(item["start_time"] % domain.DAY),
                # The last minute of a day ends it; it does not begin the next one.
                "end": _clock_text((item["end_time"] - 1) % domain.DAY + 1),
            }
            for item in (found.intervals if found is not None else domain.OFFICE_HOURS)
        ],
        "Add hours",
        blank=BLANK_HOURS,
        empty="Never open.",
    )


def _holidays(found: Schedule | None) -> RowTable:
    def holiday(place: int, row: Row) -> TableRow:
        inputs = (
            line("name", f"Holiday {place}", row["name"]),
            date("start_date", f"First day {place}", row["start_date"]),
            date("end_date", f"Last day {place}", row["end_date"]),
        )
        return TableRow(inputs, hidden={"id": row["id"]})

    standing = domain.holidays_of(found) if found is not None else []
    return RowTable(
        HOLIDAYS,
        "Holidays",
        ("Holiday", "First day", "Last day"),
        HOLIDAY_NAMES,
        holiday,
        [{name: str(item[name]) for name in HOLIDAY_NAMES} for item in standing],
        "Add holiday",
    )
