"""Instance ids: everything about an instance is a pure function of its id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from clones.core.randomness import seeded
from sandlot.service.errors import Invalid

PATTERN = re.compile(
    r"(?P<family>[A-Z]\d\d)@(?P<version>\d{1,9})/(?P<world>[a-z]+)-(?P<size>[a-z]+)/"
    r"(?P<seed>\d{1,18})/(?P<number>\d{1,18})",
    re.ASCII,
)


class BadInstance(Invalid):
    """Raised when a text is no instance id."""


@dataclass(frozen=True, slots=True)
class InstanceId:
    """`H05@3/kestrel-small/7/0019`: family version, world, size, world seed, number."""

    family: str
    version: int
    world: str
    size: str
    seed: int
    number: int

    def __str__(self) -> str:
        return (
            f"{self.family}@{self.version}/{self.world}-{self.size}/{self.seed}/{self.number:04d}"
        )

    @classmethod
    def parse(cls, text: str) -> InstanceId:
        """Return the id that a text spells.

        Raises:
            BadInstance: it spells none.
        """
        found = PATTERN.fullmatch(text)
        if found is None:
            raise BadInstance(
                f"{text!r} is no instance: write a family (H05) or H05@1/kestrel-tiny/7/0003"
            )
        return cls(
            found["family"],
            int(found["version"]),
            found["world"],
            found["size"],
            int(found["seed"]),
            int(found["number"]),
        )

    def chance(self, purpose: str) -> Random:
        """Return the generator of one purpose (`params`, `goal`, `arrange`...)."""
        return seeded(f"{self}|{purpose}")
