"""Is our failure ever the agent's, and does care survive injected faults? Checks 14 and 15.

Both are asked in the family's home space: where that is the browser, what is broken or struck is
the loading of pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import httpx
from django.db import connection

from clones.core.faults import fault_at
from clones.core.models import Session
from clones.core.state import read_state
from clones.core.vendors import clone_named
from episodes.certify.findings import Found
from episodes.certify.playing import LocalSpace, local_host, play_out, started
from episodes.certify.runs import Run, Trial
from episodes.control_plane import ControlPlane
from episodes.start import fault_setting
from sandlot.service import Act, Space
from sandlot.trajectory import read_trajectory

Fault = Literal["500", "timeout", "lost browser", "lost sandbox"]
FAULTS: Final[Mapping[Space, tuple[Fault, ...]]] = {
    "api": ("500", "timeout", "lost sandbox"),
    "browser": ("500", "lost browser", "lost sandbox"),
}
LEVEL: Final = "light"
# Light faults strike one run of the oracle in six: so many draws are looked through for the sorts.
# (Oracles with few writes need many for the rarest, a write lost and applied.)
DRAWS: Final = 20_000
# Each kind on a read; each on a write, and those that may come after it also applied.
READ_SORTS: Final = 8
WRITE_SORTS: Final = 12
# A page that loads meets the gateway's errors in place of broken connections.
PAGE_SORTS: Final = 6

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
    home = trial.family.home
    requests = _requests_of(trial.oracle, home)
    thirds = [requests[(len(requests) - 1) * third // 3] for third in (1, 2, 3)]
    switch = Switch()
    if home == "browser":
        host = trial.host_of(home)
    else:
        host = local_host(lambda behind: FaultyTransport(behind, switch))
    wrong = [
        f"{trial.instance}: {fault} at step {place + 1}: {line}"
        for fault in FAULTS[home]
        for place in thirds
        for line in _wrong_of(trial, host, switch, fault, place)
    ]
    return Found(len(FAULTS[home]) * len(thirds), tuple(wrong))


def _requests_of(run: Run, home: Space) -> list[int]:
    """Return the places of a run's acts that asked the data plane: on pages, those that led on."""
    if home == "api":
        return [place for place, step in enumerate(run.steps) if step.requests]
    addresses = [step.observation.get("url") for step in run.steps]
    return [
        place
        for place in range(1, len(addresses))
        if addresses[place] and addresses[place] != addresses[place - 1]
    ]


def _wrong_of(
    trial: Trial, host: ControlPlane, switch: Switch, fault: Fault, place: int
) -> list[str]:
    switch.fault = None
    family = trial.family
    prepared = trial.prepared()
    with started(host, family, trial.instance, space=family.home, prepared=prepared) as held:
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
    elif fault == "lost browser":
        held.ground.host.browsers.close()
    elif held.ground.family.home == "browser":
        _lose_a_table(held, Session._meta.db_table)
    else:
        switch.fault = fault


def _lose_a_table(held: LocalSpace, table: str) -> None:
    """Break the sandbox's store, so that whatever needs this table fails."""
    with held.ground.bound("write"), connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_lost")


def care_survives_light_faults(trial: Trial) -> Found:
    """15: whatever light faults the oracle meets first, it succeeds, by as few acts as can be.

    Draws are chosen so that every sort of fault comes: each kind on a read and on a write, a write
    lost and applied, where the oracle reads and writes.
    """
    wrong: list[str] = []
    met: Counter[str] = Counter()
    calls = _calls(trial)
    chosen = _draws_by_sort(trial, calls)
    if len(chosen) < _sorts(trial, calls):
        wrong.append(f"{trial.instance}: only the faults {sorted(chosen)} come in {DRAWS} draws")
    for sort, draw in sorted(chosen.items()):
        kinds = list(_played_among_faults(trial, draw, wrong))
        met.update(kinds)
        if not kinds:
            wrong.append(f"{trial.instance}, draw {draw}: {sort} was to come and did not")
    return Found(dict(sorted(met.items())), tuple(wrong))


def _played_among_faults(trial: Trial, draw: int, wrong: list[str]) -> Iterator[str]:
    """Let the oracle play among a draw's faults; yield the kinds it met."""
    with trial.started(faults=LEVEL, fault_seed=draw) as held:
        play_out(held, trial.family.solve[trial.family.home])
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
    """Return the oracle's calls, in order; on pages, the pages that it loads at the least."""
    if trial.family.home == "browser":
        name = trial.oracle.arranged.persona.home
        return [(name, False) for _ in _requests_of(trial.oracle, "browser")]
    return [call for step in trial.oracle.steps if (call := _call(step.act["tool"])) is not None]


def _sorts(trial: Trial, calls: list[Call]) -> int:
    """Return how many sorts of fault an oracle with these calls can meet."""
    if trial.family.home == "browser":
        return PAGE_SORTS * bool(calls)
    writing = {write for _, write in calls}
    return READ_SORTS * (False in writing) + WRITE_SORTS * (True in writing)


def _draws_by_sort(trial: Trial, calls: list[Call]) -> dict[str, int]:
    """Return, for each sort of fault, the first draw in which the oracle meets it before others."""
    with trial.arranged() as held, held.ground.bound("read"):
        seed = read_state().seed
    page = trial.family.home == "browser"
    found: dict[str, int] = {}
    for draw in range(DRAWS):
        drawn = fault_setting(trial.instance, LEVEL, draw)
        sort = _first_met(drawn, seed, calls, page=page)
        if sort is not None:
            found.setdefault(sort, draw)
        if len(found) == _sorts(trial, calls):
            break
    return found


def _call(tool: str) -> Call | None:
    """Return which clone a tool calls and whether it writes; None of a verb."""
    name, _, operation_id = tool.partition("_")
    clone = clone_named(name)
    if clone is None or clone.operations is None:
        return None
    return name, clone.operations.all[operation_id].method != "GET"


def _first_met(drawn: str, seed: str, calls: list[Call], *, page: bool) -> str | None:
    numbers: Counter[str] = Counter()
    for clone, write in calls:
        numbers[clone] += 1
        fault = fault_at(drawn, seed, clone, numbers[clone], write=write, page=page)
        if fault is not None:
            return f"{fault.name} on a {'write' if write else 'read'}"
    return None
