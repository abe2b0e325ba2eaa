"""Charts of series as SVG: shapes on a grid, which `core/_chart.html` draws.

To those who do not see it a chart is one picture with a name: what it shows stands in a table
beside it, for which `rows_of` has the rows. Looks are classes of a clone's style sheet; colours,
sizes and the round numbers that scales end at are the vendor's, and lie with the clone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Final, Literal

PIE_RADIUS: Final = 90.0
LINES_ACROSS: Final = 4

Tag = Literal["rect", "line", "polyline", "polygon", "circle", "path", "text"]
Place = tuple[str, float | str]
Say = Callable[[str, str, str], str]


@dataclass(frozen=True, slots=True)
class Series:
    """One thing that a chart shows: its name, the look it is drawn in, a value for each label."""

    name: str
    look: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The size of charts, the margins around what is drawn, and where and how scales are named.

    Lines across go from `line_start` to `line_end`; their amounts end at `amount_x`, `amount_drop`
    below them. Labels stand at `label_y` under the columns.
    """

    width: int
    height: int
    left: int = 0
    right: int = 0
    top: int = 0
    bottom: int = 0
    line_start: int = 0
    line_end: int = 0
    line_look: str = ""
    amount_x: int = 0
    amount_drop: int = 0
    amount_look: str = ""
    label_y: int = 0
    label_look: str = ""

    @property
    def base(self) -> int:
        """Where bars stand."""
        return self.height - self.bottom

    @property
    def room(self) -> int:
        """How wide the part is in which shapes stand."""
        return self.width - self.left - self.right

    def y(self, amount: float, most: float) -> float:
        """Return how high an amount stands in a chart that reaches up to `most`."""
        return round(self.base - (self.base - self.top) * max(0.0, amount) / most, 1)

    def middles(self, count: int) -> list[float]:
        """Return the middles of so many columns side by side."""
        step = self.room / max(1, count)
        return [self.left + step * (at + 0.5) for at in range(count)]

    def from_edge_to_edge(self, count: int) -> list[float]:
        """Return so many places, the first at one edge and the last at the other."""
        step = self.room / max(1, count - 1)
        return [self.left + step * at for at in range(count)]


@dataclass(frozen=True, slots=True)
class Shape:
    """An element of SVG: its tag, look and attributes; a title that tells of it, or its text."""

    tag: Tag
    look: str
    places: tuple[Place, ...]
    said: str = ""
    text: str = ""


