"""A request that works too long is ended, and one whose sandbox is to be reset."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from clones.core.journal import act as journal_act
from clones.core.server import server
from clones.core.tenancy import unit_of_work, watching
from clones.core.tenancy.middleware import OUT_OF_TIME, WORKED_LONG
from clones.core.tenancy.overfull import TOO_MANY, log_refused
from clones.helpdesk.models import Ticket
from episodes import traffic
from episodes.browser import Timeouts
from episodes.presentation import Addresses
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client
from tests.conftest import bind
from tests.live.conftest import account
from tests.live.test_tenancy import auth_of
from tests.serving import serving

# So many rows no request should bring: the worker takes seconds for them.
MANY = 1_000_000
# Nor has a ticket so many: its page takes seconds, too.
MANY_OF_A_PAGE = 4_000_000
# What is asked for is sent in peace, and the answer waited for next to not at all.
BRIEF = httpx.Timeout(120, read=1.0)


def words(number: int, word: str = "tag") -> list[str]:
    """Return as many words, made where they are sent: each process of a run reads this module."""
    return [f"{word}{place}" for place in range(number)]


def long_act() -> dict[str, Any]:
    """Return the arguments of an act that asks for a ticket of many tags."""
    path = "/api/v2/tickets.json"
    return {"clone": "helpdesk", "method": "POST", "path": path, "body": long_ticket()}


def long_ticket() -> dict[str, Any]:
    """Return the body of a request for a ticket of many tags."""
    return {"ticket": {"comment": {"body": "x"}, "tags": words(MANY)}}


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    """A data plane whose requests may use next to nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDLOT_REQUEST_SECONDS", "0.05")
        with serving() as address:
            yield address


@pytest.fixture
def at(hasty: str, sandbox: dict[str, Any]) -> str:
    """The sandbox's helpdesk at the hasty data plane."""
    return f"http://helpdesk.{sandbox['id']}.localhost:{hasty.rpartition(':')[2]}"


def test_what_takes_too_long_is_ended_and_undone(
    control: ControlClient, sandbox: dict[str, Any], at: str
) -> None:
    with http_client(auth=auth_of(sandbox), timeout=120) as http:
        answer = http.post(f"{at}/api/v2/tickets.json", json=long_ticket())
        assert answer.status_code == 503, answer.text
        assert answer.headers["content-type"].startswith("application/json")
        # The worker and its connection to the store are good for others.
        assert http.get(f"{at}/api/v2/users/me.json").status_code == 200
        short = {"ticket": {"comment": {"body": "short"}}}
        assert http.post(f"{at}/api/v2/tickets.json", json=short).status_code == 201
    changes = control.get(f"/v1/sandboxes/{sandbox['id']}/diff")["changes"]
    assert not [one for one in changes if "tag1" in str(one)]
    faults = [entry.fault for entry in server().requests.read(sandbox["id"])]
    assert faults == [OUT_OF_TIME, None, None]


ESCAPED = 13_000_000  # each is a step of the interpreter
MANY_LABELS = 2_500_000
ENDED = {
    "tracker": ("/rest/api/3/issue", "application/json"),
    "billing": ("/v1/customers", "application/json"),
    "helpdesk": ("/access/login", "text/html"),
}


