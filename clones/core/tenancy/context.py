"""Which sandbox the code at hand works in.

A binding is set for the length of a `with` block and reset by token, so blocks nest. Threads
started inside one do not inherit it: they fail rather than guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.db import connections, transaction

from clones.core.tenancy.errors import ConnectionEnded, NoSandbox

if TYPE_CHECKING:
    from clones.core.tenancy.wrapper import StoreWrapper


# Each copy of a busy store ends the connections to it.
TRIES = 5


@dataclass(frozen=True, slots=True)
class Binding:
    """A sandbox bound to this context.

    `sandbox` is None while a world is built or a store is examined outside the registry.
    """

    sandbox: str | None
    wrapper: StoreWrapper


_current: ContextVar[Binding | None] = ContextVar("sandbox", default=None)


def current() -> Binding:
    """Return the binding of this context.

    Raises:
        NoSandbox: nothing is bound.
    """
    binding = _current.get()
    if binding is None:
        raise NoSandbox("no sandbox is bound here: wrap the call in tenancy.bound(...)")
    return binding


def is_bound(sandbox: str) -> bool:
    """Tell whether this context works in a sandbox."""
    binding = _current.get()
    return binding is not None and binding.sandbox == sandbox


@contextmanager
def bound(binding: Binding) -> Iterator[Binding]:
    """Put the binding's connection into `default` for the length of the block."""
    previous = connections["default"]
    token = _current.set(binding)
    connections["default"] = binding.wrapper
    try:
        yield binding
    finally:
        connections["default"] = previous
        _current.reset(token)


@contextmanager
def unit_of_work(kind: Literal["read", "write"], first: str | None = None) -> Iterator[Any]:
    """Run the block in one transaction: deferred for reads, immediate for writes.

    `first` is a statement without parameters that is run with the beginning, where an engine can
    in the same round trip. The block gets its first row, None if there is none.

    Raises:
        NoSandbox: nothing is bound.
    """
    wrapper = current().wrapper
    for tries_left in reversed(range(TRIES)):
        wrapper.prepare_unit(kind)
        with ExitStack() as stack:
            try:
                with ExitStack() as opening:
                    opening.enter_context(transaction.atomic())
                    row = wrapper.enter_unit(kind, first)
                    stack.push(opening.pop_all())
            except ConnectionEnded:
                if tries_left:
                    continue  # nothing was done on it yet
                raise
            yield row
            return
