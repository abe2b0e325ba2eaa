"""The parameter space of T15."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.families.t15.kinds import (
    APPROVERS,
    DECISIONS,
    NEEDS,
    READY,
    SLAS,
    Approver,
    Decision,
    Need,
    SlaName,
)
from episodes.tasks.instances import InstanceId


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T15.

    `need` is what one request lacks; `ready` how many are done and in time, `late` whether another
    one is late already; `approver` is who decides, whoever the request names or their deputy, and
    `decision` how; `promise` is the clock by which the queue is ordered.
    """

    need: Need
    approver: Approver
    decision: Decision
    ready: int
    late: bool
    promise: SlaName

    @property
    def running(self) -> int:
        """How many requests have a clock that runs."""
        return self.ready + self.late + 1


def structural_variants() -> list[Params]:
    """Return all 160 variants, in a fixed order."""
    return [
        Params(need, approver, decision, ready, late, promise)
        for need in NEEDS
        for approver in APPROVERS
        for decision in DECISIONS
        for ready in READY
        for late in (False, True)
        for promise in SLAS
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 43 and 160 have no common factor, so 160 numbers in a row meet every variant once.
    return variants[(instance.number * 43) % len(variants)]