@pytest.mark.parametrize("clone", ENDED)
def test_each_vendor_says_in_its_words_that_a_request_was_ended(
    sandbox: dict[str, Any], hasty: str, clone: str
) -> None:
    """An API in the form of its errors, a page as a page."""
    path, kind = ENDED[clone]
    at = f"http://{clone}.{sandbox['id']}.localhost:{hasty.rpartition(':')[2]}{path}"
    options: dict[str, Any] = {"content": f"description={'%41' * ESCAPED}"}
    options["headers"] = {"Content-Type": "application/x-www-form-urlencoded"}
    if clone == "tracker":
        admin = account(sandbox, "tracker", "admin")
        options = {
            "auth": (admin["email"], admin["api_token"]),
            "json": {"fields": {"summary": "x", "labels": words(MANY_LABELS, "label")}},
        }
    elif clone == "billing":
        key = sandbox["apps"]["billing"]["accounts"][0]["secret_key"]
        options["headers"]["Authorization"] = f"Bearer {key}"
    with http_client(timeout=300) as http:
        answer = http.post(at, **options)
    assert answer.status_code == 503, answer.text[:500]
    assert answer.headers["content-type"].startswith(kind)
    if clone == "tracker":
        assert set(answer.json()) == {"errorMessages", "errors"}
    elif clone == "billing":
        assert set(answer.json()["error"]) >= {"type", "message"}
    faults = [entry.fault for entry in server().requests.read(sandbox["id"])]
    assert faults == [OUT_OF_TIME]


def test_a_request_that_works_long_is_no_failure_of_ours(control: ControlClient, at: str) -> None:
    """An episode over it goes on, and is scored."""
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13, "client": "own"})
    url = f"http://helpdesk.{started['sandbox']}.localhost:{at.rpartition(':')[2]}"
    found = started["apps"]["helpdesk"]["accounts"][0]
    by = (f"{found['email']}/token", found["api_token"])
    with http_client(auth=by, timeout=120) as http:
        assert http.post(f"{url}/api/v2/tickets.json", json=long_ticket()).status_code == 503
    result = control.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    assert result["status"] == "completed", result


@pytest.fixture(scope="module")
def bounded() -> Iterator[int]:
    """The port of a data plane whose requests may use what a first page needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDLOT_REQUEST_SECONDS", "1.5")
        with serving() as address:
            yield int(address.rpartition(":")[2])


@pytest.fixture
def impatient(
    running: RunningServer, bounded: int, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ControlClient]:
    """A control plane whose acts are not waited for as long as the data plane may work."""
    monkeypatch.setattr(running.host, "addresses", Addresses("127.0.0.1", "localhost", (bounded,)))
    for name in ("ANSWERED_WITHIN", "PATIENCE"):
        monkeypatch.setattr(f"episodes.spaces.opening.{name}", BRIEF)
    with ControlClient(running.control_url, running.token, timeout=None) as client:
        yield client


@pytest.mark.in_turn
@pytest.mark.parametrize("faults", ["none", "light"])
def test_an_act_that_is_not_waited_for_is_no_failure_of_ours(
    impatient: ControlClient, faults: str
) -> None:
    """The time it was given is shorter than what a request may take: the log says what it was."""
    body = {"task": "H05", "seed": 13, "faults": faults, "fault_seed": 1}
    started = impatient.post("/v1/episodes", body)
    step = impatient.post(
        f"/v1/episodes/{started['id']}/act", {"tool": "http_request", "arguments": long_act()}
    )
    assert step["status"] == "running", impatient.get(f"/v1/episodes/{started['id']}")["error"]
    assert step["observation"]["text"] == "helpdesk did not answer in time"
    seen = [entry.fault for entry in server().requests.read(started["sandbox"])]
    assert seen == [OUT_OF_TIME]
    result = impatient.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    assert result["status"] == "completed", result


@pytest.mark.in_turn
def test_an_act_that_works_on_is_waited_for(
    control: ControlClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take what it takes; what is graded is what it has left behind."""
    monkeypatch.setattr("episodes.spaces.opening.ANSWERED_WITHIN", BRIEF)
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13, "keep_sandbox": True})
    step = control.post(
        f"/v1/episodes/{started['id']}/act", {"tool": "http_request", "arguments": long_act()}
    )
    assert step["status"] == "running", control.get(f"/v1/episodes/{started['id']}")["error"]
    (entry,) = server().requests.read(started["sandbox"])
    assert entry.fault in (WORKED_LONG, OUT_OF_TIME)
    store = server().registry.get(started["sandbox"]).store
    assert list(store.parent.glob(f"{watching.WORKING}*")) == []
    control.post(f"/v1/episodes/{started['id']}/abandon")
    control.delete(f"/v1/sandboxes/{started['sandbox']}")


