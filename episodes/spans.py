"""The spans of an episode and of its steps, under which those of requests and jobs lie."""

from __future__ import annotations

from typing import Any

from clones.core import clock
from clones.core.tracing import Span, Value, step_key, tracer
from episodes.context import EpisodeContext
from sandlot.service import Act


def step_span(ground: EpisodeContext, number: int, act: Act) -> Span | None:
    """Return the span of a step, None where nobody takes it."""
    if not tracer().on:
        return None
    attributes: dict[str, Value | None] = {
        "sandlot.episode": ground.id,
        "sandlot.step": number,
        "sandlot.tool": act.tool[:100],
        "sandlot.sandbox": ground.sandbox.id,
        "sandlot.generation": ground.sandbox.generation,
    }
    return Span("act", trace=ground.id, parent=ground.id, attributes=attributes)


def name_step(span: Span | None, ground: EpisodeContext, position: int) -> None:
    """Name a step's span as requests will, before the sandbox, which is bound, takes the step."""
    if span is not None:
        span.key = step_key(ground.id, clock.step() + 1)
        span.attributes["sandlot.journal.position"] = position


def episode_span(
    ground: EpisodeContext, began: int, *, outcome: str, steps: int, error: dict[str, Any] | None
) -> Span:
    """Return the span of an episode that began at a machine time, in nanoseconds."""
    return Span(
        "episode",
        trace=ground.id,
        key=ground.id,
        started=began,
        problem=error["type"] if error is not None else None,
        attributes={
            "sandlot.episode": ground.id,
            "sandlot.task": str(ground.instance),
            "sandlot.space": ground.request.space,
            "sandlot.sandbox": ground.sandbox.id,
            "sandlot.outcome": outcome,
            "sandlot.steps": steps,
        },
    )
