"""What one certification check is, and what it found on one instance or on all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from episodes.certify.runs import Trial

Scope = Literal["every", "deep", "all"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a check measured; `wrong` holds one line for each thing that does not hold."""

    measured: Any
    wrong: tuple[str, ...] = ()
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Certification:
    """One check of certification.

    `look` is asked of one instance, or (`scope` all) of all deep ones at once; `scope` deep checks
    are asked of the instances that are looked into deeply, `every` of each.
    """

    number: int
    sentence: str
    threshold: Any
    scope: Scope
    look: Callable[[Trial], Found] | None = None
    look_at_all: Callable[[Sequence[Trial]], Found] | None = None
