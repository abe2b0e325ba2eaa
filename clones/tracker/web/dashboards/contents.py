"""What gadgets show to somebody, by their kind. A gadget that cannot say why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from typing import Any, Final
from urllib.parse import urlencode

from clones.core.digits import is_digits
from clones.tracker.domain.errors import TrackerError
from clones.tracker.models import Favourite, Filter, Gadget
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import RunnableQuery, read_search
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.jql import JqlError, Query, parse, print_query
from clones.tracker.rules.jql.nodes import And, Clause, Not, Or
from clones.tracker.web.dashboards.activity import activity
from clones.tracker.web.dashboards.burndown import burndown
from clones.tracker.web.dashboards.charts import line_chart, pie_chart
from clones.tracker.web.dashboards.kinds import STATS, GadgetDisplay, shown_kind
from clones.tracker.web.dashboards.statistics import (
    AXES,
    Counted,
    StatisticField,
    axis_of,
    counted,
    crossed,
    ordered,
)
from clones.tracker.web.navigator.cells import MONTHS, Cells
from clones.tracker.web.navigator.columns import all_columns
from clones.tracker.web.navigator.query_params import ADDRESS

Json = dict[str, Any]
UNSET: Final = "This gadget has not been configured yet."
NOT_SHOWN: Final = "This gadget cannot be shown here."
SLICES: Final = 10
CREATED_CHART: Final = "Created and resolved over the last days"
_BY_TITLE: Final = {
    "Assigned to Me": "assignee = currentUser() AND resolution is EMPTY ORDER BY priority DESC",
    "Watched Issues": "watcher = currentUser() ORDER BY updated DESC",
    "Voted Issues": "voter = currentUser() ORDER BY updated DESC",
}


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a gadget: the name of its template, and what that needs; or a sentence."""

    name: str = ""
    said: str = ""
    parts: Json = field(default_factory=dict)


def content_of(gadget: Gadget, config: Mapping[str, str], rights: Rights) -> Content:
    """Return what a gadget shows."""
    shown = shown_kind(gadget)
    if shown is None:
        return Content(said=NOT_SHOWN)
    if any(not config.get(name) for name in shown.needs):
        return Content(said=UNSET)
    usual = {one.name: one.usual for one in shown.settings}
    given = GadgetView(shown, usual | {name: str(value) for name, value in config.items()}, rights)
    try:
        return Content(shown.name, parts=_MAKERS[shown.name](given))
    except JqlError as error:
        return Content(said=" ".join(error.texts))
    except TrackerError as error:
        return Content(said=str(error))


@dataclass(frozen=True, slots=True)
class GadgetView:
    """A gadget's kind and settings, and who looks."""

    shown: GadgetDisplay
    config: Mapping[str, str]
    rights: Rights

    def number(self, name: str) -> int:
        """Return a number of the settings, within its limits."""
        setting = next(one for one in self.shown.settings if one.name == name)
        text = self.config.get(name, "")
        found = int(text) if is_digits(text, 5) else int(setting.usual)
        return min(max(found, 1), setting.most)

    def flag(self, name: str) -> bool:
        """Return whether a setting is on."""
        return self.config.get(name) == "true"

    def axis(self, name: str, usual: str) -> tuple[StatisticField, str]:
        """Return the field that a setting says to count by, and what it is called."""
        key = self.config.get(name, "")
        found = axis_of(key, self.rights)
        if found is None:
            return AXES[usual], STATS[usual]
        axis, custom = found
        return axis, custom or STATS[key]

    @property
    def jql(self) -> str:
        """The query that it is about."""
        if fixed := _BY_TITLE.get(self.shown.title):
            return fixed
        source = self.config.get("projectOrFilterId") or f"filter-{self.config.get('filterId', '')}"
        kind, _, key = source.partition("-")
        if not is_digits(key):
            return "filter = -1"
        return f"project = {key}" if kind in {"project", "jql"} else f"filter = {key}"

    def search(self, jql: str | None = None) -> RunnableQuery:
        """Return the search of its query, or of another."""
        return read_search(self.jql if jql is None else jql, self.rights)

    @property
    def name(self) -> str:
        """What the space or filter is called that it is about."""
        kind, _, key = (self.config.get("projectOrFilterId") or "").partition("-")
        if kind == "project":
            return ""
        number = key or self.config.get("filterId", "")
        if not is_digits(number):
            return ""
        rows = visible_filters(self.rights).filter(id=int(number))
        return rows.values_list("name", flat=True).first() or ""