@pytest.mark.in_turn
@pytest.mark.browser
def test_a_page_that_is_not_waited_for_is_no_failure_of_ours(
    impatient: ControlClient, running: RunningServer
) -> None:
    body = {"task": "H05", "seed": 13, "space": "browser"}
    browsers = running.host.browsers
    started = impatient.post("/v1/episodes", body)
    row = server().registry.get(started["sandbox"])
    with bind(row), unit_of_work("write"), journal_act(actor="test", label="test"):
        ticket = Ticket.objects.values_list("id", flat=True).order_by("id")[0]
        Ticket.objects.filter(id=ticket).update(tags=words(MANY_OF_A_PAGE))
    session = browsers._sessions[started["id"]]
    assert session is not None
    # Less than the page takes; enough to look at the one that is there, on a busy machine too.
    session._driver._limits = Timeouts(load=1.0)
    url = f"{started['apps']['helpdesk']['url']}/agent/tickets/{ticket}"
    step = impatient.post(
        f"/v1/episodes/{started['id']}/act", {"tool": "browser_goto", "arguments": {"url": url}}
    )
    assert step["status"] == "running", impatient.get(f"/v1/episodes/{started['id']}")["error"]
    assert step["observation"]["notes"][0].startswith("no_answer: ")
    assert OUT_OF_TIME in [entry.fault for entry in server().requests.read(row.id)]
    result = impatient.post(f"/v1/episodes/{started['id']}/finish", {"arguments": {}})
    assert result["status"] == "completed", result


@pytest.mark.in_turn
@pytest.mark.browser
def test_a_link_to_a_page_that_works_long_is_no_failure_of_ours(
    impatient: ControlClient, running: RunningServer
) -> None:
    """Nothing can be seen of a page before it is there: it is waited for till it is ended."""
    body = {"task": "H05", "seed": 13, "space": "browser"}
    started = impatient.post("/v1/episodes", body)
    row = server().registry.get(started["sandbox"])
    at = f"/v1/episodes/{started['id']}"
    tree = impatient.get(f"{at}/observation")["tree"]
    with bind(row), unit_of_work("write"), journal_act(actor="test", label="test"):
        ids = dict(Ticket.objects.order_by("id").values_list("subject", "id"))
        subject = next(text for text in re.findall(r'link "([^"]+)"', tree) if text in ids)
        Ticket.objects.filter(id=ids[subject]).update(tags=words(MANY_OF_A_PAGE))
    session = running.host.browsers._sessions[started["id"]]
    assert session is not None
    session._driver._limits = Timeouts(load=3.0, settle=0.3)
    target = {"role": "link", "name": subject, "ordinal": 0}
    step = impatient.post(f"{at}/act", {"tool": "browser_click", "arguments": {"target": target}})
    assert step["status"] == "running", impatient.get(at)["error"]
    assert "503" in step["observation"]["tree"]
    assert OUT_OF_TIME in [entry.fault for entry in server().requests.read(row.id)]
    impatient.post(f"{at}/abandon")


def test_a_request_of_which_there_is_no_sign_is_our_failure(
    sandbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic, "LONGEST", 2.0)
    awaited = partial(traffic.is_agents_wait, unheard=0.3)
    row = server().registry.get(sandbox["id"])
    since = time.time()
    assert not awaited(row, since=since)
    working = row.store.parent / f"{watching.WORKING}.w0.1"
    working.write_text("GET helpdesk /api/v2/users/me.json")
    try:
        assert not awaited(row, since=since)  # held up, by what others do
        working.write_text(watching.LONG + "GET helpdesk /api/v2/users/me.json")
        assert awaited(row, since=since)
    finally:
        working.unlink()
    log_refused(row.id, {"REQUEST_METHOD": "GET", "PATH_INFO": "/api/v2/users/me.json"})
    assert awaited(row, since=since)
    (entry,) = server().requests.read(row.id)
    assert (entry.status, entry.fault, entry.path) == (503, TOO_MANY, "/api/v2/users/me.json")


