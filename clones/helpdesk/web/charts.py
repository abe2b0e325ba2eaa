"""The desk's charts: bars and lines over labels, each with the values that its table shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clones.core.web.charts import (
    Chart,
    Grid,
    Series,
    most_of,
    points_of,
    round_top,
    rows_of,
)

GRID: Final = Grid(
    width=620,
    height=220,
    left=44,
    top=12,
    bottom=26,
    line_start=40,
    line_end=620,
    line_look="chart__line",
    amount_x=34,
    amount_drop=4,
    amount_look="chart__label chart__label--amount",
    label_y=212,
    label_look="chart__label chart__label--column",
)
LABELS: Final = 8
LONGEST: Final = 12
WIDEST: Final = 36.0
STEPS: Final = (1, 2, 4, 6, 8, 10)


@dataclass(frozen=True, slots=True)
class ChartWithTable:
    """A chart, and what it shows as a table: the names of its columns, and its rows."""

    chart: Chart
    series: Sequence[Series]
    rows: list[tuple[str, list[float]]]

    @property
    def title(self) -> str:
        """What the chart is called."""
        return self.chart.label


def bar_chart(title: str, labels: Sequence[str], series: Sequence[Series]) -> ChartWithTable:
    """Return a chart of bars that stand side by side over each label."""
    chart, top = _begun(title, labels, series)
    width = min(WIDEST, GRID.room / max(1, len(labels)) * 0.8 / len(series))
    chart.bars(labels, series, top, width=width, say=_point_text)
    return ChartWithTable(chart, series, rows_of(labels, series))


def line_chart(title: str, labels: Sequence[str], series: Series) -> ChartWithTable:
    """Return a chart of one line."""
    chart, top = _begun(title, labels, [series])
    if labels:
        places = GRID.middles(len(labels))
        chart.line(series.look, points_of(GRID, places, series.values, top))
    return ChartWithTable(chart, [series], rows_of(labels, [series]))


def _begun(title: str, labels: Sequence[str], series: Sequence[Series]) -> tuple[Chart, float]:
    """Return a chart with its scale and labels, and the amount that it reaches up to."""
    chart = Chart(title, GRID, look="chart", test_id="chart")
    top = round_top(most_of(series), steps=STEPS)
    # Counts are whole: a line between two of them would stand for none.
    chart.scale(top, parts=4 if top % 4 == 0 else 2 if top % 2 == 0 else 1)
    chart.name_columns(GRID.middles(len(labels)), labels, most=LABELS, longest=LONGEST)
    return chart, top


def _point_text(label: str, name: str, value: str) -> str:
    return f"{label}: {value} {name.lower()}"
