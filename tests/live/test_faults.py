"""Injected faults as clients meet them: on real servers, over real connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from clones.config.serve import END_PATIENCE
from clones.config.wsgi import application
from clones.core.faults import fault_at
from clones.core.faults.answers import SILENCE
from clones.core.faults.plan import LATENCY
from clones.core.server import server
from clones.helpdesk.models import Ticket
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient, http_client
from tests.conftest import bind
from tests.live.conftest import account
from tests.live.faulty import draw_with, let_faults_in, only_first, seed_of

TICKET = "/api/v2/tickets/1.json"
CHARGES = "/v1/charges"
READ_THRICE = {clone: [(clone, False)] * 3 for clone in ("helpdesk", "billing")}
NGINX = "<hr><center>nginx</center>"


def agent_of(sandbox: dict[str, Any], clone: str, **options: Any) -> httpx.Client:
    """Return a client of a sandbox's clone, signed in as its administrator."""
    found = account(sandbox, clone, "admin")
    url = sandbox["apps"][clone]["url"]
    if clone == "billing":
        options["headers"] = {"Authorization": f"Bearer {found['secret_key']}"}
    else:
        options["auth"] = (f"{found['email']}/token", found["api_token"])
    return http_client(base_url=url, **options)


def path_of(clone: str) -> str:
    return TICKET if clone == "helpdesk" else CHARGES


def faults_logged(control: ControlClient, sandbox: dict[str, Any]) -> list[str | None]:
    found = control.get(f"/v1/sandboxes/{sandbox['id']}/requests")["requests"]
    return [entry["fault"] for entry in found]


def strike_first(sandbox: dict[str, Any], clone: str, kind: str) -> None:
    drawn = draw_with(seed_of(sandbox["id"]), READ_THRICE[clone], only_first(kind))
    let_faults_in(sandbox, drawn)


@pytest.mark.parametrize("clone", ["helpdesk", "billing"])
@pytest.mark.parametrize("kind", ["429", "500", "502", "503", "504"])
def test_an_error_is_the_vendors_and_passes(
    control: ControlClient, sandbox: dict[str, Any], clone: str, kind: str
) -> None:
    strike_first(sandbox, clone, kind)
    with agent_of(sandbox, clone) as http:
        struck, *others = [http.get(path_of(clone)) for _ in range(3)]
    assert struck.status_code == int(kind)
    assert [answer.status_code for answer in others] == [200, 200]
    if kind in ("502", "504"):
        assert struck.headers["content-type"] == "text/html"
        assert NGINX in struck.text
    elif clone == "helpdesk":
        words = {
            "429": "APIRateLimitExceeded",
            "500": "InternalError",
            "503": "ServiceUnavailable",
        }
        assert struck.json()["error"] == words[kind]
    else:
        error = struck.json()["error"]
        assert error.get("code") == ("rate_limit" if kind == "429" else None)
        assert error["type"] == ("invalid_request_error" if kind == "429" else "api_error")
    if kind == "429":
        assert 1 <= int(struck.headers["retry-after"]) <= 8
    assert faults_logged(control, sandbox) == [f"injected_{kind}", None, None]


@pytest.mark.parametrize("clone", ["helpdesk", "billing"])
def test_a_late_answer_is_the_true_one_and_moves_no_clock(
    control: ControlClient, sandbox: dict[str, Any], clone: str
) -> None:
    strike_first(sandbox, clone, "latency")
    row = server().registry.get(sandbox["id"])
    assert row.faults is not None
    fault = fault_at(row.faults, seed_of(row.id), clone, 1, write=False, page=False)
    assert fault is not None
    before = control.get(f"/v1/sandboxes/{row.id}")["now"]
    with agent_of(sandbox, clone) as http:
        began = time.monotonic()
        late = http.get(path_of(clone))
        took = time.monotonic() - began
        again = http.get(path_of(clone))
    assert took >= fault.seconds
    assert late.status_code == 200
    assert late.json() == again.json()
    assert control.get(f"/v1/sandboxes/{row.id}")["now"] == before
    assert faults_logged(control, sandbox) == ["injected_latency", None]


