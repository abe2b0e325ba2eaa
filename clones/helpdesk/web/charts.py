"""Charts as shapes: where bars, lines, marks and labels stand; templates draw them as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 620, 220
LEFT, TOP, BOTTOM = 44, 12, 26
LABELS = 8
LONGEST = 12


@dataclass(frozen=True, slots=True)
class Series:
    """One thing that a chart shows: its name, its colour's name, its values."""

    name: str
    key: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar and what it says."""

    key: str
    x: float
    y: float
    width: float
    height: float
    said: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across the chart, or a label under it."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a table's worth of values."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    bars: tuple[Bar, ...]
    line: str
    lines: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """The chart's values as rows of a table."""
        columns = [series.values for series in self.series]
        return [(label, values) for label, *values in zip(self.labels, *columns, strict=True)]  # type: ignore[misc]  # as many values as there are series

    @property
    def base(self) -> int:
        """Where the bars stand."""
        return self.height - BOTTOM


def bar_chart(title: str, labels: Sequence[str], series: Sequence[Series]) -> Chart:
    """Return a chart of bars that stand side by side over each label."""
    top = _top(series)
    step = (WIDTH - LEFT) / max(1, len(labels))
    width = min(36.0, step * 0.8 / len(series))
    bars = []
    for place, one in enumerate(series):
        for index, value in enumerate(one.values):
            height = _height(value, top)
            x = LEFT + step * index + (step - width * len(series)) / 2 + width * place
            bars.append(
                Bar(
                    one.key,
                    round(x, 1),
                    round(HEIGHT - BOTTOM - height, 1),
                    round(width, 1),
                    round(height, 1),
                    f"{labels[index]}: {value} {one.name.lower()}",
                )
            )
    return _chart(title, labels, series, top, bars=tuple(bars))


def line_chart(title: str, labels: Sequence[str], series: Series) -> Chart:
    """Return a chart of one line."""
    top = _top([series])
    step = (WIDTH - LEFT) / max(1, len(labels))
    points = [
        f"{LEFT + step * (index + 0.5):.1f},{HEIGHT - BOTTOM - _height(value, top):.1f}"
        for index, value in enumerate(series.values)
    ]
    return _chart(title, labels, [series], top, line=" ".join(points))


def _chart(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    top: int,
    *,
    bars: tuple[Bar, ...] = (),
    line: str = "",
) -> Chart:
    step = (WIDTH - LEFT) / max(1, len(labels))
    every = -(-len(labels) // LABELS) or 1
    marks = tuple(
        Mark(round(LEFT + step * (index + 0.5), 1), _short(label))
        for index, label in enumerate(labels)
        if index % every == 0
    )
    parts = 4 if top % 4 == 0 else 2 if top % 2 == 0 else 1
    lines = tuple(
        Mark(round(HEIGHT - BOTTOM - _height(value, top), 1), str(value))
        for value in (top * part // parts for part in range(parts + 1))
    )
    return Chart(title, tuple(labels), tuple(series), bars, line, lines, marks)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def _top(series: Sequence[Series]) -> int:
    """Return the round number that the chart reaches up to."""
    most = max((value for one in series for value in one.values), default=0)
    size = 1
    while most > size * 10:
        size *= 10
    for factor in (1, 2, 4, 6, 8, 10):
        if most <= factor * size:
            return factor * size
    return most


def _height(value: int, top: int) -> float:
    return (HEIGHT - TOP - BOTTOM) * max(0, value) / top
