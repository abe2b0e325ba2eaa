"""Every family that is worked by API holds on one instance.

Certified ones by the quick checks, those in the making by what the oracle shows, and on PostgreSQL
each by the starred checks. Of cheats each family has its own here; those that all have in common,
which are most of the work, are played with one family of each clone.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

from episodes.certify.report import REQUIRED
from episodes.certify.run import CHECKS, QUICK, certify
from episodes.host import Host
from episodes.tasks.catalogue import CERTIFIED, known_families
from episodes.tasks.spec import Family
from tests.certify.conftest import failures, plain_of

# What an engine could change. All else is of rows that are the same on both.
STARRED: Final = (1, 5, 13)
WITH_COMMON: Final = ("H01", "T01")
# Cheats and mutants are for the full certification, which these have before them.
IN_THE_MAKING: Final = (1, 2, 3, 5, 10, 13)


def wanted(family: Family) -> tuple[int, ...]:
    """Return the checks that a family is held to here."""
    if os.environ.get("SANDLOT_ENGINE") == "postgres":
        return STARRED
    return QUICK if family.id in CERTIFIED else IN_THE_MAKING


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "family",
    [family for family in known_families() if family.home == "api"],
    ids=lambda family: family.id,
)
def test_one_instance_holds(family: Family, host: Host) -> None:
    report = certify(
        family,
        host=host,
        numbers=(plain_of(family),),
        checks=wanted(family),
        common=family.id in WITH_COMMON,
    )
    assert failures(report) == []
    assert [check.number for check in report.checks] == list(wanted(family))
    assert all(check.verdict == "pass" for check in report.checks)


def test_the_checks_that_a_report_needs_are_those_there_are() -> None:
    assert {entry.number for entry in CHECKS} == REQUIRED
    assert {check.number for check in CHECKS if check.look or check.look_at_all} == REQUIRED
