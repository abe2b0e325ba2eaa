"""What the vendors' public clients make of injected faults: as of their vendors' own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clones.core.faults import Fault
from sandlot.client import ControlClient
from tests.billing.public_client import REQUIREMENTS as STRIPE
from tests.clients import client_python, run_client
from tests.live.conftest import account
from tests.live.faulty import Calls, draw_with, let_faults_in, only_first, seed_of
from tests.live.test_faults import agent_of
from tests.live.test_zenpy import REQUIREMENTS as ZENPY

WRITES: Calls = [("billing", True)] * 3
READS: Calls = [("helpdesk", False)] * 3
FOLDER = Path(__file__).parent


def refunds(sandbox: dict[str, Any], charge: str) -> list[dict[str, Any]]:
    let_faults_in(sandbox, None)
    with agent_of(sandbox, "billing") as http:
        found: list[dict[str, Any]] = http.get("/v1/refunds", params={"charge": charge}).json()[
            "data"
        ]
    return found


def refund(sandbox: dict[str, Any], *, kind: str, applied: bool, retries: int) -> dict[str, Any]:
    """Let `stripe` refund a charge, its first request meeting a fault."""
    with agent_of(sandbox, "billing") as http:
        charges = http.get("/v1/charges", params={"limit": 100}).json()["data"]
    charge = next(entry["id"] for entry in charges if entry["paid"] and not entry["refunded"])
    drawn = draw_with(seed_of(sandbox["id"]), WRITES, only_first(kind, applied=applied))
    let_faults_in(sandbox, drawn)
    done = run_client(
        client_python("stripe", STRIPE),
        FOLDER / "stripe_retries.py",
        sandbox["origin"],
        account(sandbox, "billing", "admin")["secret_key"],
        charge,
        str(retries),
        "1.5",
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    found["made"] = [entry["id"] for entry in refunds(sandbox, charge)]
    return found


@pytest.mark.parametrize(
    ("kind", "applied"),
    [("500", False), ("503", False), ("502", True), ("timeout", True), ("drop", False)],
)
def test_stripe_retries_and_refunds_once(sandbox: dict[str, Any], kind: str, applied: bool) -> None:
    found = refund(sandbox, kind=kind, applied=applied, retries=2)
    assert found["made"] == [found["refund"]]
    assert found["replayed"] == ("true" if applied else None)


@pytest.mark.parametrize(
    ("kind", "error", "status"),
    [
        ("429", "RateLimitError", 429),
        ("503", "APIError", 503),
        ("drop", "APIConnectionError", None),
        ("timeout", "APIConnectionError", None),
    ],
)
def test_stripe_names_what_it_does_not_retry(
    sandbox: dict[str, Any], kind: str, error: str, status: int | None
) -> None:
    found = refund(sandbox, kind=kind, applied=False, retries=0)
    assert (found["error"], found["status"]) == (error, status)
    assert found["made"] == []


def read(sandbox: dict[str, Any], kind: str) -> tuple[dict[str, Any], Fault]:
    """Let `zenpy` read a ticket, its first request meeting a fault; return result and fault."""
    chosen: list[Fault] = []

    def wanted(met: list[Fault | None]) -> bool:
        fits = only_first(kind)(met)
        if fits and met[0] is not None:
            chosen.append(met[0])
        return fits

    let_faults_in(sandbox, draw_with(seed_of(sandbox["id"]), READS, wanted))
    admin = account(sandbox, "helpdesk", "admin")
    done = run_client(
        client_python("zenpy", ZENPY),
        FOLDER / "zenpy_retries.py",
        sandbox["origin"].removeprefix("http://"),
        admin["email"],
        admin["api_token"],
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found, chosen[0]


def test_zenpy_waits_as_it_is_told(control: ControlClient, sandbox: dict[str, Any]) -> None:
    found, fault = read(sandbox, "429")
    assert found["ticket"] == 1
    assert fault.retry_after is not None
    assert found["seconds"] >= fault.retry_after
    logged = control.get(f"/v1/sandboxes/{sandbox['id']}/requests")["requests"]
    assert [entry["fault"] for entry in logged] == ["injected_429", None]


@pytest.mark.parametrize("kind", ["502", "500", "drop", "timeout"])
def test_zenpy_is_told_of_errors(sandbox: dict[str, Any], kind: str) -> None:
    found, _ = read(sandbox, kind)
    assert "error" in found, found
