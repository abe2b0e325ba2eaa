"""Ways to break an operation, to find out whether a test notices.

`unwritten`: what it writes is rolled back, and the answer says that it was done. `empty`: the lists
and records in its answer are emptied. `whole`: it takes no notice of which page is asked for.
`mute`: a refusal has the status 200.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from tools.fidelity.rehearsal import Rehearsal
from tools.fidelity.subject import Subject


class Break(NamedTuple):
    """One way in which one operation does not work."""

    operation: str
    kind: str


def breaks_of(subject: Subject, operation: Any) -> list[Break]:
    """Return the ways in which an operation can be broken."""
    if operation.id in subject.always_empty | subject.always_refused:
        return [Break(operation.id, "mute")]
    written = operation.writes and operation.id not in subject.writes_nothing
    kinds = ["unwritten" if written else "empty", "mute"]
    named = operation.schema()["properties"]
    paged = operation.id not in subject.one_page and any(
        set(names) <= set(named) for names in subject.pages
    )
    if operation.method == "GET" and paged and "count" not in operation.segments:
        kinds.append("whole")
    never = {"mute"} if operation.id in subject.never_refused else set()
    return [Break(operation.id, kind) for kind in kinds if kind not in never]


@contextmanager
def broken(subject: Subject, fault: Break) -> Iterator[None]:
    """Break an operation for the length of the block."""
    from django.db import transaction  # noqa: PLC0415 - Django is set up by now

    registry = subject.operations
    intact = registry.dispatch

    def unwritten(request: Any, dialect: Any, **place: Any) -> Any:
        if request.method in ("GET", "HEAD"):
            return intact(request, dialect, **place)
        with transaction.atomic():
            response = intact(request, dialect, **place)
            if request.operation_id == fault.operation and response.status_code < 400:
                transaction.set_rollback(True)
        return response

    def whole_list(request: Any, dialect: Any, **place: Any) -> Any:
        path = place.get("path", request.path).removesuffix(".json")
        methods, _ = registry._find(path.strip("/").split("/"))  # noqa: SLF001 - before the operation runs
        if methods and methods.get(request.method) is registry.all[fault.operation]:
            request.GET = request.GET.copy()
            asked = {name for names in subject.pages for name in names}
            for name in [name for name in request.GET if name.partition("[")[0] in asked]:
                del request.GET[name]
        return intact(request, dialect, **place)

    def altered(request: Any, dialect: Any, **place: Any) -> Any:
        response = intact(request, dialect, **place)
        if request.operation_id == fault.operation:
            if fault.kind == "empty" and response.status_code == 200:
                response.content = emptied(response.content)
            if fault.kind == "mute" and response.status_code >= 400:
                response.status_code = 200
        return response

    patch = pytest.MonkeyPatch()
    ways = {"unwritten": unwritten, "whole": whole_list}
    patch.setattr(registry, "dispatch", ways.get(fault.kind, altered))
    try:
        yield
    finally:
        patch.undo()


def emptied(content: bytes) -> bytes:
    """Return a body whose lists and records hold nothing; a list or a text itself is empty.

    Where there are none, its numbers are 0; where there are none either, its texts are empty. Of a
    body that is no JSON, such as a table, nothing is left.
    """
    try:
        body = json.loads(content)
    except ValueError:
        return b""
    if not isinstance(body, dict):
        return json.dumps(type(body)()).encode()
    kinds: tuple[tuple[type, ...], ...] = ((list, dict), (int,), (str,))
    held = next(
        (kind for kind in kinds if any(isinstance(value, kind) for value in body.values())), ()
    )
    return json.dumps(
        {name: type(value)() if isinstance(value, held) else value for name, value in body.items()}
    ).encode()


class Noticed(NamedTuple):
    """The test that noticed a break, and what it said."""

    test: str
    reason: str


def notice(rehearsal: Rehearsal, faults: list[Break]) -> Iterator[tuple[Break, Noticed | None]]:
    """Yield each fault with the first test that notices it, or None.

    Only tests that get the answers at stake are played, those about the fewest operations first:
    those that go round all operations come last.

    Raises:
        SystemExit: a test that noticed fails without the fault too, when it is played again.
    """
    seen = rehearsal.seen
    sound: set[str] = set()
    for fault in faults:
        answer = "4xx" if fault.kind == "mute" else "2xx"
        tests = [test for test, calls in seen.items() if (fault.operation, answer) in calls]
        tests.sort(key=lambda test: (len(seen[test]), test))
        found = None
        with broken(rehearsal.subject, fault):
            for test in tests:
                if rehearsal.play(rehearsal.items[test]):
                    found = Noticed(test, rehearsal.reason)
                    break
        if found is not None and found.test not in sound:
            if rehearsal.play(rehearsal.items[found.test]):
                raise SystemExit(f"{found.test} fails when it is played again: {rehearsal.reason}")
            sound.add(found.test)
        yield fault, found
