"""Medians and percentiles of repeated measurements."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Figure:
    """One measured thing: samples in its unit, and budgets for median and 95th percentile."""

    name: str
    unit: str
    samples: list[float] = field(default_factory=list)
    budget: float | None = None
    budget_p95: float | None = None
    higher_is_better: bool = False

    @property
    def median(self) -> float:
        """The middle sample."""
        return percentile(self.samples, 50)

    @property
    def p95(self) -> float:
        """The sample that 95 in 100 do not pass (5 in 100, where more is better)."""
        return percentile(self.samples, 5 if self.higher_is_better else 95)

    @property
    def ratio(self) -> float | None:
        """How the median stands to its budget: above 1 is worse."""
        if self.budget is None:
            return None
        return self.budget / self.median if self.higher_is_better else self.median / self.budget

    def as_json(self) -> dict[str, Any]:
        """Return what is told of it, as plain data."""
        return {"name": self.name, "unit": self.unit, "median": self.median, "p95": self.p95}

    def line(self) -> str:
        """Return the figure as one line."""
        text = f"{self.name:52} {self.median:10.2f} {self.p95:10.2f} {self.unit:10}"
        if self.budget is not None:
            text += f" budget {self.budget:g}"
            if self.budget_p95 is not None:
                text += f" / {self.budget_p95:g}"
            text += f"   x{self.ratio:.2f}"
        return text


def percentile(samples: list[float], share: float) -> float:
    """Return the nearest-rank percentile of samples.

    Raises:
        ValueError: there are none.
    """
    if not samples:
        raise ValueError("nothing was measured")
    ordered = sorted(samples)
    place = round(share / 100 * (len(ordered) - 1))
    return ordered[place]


@contextmanager
def timed(figure: Figure) -> Iterator[None]:
    """Add the block's milliseconds to a figure."""
    started = time.perf_counter()
    yield
    figure.samples.append((time.perf_counter() - started) * 1000)


def repeat(figure: Figure, times: int, work: Callable[[], object], *, warm_up: int = 2) -> Figure:
    """Time `work` so many times, after a warm-up that does not count."""
    for _ in range(warm_up):
        work()
    for _ in range(times):
        with timed(figure):
            work()
    return figure
