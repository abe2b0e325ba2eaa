"""Charts of reports as shapes: where lines, bars, areas and labels stand; one template draws them.

What a chart shows stands in a table beside it too: a chart is for those who see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Final

WIDTH: Final = 960
HEIGHT: Final = 340
LEFT: Final = 56
RIGHT: Final = 24
TOP: Final = 16
BOTTOM: Final = 32
LABELS: Final = 9
MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Path:
    """A line or an area: `points` as SVG has them, `look` the class it is drawn by."""

    points: str
    look: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: a bar, or a stretch of time."""

    x: float
    y: float
    width: float
    height: float
    look: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A text at a place; `end` says that it ends there instead of being in the middle of it."""

    x: float
    y: float
    text: str
    end: bool = False


@dataclass(slots=True)
class Chart:
    """The shapes of a chart, in the order in which they are drawn."""

    label: str
    boxes: list[Box] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)
    areas: list[Path] = field(default_factory=list)
    lines: list[Path] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    legend: list[tuple[str, str]] = field(default_factory=list)
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


Point = tuple[datetime, float]


class Scale:
    """Where moments and amounts stand in a chart."""

    def __init__(self, start: datetime, end: datetime, most: float) -> None:
        self.start = start
        self.end = max(end, start + timedelta(minutes=1))
        self.top = round_top(most)

    def x(self, at: datetime) -> float:
        """Return where a moment stands."""
        part = (at - self.start) / (self.end - self.start)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, max(0.0, part)), 1)

    def y(self, amount: float) -> float:
        """Return how high an amount stands."""
        return height_of(amount, self.top)

    def points(self, line: Sequence[Point]) -> str:
        """Return a line as SVG has it."""
        return " ".join(f"{self.x(at):.1f},{self.y(amount):.1f}" for at, amount in line)

    def days(self, zone: tzinfo) -> list[Mark]:
        """Return labels under a chart: the beginnings of days, no more than there is room for."""
        first = self.start.astimezone(zone).date()
        last = self.end.astimezone(zone).date()
        every = max(1, -(-((last - first).days + 1) // LABELS))
        found = []
        day = first
        while day <= last:
            at = datetime(day.year, day.month, day.day, tzinfo=zone)
            text = f"{day.day} {MONTHS[day.month - 1]}"
            found.append(Mark(self.x(max(at, self.start)), HEIGHT - 8, text))
            day += every * DAY
        return found


def round_top(most: float) -> float:
    """Return the round number, divided by four without a rest, that a chart reaches up to."""
    size = 4.0
    while most > size:
        size = size * 2.5 if f"{size:g}".startswith("4") else size * 2
    return size


def height_of(amount: float, top: float) -> float:
    """Return how high an amount stands in a chart that reaches up to `top`."""
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(0.0, amount) / top, 1)


def amounts(chart: Chart, top: float, unit: str = "") -> None:
    """Draw the lines across a chart, with what they stand for beside them."""
    for part in range(5):
        amount = top * part / 4
        y = height_of(amount, top)
        chart.rules.append(y)
        chart.marks.append(Mark(LEFT - 8, y, f"{amount:g}{unit}", end=True))


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
    chart = Chart("Burndown chart")
    for since, until in level:
        x = scale.x(since)
        chart.boxes.append(
            Box(x, TOP, round(scale.x(until) - x, 1), HEIGHT - TOP - BOTTOM, "chart__free")
        )
    amounts(chart, scale.top, unit)
    chart.marks.extend(scale.days(zone))
    chart.lines.append(Path(scale.points(ideal), "chart__line chart__line--ideal", "Guideline"))
    chart.lines.append(
        Path(scale.points(stepped(left)), "chart__line chart__line--left", "Remaining work")
    )
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
    chart = Chart("Velocity chart")
    top = round_top(max((max(first, second) for _, first, second in groups), default=0))
    amounts(chart, top)
    room = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    bar = round(min(56.0, room / 3), 1)
    for at, (name, first, second) in enumerate(groups):
        middle = LEFT + room * (at + 0.5)
        for place, amount, look in ((-1, first, "first"), (0, second, "second")):
            y = height_of(amount, top)
            x = round(middle + place * bar, 1)
            said = f"{name}: {names[place + 1]} {amount:g}"
            height = round(HEIGHT - BOTTOM - y, 1)
            chart.boxes.append(Box(x, y, bar, height, f"chart__bar--{look}", said))
        label = name if len(name) <= 18 else f"{name[:17]}…"
        chart.marks.append(Mark(round(middle, 1), HEIGHT - 8, label))
    chart.legend = [("chart__bar--first", names[0]), ("chart__bar--second", names[1])]
    return chart


def area_chart(
    moments: Sequence[datetime], columns: Sequence[tuple[str, Sequence[int]]], zone: tzinfo
) -> Chart:
    """Return areas over time, one on the other: the last column lies at the bottom."""
    chart = Chart("Cumulative flow diagram")
    sums = [0] * len(moments)
    for _, counts in columns:
        sums = [before + count for before, count in zip(sums, counts, strict=True)]
    scale = Scale(moments[0], moments[-1], max(sums, default=0))
    amounts(chart, scale.top)
    chart.marks.extend(scale.days(zone))
    floor = [0] * len(moments)
    for at, (name, counts) in reversed(list(enumerate(columns))):
        roof = [below + count for below, count in zip(floor, counts, strict=True)]
        there = list(zip(moments, roof, strict=True))
        back = list(zip(reversed(moments), reversed(floor), strict=True))
        look = f"chart__area--{at % 8}"
        chart.areas.append(Path(scale.points([*there, *back]), look, name))
        chart.legend.insert(0, (look, name))
        floor = roof
    return chart
