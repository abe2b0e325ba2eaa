"""What a queue's worker runs is traced and counted under the request that led to it."""

from __future__ import annotations

import hashlib

import pytest

from clones.core import clock, execution, jobs
from clones.core.journal import act
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import bind
from tests.live.collector import collecting
from tests.stack import queue  # noqa: F401 - the kinds of jobs
from tests.stack.conftest import eventually, worker

pytestmark = pytest.mark.slow


def test_a_workers_job_lies_under_the_request_that_led_to_it(
    empty_sandbox: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, before = empty_sandbox, server().jobs.read()
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
        with worker():
            with bind(row), unit_of_work("write"):
                with act(actor="agent", label="POST /x", request="w0-request-7"):
                    jobs.enqueue("stack.trace", due=clock.now(), payload={"name": "traced"})
                assert execution.note_due(row)
            execution.executor().work_left(row.id, row.generation)
            eventually(lambda: any(span.name == "job stack.trace" for span in collector.spans()))
        (span,) = [span for span in collector.spans() if span.name == "job stack.trace"]
    named = hashlib.sha256(b"w0-request-7").digest()
    assert (span.trace, span.parent) == (named[:16], named[:8])
    assert span.attributes["sandlot.sandbox"] == row.id
    assert span.attributes["sandlot.request"] == "w0-request-7"
    counted = server().jobs.read() - before
    assert counted["stack.trace", "done"] == 1
