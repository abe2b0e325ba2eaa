"""Print what several runs of pytest came to, as pytest does for one.

    python tools/summary.py reports/a.xml reports/b.xml

Each is a run's `--junitxml`. A report that is missing counts as one error: its run did not end.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import timedelta
from pathlib import Path

WIDTH = 80
OUTCOMES = ("failures", "passed", "skipped", "errors")
WORDS = {"failures": "failed", "passed": "passed", "skipped": "skipped", "errors": "errors"}


def tally(report: Path) -> tuple[Counter[str], float]:
    """Return a report's tests by outcome, and the run's seconds."""
    if not report.is_file():
        return Counter(errors=1), 0.0
    found: Counter[str] = Counter()
    seconds = 0.0
    for suite in ET.parse(report).getroot().iter("testsuite"):  # noqa: S314 - a report of our own
        counts = {name: int(suite.get(name, "0")) for name in ("errors", "failures", "skipped")}
        found.update(counts)
        found["passed"] += int(suite.get("tests", "0")) - sum(counts.values())
        seconds += float(suite.get("time", "0"))
    return found, seconds


def summary(reports: list[Path]) -> tuple[str, bool]:
    """Return the line, and whether all is well."""
    total: Counter[str] = Counter()
    seconds = 0.0
    for report in reports:
        found, took = tally(report)
        total.update(found)
        seconds += took
    parts = [f"{total[name]} {WORDS[name]}" for name in OUTCOMES if total[name]]
    clock = timedelta(seconds=int(seconds))
    line = f" {', '.join(parts) or 'no tests ran'} in {seconds:.2f}s ({clock}) "
    return line.center(WIDTH, "="), bool(total["passed"]) and not (
        total["failures"] or total["errors"]
    )


def by_suite(reports: list[Path]) -> list[str]:
    """Return a line for each report: its name, its minutes and its tests by outcome."""
    lines = []
    for report in reports:
        found, seconds = tally(report)
        counts = ", ".join(f"{found[name]} {WORDS[name]}" for name in OUTCOMES if found[name])
        clock = timedelta(seconds=int(seconds))
        lines.append(f"{report.stem:16} {clock!s:>8}  {counts or 'no tests ran'}")
    return lines


def main(arguments: list[str]) -> int:
    """Print the suites and the line; return 1 if something failed."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    reports = [Path(name) for name in arguments]
    line, well = summary(reports)
    print(*by_suite(reports), line, sep="\n")
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
