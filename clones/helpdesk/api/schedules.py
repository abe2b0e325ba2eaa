"""Business hours: schedules, their week and their holidays.

Holidays are not declared: they are no records but lie in their schedule's row.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.schedules import present_holiday, present_schedule
from clones.helpdesk.api.resources import WHOLE, by_key, register_resource
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import business_hours
from clones.helpdesk.models import Schedule

PATH = "/business_hours/schedules"
ONE = f"{PATH}/{{schedule_id:int}}"
HOLIDAY = f"{ONE}/holidays/{{holiday_id:int}}"


class IntervalWrite(Body):
    """An interval of a schedule: minutes of the week at which it starts and ends."""

    start_time: int = Field(description="Minutes since Sunday 00:00.")
    end_time: int = Field(description="Minutes since Sunday 00:00, on the same day.")


class WeekWrite(Body):
    """The intervals of a schedule's week."""

    intervals: list[IntervalWrite]


class WeekBody(Body):
    """The intervals of a schedule's week to set."""

    workweek: WeekWrite


class HolidayWrite(Body):
    """The attributes of a schedule's holiday that can be set."""

    name: str | None = None
    start_date: str | None = Field(None, description="As 2026-12-25.")
    end_date: str | None = Field(None, description="The last day of it.")
    id: int | None = None


class HolidayBody(Body):
    """A schedule's holiday to create or update."""

    holiday: HolidayWrite


SCHEDULES: Final = resources.ResourceApi(
    resource=business_hours.SCHEDULE,
    path=PATH,
    one="/{schedule_id:int}",
    find=by_key(business_hours.SCHEDULE),
    present=present_schedule,
    body="Schedule",
    about="The attributes of a schedule that can be set.",
    reads="admin",
)


def _schedule(call: Call) -> Schedule:
    return SCHEDULES.of_key(call.path["schedule_id"])


register_resource(
    SCHEDULES,
    resources.lists("ListSchedules", "List the business hours.", manner=WHOLE),
    resources.shows("ShowSchedule", "Show one schedule of business hours."),
    resources.creates("CreateSchedule", "Create business hours: Monday to Friday, nine to five."),
    resources.updates("UpdateSchedule", "Change the name or time zone of business hours."),
    resources.deletes("DeleteSchedule", "Delete business hours."),
    module=__name__,
)


@OPERATIONS.operation(
    "UpdateScheduleIntervals",
    "PUT",
    f"{ONE}/workweek",
    summary="Set the hours of the week.",
    body=WeekBody,
    access="admin",
)
def update_week(call: Call) -> dict[str, Any]:
    """Set the hours of a schedule."""
    intervals = [rule_changes(item) for item in call.body.workweek.intervals]
    found = business_hours.set_week(_schedule(call), actor=call.actor, intervals=intervals)
    return {"workweek": {"intervals": found.intervals}}


@OPERATIONS.operation(
    "ListScheduleHolidays",
    "GET",
    f"{ONE}/holidays",
    summary="List the holidays of business hours.",
    access="admin",
)
def list_holidays(call: Call) -> dict[str, Any]:
    """List a schedule's holidays, the earliest first, all at once."""
    found = business_hours.holidays_of(_schedule(call))
    found.sort(key=lambda item: (item["start_date"], item["id"]))
    return {"holidays": [present_holiday(item) for item in found]}


@OPERATIONS.operation(
    "ShowScheduleHoliday", "GET", HOLIDAY, summary="Show one holiday.", access="admin"
)
def show_holiday(call: Call) -> dict[str, Any]:
    """Show a holiday."""
    found = business_hours.holiday_of(_schedule(call), call.path["holiday_id"])
    return {"holiday": present_holiday(found)}


@OPERATIONS.operation(
    "CreateScheduleHoliday",
    "POST",
    f"{ONE}/holidays",
    summary="Add a holiday to business hours.",
    body=HolidayBody,
    access="admin",
    status=201,
)
def create_holiday(call: Call) -> Reply:
    """Add a holiday."""
    schedule = _schedule(call)
    made = business_hours.add_holiday(
        schedule, actor=call.actor, changes=rule_changes(call.body.holiday)
    )
    url = show(call).url(f"business_hours/schedules/{schedule.id}/holidays/{made['id']}")
    return Reply({"holiday": present_holiday(made)}, 201, {"Location": url})


@OPERATIONS.operation(
    "UpdateScheduleHoliday",
    "PUT",
    HOLIDAY,
    summary="Change a holiday.",
    body=HolidayBody,
    access="admin",
)
def update_holiday(call: Call) -> dict[str, Any]:
    """Update a holiday."""
    found = business_hours.update_holiday(
        _schedule(call),
        call.path["holiday_id"],
        actor=call.actor,
        changes=rule_changes(call.body.holiday),
    )
    return {"holiday": present_holiday(found)}


@OPERATIONS.operation(
    "DeleteScheduleHoliday",
    "DELETE",
    HOLIDAY,
    summary="Delete a holiday.",
    access="admin",
    status=204,
)
def delete_holiday(call: Call) -> None:
    """Delete a holiday."""
    business_hours.delete_holiday(_schedule(call), call.path["holiday_id"], actor=call.actor)
