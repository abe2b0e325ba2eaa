"""Business time of a person: nine to five on working days, where they live."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from clones.helpdesk.rules.schedules import Hours

DAY_MINUTES = 24 * 60
OPENS, CLOSES = 9 * 60, 17 * 60


@cache
def office_hours(zone: str) -> Hours:
    """Return the office hours of a time zone."""
    spans = [
        {"start_time": day * DAY_MINUTES + OPENS, "end_time": day * DAY_MINUTES + CLOSES}
        for day in range(1, 6)
    ]
    return Hours.parse(zone, spans, [])


def after_business(since: datetime, span: timedelta, zone: str) -> datetime:
    """Return when `span` of business time after `since` is up."""
    due = office_hours(zone).add(since, round(span.total_seconds()))
    if due is None:
        raise ValueError(f"{span} of business time lies beyond the horizon")
    return due


def business_between(since: datetime, until: datetime, zone: str) -> timedelta:
    """Return the business time between two moments."""
    return timedelta(seconds=office_hours(zone).seconds_between(since, until))
