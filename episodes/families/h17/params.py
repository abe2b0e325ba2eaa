"""The parameter space of H17: fifty condition trees, ten outputs, three ways to share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

State = Literal["unsolved", "unclosed", "open", "pending", "hold"]
Second = Literal["in_group", "other_group", "type", "nobody", "untagged"]
Either = Literal["pressing", "about"]
Order = Literal["plain", "grouped"]
Sharing = Literal["everyone", "group", "groups"]

STATES: Final[tuple[State, ...]] = ("unsolved", "unclosed", "open", "pending", "hold")
SECONDS: Final[tuple[Second, ...]] = ("in_group", "other_group", "type", "nobody", "untagged")
EITHERS: Final[tuple[Either, ...]] = ("pressing", "about")
COLUMNS: Final = (
    ("subject", "requester", "created", "priority", "assignee"),
    ("nice_id", "subject", "requester", "status", "updated"),
    ("subject", "organization", "group", "created", "priority"),
    ("nice_id", "subject", "requester", "type", "priority", "assignee"),
    ("subject", "requester", "group", "assignee", "updated", "status"),
)
ORDERS: Final[tuple[Order, ...]] = ("plain", "grouped")
SHARINGS: Final[tuple[Sharing, ...]] = ("everyone", "group", "groups")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H17: `state` and `second` must hold, and one of `either`."""

    state: State
    second: Second
    either: Either
    columns: tuple[str, ...]
    order: Order
    sharing: Sharing


def structural_variants() -> list[Params]:
    """Return all 1,500 variants, in a fixed order."""
    return [Params(*each) for each in product(STATES, SECONDS, EITHERS, COLUMNS, ORDERS, SHARINGS)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 1,500 and 587 have no common factor, so 1,500 numbers in a row meet every variant once.
    return variants[(instance.number * 587) % len(variants)]
