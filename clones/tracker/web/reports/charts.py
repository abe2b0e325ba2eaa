"""Charts of reports: what happened over time, and bars in pairs.

What a chart shows stands in a table beside it too: a chart is for those who see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Final

from clones.core.web.charts import Chart, Grid, Series, most_of, round_top

GRID: Final = Grid(
    width=960,
    height=340,
    left=56,
    right=24,
    top=16,
    bottom=32,
    line_start=56,
    line_end=936,
    line_look="chart__rule",
    amount_x=48,
    amount_look="chart__text chart__text--end",
    label_y=332,
    label_look="chart__text",
)
LABELS: Final = 9
LONGEST: Final = 18
WIDEST: Final = 56.0
# Divided by four without a rest, as often as there are lines across.
STEPS: Final = (1, 2, 4)
LEAST: Final = 4
MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAY: Final = timedelta(days=1)

Point = tuple[datetime, float]


class Scale:
    """Where moments and amounts stand in a chart."""

    def __init__(self, start: datetime, end: datetime, most: float) -> None:
        self.start = start
        self.end = max(end, start + timedelta(minutes=1))
        self.top = round_top(most, steps=STEPS, least=LEAST)

    def x(self, at: datetime) -> float:
        """Return where a moment stands."""
        part = (at - self.start) / (self.end - self.start)
        return round(GRID.left + GRID.room * min(1.0, max(0.0, part)), 1)

    def y(self, amount: float) -> float:
        """Return how high an amount stands."""
        return GRID.y(amount, self.top)

    def points(self, line: Sequence[Point]) -> str:
        """Return a line as SVG has it."""
        return " ".join(f"{self.x(at):.1f},{self.y(amount):.1f}" for at, amount in line)

    def name_days(self, chart: Chart, zone: tzinfo) -> None:
        """Write under a chart where days begin, no more of them than there is room for."""
        first = self.start.astimezone(zone).date()
        last = self.end.astimezone(zone).date()
        every = max(1, -(-((last - first).days + 1) // LABELS))
        day = first
        while day <= last:
            at = datetime(day.year, day.month, day.day, tzinfo=zone)
            text = f"{day.day} {MONTHS[day.month - 1]}"
            chart.write(GRID.label_look, self.x(max(at, self.start)), GRID.label_y, text)
            day += every * DAY


def burndown_chart(
    scale: Scale,
    *,
    left: Sequence[Point],
    ideal: Sequence[Point],
    level: Sequence[tuple[datetime, datetime]],
    zone: tzinfo,
    unit: str = "",
) -> Chart:
    """Return the chart of a burndown: what is left in steps, over the guideline and free days."""
    chart = Chart("Burndown chart", GRID)
    chart.scale(scale.top, unit)
    scale.name_days(chart, zone)
    for since, until in level:
        x = scale.x(since)
        width = round(scale.x(until) - x, 1)
        chart.box("chart__free", x, GRID.top, width, GRID.base - GRID.top)
    chart.line("chart__line chart__line--ideal", scale.points(ideal), said="Guideline")
    line = scale.points(stepped(left))
    chart.line("chart__line chart__line--left", line, said="Remaining work")
    chart.legend = [
        ("chart__key--left", "Remaining work"),
        ("chart__key--ideal", "Guideline"),
        ("chart__key--free", "Non-working days"),
    ]
    return chart


def stepped(line: Sequence[Point]) -> list[Point]:
    """Return a line that stays level until the moment of each change."""
    found: list[Point] = []
    for at, amount in line:
        if found:
            found.append((at, found[-1][1]))
        found.append((at, amount))
    return found


def pair_chart(groups: Sequence[tuple[str, float, float]], names: tuple[str, str]) -> Chart:
    """Return bars in pairs: a group's name and its two amounts, which are called by `names`."""
    chart = Chart("Velocity chart", GRID)
    labels = [name for name, _, _ in groups]
    first = Series(names[0], "chart__bar--first", [amount for _, amount, _ in groups])
    second = Series(names[1], "chart__bar--second", [amount for _, _, amount in groups])
    top = round_top(most_of([first, second]), steps=STEPS, least=LEAST)
    chart.scale(top)
    width = round(min(WIDEST, GRID.room / max(1, len(groups)) / 3), 1)
    chart.bars(labels, [first, second], top, width=width, say=_point_text)
    chart.name_columns(GRID.middles(len(groups)), labels, longest=LONGEST)
    chart.legend = [("chart__bar--first", names[0]), ("chart__bar--second", names[1])]
    return chart


def area_chart(
    moments: Sequence[datetime], columns: Sequence[tuple[str, Sequence[int]]], zone: tzinfo
) -> Chart:
    """Return areas over time, one on the other: the last column lies at the bottom."""
    chart = Chart("Cumulative flow diagram", GRID)
    sums = [0] * len(moments)
    for _, counts in columns:
        sums = [before + count for before, count in zip(sums, counts, strict=True)]
    scale = Scale(moments[0], moments[-1], max(sums, default=0))
    chart.scale(scale.top)
    scale.name_days(chart, zone)
    floor = [0] * len(moments)
    for at, (name, counts) in reversed(list(enumerate(columns))):
        roof = [below + count for below, count in zip(floor, counts, strict=True)]
        there = list(zip(moments, roof, strict=True))
        back = list(zip(reversed(moments), reversed(floor), strict=True))
        look = f"chart__area--{at % 8}"
        chart.area(look, scale.points([*there, *back]), said=name)
        chart.legend.insert(0, (look, name))
        floor = roof
    return chart


def _point_text(label: str, name: str, value: str) -> str:
    return f"{label}: {name} {value}"
