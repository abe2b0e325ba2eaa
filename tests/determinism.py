"""Taking the machine's time and chance away, to prove that rows do not depend on them."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import re
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime
from typing import Any, NoReturn
from unittest import mock

from django.db import connection

from clones.core.tenancy import NoSandbox, current
from tests.resting import resting

# Who may ask the machine while rows are written: what is logged and how tests run is no row.
ALLOWED = (
    "_pytest",
    "clones.core.requestlog",
    "clones.core.tenancy.middleware",
    "clones.core.tenancy.registry",
    "hypothesis",
    "logging",
    "pytest",
    "threading",
)
OF_THE_DATABASE = re.compile(
    r"CURRENT_(TIME|DATE)|LOCALTIME|'now'|\b(random(blob|_normal)?|now|timeofday|gen_random_uuid"
    r"|uuidv[47]|(clock|statement|transaction)_timestamp)\s*\(",
    re.IGNORECASE,
)


class MachineInput(BaseException):
    """Raised when code under `no_machine_inputs` asks the machine for time or chance.

    No `Exception`, so that a job that asks is not merely recorded as failed.
    """


@contextmanager
def no_machine_inputs(*, live_clock: bool = False) -> Iterator[None]:
    """Make the machine's clock and chance raise `MachineInput` in the block.

    With `live_clock` the sandbox's own live clock may still ask what time it is. Other threads that
    ran before may ask: they are servers' of this process, which rest meanwhile, since their upkeep
    moves clocks. Threads that the block starts may not.
    """
    with ExitStack() as stack:
        stack.enter_context(resting())
        for module, name in _functions():
            real = getattr(module, name)
            label = f"{module.__name__}.{name}"
            stack.enter_context(mock.patch.object(module, name, _guard(label, real)))
        for owner, name in ((datetime, "now"), (datetime, "utcnow"), (date, "today")):
            stack.enter_context(_method_replaced(owner, name, live_clock=live_clock))
        with suppress(NoSandbox):
            current()
            stack.enter_context(connection.execute_wrapper(_refuse_in_sql))
        yield


def _functions() -> Iterator[tuple[Any, str]]:
    yield os, "urandom"
    yield random, "_urandom"
    yield uuid, "uuid1"
    yield uuid, "uuid4"
    yield time, "time"
    yield time, "time_ns"
    for name in random.__all__:
        if not isinstance(getattr(random, name), type):
            yield random, name


def _refuse(label: str, caller: str) -> NoReturn:
    raise MachineInput(f"{caller} asked the machine: {label}")


def _other_threads() -> frozenset[int]:
    """Return the threads that run now, without the one that asks."""
    running = {thread.ident for thread in threading.enumerate() if thread.ident is not None}
    return frozenset(running - {threading.get_ident()})


def _guard(label: str, real: Callable[..., Any]) -> Callable[..., Any]:
    others = _other_threads()

    def guarded(*args: Any, **options: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "?")
        if caller.startswith(ALLOWED) or threading.get_ident() in others:
            return real(*args, **options)
        return _refuse(label, caller)

    return guarded


@contextmanager
def _method_replaced(owner: type, name: str, *, live_clock: bool) -> Iterator[None]:
    """Replace a class method of a built-in type, for everybody who has imported the type."""
    (methods,) = gc.get_referents(owner.__dict__)
    real = methods.get(name)
    bound = getattr(owner, name)
    others = _other_threads()

    def guarded(cls: type, *args: Any, **options: Any) -> Any:
        frame = sys._getframe(1)
        caller = frame.f_globals.get("__name__", "?")
        at_clock = caller == "clones.core.clock" and frame.f_code.co_name == "_machine_now"
        if caller.startswith(ALLOWED) or threading.get_ident() in others:
            return bound(*args, **options)
        if live_clock and at_clock:
            return bound(*args, **options)
        return _refuse(f"{owner.__name__}.{name}", caller)

    methods[name] = classmethod(guarded)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))
    try:
        yield
    finally:
        if real is None:
            del methods[name]
        else:
            methods[name] = real
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))


def _refuse_in_sql(
    execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any
) -> Any:
    if OF_THE_DATABASE.search(sql):
        _refuse(sql, "a statement")
    return execute(sql, parameters, many, context)