@dataclass(slots=True)
class Chart:
    """A named picture: shapes in the order in which they are drawn, texts over all of them.

    `look` is the class of the whole and `test_id` its name for tests, if it has them; `legend` has
    looks and what they stand for.
    """

    label: str
    grid: Grid
    look: str = ""
    test_id: str = ""
    shapes: list[Shape] = field(default_factory=list)
    texts: list[Shape] = field(default_factory=list)
    legend: list[tuple[str, str]] = field(default_factory=list)

    @property
    def drawn(self) -> list[Shape]:
        """All elements, in their order."""
        return [*self.shapes, *self.texts]

    def box(
        self, look: str, x: float, y: float, width: float, height: float, *, said: str = ""
    ) -> None:
        """Draw a bar, or a stretch of time."""
        places = (("x", x), ("y", y), ("width", width), ("height", height))
        self.shapes.append(Shape("rect", look, places, said))

    def line(self, look: str, points: str, *, said: str = "") -> None:
        """Draw a line through points."""
        self.shapes.append(Shape("polyline", look, (("points", points),), said))

    def area(self, look: str, points: str, *, said: str = "") -> None:
        """Draw what lies within points."""
        self.shapes.append(Shape("polygon", look, (("points", points),), said))

    def write(self, look: str, x: float, y: float, text: str) -> None:
        """Write a text at a place."""
        self.texts.append(Shape("text", look, (("x", x), ("y", y)), text=text))

    def scale(self, most: float, unit: str = "", *, parts: int = LINES_ACROSS) -> None:
        """Draw lines across a chart up to `most`, with what they stand for beside them."""
        grid = self.grid
        for amount in (most * part / parts for part in range(parts + 1)):
            y = grid.y(amount, most)
            places = (("x1", grid.line_start), ("x2", grid.line_end), ("y1", y), ("y2", y))
            self.shapes.append(Shape("line", grid.line_look, places))
            drop = round(y + grid.amount_drop, 1)
            self.write(grid.amount_look, grid.amount_x, drop, f"{plain(amount)}{unit}")

    def name_columns(
        self,
        places: Sequence[float],
        labels: Sequence[str],
        *,
        most: int | None = None,
        longest: int | None = None,
    ) -> None:
        """Write labels under their places: `most` of them at equal distances, long ones cut."""
        every = -(-len(labels) // most) or 1 if most is not None else 1
        for x, label in list(zip(places, labels, strict=True))[::every]:
            is_long = longest is not None and len(label) > longest
            text = f"{label[: longest - 1]}…" if longest is not None and is_long else label
            self.write(self.grid.label_look, round(x, 1), self.grid.label_y, text)

    def bars(
        self,
        labels: Sequence[str],
        series: Sequence[Series],
        most: float,
        *,
        width: float,
        say: Say,
    ) -> None:
        """Draw a bar for each value, those of one label side by side in the middle of its column.

        `say` returns a bar's title, of its label, the name of its series and the value.
        """
        grid = self.grid
        middles = grid.middles(len(labels))
        for place, one in enumerate(series):
            for label, middle, value in zip(labels, middles, one.values, strict=True):
                y = grid.y(value, most)
                x = round(middle + (place - len(series) / 2) * width, 1)
                height = round(grid.base - y, 1)
                said = say(label, one.name, plain(value))
                self.box(one.look, x, y, round(width, 1), height, said=said)


def plain(amount: float) -> str:
    """Return an amount in digits, without a fraction where it has none."""
    return str(int(amount)) if amount == int(amount) else f"{amount:g}"


def points_of(grid: Grid, places: Sequence[float], values: Sequence[float], most: float) -> str:
    """Return a line as SVG has it; it may end before the last place."""
    return " ".join(
        f"{x:.1f},{grid.y(value, most):.1f}" for x, value in zip(places, values, strict=False)
    )


def most_of(series: Sequence[Series]) -> float:
    """Return the greatest value that a chart shows, 0 if it shows none."""
    return max((value for one in series for value in one.values), default=0)


def rows_of(labels: Sequence[str], series: Sequence[Series]) -> list[tuple[str, list[float]]]:
    """Return what a chart shows as rows of a table: each label and its value in every series."""
    return [(label, [one.values[at] for one in series]) for at, label in enumerate(labels)]


def round_top(most: float, *, steps: Sequence[int], least: int = 1) -> float:
    """Return the smallest round number that is not below `most`: a step times a power of ten."""
    size = 1
    while True:
        for step in steps:
            if least <= step * size >= most:
                return step * size
        size *= 10


def add_slices(
    chart: Chart, parts: Sequence[tuple[str, float]], looks: Sequence[str], middle: float = 100
) -> None:
    """Draw the parts of a circle around (middle, middle), clockwise from the top."""
    total = sum(count for _, count in parts)
    before = 0.0
    for at, (label, count) in enumerate(parts):
        if not count:
            continue
        look, said = looks[at % len(looks)], f"{label}: {plain(count)}"
        if count == total:
            round_places = (("cx", middle), ("cy", middle), ("r", f"{PIE_RADIUS:g}"))
            chart.shapes.append(Shape("circle", look, round_places, said))
            return
        start, end = before / total, (before + count) / total
        before += count
        path = _slice(start, end, middle)
        chart.shapes.append(Shape("path", look, (("d", path),), said))


def _slice(start: float, end: float, middle: float) -> str:
    """Return the path of a slice from one part of a turn to another."""
    is_large = 1 if end - start > 0.5 else 0
    arc = f"A{PIE_RADIUS:.0f},{PIE_RADIUS:.0f} 0 {is_large} 1 "
    return f"M{middle:g},{middle:g}L{_rim(start, middle)}{arc}{_rim(end, middle)}Z"


def _rim(turn: float, middle: float) -> str:
    angle = 2 * pi * turn
    return f"{middle + PIE_RADIUS * sin(angle):.2f},{middle - PIE_RADIUS * cos(angle):.2f}"