def narrowed(jql: str, *clauses: str) -> str:
    """Return a query narrowed by further clauses, in no order."""
    found: list[Clause] = []
    for text in (jql, *clauses):
        where = parse(text).where
        if isinstance(where, And):
            found.extend(where.clauses)
        elif isinstance(where, Or | Not) or where is not None:
            found.append(where)
    where = None if not found else found[0] if len(found) == 1 else And(tuple(found))
    return print_query(Query(where))


def link(jql: str) -> str:
    """Return the address of the list of a query."""
    return f"{ADDRESS}?{urlencode({'jql': jql})}"


def _list(given: GadgetView) -> Json:
    search = given.search()
    issues = search.some(given.number("num"))
    known = all_columns(given.rights)
    wanted = given.config.get("columnNames", "").split("|")
    columns = [known[id] for id in wanted if id in known] or [known["issuekey"], known["summary"]]
    cells = Cells(issues, given.rights)
    return {
        "columns": columns,
        "rows": [cells.row(issue, columns) for issue in issues],
        "total": search.found.count(),
        "href": link(given.jql),
        "name": given.name,
    }


@dataclass(frozen=True, slots=True)
class TableShare:
    """A value in a table beside a chart."""

    label: str
    count: int
    percent: int
    href: str
    hue: int


def _shares(given: GadgetView, jql: str) -> tuple[list[Counted], list[TableShare], int]:
    axis, _ = given.axis("statType", "assignees")
    found = counted(given.search(jql), axis)
    total = sum(one.count for one in found)
    rows = [
        TableShare(
            one.value.label,
            one.count,
            round(100 * one.count / total),
            link(narrowed(jql, one.value.clause)),
            min(at, SLICES - 1) % 8,
        )
        for at, one in enumerate(found)
    ]
    return found, rows, total


def _pie(given: GadgetView) -> Json:
    found, rows, total = _shares(given, given.jql)
    parts = [(one.value.label, one.count) for one in found]
    if len(parts) > SLICES:
        rest = sum(count for _, count in parts[SLICES - 1 :])
        parts = [*parts[: SLICES - 1], ("Other", rest)]
    stat = given.axis("statType", "assignees")[1]
    return {
        "chart": pie_chart(f"Pie chart: {stat}", parts),
        "rows": rows,
        "total": total,
        "stat": stat,
        "href": link(given.jql),
        "name": given.name,
    }


