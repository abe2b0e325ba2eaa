"""Traces to a real collector: what a step, its requests and their jobs did lies in one tree."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandlot.client import http_client
from sandlot.spaces import RemoteSpace
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.collector import Collector, Received, collecting
from tests.live.conftest import play_script
from tests.live.test_tenancy import auth_of

pytestmark = pytest.mark.slow(shares="traced")

# What a worker does: it loads the application, then begins to trace in its own process.
MODULES = """
import sys, clones.config.wsgi
from clones.core.tracing import tracer
tracer()
print([name for name in sys.modules if "opentelemetry." in name])
"""
MANY = "/api/v2/tickets/create_many.json"
TICKETS = {"tickets": [{"subject": f"of many {n}", "comment": {"body": "x"}} for n in range(2)]}


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with collecting() as found:
        yield found


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[Apart]:
    """A server whose spans go to the collector at once."""
    data = tmp_path_factory.mktemp("traced")
    with_world(data)
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_SERVICE_NAME": "field",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "SANDLOT_REDIS": "",  # there is no queue's worker here: a test of the stack has one
    }
    with serve_apart(data, "--workers", "1", **environment) as found:
        yield found


def spans_when(collector: Collector, enough: Callable[[list[Received]], bool]) -> list[Received]:
    deadline = time.monotonic() + 20
    while not enough(collector.spans()):
        names = [span.name for span in collector.spans()]
        assert time.monotonic() < deadline, names
        time.sleep(0.05)
    return collector.spans()


def test_an_episode_is_one_tree_over_both_planes(traced: Apart, collector: Collector) -> None:
    def work(space: RemoteSpace) -> None:
        ticket = space.act(
            "http_request", clone="helpdesk", method="GET", path="/api/v2/tickets.json?per_page=1"
        )["body"]["tickets"][0]
        space.act(
            "http_request",
            clone="helpdesk",
            method="PUT",
            path=f"/api/v2/tickets/{ticket['id']}.json",
            body={"ticket": {"comment": {"body": "We are looking into it.", "public": True}}},
        )
        space.act("http_request", clone="helpdesk", method="POST", path=MANY, body=TICKETS)
        space.act("wait", minutes=240)
        space.act("finish")

    found = play_script(traced.control, work, keep_sandbox=True)
    episode = found["manifest"]["id"]

    def of_episode(spans: list[Received]) -> list[Received]:
        roots = [span for span in spans if span.attributes.get("sandlot.episode") == episode]
        return [span for span in spans if roots and span.trace == roots[0].trace]

    spans = of_episode(
        spans_when(collector, lambda got: any(s.name == "episode" for s in of_episode(got)))
    )
    by_id = {span.id: span for span in spans}
    (root,) = [span for span in spans if span.name == "episode"]
    assert root.parent == b""
    assert root.attributes["sandlot.outcome"] == "completed"
    steps = [span for span in spans if span.name == "act"]
    assert [span.attributes["sandlot.step"] for span in steps] == [1, 2, 3, 4, 5]
    assert {span.parent for span in steps} == {root.id}
    assert {span.process for span in steps} == {"control"}

    requests = [span for span in spans if "sandlot.request" in span.attributes and
                span.name.startswith(("GET ", "PUT ", "POST "))]  # fmt: skip
    assert {span.process for span in requests} == {"w0"}
    put = next(span for span in requests if span.name == "PUT helpdesk")
    assert by_id[put.parent].attributes["sandlot.step"] == 2
    recorded = found["steps"][1]
    assert put.attributes["sandlot.request"] in recorded["requests"]
    assert put.attributes["sandlot.sandbox"] == root.attributes["sandlot.sandbox"]
    assert put.attributes["sandlot.generation"] >= 1
    assert put.attributes["http.response.status_code"] == 200
    assert put.attributes["sandlot.operation"]
    assert put.attributes["sandlot.journal.position"] > 0
    assert 0 < put.nanoseconds < by_id[put.parent].nanoseconds

    jobs = [span for span in spans if span.name.startswith("job ")]
    assert jobs
    for job in jobs:
        assert by_id[job.parent].attributes["sandlot.step"] == job.attributes["sandlot.step"]
    # What a request leaves runs before it answers: step, request, job.
    (bulk,) = [job for job in jobs if job.name == "job helpdesk.bulk"]
    post = by_id[bulk.parent]
    assert (post.name, bulk.process) == ("POST helpdesk", "w0")
    assert bulk.attributes["sandlot.request"] == post.attributes["sandlot.request"]
    assert bulk.attributes["sandlot.journal.position"] > post.attributes["sandlot.journal.position"]
    assert by_id[post.parent].attributes["sandlot.step"] == 3


def test_a_request_outside_episodes_is_a_trace_with_the_jobs_it_led_to(
    traced: Apart, collector: Collector
) -> None:
    sandbox = traced.control.post("/v1/sandboxes", {"size": "tiny"})
    with http_client(auth=auth_of(sandbox)) as http:
        answer = http.post(f"{sandbox['apps']['helpdesk']['url']}{MANY}", json=TICKETS)
        assert answer.status_code == 200

    def of_sandbox(spans: list[Received], name: str) -> list[Received]:
        return [
            span for span in spans
            if span.name == name and span.attributes.get("sandlot.sandbox") == sandbox["id"]
        ]  # fmt: skip

    spans = spans_when(
        collector,
        lambda got: bool(of_sandbox(got, "POST helpdesk") and of_sandbox(got, "job helpdesk.bulk")),
    )
    (request,) = of_sandbox(spans, "POST helpdesk")
    (job,) = of_sandbox(spans, "job helpdesk.bulk")
    assert request.parent == b""
    assert (job.trace, job.parent) == (request.trace, request.id)
    assert job.attributes["sandlot.request"] == request.attributes["sandlot.request"]


@pytest.mark.in_turn
def test_without_the_variables_nothing_of_it_is_imported() -> None:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("OTEL_")}
    done = _python(MODULES, environment)
    assert "opentelemetry.sdk" not in done.stdout
    assert "opentelemetry.exporter" not in done.stdout
    asked = _python(MODULES, {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert "opentelemetry.sdk" in asked.stdout
    for off in ({"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}):
        switched = {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", **off}
        assert "opentelemetry.sdk" not in _python(MODULES, switched).stdout


def _python(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )


def test_a_protocol_that_is_not_built_is_one_line_and_exit_2(tmp_path: Path) -> None:
    environment: dict[str, Any] = {
        **os.environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
    }
    done = subprocess.run(
        [sys.executable, "-m", "sandlot.cli", "serve", "--data", str(tmp_path)],
        env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "http/protobuf" in done.stderr
