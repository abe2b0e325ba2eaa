"""An instance of H05 holds by every check that is not quick and needs no browser.

By the quick ones it is held in `test_families`.
"""

from __future__ import annotations

import pytest

from episodes.certify.report import REQUIRED
from episodes.certify.run import QUICK, certify
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from tests.certify.conftest import PLAIN, failures


@pytest.mark.slow
@pytest.mark.certifies("H05", "every slow check")
@pytest.mark.timeout(1200)
def test_an_instance_holds_by_every_slow_check_without_a_browser(host: ControlPlane) -> None:
    wanted = sorted(REQUIRED - {6, 26} - set(QUICK))
    assert wanted
    report = certify(FAMILY, host=host, numbers=(PLAIN,), deep=(PLAIN,), checks=wanted)
    assert failures(report) == []
