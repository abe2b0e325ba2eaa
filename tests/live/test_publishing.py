"""A sandbox on ports of its own: whole origins, for clients and browsers that know only these."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from clones.core.server import server
from clones.core.vendors import clones
from episodes.browser import BrowserPool, BrowserSession, find_browser
from sandlot.cli.ports import SIZE, free_port
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client
from tests.clients import client_python, run_client
from tests.live.apart import serve_apart, with_world
from tests.live.conftest import account
from tests.live.test_tenancy import auth_of
from tests.live.test_zenpy import REQUIREMENTS, SCRIPT

ROOT = Path(__file__).resolve().parents[2]


def publish(control: ControlClient, sandbox: dict[str, Any], **body: Any) -> dict[str, str]:
    found: dict[str, str] = control.post(f"/v1/sandboxes/{sandbox['id']}/publish", body)[
        "published"
    ]
    return found


def port_of(origin: str) -> int:
    return int(origin.rpartition(":")[2])


def free_ports() -> int:
    """Return the first of a port for each clone in a row, which no other test process is given."""
    assert len(clones()) <= SIZE
    return free_port("127.0.0.1")


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 60  # on a machine that others keep busy
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def published(control: ControlClient, sandbox: dict[str, Any]) -> dict[str, str]:
    return publish(control, sandbox, port=free_ports())


def test_each_clone_has_the_whole_of_its_origin(
    sandbox: dict[str, Any], published: dict[str, str]
) -> None:
    assert sorted(published) == sorted(clone.name for clone in clones())
    key = sandbox["apps"]["billing"]["accounts"][0]["secret_key"]
    with http_client() as http:
        page = http.get(f"{published['helpdesk']}/agent/dashboard")
        assert page.status_code == 302
        ticket = http.get(
            f"{published['helpdesk']}/api/v2/tickets/1.json", auth=auth_of(sandbox)
        ).json()["ticket"]
        assert ticket["url"] == f"{published['helpdesk']}/api/v2/tickets/1.json"
        charges = http.get(f"{published['billing']}/v1/charges", auth=(key, ""))
        assert charges.json()["object"] == "list"
        # No other clone's API is there, whatever credential is shown.
        assert http.get(f"{published['helpdesk']}/v1/charges", auth=(key, "")).status_code == 404


def test_the_control_plane_shows_where_a_sandbox_is_published(
    control: ControlClient, sandbox: dict[str, Any], published: dict[str, str]
) -> None:
    assert control.get(f"/v1/sandboxes/{sandbox['id']}")["published"] == published
    assert publish(control, sandbox) == published


@pytest.mark.slow
def test_an_unmodified_zenpy_works_a_shift_on_a_published_port(
    sandbox: dict[str, Any], published: dict[str, str]
) -> None:
    admin = account(sandbox, "helpdesk", "admin")
    netloc = published["helpdesk"].removeprefix("http://")
    python = client_python("zenpy", REQUIREMENTS)
    done = run_client(python, SCRIPT, netloc, admin["email"], admin["api_token"])
    assert done.returncode == 0, done.stderr
    assert '"delete"' in done.stdout


def test_a_reset_keeps_the_ports_and_a_deletion_frees_them(control: ControlClient) -> None:
    made = control.post("/v1/sandboxes", {"size": "tiny"})
    ports = [port_of(origin) for origin in publish(control, made, port=free_ports()).values()]
    control.post(f"/v1/sandboxes/{made['id']}/reset")
    assert all(map(answers, ports))
    control.delete(f"/v1/sandboxes/{made['id']}")
    assert eventually(lambda: not any(map(answers, ports)))


def test_unpublishing_closes_the_ports_and_cuts_off_who_is_connected(
    control: ControlClient, sandbox: dict[str, Any], published: dict[str, str]
) -> None:
    with http_client(auth=auth_of(sandbox)) as http:
        url = f"{published['helpdesk']}/api/v2/tickets/1.json"
        assert http.get(url).status_code == 200
        left = control.delete(f"/v1/sandboxes/{sandbox['id']}/publish")
        assert left["published"] == {}
        # The connection that was open is cut off, or a new one is refused.
        with pytest.raises((httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError)):
            http.get(url)
    assert not answers(port_of(published["helpdesk"]))
    assert control.delete(f"/v1/sandboxes/{sandbox['id']}/publish") == left


def test_ports_can_be_chosen_and_taken_ones_are_refused(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    taken = free_ports()
    refused = pytest.raises(ControlError, match=f"port {taken} cannot be opened: Address already")
    with socket.create_server(("127.0.0.1", taken)), refused:
        publish(control, sandbox, port=taken)
    assert control.get(f"/v1/sandboxes/{sandbox['id']}")["published"] == {}
    assert server().registry.origins(sandbox["id"]) == {}
    found = publish(control, sandbox, port=taken)
    assert sorted(map(port_of, found.values())) == list(range(taken, taken + len(clones())))
    other = control.post("/v1/sandboxes", {"size": "tiny"})
    with pytest.raises(ControlError, match=f"port {taken + 1} is published already"):
        publish(control, other, port=taken + 1)
    with pytest.raises(ControlError, match="unpublish it to choose ports"):
        publish(control, sandbox, port=taken + 7)
    control.delete(f"/v1/sandboxes/{other['id']}")


@pytest.mark.slow
def test_many_sandboxes_are_published_side_by_side(control: ControlClient) -> None:
    made = [control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(12)]
    origins = [publish(control, sandbox)["helpdesk"] for sandbox in made]
    assert len(set(origins)) == len(made)
    with http_client() as http:
        for number, (sandbox, origin) in enumerate(zip(made, origins, strict=True)):
            body = {"ticket": {"subject": f"of {number}", "comment": {"body": "x"}}}
            answer = http.post(f"{origin}/api/v2/tickets.json", json=body, auth=auth_of(sandbox))
            assert answer.status_code == 201
        for number, sandbox in enumerate(made):
            diff = control.get(f"/v1/sandboxes/{sandbox['id']}/diff")
            assert f"of {number}" in str(diff["changes"])
            assert f"of {(number + 1) % len(made)}'" not in str(diff["changes"])
            control.delete(f"/v1/sandboxes/{sandbox['id']}")


@pytest.mark.slow
def test_a_restart_opens_the_ports_again(tmp_path: Path) -> None:
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as first:
        sandbox = first.control.post("/v1/sandboxes", {"size": "tiny"})
        found = publish(first.control, sandbox, port=free_ports())
        port = port_of(found["helpdesk"])
        assert answers(port)
    assert not answers(port)
    with serve_apart(tmp_path, "--workers", "2") as second:
        assert second.control.get(f"/v1/sandboxes/{sandbox['id']}")["published"] == found
        assert eventually(lambda: answers(port))
        with http_client(auth=auth_of(sandbox)) as http:
            assert http.get(f"{found['helpdesk']}/api/v2/users/me.json").status_code == 200


def test_a_front_that_dies_is_started_again(
    running: RunningServer, sandbox: dict[str, Any], published: dict[str, str]
) -> None:
    dead = running.workers.front_pid()
    os.kill(dead, signal.SIGKILL)
    assert eventually(lambda: running.workers.front_pid() != dead)
    assert eventually(lambda: answers(port_of(published["billing"])))
    with http_client(auth=auth_of(sandbox)) as http:
        assert http.get(f"{published['helpdesk']}/api/v2/users/me.json").status_code == 200


# In a browser


@pytest.fixture
def session(sandbox: dict[str, Any], published: dict[str, str]) -> Iterator[BrowserSession]:
    with BrowserPool(find_browser(note=ROOT / ".sandlot" / "browser")) as pool:
        yield pool.open(
            "ep-published",
            origins=list(published.values()),
            start_url=f"{published['helpdesk']}/agent/dashboard",
            now=datetime(2026, 6, 16, 14, 0, tzinfo=UTC),
        )


def act(session: BrowserSession, kind: str, role: str, name: str, **rest: Any) -> None:
    result = session.perform({"act": kind, "target": {"role": role, "name": name}, **rest})
    assert result.error is None, result.error


@pytest.mark.slow
@pytest.mark.browser
def test_a_browser_works_in_a_published_desk_with_its_billing_panel(
    sandbox: dict[str, Any], published: dict[str, str], session: BrowserSession
) -> None:
    agent = account(sandbox, "helpdesk", "agent")
    act(session, "type", "textbox", "Email", text=agent["email"])
    act(session, "type", "textbox", "Password", text=agent["password"])
    act(session, "click", "button", "Sign in")
    with http_client(auth=auth_of(sandbox)) as http:
        found = http.get(
            f"{published['helpdesk']}/api/v2/search.json?query=type:ticket status:open"
        ).json()["results"]
    result = session.perform(
        {"act": "goto", "url": f"{published['helpdesk']}/agent/tickets/{found[0]['id']}"}
    )
    assert result.error is None, result.error
    seen = session.observe()
    assert seen.url.startswith(f"{published['helpdesk']}/agent/tickets/")
    assert found[0]["subject"][:20] in seen.tree
    # The panel is billing's own page, which opens to a hand-over only.
    assert re.search(
        r'iframe "Billing".*\n\s+- main.*\n\s+- heading "Billing" \[level=1', seen.tree
    )
    assert session.blocked == ()