@pytest.mark.parametrize("clone", ["helpdesk", "billing"])
def test_a_dropped_connection_ends_without_a_byte(
    control: ControlClient, sandbox: dict[str, Any], clone: str
) -> None:
    strike_first(sandbox, clone, "drop")
    with agent_of(sandbox, clone) as http:
        with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
            http.get(path_of(clone))
        assert http.get(path_of(clone)).status_code == 200
    assert faults_logged(control, sandbox) == ["injected_drop", None]


@pytest.mark.parametrize("clone", ["helpdesk", "billing"])
def test_an_answer_that_never_comes_keeps_nobody_else_waiting(
    control: ControlClient, sandbox: dict[str, Any], clone: str
) -> None:
    strike_first(sandbox, clone, "timeout")
    with agent_of(sandbox, clone, timeout=1.5) as http:
        began = time.monotonic()
        with pytest.raises(httpx.ReadTimeout):
            http.get(path_of(clone))
        assert time.monotonic() - began >= 1.5
        began = time.monotonic()
        # The same worker, which has one thread: the silence holds none.
        assert http.get(path_of(clone)).status_code == 200
        assert time.monotonic() - began < 1.5
    assert faults_logged(control, sandbox) == ["injected_timeout", None]


@pytest.mark.in_turn
@pytest.mark.slow
def test_whoever_waits_without_end_is_hung_up_on(sandbox: dict[str, Any]) -> None:
    strike_first(sandbox, "helpdesk", "timeout")
    with agent_of(sandbox, "helpdesk", timeout=SILENCE + 20) as http:
        began = time.monotonic()
        with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
            http.get(TICKET)
    assert SILENCE <= time.monotonic() - began < SILENCE + 10


@pytest.mark.slow
def test_a_server_ends_though_an_answer_is_never_to_come(sandbox: dict[str, Any]) -> None:
    strike_first(sandbox, "helpdesk", "timeout")
    host = "127.0.0.1"
    port, control = free_port(host), free_port(host)
    options = ServeOptions(data=server().data, port=port, control_port=control, workers=1)
    admin = account(sandbox, "helpdesk", "admin")
    name = f"helpdesk.{sandbox['id']}.localhost:{port}"
    auth = (f"{admin['email']}/token", admin["api_token"])
    with (
        RunningServer(options) as other,
        ThreadPoolExecutor(1) as pool,
        http_client(timeout=SILENCE) as http,
    ):
        waiting = pool.submit(http.get, f"http://{name}{TICKET}", auth=auth)
        deadline = time.monotonic() + 10
        while not server().requests.read(sandbox["id"]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        began = time.monotonic()
        other.workers.stop()
        assert time.monotonic() - began < END_PATIENCE + 3
        assert isinstance(waiting.exception(), httpx.TransportError)


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "applied"])
@pytest.mark.parametrize("kind", ["502", "504", "timeout", "drop"])
def test_a_write_without_an_answer_was_made_or_not(
    control: ControlClient, sandbox: dict[str, Any], kind: str, applied: bool
) -> None:
    calls = [("helpdesk", True), ("helpdesk", True)]
    wanted = only_first(kind, applied=applied)
    let_faults_in(sandbox, draw_with(seed_of(sandbox["id"]), calls, wanted))
    body = {"ticket": {"subject": "Changed or not"}}
    with agent_of(sandbox, "helpdesk", timeout=1.0) as http:
        if kind in ("timeout", "drop"):
            with pytest.raises((httpx.ReadTimeout, httpx.RemoteProtocolError)):
                http.put(TICKET, json=body)
        else:
            assert http.put(TICKET, json=body).status_code == int(kind)
    row = server().registry.get(sandbox["id"])
    with bind(row):
        assert (Ticket.objects.get(id=1).subject == "Changed or not") is applied
    suffix = "_applied" if applied else ""
    assert faults_logged(control, sandbox) == [f"injected_{kind}{suffix}"]


