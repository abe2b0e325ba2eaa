"""Sandboxes whose next requests meet chosen faults, for tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from clones.core.faults import Fault, fault_at
from clones.core.server import server
from clones.core.state import read_state
from clones.core.tenancy import unit_of_work
from tests.conftest import bind

# (clone, writes) of requests in the order in which they are to be made.
Calls = list[tuple[str, bool]]


def seed_of(sandbox: str) -> str:
    """Return the seed of a sandbox's chance."""
    row = server().registry.get(sandbox)
    with bind(row), unit_of_work("read"):
        return read_state().seed


def met_by(drawn: str, seed: str, calls: Calls, *, page: bool = False) -> list[Fault | None]:
    """Return what each of the calls meets, all else being left alone."""
    numbers = dict.fromkeys(("helpdesk", "billing"), 0)
    found = []
    for clone, write in calls:
        numbers[clone] += 1
        found.append(fault_at(drawn, seed, clone, numbers[clone], write=write, page=page))
    return found


def draw_with(
    seed: str, calls: Calls, wanted: Callable[[list[Fault | None]], bool], *, page: bool = False
) -> str:
    """Return a setting under which what the calls meet is as wanted."""
    for number in count():
        drawn = f"heavy:{number:016x}"
        if wanted(met_by(drawn, seed, calls, page=page)):
            return drawn
    raise AssertionError


def let_faults_in(sandbox: dict[str, Any], drawn: str | None) -> None:
    """Let the requests to a sandbox meet the faults of a setting, or none from now on."""
    server().registry.set_faults(sandbox["id"], drawn)


def only_first(kind: str, *, applied: bool = False) -> Callable[[list[Fault | None]], bool]:
    """Return what is wanted where the first call is to meet a kind and the others nothing."""

    def wanted(met: list[Fault | None]) -> bool:
        first, *others = met
        return (
            first is not None
            and first.kind == kind
            and first.applied == applied
            and not any(others)
        )

    return wanted
