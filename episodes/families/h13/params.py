"""The parameter space of H13: forty mixes of actions, three restrictions, six placeholders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Status = Literal["open", "pending", "hold"]
Filing = Literal["priority", "tags", "retag", "group", "category"]
Access = Literal["named", "ours", "same"]
Slot = Literal["first_name", "name", "id", "title", "organization", "agent"]

STATUSES: Final[tuple[Status | None, ...]] = (None, "open", "pending", "hold")
FILINGS: Final[tuple[Filing, ...]] = ("priority", "tags", "retag", "group", "category")
MODES: Final = (True, False)
ACCESSES: Final[tuple[Access, ...]] = ("named", "ours", "same")
SLOTS: Final[tuple[tuple[Slot, ...], ...]] = (
    ("first_name",),
    ("name",),
    ("first_name", "id"),
    ("name", "title"),
    ("first_name", "organization"),
    ("name", "agent"),
)


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H13.

    `status` is what the macro sets, None for what it leaves alone; `filing` what else it sets;
    `public` whether its text is a public reply. `access` is how the mail says whose macro it is: a
    group by name, the asker's own, or the same as another macro's. `slots` are what its text fills
    in.
    """

    status: Status | None
    filing: Filing
    public: bool
    access: Access
    slots: tuple[Slot, ...]


def structural_variants() -> list[Params]:
    """Return all 720 variants, in a fixed order."""
    return [
        Params(status, filing, public, access, slots)
        for status in STATUSES
        for filing in FILINGS
        for public in MODES
        for access in ACCESSES
        for slots in SLOTS
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in all of it."""
    variants = structural_variants()
    # 421 and 720 have no common factor, so 720 numbers in a row meet every variant once.
    return variants[(instance.number * 421) % len(variants)]
