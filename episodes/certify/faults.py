"""Is our failure ever the agent's, and does care survive injected faults? Checks 14 and 15."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import httpx

from clones.core.faults import fault_at
from clones.core.state import read_state
from clones.core.vendors import clone_named
from episodes.beginning import fault_setting
from episodes.certify.findings import Found
from episodes.certify.playing import LocalSpace, local_host, play_out, started
from episodes.certify.runs import Trial
from episodes.host import Host
from sandlot.service import Act
from sandlot.trajectory import read_trajectory

Fault = Literal["500", "timeout", "lost sandbox"]
FAULTS: tuple[Fault, ...] = ("500", "timeout", "lost sandbox")
LEVEL: Final = "light"
# Light faults strike one run of the oracle in six: so many draws are looked through for the sorts.
# (Oracles with few writes need many for the rarest, a write lost and applied.)
DRAWS: Final = 20_000
# Each kind on a read; each on a write, and those that may come after it also applied.
READ_SORTS: Final = 8
WRITE_SORTS: Final = 12

Call = tuple[str, bool]
UNSCORED = ("reward", "phase_reward", "potential", "collateral")


@dataclass
class Switch:
    """Whether the data plane fails at the next request, and how."""

    fault: Fault | None = None


class FaultyTransport(httpx.BaseTransport):
    """Passes requests on until the switch says otherwise."""

    def __init__(self, behind: httpx.BaseTransport, switch: Switch) -> None:
        self._behind = behind
        self._switch = switch

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request, or fail as the switch says."""
        if self._switch.fault == "500":
            return httpx.Response(500, text="broken", request=request)
        if self._switch.fault == "timeout":
            raise httpx.ReadTimeout("no answer", request=request)
        return self._behind.handle_request(request)


def our_failures_are_not_scored(trial: Trial) -> Found:
    """14: failing at each third of the oracle's run gives a harness error and no number at all."""
    requests = [place for place, step in enumerate(trial.oracle.steps) if step.requests]
    thirds = [requests[(len(requests) - 1) * third // 3] for third in (1, 2, 3)]
    switch = Switch()
    host = local_host(lambda behind: FaultyTransport(behind, switch))
    wrong = [
        f"{trial.instance}: {fault} at step {place + 1}: {line}"
        for fault in FAULTS
        for place in thirds
        for line in _wrong_of(trial, host, switch, fault, place)
    ]
    return Found(len(FAULTS) * len(thirds), tuple(wrong))


def _wrong_of(trial: Trial, host: Host, switch: Switch, fault: Fault, place: int) -> list[str]:
    switch.fault = None
    with started(host, trial.family, trial.instance) as held:
        for taken in trial.oracle.acts[:place]:
            held.try_act(taken.tool, **taken.arguments)
        _break(held, switch, fault)
        taken = trial.oracle.acts[place]
        result = held.episode.act(Act(tool=taken.tool, arguments=dict(taken.arguments)))
        switch.fault = None
        folder = host.episodes.folder / held.ground.id
    found = read_trajectory(folder)
    wrong = []
    if result.status != "harness_error" or found.manifest.outcome != "harness_error":
        wrong.append(f"the outcome is {result.status}")
    if result.reward is not None or found.manifest.reward is not None:
        wrong.append(f"R is {found.manifest.reward}")
    for step in found.steps:
        numbers = {name: getattr(step, name) for name in UNSCORED}
        kept = {name: value for name, value in numbers.items() if value is not None}
        if kept or step.phases:
            wrong.append(f"step {step.step} keeps {kept or step.phases}")
    return wrong


def _break(held: LocalSpace, switch: Switch, fault: Fault) -> None:
    if fault == "lost sandbox":
        held.ground.host.sandboxes.delete(held.ground.sandbox.id)
    else:
        switch.fault = fault


def care_survives_light_faults(trial: Trial) -> Found:
    """15: whatever light faults the oracle meets first, it succeeds, by as few acts as can be.

    Draws are chosen so that every sort of fault comes: each kind on a read and on a write, a write
    lost and applied, where the oracle reads and writes.
    """
    wrong: list[str] = []
    met: Counter[str] = Counter()
    calls = _calls(trial)
    chosen = _draws_by_sort(trial, calls)
    if len(chosen) < _sorts(calls):
        wrong.append(f"{trial.instance}: only the faults {sorted(chosen)} come in {DRAWS} draws")
    for sort, draw in sorted(chosen.items()):
        kinds = list(_played_among_faults(trial, draw, wrong))
        met.update(kinds)
        if not kinds:
            wrong.append(f"{trial.instance}, draw {draw}: {sort} was to come and did not")
    return Found(dict(sorted(met.items())), tuple(wrong))


def _played_among_faults(trial: Trial, draw: int, wrong: list[str]) -> Iterator[str]:
    """Let the oracle play among a draw's faults; yield the kinds it met."""
    with started(trial.host, trial.family, trial.instance, faults=LEVEL, fault_seed=draw) as held:
        play_out(held, trial.family.solve["api"])
        folder = held.ground.host.episodes.folder / held.ground.id
    found = read_trajectory(folder)
    manifest = found.manifest
    parts = manifest.components.get("parts") or {}
    if manifest.success is not True or parts.get("efficiency") != 1.0:
        failures = manifest.components.get("failures")
        wrong.append(
            f"{trial.instance}, draw {draw}: outcome {manifest.outcome}, success"
            f" {manifest.success}, failures {failures}, efficiency {parts.get('efficiency')}"
        )
    for step in found.steps:
        for fault in step.faults:
            yield fault["kind"] + ("_applied" if fault["applied"] else "")


def _calls(trial: Trial) -> list[Call]:
    """Return the oracle's calls, in order."""
    return [call for step in trial.oracle.steps if (call := _call(step.act["tool"])) is not None]


def _sorts(calls: list[Call]) -> int:
    """Return how many sorts of fault an oracle with these calls can meet."""
    writing = {write for _, write in calls}
    return READ_SORTS * (False in writing) + WRITE_SORTS * (True in writing)


def _draws_by_sort(trial: Trial, calls: list[Call]) -> dict[str, int]:
    """Return, for each sort of fault, the first draw in which the oracle meets it before others."""
    with started(trial.host, trial.family, trial.instance) as held, held.ground.bound("read"):
        seed = read_state().seed
    found: dict[str, int] = {}
    for draw in range(DRAWS):
        drawn = fault_setting(trial.instance, LEVEL, draw)
        sort = _first_met(drawn, seed, calls)
        if sort is not None:
            found.setdefault(sort, draw)
        if len(found) == _sorts(calls):
            break
    return found


def _call(tool: str) -> Call | None:
    """Return which clone a tool calls and whether it writes; None of a verb."""
    name, _, operation_id = tool.partition("_")
    clone = clone_named(name)
    if clone is None or clone.operations is None:
        return None
    return name, clone.operations.all[operation_id].method != "GET"


def _first_met(drawn: str, seed: str, calls: list[Call]) -> str | None:
    numbers: Counter[str] = Counter()
    for clone, write in calls:
        numbers[clone] += 1
        fault = fault_at(drawn, seed, clone, numbers[clone], write=write, page=False)
        if fault is not None:
            return f"{fault.name} on a {'write' if write else 'read'}"
    return None
