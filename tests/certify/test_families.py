"""Every family that is worked by API holds on one instance.

Certified ones by the quick checks, those in the making by what the oracle shows, and on PostgreSQL
each by the starred checks. Of cheats each family has its own here; those that all have in common,
which are most of the work, are played with one family of each clone.

Before a merge that is done of the families that are chosen (`tests.turns`); of the others the
oracle, idling and one cheat are played, in each turn another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from episodes.certify.report import REQUIRED
from episodes.certify.run import CHECKS, QUICK, certify
from episodes.control_plane import ControlPlane
from episodes.tasks.catalogue import CERTIFIED, known_families
from episodes.tasks.spec import Family
from tests.certify.conftest import failures, plain_of
from tests.tiers import ON_POSTGRES
from tests.turns import one_of, why_chosen

# What an engine could change. All else is of rows that are the same on both.
STARRED: Final = (1, 5, 13)
WITH_COMMON: Final = ("H01", "T01")
# Cheats and mutants are for the full certification, which these have before them.
IN_THE_MAKING: Final = (1, 2, 3, 5, 10, 13)
# By the oracle, idling and one cheat.
BRIEFLY: Final = (1, 2, 3, 5, 8, 9, 10, 13)


def wanted(family: Family) -> tuple[int, ...]:
    """Return the checks that a family is held to here."""
    if ON_POSTGRES:
        return STARRED
    if family.id not in CERTIFIED:
        return IN_THE_MAKING
    return QUICK if why_chosen(family.id) else BRIEFLY


def part_of(family: Family) -> str:
    """Return what is done of a family here, in words."""
    parts = {
        QUICK: "the quick checks with all its cheats",
        BRIEFLY: "oracle, idling and one cheat",
    }
    return parts.get(wanted(family), "oracle and idling")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "family",
    [
        pytest.param(family, marks=pytest.mark.certifies(family.id, part_of(family), always=True))
        for family in known_families()
        if family.home == "api"
    ],
    ids=lambda family: family.id,
)
def test_one_instance_holds(family: Family, host: ControlPlane) -> None:
    briefly = wanted(family) == BRIEFLY
    report = certify(
        replace(family, cheats=one_of(family.cheats)) if briefly else family,
        host=host,
        numbers=(plain_of(family),),
        checks=wanted(family),
        common=family.id in WITH_COMMON and not briefly,
        cheats_at_most=1 if briefly else None,
    )
    assert failures(report) == []
    assert [check.number for check in report.checks] == list(wanted(family))
    assert all(check.verdict == "pass" for check in report.checks)


def test_the_checks_that_a_report_needs_are_those_there_are() -> None:
    assert {entry.number for entry in CHECKS} == REQUIRED
    assert {check.number for check in CHECKS if check.look or check.look_at_all} == REQUIRED
