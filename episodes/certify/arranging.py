"""Is the arranged state what it should be? Checks 1, 2 and 10."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from episodes.certify.findings import Found
from episodes.certify.runs import Trial


def arranged_twice(trial: Trial) -> Found:
    """1: two arrangements of one instance are the same to the byte."""
    first, second = trial.idle.start, trial.idle_for_days.start
    wrong = []
    if first.digest != second.digest:
        wrong.append(f"{trial.instance}: rows differ, {first.digest} and {second.digest}")
    one, other = (
        json.dumps(start.arranged, sort_keys=True, default=str) for start in (first, second)
    )
    if one != other:
        differing = sorted(
            name for name in first.arranged if first.arranged[name] != second.arranged[name]
        )
        wrong.append(f"{trial.instance}: {', '.join(differing)} differ")
    return Found(first.digest[:12], tuple(wrong))


def nothing_holds_at_the_start(trial: Trial) -> Found:
    """2: goals are false, guards true, the potential is 0."""
    faults = trial.idle.start.faults
    return Found(len(faults), tuple(f"{trial.instance}: {fault}" for fault in faults))


def facts_by_two_ways(trial: Trial) -> Found:
    """10: what `arrange` says and what a plain loop over the rows says is the same."""
    derive = trial.family.derive
    if derive is None:
        return Found(None, (f"{trial.family.id} does not derive its facts a second time",))
    with trial.arranged() as held, held.ground.bound("read"):
        again = derive(held.goal)
        facts = held.ground.arranged.facts
        wrong = [f"{trial.instance}: {line}" for line in _differences(facts, again)]
    return Found(len(again), tuple(wrong))


def _differences(facts: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[str]:
    for name, value in again.items():
        if name not in facts:
            yield f"{name} is no fact of the arrangement"
        elif facts[name] != value:
            yield f"{name} is {facts[name]!r} as arranged and {value!r} by a plain loop"
