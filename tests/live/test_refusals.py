"""Requests that must not get through are answered in the vendor's own words, and logged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from clones.core.server import server
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from tests.live.conftest import account

UNAUTHENTICATED = {"error": "Couldn't authenticate you"}
BILLING_ERROR = {"type", "message"}


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with http_client() as client:
        yield client


def helpdesk_auth(sandbox: dict[str, Any], role: str = "admin") -> tuple[str, str]:
    found = account(sandbox, "helpdesk", role)
    return f"{found['email']}/token", found["api_token"]


def statuses_logged(sandbox: str) -> list[int]:
    return [entry.status for entry in server().requests.read(sandbox)]


def test_a_token_opens_its_sandbox_by_host_and_by_credential(
    sandbox: dict[str, Any], http: httpx.Client
) -> None:
    auth = helpdesk_auth(sandbox)
    by_host = http.get(f"{sandbox['apps']['helpdesk']['url']}/api/v2/users/me.json", auth=auth)
    by_credential = http.get(f"{sandbox['origin']}/api/v2/users/me.json", auth=auth)
    assert by_host.status_code == by_credential.status_code == 200
    assert by_host.json()["user"]["email"] == by_credential.json()["user"]["email"]


def test_a_wrong_token_is_refused_by_the_vendor(
    sandbox: dict[str, Any], http: httpx.Client
) -> None:
    email, token = helpdesk_auth(sandbox)
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets/1.json"
    answer = http.get(url, auth=(email, wrong))
    assert (answer.status_code, answer.json()) == (401, UNAUTHENTICATED)
    assert statuses_logged(sandbox["id"])[-1] == 401
    secret = http.get(
        f"{sandbox['apps']['billing']['url']}/v1/charges",
        headers={"Authorization": "Bearer sk_test_wrong"},
    )
    assert secret.status_code == 401
    assert set(secret.json()["error"]) >= BILLING_ERROR


def test_a_token_of_another_sandbox_is_refused(
    sandbox: dict[str, Any], control: ControlClient, http: httpx.Client
) -> None:
    other = control.post("/v1/sandboxes", {"size": "tiny"})
    url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets/1.json"
    answer = http.get(url, auth=helpdesk_auth(other))
    assert (answer.status_code, answer.json()) == (401, UNAUTHENTICATED)
    key = account(other, "billing", "admin")["secret_key"]
    charges = http.get(
        f"{sandbox['apps']['billing']['url']}/v1/charges",
        headers={"Authorization": f"Bearer {key}"},
    )
    assert charges.status_code == 401
    assert statuses_logged(sandbox["id"])[-2:] == [401, 401]
    control.delete(f"/v1/sandboxes/{other['id']}")


def test_a_deleted_sandbox_is_the_vendors_404_by_host_and_401_by_credential(
    control: ControlClient, http: httpx.Client, running: RunningServer
) -> None:
    gone = control.post("/v1/sandboxes", {"size": "tiny"})
    auth = helpdesk_auth(gone)
    control.delete(f"/v1/sandboxes/{gone['id']}")
    by_host = http.get(f"{gone['apps']['helpdesk']['url']}/api/v2/tickets/1.json", auth=auth)
    assert by_host.status_code == 404
    assert "error" in by_host.json()
    by_credential = http.get(f"{gone['origin']}/api/v2/tickets/1.json", auth=auth)
    assert (by_credential.status_code, by_credential.json()) == (401, UNAUTHENTICATED)


@pytest.mark.parametrize("path", ["/v1/sandboxes", "/v1/episodes", "/healthz", "/openapi.json"])
def test_the_control_plane_is_not_on_the_data_plane(
    path: str, sandbox: dict[str, Any], running: RunningServer, http: httpx.Client
) -> None:
    headers = {"Authorization": f"Bearer {running.token}"}
    bare = http.get(f"{sandbox['origin']}{path}", headers=headers)
    assert bare.status_code in (401, 404)
    for clone in ("helpdesk", "billing"):
        by_host = http.get(f"{sandbox['apps'][clone]['url']}{path}", headers=headers)
        assert by_host.status_code in (401, 404), (clone, path)


def test_pages_are_not_on_the_bare_host(sandbox: dict[str, Any], http: httpx.Client) -> None:
    assert http.get(f"{sandbox['origin']}/agent/dashboard").status_code == 404


def test_the_control_plane_needs_its_token(running: RunningServer, http: httpx.Client) -> None:
    answer = http.get(f"{running.control_url}/v1/sandboxes")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    wrong = http.get(f"{running.control_url}/v1/sandboxes", headers={"Authorization": "Bearer x"})
    assert wrong.status_code == 401


def test_a_rotating_reset_ends_every_credential(
    sandbox: dict[str, Any], control: ControlClient, http: httpx.Client
) -> None:
    auth = helpdesk_auth(sandbox)
    url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets/1.json"
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
    assert http.get(url, auth=auth).status_code == 200
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {"rotate": True})
    assert http.get(url, auth=auth).status_code == 401
    fresh = control.get(f"/v1/sandboxes/{sandbox['id']}")
    assert http.get(url, auth=helpdesk_auth(fresh)).status_code == 200
