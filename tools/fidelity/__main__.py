"""How much of a vendor's API is there, and whether the tests would notice if it were not.

    python -m tools.fidelity --clone NAME [--prove N] [--seed S] [--only ID...]

Runs the clone's API tests once, writes its `witnesses.json` and its page of operations under
`docs/fidelity`, and prints the counts. With `--prove` it then breaks N
random operations one at a time, in each way that there is, and ends with 1 if no test notices one.
"""

from __future__ import annotations

import argparse
import random
import sys

from tools.fidelity import witnesses
from tools.fidelity.breaks import Break, breaks_of, notice
from tools.fidelity.page import coverage, page
from tools.fidelity.rehearsal import Rehearsal
from tools.fidelity.subject import SUBJECTS, Subject


def write_page(subject: Subject) -> bool:
    """Write the page, print the counts, and tell whether every absent operation has a reason."""
    found = coverage(subject)
    subject.page.write_text(page(subject, found), encoding="utf-8")
    for state, number in found.counts().items():
        print(f"{number:5} {state}")
    for row in found.present:
        if row.state == "partial":
            print(f"partial: {row.name}: {row.note}")
    for row in found.unexplained:
        print(f"no reason in {subject.reasons.name}: {row.method} {row.path}")
    return not found.unexplained


def chosen(subject: Subject, number: int, seed: int, only: list[str]) -> list[Break]:
    """Return the breaks of some random operations, or of those that are named.

    Raises:
        SystemExit: a name is no operation's.
    """
    known = subject.operations.all
    unknown = [name for name in only if name not in known]
    if unknown:
        raise SystemExit(f"no such operation: {', '.join(unknown)}")
    ready = [row.name for row in coverage(subject).present if row.vouched]
    chance = random.Random(seed)  # noqa: S311 - which are broken is no secret
    names = only or chance.sample(sorted(ready), min(number, len(ready)))
    return [fault for name in names for fault in breaks_of(subject, known[name])]


def main(arguments: list[str]) -> int:
    """Report, and prove if asked to; return 0 where all is well."""
    parser = argparse.ArgumentParser(prog="make coverage-report")
    parser.add_argument("--clone", required=True, choices=sorted(SUBJECTS))
    parser.add_argument("--prove", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", nargs="*", default=[], metavar="ID")
    options = parser.parse_args(arguments)
    subject = SUBJECTS[options.clone]
    silent: list[Break] = []
    explained: list[bool] = []

    def report(rehearsal: Rehearsal) -> None:
        witnesses.write(subject, witnesses.choose(rehearsal.seen, witnesses.read(subject)))
        explained.append(write_page(subject))
        if not (options.prove or options.only):
            return
        faults = chosen(subject, options.prove, options.seed, options.only)
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

    Rehearsal(subject, report).run()
    return 0 if all(explained) and not silent else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
