"""Plain statistics, without a numeric library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def gini(values: Iterable[float]) -> float:
    """Return the Gini coefficient: 0 when all are equal, near 1 when one has everything."""
    ordered = sorted(values)
    total = sum(ordered)
    count = len(ordered)
    weighted = sum(rank * value for rank, value in enumerate(ordered, start=1))
    return 2 * weighted / (count * total) - (count + 1) / count


def dispersion(values: Sequence[float]) -> float:
    """Return variance over mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1) / mean


def cramers_v(pairs: Iterable[tuple[Hashable, Hashable]]) -> float:
    """Return how strongly two columns depend on each other, 0 to 1."""
    cells = Counter(pairs)
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (row, column), count in cells.items():
        rows[row] += count
        columns[column] += count
    total = sum(rows.values())
    squares = sum(
        (cells.get((row, column), 0) - rows[row] * columns[column] / total) ** 2
        / (rows[row] * columns[column] / total)
        for row in rows
        for column in columns
    )
    return math.sqrt(squares / total / max(min(len(rows), len(columns)) - 1, 1))


def zipf_slope(counts: Iterable[int], top: int = 30) -> float:
    """Return the slope of log count over log rank among the most frequent values."""
    ordered = sorted((count for count in counts if count), reverse=True)[:top]
    points = [(math.log(rank), math.log(count)) for rank, count in enumerate(ordered, start=1)]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    across = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / across


def normal_cdf(value: float, mean: float, sigma: float) -> float:
    """Return the share of a normal distribution below a value."""
    return 0.5 * (1 + math.erf((value - mean) / (sigma * math.sqrt(2))))


def fit_normals(
    values: Sequence[float], parts: int, rounds: int = 200
) -> list[tuple[float, float, float]]:
    """Return (weight, mean, sigma) of a mixture of normals fitted by expectation maximisation."""
    ordered = sorted(values)
    size = len(ordered)
    chunks = [ordered[size * part // parts : size * (part + 1) // parts] for part in range(parts)]
    fitted = [(1 / parts, sum(chunk) / len(chunk), max(_spread(chunk), 0.3)) for chunk in chunks]
    if parts == 1:
        return [(1.0, sum(values) / size, _spread(values))]
    for _ in range(rounds):
        shares = [
            [weight * _density(value, mean, sigma) for weight, mean, sigma in fitted]
            for value in values
        ]
        totals = [sum(row) or 1e-300 for row in shares]
        news = []
        for part in range(parts):
            belongs = [row[part] / total for row, total in zip(shares, totals, strict=True)]
            mass = sum(belongs)
            mean = sum(b * value for b, value in zip(belongs, values, strict=True)) / mass
            sigma = math.sqrt(
                sum(b * (value - mean) ** 2 for b, value in zip(belongs, values, strict=True))
                / mass
            )
            news.append((mass / size, mean, max(sigma, 0.05)))
        fitted = news
    return fitted


def ks_distance(values: Sequence[float], fitted: Sequence[tuple[float, float, float]]) -> float:
    """Return the largest gap between the values' distribution and a mixture's."""
    ordered = sorted(values)
    size = len(ordered)
    worst = 0.0
    for rank, value in enumerate(ordered):
        model = sum(weight * normal_cdf(value, mean, sigma) for weight, mean, sigma in fitted)
        worst = max(worst, abs(model - rank / size), abs(model - (rank + 1) / size))
    return worst


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _density(value: float, mean: float, sigma: float) -> float:
    return math.exp(-((value - mean) ** 2) / (2 * sigma * sigma)) / sigma
