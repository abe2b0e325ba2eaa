"""How much of the vendor's helpdesk is there, and whether the tests would notice if it were not.

    python -m tools.fidelity [--prove N] [--seed S] [--only ID...]

Runs the helpdesk's API tests once, writes `tests/helpdesk/witnesses.json` and
`docs/fidelity/helpdesk-operations.md`, and prints the counts. With `--prove` it then breaks N
random operations one at a time, in each way that there is, and ends with 1 if no test notices one.
"""

from __future__ import annotations

import argparse
import random
import sys

from tools.fidelity import witnesses
from tools.fidelity.breaks import Break, breaks_of, notice
from tools.fidelity.page import PAGE, coverage, page
from tools.fidelity.rehearsal import Rehearsal


def write_page() -> bool:
    """Write the page, print the counts, and tell whether every absent operation has a reason."""
    found = coverage()
    PAGE.write_text(page(found), encoding="utf-8")
    for state, number in found.counts().items():
        print(f"{number:5} {state}")
    for row in found.present:
        if row.state == "partial":
            print(f"partial: {row.name}: {row.note}")
    for row in found.unexplained:
        print(f"no reason in tools/fidelity/absent.toml: {row.method} {row.path}")
    return not found.unexplained


def chosen(number: int, seed: int, only: list[str]) -> list[Break]:
    """Return the breaks of some random operations, or of those that are named.

    Raises:
        SystemExit: a name is no operation's.
    """
    from clones.helpdesk.api.entry import operations  # noqa: PLC0415 - Django is set up by now

    known = operations().all
    unknown = [name for name in only if name not in known]
    if unknown:
        raise SystemExit(f"no such operation: {', '.join(unknown)}")
    ready = [row.name for row in coverage().present if row.state == "implemented"]
    chance = random.Random(seed)  # noqa: S311 - which are broken is no secret
    names = only or chance.sample(sorted(ready), min(number, len(ready)))
    return [fault for name in names for fault in breaks_of(known[name])]


def main(arguments: list[str]) -> int:
    """Report, and prove if asked to; return 0 where all is well."""
    parser = argparse.ArgumentParser(prog="make coverage-report")
    parser.add_argument("--prove", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", nargs="*", default=[], metavar="ID")
    options = parser.parse_args(arguments)
    silent: list[Break] = []
    explained: list[bool] = []

    def report(rehearsal: Rehearsal) -> None:
        witnesses.write(witnesses.choose(rehearsal.seen, witnesses.read()))
        explained.append(write_page())
        if not (options.prove or options.only):
            return
        faults = chosen(options.prove, options.seed, options.only)
        print(f"{len({fault.operation for fault in faults})} operations, seed {options.seed}")
        for fault, found in notice(rehearsal, faults):
            if found is None:
                silent.append(fault)
                print(f"{fault.operation} {fault.kind}: NO TEST NOTICES", flush=True)
                continue
            reason = " ".join(found.reason.split())[:100]
            print(f"{fault.operation} {fault.kind}: {found.test}: {reason}", flush=True)
        print(f"{len(faults)} breaks, {len(faults) - len(silent)} noticed")
        for fault in silent:
            print(f"not noticed: {fault.operation} {fault.kind}")

    Rehearsal(report).run()
    return 0 if all(explained) and not silent else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