def test_what_a_dead_process_worked_at_holds_up_nobody(sandbox: dict[str, Any]) -> None:
    store = server().registry.get(sandbox["id"]).store
    left = store.parent / f"{watching.WORKING}.w0.1"
    left.touch()
    assert watching.is_working(store)
    os.utime(left, (1, 1))
    assert not watching.is_working(store)
    assert not left.exists()


def test_of_two_processes_at_work_in_a_sandbox_each_is_waited_for(sandbox: dict[str, Any]) -> None:
    """One that is done leaves the other's word alone, and neither says what the other has used."""
    store = server().registry.get(sandbox["id"]).store
    first, second = (store.parent / f"{watching.WORKING}.{name}" for name in ("w0.1", "w0s.2"))
    first.write_text(watching.LONG + "POST helpdesk /api/v2/tickets.json")
    second.write_text("GET tracker /rest/api/3/myself")
    assert watching.is_working(store, long=True)
    assert watching.requests_at_work(store) == [
        "GET tracker /rest/api/3/myself", "POST helpdesk /api/v2/tickets.json",
    ]  # fmt: skip
    assert not watching.wait_while_working(store, most=0.1)
    first.unlink()
    assert watching.is_working(store)
    assert not watching.is_working(store, long=True)
    second.unlink()
    assert watching.wait_while_working(store, most=0.1)


def test_an_act_waits_for_as_long_as_its_caller_would(control: ControlClient) -> None:
    """Then it is told which request is in its way, and is no step."""
    started = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    at = f"/v1/episodes/{started['id']}/act"
    working = server().registry.get(started["sandbox"]).store.parent / f"{watching.WORKING}.w0.1"
    working.write_text(watching.LONG + "POST helpdesk /api/v2/tickets.json")
    act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    try:
        with pytest.raises(ControlError, match=r"POST helpdesk .* is under way"):
            control.post(f"{at}?patience=0.2", act)
    finally:
        working.unlink()
    step = control.post(f"{at}?patience=0.2&for=trainer", act)
    assert (step["step"], step["status"]) == (1, "running")
    control.post(f"/v1/episodes/{started['id']}/abandon")


def test_a_reset_ends_what_works_in_its_way(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    url = sandbox["apps"]["helpdesk"]["url"]
    admin = account(sandbox, "helpdesk", "admin")
    answers: list[httpx.Response] = []

    def write_long() -> None:
        by = (f"{admin['email']}/token", admin["api_token"])
        with http_client(auth=by, timeout=300) as http:
            long = {"ticket": {"comment": {"body": "x"}, "tags": words(1_500_000, "t")}}
            answers.append(http.post(f"{url}/api/v2/tickets.json", json=long))

    writing = threading.Thread(target=write_long)
    writing.start()
    store = server().registry.get(sandbox["id"]).store
    while not watching.is_working(store):  # its body is long, and read before anybody works on it
        assert writing.is_alive(), answers
        time.sleep(0.1)
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
    writing.join(300)
    assert control.get(f"/v1/sandboxes/{sandbox['id']}/diff")["changes"] == []
    assert answers[0].status_code in (401, 503)
    row = server().registry.get(sandbox["id"])
    assert not (row.store.parent / watching.WANTED).exists()


def test_what_a_dead_process_wanted_ends_nobody(sandbox: dict[str, Any]) -> None:
    store = server().registry.get(sandbox["id"]).store
    with watching.reset_wanted(store):
        assert watching.is_reset_wanted(store)
    assert not watching.is_reset_wanted(store)
    (store.parent / watching.WANTED).touch()
    os.utime(store.parent / watching.WANTED, (1, 1))
    assert not watching.is_reset_wanted(store)
