"""Charts of gadgets: slices of a circle, and lines over days."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core.web.charts import Chart, Grid, Series, add_slices, most_of, points_of

GRID: Final = Grid(
    width=520,
    height=220,
    left=36,
    right=28,
    top=12,
    bottom=26,
    line_start=36,
    line_end=520,
    line_look="lines__rule",
    amount_x=30,
    amount_look="lines__text lines__text--end",
    label_y=220,
    label_look="lines__text lines__text--mid",
)
CIRCLE: Final = Grid(width=200, height=200)
LABELS: Final = 7
HUES: Final = 8


def pie_chart(label: str, parts: Sequence[tuple[str, int]]) -> Chart:
    """Return a circle that is divided among parts, each a name and a count."""
    chart = Chart(label, CIRCLE, look="pie")
    add_slices(chart, parts, [f"hue-fill-{hue}" for hue in range(HUES)])
    return chart


def line_chart(
    label: str, labels: Sequence[str], lines: Sequence[tuple[str, Sequence[float]]]
) -> Chart:
    """Return a chart of lines, each a name and its values from the first label on."""
    series = [
        Series(name, f"lines__line hue-line-{hue}", values)
        for hue, (name, values) in enumerate(lines)
    ]
    top = _top(most_of(series))
    places = GRID.from_edge_to_edge(len(labels))
    chart = Chart(label, GRID, look="lines")
    chart.scale(top)
    chart.name_columns(places, labels, most=LABELS)
    for hue, one in enumerate(series):
        chart.line(one.look, points_of(GRID, places, one.values, top), said=one.name)
        chart.legend.append((f"line-{hue}", one.name))
    return chart


def _top(most: float) -> int:
    """Return the number that a chart reaches up to: four, doubled as often as it takes."""
    size = 4
    while most > size:
        size *= 2
    return size