def test_a_refund_whose_answer_was_lost_is_found_again_by_its_key(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    with agent_of(sandbox, "billing") as http:
        charges = http.get(CHARGES, params={"limit": 100}).json()["data"]
        charge = next(entry for entry in charges if entry["paid"] and not entry["refunded"])
        calls = [("billing", True), ("billing", True)]
        drawn = draw_with(seed_of(sandbox["id"]), calls, only_first("502", applied=True))
        let_faults_in(sandbox, drawn)
        data, key = {"charge": charge["id"]}, {"Idempotency-Key": "refund-once"}
        assert http.post("/v1/refunds", data=data, headers=key).status_code == 502
        again = http.post("/v1/refunds", data=data, headers=key)
        assert again.status_code == 200
        assert again.headers["idempotent-replayed"] == "true"
        let_faults_in(sandbox, None)
        made = http.get("/v1/refunds", params={"charge": charge["id"]}).json()["data"]
    assert [refund["id"] for refund in made] == [again.json()["id"]]


@pytest.mark.in_turn
def test_the_rate_is_near_what_was_asked_for(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    let_faults_in(sandbox, "heavy:rate")
    asked = 500
    failed = 0
    with agent_of(sandbox, "helpdesk", timeout=LATENCY[1] + 1) as http:
        for _ in range(asked):
            try:
                failed += http.get("/api/v2/users/me.json").status_code != 200
            except httpx.TransportError:
                failed += 1
    logged = faults_logged(control, sandbox)
    assert len(logged) == asked
    met = [fault for fault in logged if fault is not None]
    assert 0.06 <= len(met) / asked <= 0.14
    assert failed == sum(fault != "injected_latency" for fault in met)


def test_only_the_agents_requests_to_clones_count(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    drawn = draw_with(seed_of(sandbox["id"]), READ_THRICE["helpdesk"], only_first("503"))
    let_faults_in(sandbox, drawn)
    url = sandbox["apps"]["helpdesk"]["url"]
    with http_client(base_url=url) as stranger:
        assert stranger.get("/static/helpdesk/desk.js").status_code == 200
        assert stranger.get(TICKET).status_code == 401
        assert stranger.get(TICKET, auth=("nobody@kestrel.example/token", "x")).status_code == 401
    assert control.get(f"/v1/sandboxes/{sandbox['id']}")["id"] == sandbox["id"]
    with agent_of(sandbox, "helpdesk") as http:
        assert http.options(TICKET).status_code != 503
        assert http.get(TICKET).status_code == 503


@pytest.mark.in_turn
def test_a_reset_brings_the_same_faults_back(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    let_faults_in(sandbox, "heavy:again")
    seen = []
    for _ in range(2):
        with agent_of(sandbox, "helpdesk", timeout=LATENCY[1] + 1) as http:
            found: list[int | str] = []
            for _ in range(60):
                try:
                    found.append(http.get("/api/v2/users/me.json").status_code)
                except httpx.TransportError as error:
                    found.append(type(error).__name__)
        seen.append(found)
        control.post(f"/v1/sandboxes/{sandbox['id']}/reset")
    assert seen[0] == seen[1]
    assert set(seen[0]) != {200}


@contextmanager
def statements_of(sandbox: dict[str, Any]) -> Iterator[list[str]]:
    """Collect the statements on the connection that this process keeps to a sandbox's store."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        found.append(sql)
        return execute(sql, *rest)

    row = server().registry.get(sandbox["id"])
    with bind(row) as binding:
        binding.wrapper.execute_wrappers.append(note)
    yield found
    with bind(row) as binding:
        binding.wrapper.execute_wrappers.remove(note)


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_off_costs_no_statement(sandbox: dict[str, Any], method: str) -> None:
    admin = account(sandbox, "helpdesk", "admin")
    body = {"ticket": {"priority": "high"}} if method == "PUT" else None
    drawn = draw_with(seed_of(sandbox["id"]), [("helpdesk", True)] * 4, lambda met: not any(met))
    counts = []
    with (
        httpx.Client(
            transport=httpx.WSGITransport(app=application),
            base_url=sandbox["apps"]["helpdesk"]["url"],
            auth=(f"{admin['email']}/token", admin["api_token"]),
        ) as http,
        statements_of(sandbox) as statements,
    ):
        assert http.request(method, TICKET, json=body).status_code == 200
        for faults in (None, drawn, None):
            let_faults_in(sandbox, faults)
            statements.clear()
            assert http.request(method, TICKET, json=body).status_code == 200
            assert any("core_randomstream" in sql for sql in statements) is (faults is not None)
            counts.append(len(statements))
    off, on, off_again = counts
    assert off == off_again
    assert off < on
