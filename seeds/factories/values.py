"""What factories share: chance from named streams, identifiers, the clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import factory
from django.db import models

from clones.core import clock, ids, randomness
from seeds.pools import pool

library: Any = factory  # the library has no types


def lazy(make: Callable[[Any], Any]) -> Any:
    """Return a factory attribute made from the row's other attributes."""
    return library.LazyAttribute(make)


def fresh(make: Callable[[], Any]) -> Any:
    """Return a factory attribute made anew for each row."""
    return library.LazyFunction(make)


def same(name: str) -> Any:
    """Return a factory attribute equal to another one."""
    return library.SelfAttribute(name)


def sub(maker: Any, **values: Any) -> Any:
    """Return a factory attribute that is a row of another factory."""
    return library.SubFactory(maker, **values)


def made(maker: Any, **values: Any) -> Any:
    """Return a row of another factory."""
    return maker(**values)


def drawn(stream: str, make: Callable[[Any], Any]) -> Any:
    """Return a factory attribute drawn from a named stream of the sandbox."""
    return library.LazyFunction(lambda: make(randomness.stream(f"factory.{stream}")))


def stamp(model: type[models.Model]) -> Any:
    """Return a factory attribute: the next stamp of a model."""
    return library.LazyFunction(lambda: ids.next_stamp(model))


def code(prefix: str, model: type[models.Model], length: int = 24) -> Any:
    """Return a factory attribute: the next coded identifier of a model."""
    return library.LazyFunction(lambda: ids.next_code(prefix, model, length=length))


def now() -> Any:
    """Return a factory attribute: the sandbox's time."""
    return library.LazyFunction(_now)


def _now() -> datetime:
    return clock.now()


def full_name(chance: Any) -> str:
    """Return a name from the pools."""
    return f"{chance.choice(pool('train', 'given_en'))} {chance.choice(pool('train', 'family_en'))}"


def firm_name(chance: Any) -> str:
    """Return a firm's name from the pools."""
    trade = chance.choice(("Signs", "Workshop", "Gifts"))
    return f"{chance.choice(pool('train', 'firm_stems'))} {trade} Ltd"
