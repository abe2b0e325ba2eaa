"""Rate limits count on the sandbox's clock, are off by default and end with a reset."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clones.core import clock, jobs, ratelimit
from clones.core.state import read_state
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind

ACCOUNT = 7


def spend(times: int) -> None:
    for _ in range(times):
        ratelimit.count(ACCOUNT)


def test_there_is_no_limit_by_default(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("read"):
        assert ratelimit.rate_of(ACCOUNT, read_state()) is None


def test_a_minute_of_the_sandbox_refills_the_bucket(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        ratelimit.set_limit(3)
        assert ratelimit.rate_of(ACCOUNT, read_state()) == ratelimit.Rate(3, 2, 60, exceeded=False)
        spend(2)
        jobs.advance(clock.now() + timedelta(seconds=20))
        assert ratelimit.rate_of(ACCOUNT, read_state()) == ratelimit.Rate(3, 0, 40, exceeded=False)
        spend(1)
        found = ratelimit.rate_of(ACCOUNT, read_state())
        assert found is not None
        assert found.exceeded
        assert ratelimit.rate_of(ACCOUNT + 1, read_state()) == ratelimit.Rate(
            3, 2, 60, exceeded=False
        )
        jobs.advance(clock.now() + timedelta(seconds=40))
        assert ratelimit.rate_of(ACCOUNT, read_state()) == ratelimit.Rate(3, 2, 60, exceeded=False)


def test_a_reset_forgets_what_was_spent(empty_sandbox: SandboxRow, sandboxes: Sandboxes) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        ratelimit.set_limit(1)
    mark = sandboxes.mark(empty_sandbox.id, "limited")
    assert mark > 0
    with bind(empty_sandbox), unit_of_work("write"):
        spend(1)
    sandboxes.rewind(empty_sandbox.id, "limited")
    with bind(empty_sandbox), unit_of_work("read"):
        found = ratelimit.rate_of(ACCOUNT, read_state())
        assert found is not None
        assert not found.exceeded


def test_nonsense_is_refused(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"), pytest.raises(ValueError, match="1 or more"):
        ratelimit.set_limit(0)
