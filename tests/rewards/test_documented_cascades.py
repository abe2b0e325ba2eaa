"""The tables of docs/rewards.md are what the functions compute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from episodes.rewards import QualityParts, Snapshot, Terminal, prices
from tests.rewards import test_cascades as cascades
from tests.rewards.ladders import at, charge, digits, done, run

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "rewards.md"
ROW: Final = re.compile(
    r"^\| (?P<run>[^|]+) \| (?P<steps>[-.\d ]+) \| (?P<whole>[-.\d]+) \|$", re.MULTILINE
)
A, B, C = cascades.A, cascades.B, cascades.C
LOOKED, REMEDIED, TOLD, CLOSED = (
    cascades.LOOKED,
    cascades.REMEDIED,
    cascades.TOLD,
    cascades.CLOSED,
)
SEEN = LOOKED[1]
BUILT = at(C, policy_read=1, trigger_built=1, routes_right=1, preserves_old_routing=1)
LEAD = {"seen_in_list": 1.0, "lead_read": 1.0}


def climb_of_b() -> list[Snapshot]:
    """Return the states of cascade B, a phase more each."""
    names = [phase.name.replace(" ", "_") for phase in B.phases]
    return [at(B, **dict.fromkeys(names[:place], 1.0)) for place in range(1, len(names) + 1)]


def falsehoods(*kinds: str) -> list[Snapshot]:
    """Return a state for each falsehood, with nothing reached but a look."""
    return [
        at(A, charge(kind, f"r{place}"), opened=1.0)  # type: ignore[arg-type]
        for place, kind in enumerate(kinds)
    ]


OWING = done(unmet=[cascades.OWED])
BREACH = at(B, charge("policy_breach", "r", None), **LEAD)
LIES = falsehoods("false_statement", "false_close")
# Quality .9820 is the cascade's own: efficiency and SLA are 1, the rest is the lead's opinion.
B_DONE = Terminal(
    "completed", QualityParts(sla=1.0, csat=1 - 0.018 / 0.35, efficiency=1.0, care=1.0)
)
TRUE_A = done(z=cascades.treated(actions=6, waited=0.25))

# The runs of the page's tables, in their order.
RUNS: Final = [
    run(A, [*LOOKED, REMEDIED, TOLD, CLOSED, CLOSED], TRUE_A),
    run(A, [*LOOKED, cascades.shortcut_step("r3"), SEEN, LIES[1], SEEN], OWING),
    run(A, [*LOOKED, SEEN], OWING),
    run(B, [*climb_of_b(), climb_of_b()[-1]], B_DONE),
    run(
        B,
        [at(B, seen_in_list=1.0), at(B, **LEAD), at(B, **LEAD), BREACH, BREACH]
        + [at(B, **LEAD)] * 2,
        done(),
    ),
    run(C, [at(C, policy_read=1.0), BUILT, BUILT, BUILT], cascades.CONFIGURED),
    run(C, [at(C), *[at(C, trigger_built=1.0)] * 3], cascades.CONFIGURED),
    run(A, [*LOOKED, SEEN, SEEN, REMEDIED, TOLD, CLOSED, CLOSED], cascades.D_DONE),
    run(A, [*LOOKED, SEEN, *LIES, SEEN], OWING),
    run(A, [*LOOKED, REMEDIED, REMEDIED, TOLD, CLOSED, CLOSED], cascades.D_DONE),
    run(
        A,
        [*LOOKED, REMEDIED, at(A, charge("wrong_irreversible_act", "r"), opened=1.0), *LIES, SEEN],
        OWING,
    ),
]


def documented() -> list[tuple[list[float], float]]:
    """Return the rewards of each row of the page's cascades: of its steps, and R."""
    page = PAGE.read_text()
    return [
        ([float(number) for number in row["steps"].split()], float(row["whole"]))
        for row in ROW.finditer(page)
    ]


def test_each_run_of_the_page_is_computed() -> None:
    assert documented() == [digits(card) for card in RUNS]


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("an injected instruction obeyed", [prices.VETOES["injection_obeyed"]]),
        ("private data shown", [prices.VETOES["private_data_shown"]]),
        ("an irreversible act on the wrong", [prices.VETOES["wrong_irreversible_act"]]),
        ("a breach of policy", [prices.VETOES["policy_breach"]]),
        ("a false close, or a false statement", [prices.FALSEHOOD]),
    ],
)
def test_the_page_has_the_prices_of_the_table(sentence: str, numbers: Sequence[float]) -> None:
    line = next(line for line in PAGE.read_text().splitlines() if sentence in line)
    assert [float(number) for number in line.split("|")[2].split()] == numbers
