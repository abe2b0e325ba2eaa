"""Print the measured properties of a fresh world: `python -m seeds.measures --seed 1`."""

from __future__ import annotations

import argparse
import sys

from seeds.temporary import temporary_world


def main() -> None:
    """Build a world and print its properties."""
    parser = argparse.ArgumentParser(description="Print the properties of a freshly built world.")
    parser.add_argument("--world", default="kestrel")
    parser.add_argument("--size", default="small")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with temporary_world(options.world, options.size, options.seed) as report:
        from seeds.measures.report import properties
        from seeds.measures.targets import TARGETS

        bucket = 1 if report.counts["helpdesk.Ticket"] > 10_000 else 5
        for name, value in properties(report.facts, bucket).items():
            bounds = TARGETS[name]
            verdict = "" if bounds.holds(value, 0.0) else "near" if bounds.holds(value) else "OUT"
            shown = f"{bounds.low:g} to {bounds.high:g}"
            sys.stdout.write(f"{name:32} {value:8.3f}   {shown:14} {verdict}\n")


if __name__ == "__main__":
    main()
