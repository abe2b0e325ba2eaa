"""Spans that join steps, requests, journal and jobs; without a tracer none are made.

A span's ids are made of names that each process can tell by itself: the episode or request that it
belongs to, and what it is. So the spans of a step fall into one trace whichever process makes them,
and nothing has to be carried over in headers, pages or messages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from clones.core.requestlog import LoggedRequest
from clones.core.tenancy.registry import SandboxRow

Value = str | int | float | bool


@dataclass(slots=True)
class Span:
    """A span of a trace: something that took time.

    `trace` names what it belongs to, `key` the span itself and `parent` the one around it; without
    a key it has an id by chance.
    """

    name: str
    trace: str | None = None
    key: str | None = None
    parent: str | None = None
    kind: Literal["internal", "server"] = "internal"
    attributes: dict[str, Value | None] = field(default_factory=dict)
    problem: str | None = None
    started: int = field(default_factory=time.time_ns)


class Tracer(Protocol):
    """What spans are sent to."""

    on: bool

    def emit(self, span: Span, ended: int) -> None:
        """Take a span that ended at a machine time, in nanoseconds. It never fails."""


class NoTraces:
    """The tracer that forgets every span."""

    on = False

    def emit(self, span: Span, ended: int) -> None:
        """Forget it."""


@cache
def tracer() -> Tracer:
    """Return the tracer that the settings name."""
    found: Tracer = import_string(settings.TRACER)()
    return found


_current: ContextVar[Span | None] = ContextVar("span", default=None)


def current_span() -> Span | None:
    """Return the span that the code at hand works in."""
    return _current.get()


def within(span: Span | None) -> AbstractContextManager[Span | None]:
    """Make a span of the block; what is set on it inside counts. None makes none."""
    return nullcontext() if span is None else _within(span)


@contextmanager
def _within(span: Span) -> Iterator[Span]:
    token = _current.set(span)
    try:
        yield span
    except BaseException as error:
        span.problem = span.problem or type(error).__name__
        raise
    finally:
        _current.reset(token)
        emit(span)


def emit(span: Span) -> None:
    """Hand over a span that ends now."""
    if tracer().on:
        tracer().emit(span, time.time_ns())


def step_key(episode: str, step: int | None) -> str:
    """Return the key of an episode's step; before the first one it is the episode's own."""
    return f"{episode}/{step}" if step else episode


def request_span(
    entry: LoggedRequest, row: SandboxRow | None
) -> AbstractContextManager[Span | None]:
    """Make a span of a request; what the log's entry says at its end are its attributes."""
    return _request_span(entry, row) if tracer().on else nullcontext()


@contextmanager
def _request_span(entry: LoggedRequest, row: SandboxRow | None) -> Iterator[Span]:
    episode = row.episode if row is not None else None
    span = Span(f"{entry.method} {entry.clone or 'none'}", episode or entry.id, entry.id)
    span.kind = "server"
    with _within(span):
        try:
            yield span
        finally:
            if row is not None and episode is not None:
                # Its own client's step has no span of its own: nobody waits around it.
                steps = None if row.step_seconds is not None else entry.step
                span.parent = step_key(episode, steps)
            span.problem = entry.fault
            span.attributes = {
                "sandlot.request": entry.id,
                "sandlot.sandbox": entry.sandbox,
                "sandlot.generation": entry.generation,
                "sandlot.episode": episode,
                "sandlot.step": entry.step,
                "sandlot.clone": entry.clone,
                "sandlot.account": entry.account,
                "sandlot.operation": entry.operation,
                "sandlot.journal.position": entry.position,
                "http.request.method": entry.method,
                "url.path": entry.path,
                "http.response.status_code": entry.status,
            }
