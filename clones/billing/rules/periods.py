"""Billing periods: so many days, weeks, months or years from an anchor."""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta


def add_interval(moment: datetime, interval: str, count: int) -> datetime:
    """Return the moment `count` intervals (day, week, month or year) later.

    A month that lacks the day ends on its last one.
    """
    if interval == "day":
        return moment + timedelta(days=count)
    if interval == "week":
        return moment + timedelta(weeks=count)
    months = count if interval == "month" else 12 * count
    years, month = divmod(moment.month - 1 + months, 12)
    year = moment.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
