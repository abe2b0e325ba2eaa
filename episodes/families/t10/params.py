"""The parameter space of T10: eleven layouts of columns, five pairs of filters, four swimlanes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from episodes.tasks.instances import InstanceId

# A column: its name, its statuses, its least and its most work items.
Column = tuple[str, tuple[str, ...], int | None, int | None]

TODO: Final = "To Do"
DOING: Final = "In Progress"
REVIEW: Final = "In Review"
DONE: Final = "Done"
LAYOUTS: Final[tuple[tuple[Column, ...], ...]] = (
    (
        ("Ready", (TODO,), None, None),
        ("Building", (DOING,), None, 4),
        ("Checking", (REVIEW,), None, 3),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Open", (TODO, DOING), None, 12),
        ("Review", (REVIEW,), None, 4),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Next up", (TODO,), 2, None),
        ("Doing", (DOING, REVIEW), None, 6),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Next up", (TODO,), 3, 15),
        ("Building", (DOING,), None, 5),
        ("Out the door", (REVIEW, DONE), None, None),
    ),
    (
        ("Building", (DOING,), 1, 5),
        ("Checking", (REVIEW,), None, 5),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Ready", (TODO,), None, None),
        ("Building", (DOING,), None, 3),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Ready", (TODO,), None, None),
        ("Building", (DOING,), None, 4),
        ("Waiting", (), None, 2),
        ("Checking", (REVIEW,), None, 4),
        ("Finished", (DONE,), None, None),
    ),
    (
        ("Checking", (REVIEW,), None, 3),
        ("Building", (DOING,), None, 4),
        ("Ready", (TODO,), 2, None),
        ("Finished", (DONE,), None, None),
    ),
    (("Unfinished", (TODO, DOING, REVIEW), None, 30), ("Finished", (DONE,), None, None)),
    (
        ("Ready", (TODO,), 2, 10),
        ("Under way", (DOING,), 1, 4),
        ("Checked", (REVIEW, DONE), None, None),
    ),
    (
        ("Building", (TODO, DOING), None, 8),
        ("Checking", (REVIEW,), 1, 3),
    ),
)
PAIRS: Final = ("pressing", "labelled", "bugs", "bare", "due")
LANES: Final = ("none", "assignee", "parent", "project")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant."""

    layout: int
    pair: str
    lanes: str

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are wanted, from left to right."""
        return LAYOUTS[self.layout]


def structural_variants() -> list[Params]:
    """Return all 220 variants, in a fixed order."""
    return [Params(*each) for each in product(range(len(LAYOUTS)), PAIRS, LANES)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 220 and 83 have no common factor, so 220 numbers in a row meet every variant once.
    return variants[(instance.number * 83) % len(variants)]
