"""The reporting page: what came, what was solved, how soon and how well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any, TypeVar

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.charts import Series
from clones.helpdesk import queries
from clones.helpdesk.models import Group, User
from clones.helpdesk.queries import reporting as reads
from clones.helpdesk.queries.desks import check_reports
from clones.helpdesk.rules import reporting as rules
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.charts import ChartWithTable, bar_chart, line_chart
from clones.helpdesk.web.times import Times

RANGES = {7: "Last 7 days", 30: "Last 30 days", 90: "Last 90 days"}
MOST_BARS = 8
CREATED, SOLVED = "chart__bar chart__bar--created", "chart__bar chart__bar--solved"
BACKLOG = "chart__path"

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Counts:
    """What a report has read."""

    came: list[reads.Came]
    went: list[reads.Went]
    rated: list[reads.Rated]
    unsolved: list[tuple[int | None, str, int]]
    before: int


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """The measures of a group, of a channel, or of all."""

    label: str
    created: int
    solved: int
    backlog: int
    first_reply: str
    satisfaction: str


@agent_page
def reporting(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what happened to tickets in the latest days."""
    check_reports(agent.user)
    days = next((one for one in RANGES if request.GET.get("days") == str(one)), 30)
    groups = list(Group.objects.filter(deleted=False).order_by("name", "id"))
    group = next((one for one in groups if request.GET.get("group") == str(one.id)), None)
    times = Times(agent.user)
    parts = rules.stretches(times.now.date(), days)
    start = datetime.combine(parts[0].first, time.min, tzinfo=times.zone)
    counts = _read(agent.user, group, start)
    context = {
        "ranges": [(one, label, one == days) for one, label in RANGES.items()],
        "groups": [(one.id, one.name, one == group) for one in groups],
        "total": _line("All", counts),
        "charts": _charts(counts, parts, times),
        "tables": _tables(counts, {one.id: one.name for one in groups}),
        "first_day": f"{parts[0].first:%B} {parts[0].first.day}, {parts[0].first.year}",
        "range_label": RANGES[days],
    }
    return shell.page(
        request, agent, "helpdesk/reporting.html", context, title="Reporting", active="reporting"
    )


def _read(actor: User, group: Group | None, start: datetime) -> Counts:
    tickets = queries.visible_tickets(actor)
    if group is not None:
        tickets = tickets.filter(group=group)
    return Counts(
        came=reads.tickets_that_came(tickets, start),
        went=reads.tickets_that_went(tickets, start),
        rated=reads.ratings_given(tickets, start),
        unsolved=reads.unsolved_now(tickets),
        before=reads.unsolved_at(tickets, start),
    )


def _charts(counts: Counts, parts: list[rules.Stretch], times: Times) -> list[ChartWithTable]:
    def by_part(moments: Iterable[datetime]) -> list[int]:
        return rules.counted((moment.astimezone(times.zone).date() for moment in moments), parts)

    created = by_part(item.at for item in counts.came)
    solved = by_part(item.at for item in counts.went)
    names = [f"{part.first:%b} {part.first.day}" for part in parts]
    return [
        bar_chart(
            "Created and solved tickets",
            names,
            [Series("Created", CREATED, created), Series("Solved", SOLVED, solved)],
        ),
        line_chart(
            "Backlog of unsolved tickets",
            names,
            Series("Unsolved", BACKLOG, rules.backlog(counts.before, created, solved)),
        ),
    ]


def _tables(counts: Counts, names: dict[int, str]) -> list[dict[str, Any]]:
    """Return the measures by group and by channel, those with most tickets first, with charts."""
    by_group = _split(counts, lambda item: item.group, lambda row: row[0])
    by_channel = _split(counts, lambda item: item.channel, lambda row: row[1])
    found = []
    for title, what, lines in (
        (
            "By group",
            "Group",
            [_line(names.get(key or 0, "No group"), part) for key, part in by_group.items()],
        ),
        (
            "By channel",
            "Channel",
            [_line(labels.channel_label(key), part) for key, part in by_channel.items()],
        ),
    ):
        lines.sort(key=lambda line: (-line.created, -line.backlog, line.label))
        first = lines[:MOST_BARS]
        chart = bar_chart(
            f"Created tickets {title.lower()}",
            [line.label for line in first],
            [Series("Created", CREATED, [line.created for line in first])],
        )
        found.append({"title": title, "what": what, "lines": lines, "chart": chart})
    return found


def _split(
    counts: Counts,
    key_of: Callable[[Any], Key],
    key_of_unsolved: Callable[[tuple[int | None, str, int]], Key],
) -> dict[Key, Counts]:
    found: dict[Key, Counts] = {}

    def part(key: Key) -> Counts:
        return found.setdefault(key, Counts([], [], [], [], 0))

    for came in counts.came:
        part(key_of(came)).came.append(came)
    for went in counts.went:
        part(key_of(went)).went.append(went)
    for rated in counts.rated:
        part(key_of(rated)).rated.append(rated)
    for row in counts.unsolved:
        part(key_of_unsolved(row)).unsolved.append(row)
    return found


def _line(label: str, counts: Counts) -> MeasureRow:
    replies = [item.reply_seconds for item in counts.came if item.reply_seconds is not None]
    good = sum(item.good for item in counts.rated)
    score = rules.score(good, len(counts.rated) - good)
    return MeasureRow(
        label,
        len(counts.came),
        len(counts.went),
        sum(count for _, _, count in counts.unsolved),
        rules.in_words(rules.middle(replies)),
        "-" if score is None else f"{score}%",
    )
