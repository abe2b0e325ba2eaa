"""Print the measured properties of a fresh world beside those of real desks.

    python -m seeds.measures [--world kestrel] [--size standard] [--seed 1]

Ends with 1 if a property lies out of its bounds, which are wider by a fifth for small worlds.
"""

from __future__ import annotations

import argparse
import sys

from seeds.temporary import temporary_world


def main() -> int:
    """Build a world, print its properties, and tell by the exit code whether all hold."""
    parser = argparse.ArgumentParser(description="Print the properties of a freshly built world.")
    parser.add_argument("--world", default="kestrel")
    parser.add_argument("--size", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    out = 0
    with temporary_world(options.world, options.size, options.seed) as report:
        from seeds.measures.report import properties
        from seeds.measures.targets import CRM_TARGETS, TARGETS, TOLERANCE, TRACKER_TARGETS

        whole = report.counts["helpdesk.Ticket"] > 10_000
        tolerance = 0.0 if whole else TOLERANCE
        sys.stdout.write(f"{'property':32} {'value':>8}   {'target':14}      source\n")
        known = {**TARGETS, **TRACKER_TARGETS, **CRM_TARGETS}
        measured = properties(report, 1 if whole else 5)
        for name, value in measured.items():
            bounds = known[name]
            holds = bounds.holds(value, tolerance)
            out += not holds
            shown = f"{bounds.low:g} to {bounds.high:g}"
            verdict = "   " if holds else "OUT"
            sys.stdout.write(f"{name:32} {value:8.3f}   {shown:14} {verdict}  {bounds.source}\n")
        sys.stdout.write(f"{len(measured)} properties, {out} out of bounds\n")
    return 1 if out else 0


if __name__ == "__main__":
    sys.exit(main())
