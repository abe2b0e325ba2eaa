"""Is our failure ever the agent's? Check 14."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import httpx

from episodes.certify.findings import Found
from episodes.certify.playing import LocalSpace, local_host, started
from episodes.certify.runs import Trial
from episodes.host import Host
from sandlot.service import Act
from sandlot.trajectory import read_trajectory

Fault = Literal["500", "timeout", "lost sandbox"]
FAULTS: tuple[Fault, ...] = ("500", "timeout", "lost sandbox")
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
