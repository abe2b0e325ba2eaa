"""Which request meets which fault: a pure function of seed, clone and the request's number.

Faults come as incidents, not as independent coins: a few requests in a row meet the same trouble,
and then nothing for a while. Each window of `WINDOW` requests has at most one incident, which lies
in it whole, so a request's fault is found without looking at the ones before.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from clones.core.randomness import Random, seeded

Kind = Literal["429", "500", "502", "503", "504", "latency", "timeout", "drop"]
Trouble = Literal["throttled", "outage", "slow", "network"]
Drawn = TypeVar("Drawn")

KINDS: Final[tuple[Kind, ...]] = (
    "429",
    "500",
    "502",
    "503",
    "504",
    "latency",
    "timeout",
    "drop",
)
LEVELS: Final = {"light": 0.02, "moderate": 0.05, "heavy": 0.10}
PREFIX: Final = "injected_"

WINDOW: Final = 10
# How often each trouble is what an incident is of, and how many requests it lasts: vendors shed
# load and fall over for a moment far more often than networks break. Whoever is throttled and waits
# as told gets through, so that lasts one request.
TROUBLES: Final[dict[Trouble, float]] = {
    "throttled": 0.25,
    "outage": 0.40,
    "slow": 0.20,
    "network": 0.15,
}
LENGTHS: Final[dict[Trouble, dict[int, float]]] = {
    "throttled": {1: 1.0},
    "outage": {1: 0.60, 2: 0.25, 3: 0.10, 4: 0.05},
    "slow": {1: 0.60, 2: 0.25, 3: 0.10, 4: 0.05},
    "network": {1: 0.70, 2: 0.30},
}
OUTAGE: Final[dict[Kind, float]] = {"503": 0.45, "502": 0.25, "500": 0.20, "504": 0.10}
NETWORK: Final[dict[Kind, float]] = {"timeout": 0.5, "drop": 0.5}
# A browser's user sees the pages of the vendor's gateway where its own connection would break.
ON_PAGES: Final[dict[Kind, Kind]] = {"timeout": "504", "drop": "502"}
# What may break after the write it carried was made.
LATE: Final = frozenset({"502", "504", "timeout", "drop"})
APPLIED_SHARE: Final = 0.5
# Shorter than any step, so that whoever comes back in another step has waited as told.
RETRY_AFTER: Final = (1, 8)
RETRY_AFTER_SHARE: Final = 0.5
LATENCY: Final = (0.2, 2.0)
# A driven browser takes a page that stays away for two seconds for one that failed.
LATENCY_OF_PAGES: Final = (0.2, 0.8)
MEAN_LENGTH: Final = sum(
    share * sum(length * part for length, part in LENGTHS[trouble].items())
    for trouble, share in TROUBLES.items()
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that one request meets.

    `applied` says that the write was made before its answer was lost, `retry_after` how many
    seconds the answer asks to wait, `seconds` by how much the true answer is late.
    """

    kind: Kind
    applied: bool = False
    retry_after: int | None = None
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The name under which the request log has it."""
        return f"{PREFIX}{self.kind}{'_applied' if self.applied else ''}"

    @property
    def reaches(self) -> bool:
        """Whether the request is carried out all the same."""
        return self.applied or self.kind == "latency"


def setting(level: str, material: str) -> str:
    """Return faults of a level, drawn by what `material` says, as the registry keeps them.

    The registry's text tells nothing of `material`: workers of the data plane read it.
    """
    if level not in LEVELS:
        raise ValueError(f"there is no level of faults {level!r}: use {', '.join(LEVELS)}")
    return f"{level}:{hashlib.blake2b(material.encode(), digest_size=8).hexdigest()}"


def fault_at(
    setting: str, seed: str, clone: str, number: int, *, write: bool, page: bool
) -> Fault | None:
    """Return what the `number`-th request to a clone (1, 2, 3...) meets, None if all is well."""
    level, _, salt = setting.partition(":")
    material = f"{seed}|faults|{salt}|{clone}"
    window, place = divmod(number - 1, WINDOW)
    chance = seeded(f"{material}|{window}")
    if chance.random() >= LEVELS[level] * WINDOW / MEAN_LENGTH:
        return None
    trouble = _one_of(TROUBLES, chance)
    length = _one_of(LENGTHS[trouble], chance)
    # The window's last request is well: no incident runs into the next one.
    begins = chance.randint(0, WINDOW - 1 - length)
    if not begins <= place < begins + length:
        return None
    is_last = place == begins + length - 1
    own = seeded(f"{material}|{window}|{place}")
    return _fault(trouble, own, write=write, page=page, is_last=is_last)


def _fault(trouble: Trouble, chance: Random, *, write: bool, page: bool, is_last: bool) -> Fault:
    if trouble == "throttled":
        return Fault("429", retry_after=chance.randint(*RETRY_AFTER))
    if trouble == "slow":
        span = LATENCY_OF_PAGES if page else LATENCY
        return Fault("latency", seconds=round(chance.uniform(*span), 3))
    kind = _one_of(OUTAGE if trouble == "outage" else NETWORK, chance)
    applied = chance.random() < APPLIED_SHARE
    tells = chance.random() < RETRY_AFTER_SHARE
    if page:
        kind = ON_PAGES.get(kind, kind)
    retry_after = None
    if kind == "503" and is_last and tells:
        # What it promises is kept: the trouble is over by then.
        retry_after = chance.randint(*RETRY_AFTER)
    return Fault(kind, applied=applied and write and kind in LATE, retry_after=retry_after)


def _one_of(shares: dict[Drawn, float], chance: Random) -> Drawn:
    return chance.choices(list(shares), weights=list(shares.values()))[0]
