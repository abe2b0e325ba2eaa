"""The parameter space of H16: whom a contract covers, what it promises, how time counts, where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Scope = Literal["firm", "type", "group", "two"]
Hours = Literal["business", "calendar", "mixed"]
Place = Literal["first", "after"]

SCOPES: Final[tuple[Scope, ...]] = ("firm", "type", "group", "two")
METRICS: Final[tuple[tuple[str, ...], ...]] = (
    ("first_reply_time", "next_reply_time"),
    ("first_reply_time", "requester_wait_time"),
    ("first_reply_time", "total_resolution_time"),
    ("first_reply_time", "agent_work_time"),
    ("next_reply_time", "total_resolution_time"),
)
HOURS: Final[tuple[Hours, ...]] = ("business", "calendar", "mixed")
PRIORITIES: Final[tuple[tuple[str, ...], ...]] = (
    ("urgent", "high", "normal", "low"),
    ("urgent", "high", "normal"),
    ("urgent", "high"),
)
PLACES: Final[tuple[Place, ...]] = ("first", "after")
# Those that run around the clock where hours are mixed.
AROUND_THE_CLOCK: Final = frozenset({"urgent", "high"})


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H16.

    `scope` is whose tickets are covered: all of a firm's, those of a type or in a group, or those
    of two firms. `place` is first of all policies, or after the one that goes before any contract.
    """

    scope: Scope
    metrics: tuple[str, ...]
    hours: Hours
    priorities: tuple[str, ...]
    place: Place

    def in_business_hours(self, priority: str) -> bool:
        """Tell whether the times of a priority count in business hours."""
        if self.hours == "mixed":
            return priority not in AROUND_THE_CLOCK
        return self.hours == "business"


def structural_variants() -> list[Params]:
    """Return all 360 variants, in a fixed order."""
    return [
        Params(scope, metrics, hours, priorities, place)
        for scope in SCOPES
        for metrics in METRICS
        for hours in HOURS
        for priorities in PRIORITIES
        for place in PLACES
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 127 and 360 have no common factor, so 360 numbers in a row meet every variant once.
    return variants[(instance.number * 127) % len(variants)]
