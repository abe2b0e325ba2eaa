"""Every certified family's oracle leaves behind in the browser what it leaves by API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clones.core.server import server
from episodes.browser import find_browser
from episodes.certify.run import certify
from episodes.host import Host
from episodes.tasks.catalogue import CERTIFIED
from episodes.tasks.spec import Family
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from tests.certify.conftest import failures, plain_of


@pytest.fixture(scope="module")
def browser_host() -> Iterator[Host]:
    """A host with real ports."""
    local = "127.0.0.1"
    ports = [free_port(local), free_port(local)]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=1)
    with RunningServer(options) as running:
        yield running.host


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "family",
    [family for family in CERTIFIED if "browser" in family.spaces],
    ids=lambda family: family.id,
)
def test_the_oracle_leaves_the_same_behind_in_the_browser(
    family: Family, host: Host, browser_host: Host
) -> None:
    assert find_browser() is not None
    number = plain_of(family)
    report = certify(
        family, host=host, numbers=(number,), deep=(number,), browser_host=browser_host, checks=(6,)
    )
    assert failures(report) == []
    assert report.checks[0].verdict == "pass"
