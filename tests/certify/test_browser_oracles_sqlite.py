"""Oracles on pages leave behind what they leave by API, where there is a way by it."""

from __future__ import annotations

import pytest

from episodes.browser import find_browser
from episodes.certify.run import certify
from episodes.control_plane import ControlPlane
from episodes.tasks.catalogue import CERTIFIED, known_family
from episodes.tasks.spec import Family
from tests.certify.conftest import failures, plain_of

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.mark.parametrize(
    "family",
    # Of what is worked on pages alone there is nothing to compare with.
    [
        pytest.param(family, marks=pytest.mark.certifies(family.id, "the oracle in the browser"))
        for family in map(known_family, CERTIFIED)
        if family.home == "api" and "browser" in family.spaces
    ],
    ids=lambda family: family.id,
)
def test_the_oracle_leaves_the_same_behind_in_the_browser(
    family: Family, host: ControlPlane, browser_host: ControlPlane
) -> None:
    assert find_browser() is not None
    number = plain_of(family)
    report = certify(
        family, host=host, numbers=(number,), deep=(number,), browser_host=browser_host, checks=(6,)
    )
    assert failures(report) == []
    assert report.checks[0].verdict == "pass"
