"""The job shapes that H21 poisons: base families, and which of their instances fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from episodes.families.h01 import params as h01_params
from episodes.families.h01.family import FAMILY as H01
from episodes.families.h05 import params as h05_params
from episodes.families.h05.family import FAMILY as H05
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Family

# How far from one instance's jobs those of the next begin.
STRIDE: Final = 1000


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of job: the instances of a family whose parameters fit."""

    name: str
    family: Family
    params_of: Callable[[InstanceId], Any]
    fits: Callable[[Any], bool]

    def job(self, instance: InstanceId, number: int) -> InstanceId:
        """Return the job of so numbered an instance in its world: the first that fits."""
        for place in range(number * STRIDE, (number + 1) * STRIDE):
            job = InstanceId(
                self.family.id,
                self.family.version,
                instance.world,
                instance.size,
                instance.seed,
                place,
            )
            if self.fits(self.params_of(job)):
                return job
        raise LookupError(f"no instance of {self.family.id} is of the shape {self.name}")


def _h05(name: str, *causes: str) -> Shape:
    return Shape(name, H05, h05_params.params_of, lambda params: params.cause in causes)


def _h01(name: str, *asked: str) -> Shape:
    return Shape(name, H01, h01_params.params_of, lambda params: params.fact in asked)


SHAPES: Final = (
    _h05("duplicate charge", "gateway_retry"),
    _h05("charge on two cards", "two_cards"),
    _h05("charges that are right", "upgrade_proration", "two_subscriptions"),
    _h05("nothing left to refund", "already_refunded", "currency_pair"),
    _h01("fact of the fields", "opened", "serial", "assignee", "copied"),
    _h01("fact of the conversation", "first_reply", "visit", "quoted", "pieces"),
)
BY_NAME: Final = {shape.name: shape for shape in SHAPES}
FAMILIES: Final = tuple({shape.family.id: shape.family for shape in SHAPES}.values())
