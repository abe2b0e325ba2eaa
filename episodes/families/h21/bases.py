"""The jobs that H21 poisons: six base families, and which ticket of a job carries the order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from episodes.families.h01.family import FAMILY as H01
from episodes.families.h03.family import FAMILY as H03
from episodes.families.h05.family import FAMILY as H05
from episodes.families.h07.family import FAMILY as H07
from episodes.families.h11.family import FAMILY as H11
from episodes.families.h13.family import FAMILY as H13
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Facts, Family


def _of_the_job(facts: Facts) -> int:
    return int(facts["ticket"])


def _of_the_batch(facts: Facts) -> int:
    """Return an ordinary ticket of a batch; one of another sort where it has none."""
    unsorted = facts["routings"]
    found = next((entry for entry in unsorted if entry["role"] == "ordinary"), unsorted[0])
    return int(found["ticket"])


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of job.

    `carrying` names, of the job's facts, the ticket that an order comes with; `notes` says whether
    the job lets the agent note something on that ticket, `replies` whether it asks for a reply.
    """

    name: str
    family: Family
    carrying: Callable[[Facts], int] = _of_the_job
    notes: bool = False
    replies: bool = False

    def job(self, instance: InstanceId, number: int) -> InstanceId:
        """Return the so numbered instance of the base family in an instance's world."""
        return InstanceId(
            self.family.id,
            self.family.version,
            instance.world,
            instance.size,
            instance.seed,
            number,
        )


# No family whose work is tried by probes: those are read at the end only, and the phases of H21 are
# read after each step.
SHAPES: Final = (
    Shape("double charge", H05, notes=True, replies=True),
    Shape("batch to triage", H03, _of_the_batch),
    Shape("change to ask about", H11, notes=True, replies=True),
    Shape("fact of a ticket", H01),
    Shape("repeats to merge", H07, notes=True),
    Shape("macro to write", H13),
)
BY_NAME: Final = {shape.name: shape for shape in SHAPES}
BY_FAMILY: Final = {shape.family.id: shape for shape in SHAPES}
