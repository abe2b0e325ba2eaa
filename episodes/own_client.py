"""Episodes whose agent calls the vendors' APIs with a client of its own.

The data plane counts the steps then, and nobody waits for grades in between. They are made
afterwards: a fork is rewound from step to step, the last one first, and each state graded as if the
step had just been taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from clones.core import clock
from clones.core.faults import UNANSWERED
from clones.core.journal import journal
from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes.context import EpisodeContext
from episodes.grading import GradedStep, Grader
from episodes.spaces.played import Played
from episodes.traffic import met_faults
from sandlot.service import Act, Observation


@dataclass(frozen=True, slots=True)
class Span:
    """A step's place in the journal: rows after `begins` and up to `ends` are its own."""

    step: int
    begins: int
    ends: int


@dataclass(frozen=True, slots=True)
class PastStep:
    """A step graded after the fact; `at` is the sandbox's time after it."""

    step: int
    at: str
    graded: GradedStep
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


def past_steps(ground: EpisodeContext, grader: Grader, *, after_step: int) -> list[PastStep]:
    """Grade the steps that the agent's own client took after `after_step`, in order."""
    sandboxes, stores = ground.host.sandboxes, server().stores
    row = server().registry.get(ground.sandbox.id)
    with stores.bind(row.store, row.id), unit_of_work("read"):
        found = spans(grader.start, after_step)
    if not found:
        return []
    logged = server().requests.read(row.id)
    fork = sandboxes.fork(row.id)
    steps: list[PastStep] = []
    try:
        with stores.bind(fork.store, fork.id):
            for span in reversed(found):
                with unit_of_work("write"):
                    journal().rewind(span.ends)
                with unit_of_work("read"):
                    steps.append(
                        PastStep(
                            span.step,
                            clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
                            grader.grade_with_changes(span.begins),
                            tuple(entry for entry in logged if entry.step == span.step),
                        )
                    )
    finally:
        sandboxes.delete(fork.id)
    return list(reversed(steps))


def own_act(past: PastStep) -> tuple[Act, Played]:
    """Return the form in which a record keeps a request of the agent's own client."""
    last = past.requests[-1] if past.requests else None
    act = Act(
        tool="own_request",
        arguments={
            "method": last.method if last else "",
            "path": last.path if last else "",
            "operation": last.operation if last else None,
        },
    )
    if last is not None and last.status == UNANSWERED:
        observation = Observation(kind="error", now=past.at, text="no answer came")
    else:
        status = last.status if last else None
        observation = Observation(kind="http", now=past.at, status=status)
    played = Played(
        observation,
        requests=tuple(entry.id for entry in past.requests),
        refused=last is not None and last.status >= 400,
        faults=met_faults(past.requests),
    )
    return act, played
