"""`/metrics`: both planes counted, from what is recorded anyway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from clones.core.server import server
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script
from tests.live.test_tenancy import auth_of

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]
Scrape = Callable[[], Samples]


@pytest.fixture
def scrape(running: RunningServer) -> Scrape:
    """Read the metrics as Prometheus would."""

    def read() -> Samples:
        answer = httpx.get(
            f"{running.control_url}/metrics",
            headers={"Authorization": f"Bearer {running.token}"},
            trust_env=False,
        )
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/plain")
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }

    return read


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((name, tuple(sorted(labels.items()))), 0.0)


def test_the_token_is_needed(running: RunningServer) -> None:
    answer = httpx.get(f"{running.control_url}/metrics", trust_env=False)
    assert answer.status_code == 401
    assert answer.json()["detail"].startswith("send the token")


def test_requests_are_counted_once_by_clone_method_and_status(
    scrape: Scrape, sandbox: dict[str, Any]
) -> None:
    before = scrape()
    url = sandbox["apps"]["helpdesk"]["url"]
    with http_client(auth=auth_of(sandbox)) as http:
        for _ in range(7):
            assert http.get(f"{url}/api/v2/tickets/1.json").status_code == 200
        for _ in range(3):
            assert http.get(f"{url}/api/v2/tickets/99999999.json").status_code == 404
        body = {"ticket": {"subject": "counted", "comment": {"body": "x"}}}
        assert http.post(f"{url}/api/v2/tickets.json", json=body).status_code == 201
        assert http.request("BREW", f"{url}/api/v2/tickets.json").status_code >= 400
    after = scrape()
    for labels, expected in (
        ({"method": "GET", "status": "2xx"}, 7),
        ({"method": "GET", "status": "4xx"}, 3),
        ({"method": "POST", "status": "2xx"}, 1),
        ({"method": "other", "status": "4xx"}, 1),
    ):
        named = {"clone": "helpdesk", **labels}
        for name, more in (
            ("sandlot_request_seconds_count", {}),
            ("sandlot_request_seconds_bucket", {"le": "+Inf"}),
        ):
            grown = value(after, name, **named, **more) - value(before, name, **named, **more)
            assert grown == expected, (name, named)
    rows = "sandlot_journal_rows_total"
    assert value(after, rows) > value(before, rows)
    assert scrape()[rows, ()] == after[rows, ()]


def test_buckets_rise_to_the_count(scrape: Scrape, sandbox: dict[str, Any]) -> None:
    with http_client(auth=auth_of(sandbox)) as http:
        http.get(f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json")
    samples = scrape()
    steps = [
        (float(dict(labels)["le"]), found)
        for (name, labels), found in samples.items()
        if name == "sandlot_request_seconds_bucket"
        and {"clone": "helpdesk", "method": "GET", "status": "2xx"}.items() <= dict(labels).items()
    ]
    counts = [count for _, count in sorted(steps)]
    assert counts == sorted(counts)
    assert counts[-1] > 0


def test_sandboxes_rewinds_and_ports_are_counted(
    scrape: Scrape, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    before = scrape()
    with http_client(auth=auth_of(sandbox)) as http:
        body = {"ticket": {"subject": "undone", "comment": {"body": "x"}}}
        http.post(f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json", json=body)
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset")
    control.post(f"/v1/sandboxes/{sandbox['id']}/publish")
    other = control.post("/v1/sandboxes", {"size": "tiny"})
    after = scrape()
    control.delete(f"/v1/sandboxes/{other['id']}")

    def grown(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grown("sandlot_rewind_seconds_count") == 1
    assert 0 < grown("sandlot_rewind_seconds_sum") < 5
    assert grown("sandlot_rewound_rows_total") >= 3
    assert grown("sandlot_published_ports") == len(sandbox["apps"])
    assert grown("sandlot_sandboxes", state="live") == 1
    assert value(scrape(), "sandlot_sandboxes", state="live") == value(
        before, "sandlot_sandboxes", state="live"
    )


def test_episodes_are_counted_by_outcome_and_harness_errors_by_type(
    scrape: Scrape, control: ControlClient
) -> None:
    before = scrape()

    def finish(space: RemoteSpace) -> None:
        space.act("finish")

    def lose_the_sandbox(space: RemoteSpace) -> None:
        row = next(row for row in server().registry.all() if row.episode == space.id)
        position = server().registry.mark(row.id, "base")
        assert position is not None
        server().registry.begin_reset(row.id, position)
        space.try_act("http_request", clone="helpdesk", method="GET", path="/api/v2/users/me.json")

    play_script(control, finish)
    play_script(control, lambda space: None)
    play_script(control, lose_the_sandbox)
    after = scrape()
    grown = {
        labels[0][1]: found - before.get((name, labels), 0.0)
        for (name, labels), found in after.items()
        if name == "sandlot_episodes_total"
    }
    assert {outcome: count for outcome, count in grown.items() if count} == {
        "completed": 1,
        "abandoned": 1,
        "harness_error": 1,
    }
    errors = {
        labels[0][1]: found - before.get((name, labels), 0.0)
        for (name, labels), found in after.items()
        if name == "sandlot_harness_errors_total"
    }
    assert sum(errors.values()) == 1
    assert value(after, "sandlot_episodes_running") == value(before, "sandlot_episodes_running")


def test_jobs_are_counted_by_kind_and_outcome(
    scrape: Scrape, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    before = scrape()
    ran = control.post(f"/v1/sandboxes/{sandbox['id']}/advance", {"seconds": 86400.0})["jobs"]
    assert ran
    after = scrape()
    for kind in {job["kind"] for job in ran}:
        expected = sum(job["kind"] == kind and job["error"] is None for job in ran)
        labels = {"kind": kind, "outcome": "done"}
        name = "sandlot_job_runs_total"
        assert value(after, name, **labels) - value(before, name, **labels) == expected
    assert ("sandlot_drains_waiting", ()) in after
