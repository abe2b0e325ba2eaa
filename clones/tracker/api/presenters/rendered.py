"""`renderedFields`: what of an issue's fields a page shows other than as they are.

Fields that pages show as they are are null there (so in captures of live sites).
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, Final

from clones.core import clock
from clones.tracker.api.presenters.context import Show
from clones.tracker.models import Issue
from clones.tracker.queries.issue_rows import IssueRows
from clones.tracker.queries.shown_fields import ShownField
from clones.tracker.rules.durations_of_work import WorkTime, pretty

Json = dict[str, Any]
_TIMES: Final = {
    "statuscategorychangedate": "status_category_changed",
    "resolutiondate": "resolution_date",
    "created": "created",
    "updated": "updated",
}
_SECONDS: Final = {
    "timespent": "time_spent",
    "timeestimate": "remaining_estimate",
    "timeoriginalestimate": "original_estimate",
}


class RenderedFields:
    """Renders the fields of the issues of one answer."""

    def __init__(self, rows: IssueRows, show: Show, work: WorkTime) -> None:
        self.rows = rows
        self.show = show
        self.work = work

    def system(self, id: str, issue: Issue, shown: Any) -> Any:
        """Return a field of every site as pages show it; `shown` is what the API shows."""
        if id in _TIMES:
            return self.when(getattr(issue, _TIMES[id]))
        if id in ("description", "environment"):
            return self.show.html(getattr(issue, id))
        if id == "lastViewed":
            view = self.rows.views.get(issue.id)
            return self.when(None if view is None else view.at)
        if id == "duedate":
            return day_text(issue.due_date)
        if id in _SECONDS:
            seconds = getattr(issue, _SECONDS[id])
            return None if seconds is None else pretty(seconds, self.work)
        if id == "timetracking":
            return {
                name: pretty(value, self.work)
                for name in ("originalEstimate", "remainingEstimate", "timeSpent")
                if (value := shown.get(f"{name}Seconds")) is not None
            }
        return self._rendered_texts(id, issue, shown)

    def _rendered_texts(self, id: str, issue: Issue, shown: Any) -> Any:
        if id == "comment":
            return self._texts(shown, "comments", self.rows.comments[issue.id], "body")
        if id == "worklog":
            return self._texts(shown, "worklogs", self.rows.worklogs[issue.id], "comment")
        if id == "attachment":
            pairs = zip(shown, self.rows.attachments[issue.id], strict=True)
            return [one | {"created": self.when(row.created)} for one, row in pairs]
        return None

    def _texts(self, shown: Json, name: str, rows: list[Any], text: str) -> Json:
        found = []
        for one, row in zip(shown[name], rows, strict=False):
            rendered = one | {"created": self.when(row.created), "updated": self.when(row.updated)}
            if text in one:
                rendered[text] = self.show.html(getattr(row, text))
            if "started" in one:
                rendered["started"] = self.when(row.started)
                rendered["timeSpent"] = pretty(row.seconds, self.work)
            found.append(rendered)
        return shown | {name: found}

    def custom(self, field: ShownField, issue: Issue) -> Any:
        """Return a custom field as pages show it."""
        kept = self.rows.values.get(issue.id, {}).get(field.number)
        kind = field.kind.name
        if kind in ("text", "rich", "url", "readonly"):
            if not kept:
                return ""
            return self.show.html(kept[0].document) if kind == "rich" else kept[0].text
        if not kept:
            return None
        if kind == "day":
            return day_text(kept[0].day)
        return self.when(kept[0].moment) if kind == "moment" else None

    @cached_property
    def _today(self) -> date:
        return clock.now().astimezone(self.show.reader.zone).date()

    def when(self, moment: datetime | None) -> str | None:
        """Return a time as pages show it: near ones by their day."""
        if moment is None:
            return None
        local = moment.astimezone(self.show.reader.zone)
        time = f"{local.hour % 12 or 12}:{local:%M} {local:%p}"
        return f"{_near(local.date(), self._today) or day_text(local.date())} {time}"


def day_text(day: date | None) -> str | None:
    """Return a day as pages show it: 07/May/25."""
    return None if day is None else f"{day.day:02d}/{_MONTHS[day.month - 1]}/{day:%y}"


_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def _near(day: date, today: date) -> str | None:
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    if today - timedelta(days=7) < day < today:
        return _DAYS[day.weekday()]
    return None
