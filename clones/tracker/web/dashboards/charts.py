"""Charts of gadgets as shapes: where slices, lines, marks and labels stand; templates draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

WIDTH: Final = 520
HEIGHT: Final = 220
LEFT: Final = 36
RIGHT: Final = 28
TOP: Final = 12
BOTTOM: Final = 26
LABELS: Final = 7
HUES: Final = 8
RADIUS: Final = 90.0


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a circle: a path, or with `whole` all of it; `hue` counts from 0."""

    path: str
    hue: int
    said: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across a chart, or a label under it."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart: its points, and its name."""

    name: str
    points: str
    hue: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over labels."""

    lines: tuple[Line, ...]
    rules: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    base: int = HEIGHT - BOTTOM


def slices(parts: Sequence[tuple[str, int]]) -> list[Slice]:
    """Return the slices of a circle around (100, 100), clockwise from the top."""
    total = sum(count for _, count in parts)
    found: list[Slice] = []
    before = 0
    for at, (label, count) in enumerate(parts):
        if not count:
            continue
        said = f"{label}: {count}"
        if count == total:
            return [Slice("", at % HUES, said, whole=True)]
        start, end = before / total, (before + count) / total
        before += count
        big = 1 if end - start > 0.5 else 0
        path = f"M100,100L{_point(start)}A{RADIUS:.0f},{RADIUS:.0f} 0 {big} 1 {_point(end)}Z"
        found.append(Slice(path, at % HUES, said))
    return found


def _point(turn: float) -> str:
    angle = 2 * pi * turn
    return f"{100 + RADIUS * sin(angle):.2f},{100 - RADIUS * cos(angle):.2f}"


def line_chart(labels: Sequence[str], series: Sequence[tuple[str, Sequence[float]]]) -> Chart:
    """Return a chart of lines; each has a value for every label."""
    top = _top(max((value for _, values in series for value in values), default=0))
    count = max(1, len(labels))
    step = (WIDTH - LEFT - RIGHT) / max(1, count - 1)

    def height(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(0.0, value) / top

    lines = tuple(
        Line(
            name,
            " ".join(
                f"{LEFT + step * at:.1f},{height(value):.1f}" for at, value in enumerate(values)
            ),
            hue,
        )
        for hue, (name, values) in enumerate(series)
    )
    every = -(-count // LABELS)
    marks = tuple(
        Mark(round(LEFT + step * at, 1), label)
        for at, label in enumerate(labels)
        if at % every == 0
    )
    rules = tuple(
        Mark(round(height(top * part / 4), 1), f"{top * part / 4:g}") for part in range(5)
    )
    return Chart(lines, rules, marks)


def _top(most: float) -> int:
    """Return the round number, a multiple of four, that a chart reaches up to."""
    size = 4
    while most > size:
        size *= 2
    return size
