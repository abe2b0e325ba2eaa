"""Episodes whose agent calls the vendors' APIs with a client of its own.

The data plane counts the steps then, and nobody waits for grades in between. They are made
afterwards: a fork is rewound from step to step, the last one first, and each state graded as if the
step had just been taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clones.core import clock
from clones.core.journal import canonical_changes, fingerprint, journal
from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.grading import StepGrade, grade_step
from episodes.spaces.played import Played
from episodes.tasks.scenes import scene_of
from episodes.tasks.spec import Arranged, Family
from sandlot.service import Act, Observation

if TYPE_CHECKING:
    from episodes.host import Host


@dataclass(frozen=True, slots=True)
class Span:
    """A step's place in the journal: rows after `begins` and up to `ends` are its own."""

    step: int
    begins: int
    ends: int


@dataclass(frozen=True, slots=True)
class PastStep:
    """A step graded after the fact."""

    step: int
    grade: StepGrade
    changes: list[dict[str, Any]]
    fingerprint: str
    requests: tuple[LoggedRequest, ...]


def spans(since: int, after_step: int) -> list[Span]:
    """Return the steps since a journal position, later than a step, in order.

    A step begins where the sandbox's state row takes its number.
    """
    column = None
    begins: list[tuple[int, int]] = []
    for row in journal().rows(since):
        if row.table.name != "core_state" or row.before is None:
            continue
        column = row.table.columns.index("step")
        begins.append((row.seq, int(row.before[column])))
    starts: dict[int, int] = {}
    if not begins:
        return []
    for (seq, before), (_, after) in zip(begins, [*begins[1:], (0, -1)], strict=True):
        now = after if after >= 0 else clock.step()
        if now == before + 1:
            starts[now] = seq - 1
    ordered = sorted(starts.items())
    ends = [start for _, start in ordered[1:]] + [journal().position()]
    return [
        Span(step, start, end)
        for (step, start), end in zip(ordered, ends, strict=True)
        if step > after_step
    ]


def past_steps(
    host: Host,
    row: SandboxRow,
    family: Family,
    arranged: Arranged,
    *,
    since: int,
    after_step: int,
) -> list[PastStep]:
    """Grade the steps that the agent's own client took, in order."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        found = spans(since, after_step)
    if not found:
        return []
    logged = server().requests.read(row.id)
    fork = host.sandboxes.fork(row.id)
    steps: list[PastStep] = []
    try:
        with server().stores.bind(fork.store, fork.id):
            for span in reversed(found):
                with unit_of_work("write"):
                    journal().rewind(span.ends)
                with unit_of_work("read"):
                    scene = scene_of(arranged.facts, since=since, step_from=span.begins)
                    steps.append(
                        PastStep(
                            span.step,
                            grade_step(family, arranged, scene),
                            canonical_changes(journal().changes(span.begins)),
                            fingerprint(since),
                            tuple(entry for entry in logged if entry.step == span.step),
                        )
                    )
    finally:
        host.sandboxes.delete(fork.id)
    return list(reversed(steps))


def own_act(past: PastStep) -> tuple[Act, Played]:
    """Return the form in which a record keeps a request of the agent's own client."""
    requests = [entry for entry in past.requests if entry.status != 0]
    last = requests[-1] if requests else None
    act = Act(
        tool="own_request",
        arguments={
            "method": last.method if last else "",
            "path": last.path if last else "",
            "operation": last.operation if last else None,
        },
    )
    status = last.status if last else None
    observation = Observation(kind="http", now="", status=status)
    played = Played(
        observation,
        requests=tuple(entry.id for entry in requests),
        refused=status is not None and status >= 400,
    )
    return act, played
