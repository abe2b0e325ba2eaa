"""What has happened, counted, in the form that Prometheus reads.

Workers count nothing: every request is in the request logs already, and what came since the last
look is added up when somebody looks. Counts of requests and jobs are those of the data directory,
the others those of this process.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client import Counter as Count
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from clones.core.journal import RewindReport
from clones.core.requestlog import Tally
from clones.core.server import server
from snapshots.pool import ClonePool

BOUNDS = (1, 2, 5, 10, 25, 50, 100, 250, 1000, 5000)  # milliseconds
RESETS = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)  # seconds
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
SANDBOX_STATES = ("live", "resetting", "quarantined")


@dataclass(slots=True)
class Answered:
    """Requests of one clone, method and class of status."""

    count: int = 0
    milliseconds: float = 0.0
    within: list[int] = field(default_factory=lambda: [0] * len(BOUNDS))

    def add(self, tally: Tally) -> None:
        """Add requests."""
        self.count += tally.count
        self.milliseconds += tally.milliseconds
        self.within = [have + new for have, new in zip(self.within, tally.within, strict=True)]

    def buckets(self) -> list[tuple[str, float]]:
        """Return how many took at most so many seconds."""
        bounds = [f"{bound / 1000:g}" for bound in BOUNDS]
        return [*zip(bounds, map(float, self.within), strict=True), ("+Inf", float(self.count))]


class Meters:
    """The counts of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._looking = threading.Lock()
        self._requests = Requests()
        self._resets = Histogram(
            "sandlot_rewind_seconds",
            "Seconds that rewinds took, resets among them",
            buckets=RESETS,
            registry=self._registry,
        )
        self._undone = Count(
            "sandlot_rewound_rows", "Journal rows that rewinds undid", registry=self._registry
        )
        self._episodes = Count(
            "sandlot_episodes", "Episodes that ended", ["outcome"], registry=self._registry
        )
        self._errors = Count(
            "sandlot_harness_errors",
            "Episodes that ended by a failure of ours",
            ["type"],
            registry=self._registry,
        )

    def note_rewind(self, report: RewindReport, seconds: float) -> None:
        """Count a rewind."""
        self._resets.observe(seconds)
        self._undone.inc(report.changes)

    def note_episode(self, outcome: str, error: dict[str, Any] | None) -> None:
        """Count an episode that has ended."""
        self._episodes.labels(outcome).inc()
        if error is not None:
            self._errors.labels(error["type"]).inc()

    def text(self, pool: ClonePool) -> bytes:
        """Return all of it as Prometheus reads it."""
        with self._looking:
            self._requests.look()
            looked = CollectorRegistry()
            looked.register(Looked([*self._requests.families(), *_jobs(), *_present(pool)]))
            return generate_latest(self._registry) + generate_latest(looked)


class Looked(Collector):
    """Families as they were found by one look."""

    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        """Yield them."""
        yield from self._families


class Requests:
    """What the request logs say, added up as far as they were read."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}
        self._answered: dict[tuple[str, str, str], Answered] = {}
        self._faults: Counter[tuple[str, str]] = Counter()
        self._positions: dict[str, int] = {}
        self._rows = 0

    def look(self) -> None:
        """Add what came since the last look."""
        for tally in server().requests.tally(self._seen, BOUNDS):
            clone = tally.clone or "none"
            method = tally.method if tally.method in METHODS else "other"
            status = f"{tally.hundreds}xx"
            self._answered.setdefault((clone, method, status), Answered()).add(tally)
            if tally.fault is not None:
                self._faults[clone, tally.fault] += tally.count
            if tally.sandbox is not None and tally.position is not None:
                self._note_position(tally.sandbox, tally.position)
        there = {row.id for row in server().registry.all()}
        self._positions = {name: at for name, at in self._positions.items() if name in there}

    def _note_position(self, sandbox: str, position: int) -> None:
        """Count the rows that a journal has grown by; positions never go back."""
        before = self._positions.get(sandbox)
        if before is None:
            before = server().registry.mark(sandbox, "base")
        self._rows += max(0, position - (position if before is None else before))
        self._positions[sandbox] = max(position, before or 0)

    def families(self) -> Iterator[Metric]:
        """Yield the counts."""
        requests = HistogramMetricFamily(
            "sandlot_request_seconds",
            "Requests that the data plane answered, by the seconds it took",
            labels=["clone", "method", "status"],
        )
        for labels, found in sorted(self._answered.items()):
            requests.add_metric(labels, found.buckets(), sum_value=found.milliseconds / 1000)
        yield requests
        faults = CounterMetricFamily(
            "sandlot_request_faults",
            "Requests that met a failure of ours, or one that was injected",
            labels=["clone", "fault"],
        )
        for (clone, fault), count in sorted(self._faults.items()):
            faults.add_metric([clone, fault], count)
        yield faults
        yield CounterMetricFamily(
            "sandlot_journal_rows",
            "Row changes in sandboxes, up to the last request of each",
            value=self._rows,
        )


def _jobs() -> Iterator[Metric]:
    runs = CounterMetricFamily(
        "sandlot_job_runs", "Jobs that were run, by what became of it", labels=["kind", "outcome"]
    )
    for (kind, outcome), count in sorted(server().jobs.read().items()):
        runs.add_metric([kind, outcome], count)
    yield runs
    yield GaugeMetricFamily(
        "sandlot_drains_waiting",
        "Sandboxes with jobs that are due and not yet run",
        value=len(server().registry.due_before(time.time())),
    )


def _present(pool: ClonePool) -> Iterator[Metric]:
    rows = server().registry.all()
    states = Counter("resetting" if row.resetting else row.state for row in rows)
    sandboxes = GaugeMetricFamily("sandlot_sandboxes", "Sandboxes by state", labels=["state"])
    for state in SANDBOX_STATES:
        sandboxes.add_metric([state], states[state])
    yield sandboxes
    running = sum(row.episode is not None for row in rows)
    yield GaugeMetricFamily("sandlot_episodes_running", "Episodes under way", value=running)
    yield GaugeMetricFamily("sandlot_pool_clones", "Clones made ahead", value=len(pool.ready()))
    yield GaugeMetricFamily(
        "sandlot_published_ports",
        "Ports that are one clone of one sandbox",
        value=len(server().registry.all_origins()),
    )
