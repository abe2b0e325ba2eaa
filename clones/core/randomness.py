"""The only source of chance: named streams whose positions are rows of the sandbox."""

from __future__ import annotations

import hashlib
from random import Random

from clones.core.models.state import RandomStream
from clones.core.state import read_state

__all__ = ["Random", "seeded", "stream", "turn"]


def stream(name: str) -> Random:
    """Return a generator for one decision, drawn from the named stream.

    Each call moves the stream by one, and the n-th call of a stream gives the same generator in
    every sandbox of the same seed, whatever other streams did.
    """
    return seeded(f"{read_state().seed}|{name}|{turn(name) - 1}")


def turn(name: str) -> int:
    """Move the named stream by one and return how often it has been moved: 1, 2, 3..."""
    drawn = RandomStream.objects.filter(name=name).values_list("drawn", flat=True).first()
    if drawn is None:
        RandomStream.objects.create(name=name, drawn=1)
        return 1
    RandomStream.objects.filter(name=name).update(drawn=drawn + 1)
    return drawn + 1


def seeded(material: str) -> Random:
    """Return a generator that is a pure function of `material`."""
    digest = hashlib.blake2b(material.encode(), digest_size=32).digest()
    return Random(digest)  # noqa: S311 - repeatable on purpose; secrets come from accounts
