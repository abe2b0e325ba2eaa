"""Time tracking: whether time is tracked, how long a working day is, how times are written."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage
from clones.core.web.posted import posted_text
from clones.tracker.domain import site_settings
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.site_switches import is_on, set_switch
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import line, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "time-tracking"
AT: Final = address_of(HERE)
FORMATS: Final = {
    "pretty": "pretty (e.g. 4 days, 4 hours, 30 minutes)",
    "days": "days (e.g. 4d 4.5h)",
    "hours": "hours (e.g. 36.5h)",
}
UNITS: Final = {"minute": "minute", "hour": "hour", "day": "day", "week": "week"}
NUMBERS: Final = {
    "workingHoursPerDay": "Working hours per day",
    "workingDaysPerWeek": "Working days per week",
}


@admin_page
def show(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show how time is tracked (the vendor's TimeTrackingAdmin page)."""
    on = is_on(site_settings.CHOSEN)
    now = site_settings.time_tracking()
    facts = [
        ("Provider", Cell(site_settings.PROVIDER[1] if on else "None")),
        *((label, Cell(f"{now[name]:g}")) for name, label in NUMBERS.items()),
        ("Time format", Cell(FORMATS[now["timeFormat"]])),
        ("Default unit for time tracking", Cell(now["defaultUnit"])),
    ]
    acts = [
        Action("Deactivate" if on else "Activate", f"{AT}/switch", "time tracking", post=True,
            sends={"on": "" if on else "1"}),
        Action("Edit settings", f"{AT}/edit", primary=True),
    ]  # fmt: skip
    said = f"Time tracking is {'on' if on else 'off'}."
    return admin_view(
        request, who, ListPage("Time tracking", HERE, said=said, acts=acts, facts=facts)
    )


@admin_page
def edit(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Change how time is tracked."""
    now = site_settings.time_tracking()

    def write(sent: PageForm) -> str:
        values: dict[str, Any] = {name: _number(sent.text(name), name) for name in NUMBERS} | {
            name: sent.text(name) for name in ("timeFormat", "defaultUnit")
        }
        site_settings.set_time_tracking(values, actor=who.rights)
        return "Time tracking updated"

    inputs = [
        *(line(name, label, f"{now[name]:g}", required=True) for name, label in NUMBERS.items()),
        select("timeFormat", "Time format", FORMATS.items(), now["timeFormat"], required=True),
        select("defaultUnit", "Default unit", UNITS.items(), now["defaultUnit"], required=True),
    ]
    sheet = FormPage("Edit time tracking", request.path, AT, inputs)
    return ask(request, who, sheet, write, here=HERE)


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise Invalid(fields={name: "This is not a valid number."}) from error


@admin_form
def switch(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Turn time tracking on or off."""
    on = bool(posted_text(request, "on"))

    def write() -> str:
        set_switch(site_settings.CHOSEN, on=on, actor=who.rights)
        return f"Time tracking is {'on' if on else 'off'}"

    return act(request, who, write, back=AT, here=HERE)
