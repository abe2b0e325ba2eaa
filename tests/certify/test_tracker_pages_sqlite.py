"""A family that is worked on pages alone: its oracle and doing nothing, on one instance."""

from __future__ import annotations

import pytest

from episodes.browser import find_browser
from episodes.certify.run import certify
from episodes.control_plane import ControlPlane
from episodes.tasks.catalogue import known_families
from episodes.tasks.spec import Family
from tests.certify.conftest import failures, plain_of
from tests.turns import why_chosen

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(600)]

# What the oracle and doing nothing show; the second time the oracle is played, in turn.
ON_PAGES = (1, 2, 3, 5, 7, 10, 13)
BRIEFLY = (1, 2, 3, 5, 10, 13)


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(
            family, marks=pytest.mark.certifies(family.id, "oracle and idling", always=True)
        )
        for family in known_families()
        if family.home == "browser"
    ],
    ids=lambda family: family.id,
)
def test_one_instance_holds_that_is_worked_on_pages_alone(
    family: Family, host: ControlPlane, browser_host: ControlPlane
) -> None:
    assert find_browser() is not None
    report = certify(
        family,
        host=host,
        numbers=(plain_of(family),),
        browser_host=browser_host,
        checks=ON_PAGES if why_chosen(family.id) else BRIEFLY,
    )
    assert failures(report) == []
    assert all(check.verdict == "pass" for check in report.checks)
