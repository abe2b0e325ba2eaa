"""The working days of a board's team, which reports count by."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Final
from zoneinfo import available_timezones

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain.board_settings import set_working_days
from clones.tracker.models import Board
from clones.tracker.rules.board_settings import DAYS, working_days
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.settings.frame import (
    config_page,
    form_of_config,
    page_of_config,
    saved,
    sentences,
)
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.times import day_text
from clones.tracker.web.settings.forms import Input, chosen

NAME: Final = "workingDays"


@page_of_config
def show(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the working days."""
    return _page(request, who, board)


def _page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    kept = working_days(board.settings)
    zones = ((name, name.replace("_", " ")) for name in sorted(available_timezones()))
    context = {
        "zone": Input("timeZone", "Time zone", "select", choices=chosen(zones, [kept.zone])),
        "days": Input(
            "days",
            "Standard working days",
            "checks",
            choices=chosen(
                ((name, name.capitalize()) for name in DAYS), [DAYS[at] for at in kept.days]
            ),
        ),
        "off": [(day.isoformat(), day_text(day)) for day in sorted(kept.off)],
    }
    return config_page(request, who, board, NAME, context, problems=problems)


@form_of_config
def save(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Take the time zone and the days of the week."""
    zone, days = posted_text(request, "timeZone"), posted_texts(request, "days")
    off = working_days(board.settings).off
    return _written(request, who, board, zone=zone, days=days, off=off, flag="Working days saved")


@form_of_config
def add_day(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Add a day off."""
    kept = working_days(board.settings)
    text = posted_text(request, "day")
    days = [DAYS[at] for at in kept.days]
    try:
        off = {*kept.off, date.fromisoformat(text)}
    except ValueError:
        return _page(request, who, board, [f"'{text}' is not a date."])
    return _written(
        request, who, board, zone=kept.zone, days=days, off=off, flag="Non-working day added"
    )


@form_of_config
def remove_day(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Take a day off away."""
    kept = working_days(board.settings)
    text = posted_text(request, "day")
    days = [DAYS[at] for at in kept.days]
    off = {day for day in kept.off if day.isoformat() != text}
    if off == kept.off:
        return _page(request, who, board, [f"{text} is not a non-working day."])
    return _written(
        request, who, board, zone=kept.zone, days=days, off=off, flag="Non-working day removed"
    )


def _written(
    request: SandboxRequest,
    who: Visitor,
    board: Board,
    *,
    zone: str,
    days: Collection[str],
    off: Collection[date],
    flag: str,
) -> HttpResponse:
    _, refusal = attempt(lambda: set_working_days(board, zone, days, off, actor=who.rights))
    if refusal is not None:
        return _page(request, who, board, sentences(refusal))
    return saved(request, board, NAME, flag)