def _stats(given: GadgetView) -> Json:
    jql = given.jql
    if not given.flag("includeResolvedIssues"):
        jql = narrowed(jql, "resolution is EMPTY")
    _, rows, total = _shares(given, jql)
    stat = given.axis("statType", "assignees")[1]
    return {"rows": rows, "total": total, "stat": stat, "href": link(jql), "name": given.name}


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a table of two fields."""

    label: str
    cells: list[tuple[int, str]]
    total: tuple[int, str]


def _grid(given: GadgetView) -> Json:
    across, across_name = given.axis("xstattype", "statuses")
    down, down_name = given.axis("ystattype", "assignees")
    search = given.search()
    found = crossed(search, across, down)
    heads, sides = ordered(found.across), ordered(found.down)
    shown = sides[: given.number("numberToShow")]

    def at(clauses: list[str]) -> str:
        return link(narrowed(given.jql, *clauses))

    rows = [
        GridRow(
            side.label,
            [(found.pairs[head, side], at([head.clause, side.clause])) for head in heads],
            (found.down[side], at([side.clause])),
        )
        for side in shown
    ]
    return {
        "heads": [head.label for head in heads],
        "rows": rows,
        "totals": [(found.across[head], at([head.clause])) for head in heads],
        "whole": found.whole,
        "left_out": len(sides) - len(shown),
        "across": across_name,
        "down": down_name,
        "totals_shown": given.flag("showTotals"),
        "href": link(given.jql),
        "name": given.name,
    }


def _created(given: GadgetView) -> Json:
    search, rights = given.search(), given.rights
    today = rights.asked_at.astimezone(rights.zone).date()
    first = today - timedelta(days=given.number("daysprevious") - 1)
    period = given.config.get("periodName", "daily")
    starts = _periods(first, today, period)
    since = datetime.combine(starts[0], time.min, rights.zone)
    made = search.found.filter(created__gte=since).values_list("created", flat=True)
    ended = search.found.filter(resolution_date__gte=since)
    created = _counts(list(made.order_by()), starts, rights)
    resolved = _counts(
        list(ended.order_by().values_list("resolution_date", flat=True)), starts, rights
    )
    labels = [f"{start.day} {MONTHS[start.month - 1]}" for start in starts]
    series = [("Created", created), ("Resolved", resolved)]
    if given.flag("isCumulative"):
        series = [(name, list(accumulate(values))) for name, values in series]
    return {
        "chart": line_chart(CREATED_CHART, labels, series),
        "rows": list(zip(labels, created, resolved, strict=True)),
        "created": sum(created),
        "resolved": sum(resolved),
        "days": given.number("daysprevious"),
        "href": link(given.jql),
        "name": given.name,
    }


def _periods(first: date, last: date, period: str) -> list[date]:
    """Return the first days of the periods that reach from one day to another."""
    match period:
        case "weekly":
            at = first - timedelta(days=first.weekday())
        case "monthly":
            at = first.replace(day=1)
        case "quarterly":
            at = first.replace(month=first.month - (first.month - 1) % 3, day=1)
        case "yearly":
            at = first.replace(month=1, day=1)
        case _:
            at = first
    found = []
    while at <= last:
        found.append(at)
        at = _next(at, period)
    return found


def _next(day: date, period: str) -> date:
    months = {"monthly": 1, "quarterly": 3, "yearly": 12}.get(period)
    if months is None:
        return day + timedelta(days=7 if period == "weekly" else 1)
    month = day.month - 1 + months
    return date(day.year + month // 12, month % 12 + 1, 1)


def _counts(moments: list[datetime | None], starts: list[date], rights: Rights) -> list[int]:
    found = [0] * len(starts)
    days = sorted(at.astimezone(rights.zone).date() for at in moments if at is not None)
    place = 0
    for day in days:
        while place + 1 < len(starts) and starts[place + 1] <= day:
            place += 1
        found[place] += 1
    return found


def _filters(given: GadgetView) -> Json:
    stars = Favourite.objects.filter(user=given.rights.user, kind="filter").order_by("position")
    keys = list(stars.values_list("entity", flat=True)[:20])
    known: dict[int, Filter] = visible_filters(given.rights).in_bulk(keys)
    found = []
    for key in keys:
        if (saved := known.get(key)) is None:
            continue
        try:
            number: int | None = read_search(saved.jql, given.rights).found.count()
        except JqlError:
            number = None
        found.append((saved, number))
    return {"filters": found}


_MAKERS: Final[Mapping[str, Callable[[GadgetView], Json]]] = {
    "list": _list,
    "pie": _pie,
    "stats": _stats,
    "grid": _grid,
    "created": _created,
    "filters": _filters,
    "introduction": lambda given: {},
    "activity": lambda given: {"entries": activity(given.rights, given.number("numofentries"))},
    "burndown": lambda given: burndown(given.config.get("rapidViewId", ""), given.rights),
}
