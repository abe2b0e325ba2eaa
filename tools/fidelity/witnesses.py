"""The tests that vouch for operations, chosen from what a run saw."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tools.fidelity.subject import Subject

KINDS = ("2xx", "4xx")
# A test that calls more than this many operations is a round over all of them: it vouches for none.
ROUND = 25
Seen = Mapping[str, set[tuple[str, str]]]


def vouching(seen: Seen) -> dict[str, set[tuple[str, str]]]:
    """Return what each test sees, without the tests that go round all operations."""
    return {
        test: calls
        for test, calls in seen.items()
        if len({operation for operation, _ in calls}) <= ROUND
    }


def choose(seen: Seen, before: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return a test for each operation and kind of answer.

    One that was chosen before stays while it sees the answer; else it is the one that calls the
    fewest operations, and is so the most about this one.
    """
    tests = vouching(seen)
    found: dict[str, dict[str, str]] = {}
    order = sorted(tests, key=lambda test: (len(tests[test]), test), reverse=True)
    for test in order:
        for operation, kind in tests[test]:
            if kind in KINDS:
                found.setdefault(operation, {})[kind] = test
    for operation, kinds in before.items():
        for kind, test in kinds.items():
            if (operation, kind) in tests.get(test, set()):
                found[operation][kind] = test
    return found


def read(subject: Subject) -> dict[str, dict[str, str]]:
    """Return the chosen tests as they are in the file, none where there is none."""
    if not subject.witnesses.exists():
        return {}
    found: dict[str, dict[str, str]] = json.loads(subject.witnesses.read_text(encoding="utf-8"))
    return found


def write(subject: Subject, found: Mapping[str, Mapping[str, str]]) -> None:
    """Write the file."""
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    subject.witnesses.write_text(text, encoding="utf-8")
