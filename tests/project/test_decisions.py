"""What the pages in docs/adr/ decided still holds."""

from __future__ import annotations

import base64
import math
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory
from pydantic import BaseModel

from clones.core import clock, jobs
from clones.core.accounts import account_cards
from clones.core.accounts.authentication import Presented, authenticate
from clones.core.journal import act, journal, store_digest
from clones.core.models import Blob, Job
from clones.core.models.accounts import Account, Credential
from clones.core.operations import Call, Operations
from clones.core.server import server
from clones.core.tenancy import NoSandbox, SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import PRESENT, bind

# 0001: one alias, with the sandbox's connection swapped in


def test_a_binding_ends_with_its_block_and_not_in_other_threads(
    sandboxes: Sandboxes, empty_image: Manifest, empty_sandbox: SandboxRow
) -> None:
    other = sandboxes.create(empty_image)
    stores: list[str] = []
    failures: list[BaseException] = []

    def look_from_another_thread() -> None:
        try:
            Blob.objects.count()
        except NoSandbox as error:
            failures.append(error)

    with bind(empty_sandbox):
        stores.append(connection.settings_dict["NAME"])
        with bind(other):
            stores.append(connection.settings_dict["NAME"])
            thread = threading.Thread(target=look_from_another_thread)
            thread.start()
            thread.join()
        stores.append(connection.settings_dict["NAME"])
    assert stores == [str(row.store) for row in (empty_sandbox, other, empty_sandbox)]
    assert len(failures) == 1, "a thread that was started inside a binding has none"
    with pytest.raises(NoSandbox):
        Blob.objects.count()
    sandboxes.delete(other.id)


# 0002: the journal stores before images in wide, untyped columns


def test_the_journal_keeps_storage_class_and_bits(empty_sandbox: SandboxRow) -> None:
    values: list[Any] = [0.1 + 0.2, -0.0, math.inf, 2**62, 1, 1.0, b"\x00\xff", "a\x00b", ""]
    raw = sqlite3.connect(empty_sandbox.store, isolation_level=None)
    for number, value in enumerate(values):
        raw.execute("INSERT INTO core_blob VALUES (?, ?)", (f"k{number}", value))
    before = raw.execute("SELECT sha256, typeof(data), data FROM core_blob ORDER BY 1").fetchall()
    with bind(empty_sandbox), unit_of_work("read"):
        mark = journal().position()
    raw.execute("UPDATE core_blob SET data = x'00'")
    raw.execute("DELETE FROM core_blob")
    with bind(empty_sandbox), unit_of_work("write"):
        assert journal().rewind(mark).mismatches == ()
    after = raw.execute("SELECT sha256, typeof(data), data FROM core_blob ORDER BY 1").fetchall()
    raw.close()
    assert [repr(row) for row in after] == [repr(row) for row in before]


# 0003: secrets are derived, with an epoch, and stored nowhere

KINDS = ("password", "api_token", "oauth_token")


@pytest.fixture
def account_row(empty_sandbox: SandboxRow) -> SandboxRow:
    """A sandbox with an account that has every kind of credential."""
    with bind(empty_sandbox), unit_of_work("write"), act(actor="system", label="x"):
        account = Account.objects.create(
            id=1, clone="helpdesk", subject="7", login="ana@kestrel.example", role="admin",
            listed=True,
        )  # fmt: skip
        for number, kind in enumerate(KINDS, start=1):
            Credential.objects.create(id=number, account=account, kind=kind, created_at=PRESENT)
    return empty_sandbox


def handed_out(row: SandboxRow) -> dict[str, str]:
    with bind(row), unit_of_work("read"):
        (card,) = account_cards(row)
    return card.secrets


def proves(secret: str, row: SandboxRow) -> bool:
    with bind(row), unit_of_work("read"):
        found = authenticate(Presented(secret, None, KINDS), "helpdesk", row)
    return found is not None and found.account.id == 1


def test_no_row_holds_a_secret(account_row: SandboxRow) -> None:
    secrets = handed_out(account_row)
    assert len(set(secrets.values())) == 3
    file = account_row.store.read_bytes()
    log = account_row.store.with_name(account_row.store.name + "-wal")
    written = file + (log.read_bytes() if log.exists() else b"")
    for secret in secrets.values():
        assert proves(secret, account_row)
        assert secret.encode() not in written
        assert base64.b64encode(secret.encode()) not in written
    assert account_row.id.removeprefix("sb-").encode() not in written


def test_raising_the_epoch_ends_every_secret(account_row: SandboxRow) -> None:
    old = handed_out(account_row)
    with bind(account_row), unit_of_work("read"):
        digest = store_digest()
    server().registry.rotate_credentials(account_row.id)
    fresh = server().registry.get(account_row.id)
    assert not any(proves(secret, fresh) for secret in old.values())
    assert all(proves(secret, fresh) for secret in handed_out(fresh).values())
    with bind(fresh), unit_of_work("read"):
        assert store_digest() == digest, "ending credentials writes no row"


def test_a_secret_proves_nothing_elsewhere(account_row: SandboxRow, sandboxes: Sandboxes) -> None:
    twin = sandboxes.fork(account_row.id)
    mine, theirs = handed_out(account_row), handed_out(twin)
    assert not set(mine.values()) & set(theirs.values())
    for secret in mine.values():
        assert proves(secret, account_row)
        assert not proves(secret, twin)
        assert not proves(secret[:-1] + ("0" if secret[-1] != "0" else "1"), account_row)
    sandboxes.delete(twin.id)


# 0004: an advance runs in one transaction, each job in a savepoint


@pytest.fixture
def recording_jobs() -> Iterator[None]:
    """Two kinds of job: one that writes a blob, one that writes a blob and fails."""

    def write(payload: dict[str, Any]) -> None:
        Blob.objects.create(sha256=payload["key"], data=clock.now().isoformat().encode())

    def fail(payload: dict[str, Any]) -> None:
        write(payload)
        raise ValueError("the handler has a bug")

    jobs.handles("test.write")(write)
    jobs.handles("test.fail")(fail)
    yield
    for kind in ("test.write", "test.fail"):
        del jobs._kinds[kind]


def set_timers(row: SandboxRow) -> None:
    with bind(row), unit_of_work("write"), act(actor="system", label="timers"):
        for minutes, kind, key in ((1, "write", "a"), (2, "fail", "b"), (10, "write", "c")):
            due = PRESENT + timedelta(minutes=minutes)
            jobs.enqueue(f"test.{kind}", due=due, payload={"key": key})


@pytest.mark.usefixtures("recording_jobs")
def test_a_failing_job_takes_nothing_else_with_it(
    empty_sandbox: SandboxRow, caplog: pytest.LogCaptureFixture
) -> None:
    set_timers(empty_sandbox)
    hour = PRESENT + timedelta(hours=1)
    with bind(empty_sandbox), unit_of_work("write"):
        runs = jobs.advance(hour)
    with bind(empty_sandbox), unit_of_work("read"):
        written = {blob.sha256: bytes(blob.data).decode() for blob in Blob.objects.all()}
        failed = Job.objects.get(kind="test.fail")
        assert clock.now() == hour
    assert written == {
        "a": (PRESENT + timedelta(minutes=1)).isoformat(),
        "c": (PRESENT + timedelta(minutes=10)).isoformat(),
    }
    assert (failed.state, failed.attempts) == ("failed", 1 + len(jobs.RETRY_AFTER))
    assert failed.last_error == "ValueError: the handler has a bug"
    assert [(run.due - PRESENT, run.kind) for run in runs] == [
        (timedelta(minutes=1), "test.write"),
        *((timedelta(minutes=minutes), "test.fail") for minutes in (2, 3, 8)),
        (timedelta(minutes=10), "test.write"),
        (timedelta(minutes=38), "test.fail"),
    ]
    assert "test.fail failed" in caplog.text


@pytest.mark.usefixtures("recording_jobs")
def test_an_advance_that_is_cut_off_leaves_nothing(
    empty_sandbox: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_timers(empty_sandbox)
    with bind(empty_sandbox), unit_of_work("read"):
        before, digest = clock.now(), store_digest()

    class Killed(BaseException):
        """As a signal would, it passes every handler of errors."""

    def be_killed(payload: dict[str, Any]) -> None:
        raise Killed(payload)

    monkeypatch.setitem(jobs._kinds, "test.fail", jobs.Kind(be_killed, None))
    with pytest.raises(Killed), bind(empty_sandbox), unit_of_work("write"):
        jobs.advance(datetime(2026, 7, 1, tzinfo=UTC))
    with bind(empty_sandbox), unit_of_work("read"):
        assert clock.now() == before
        assert store_digest() == digest


# 0005: an operations registry of our own


class Wanted(BaseModel):
    """A body."""

    count: int


def test_one_declaration_gives_route_and_tool() -> None:
    operations = Operations("helpdesk", prefix="/api/v2", strip_suffix=".json")
    calls: list[tuple[dict[str, Any], int]] = []

    @operations.operation(
        "UpdateThing", "PUT", "/things/{id:int}", summary="Change a thing.", body=Wanted
    )
    def update_thing(call: Call) -> dict[str, Any]:
        calls.append((call.path, call.body.count))
        return {}

    declared = operations.all["UpdateThing"]
    assert declared.schema()["required"] == ["id", "body"]
    assert declared.schema()["properties"]["id"] == {"type": "integer"}
    assert declared.schema()["properties"]["body"]["required"] == ["count"]
    request = RequestFactory().put("/api/v2/things/9.json", b'{"count": 3}', "application/json")
    assert operations.dispatch(request, OpenDialect()).status_code == 200  # type: ignore[arg-type] # a plain request
    assert calls == [({"id": 9}, 3)]


def test_an_operation_cannot_be_declared_twice() -> None:
    operations = Operations("helpdesk")

    def declare(name: str, method: str, path: str) -> None:
        operations.operation(name, method, path, summary="x")(lambda _: {})

    declare("A", "GET", "/a/{id:int}")
    with pytest.raises(ValueError, match="A is registered twice"):
        declare("A", "GET", "/b")
    with pytest.raises(ValueError, match=r"GET /a/\{name\} is registered twice"):
        declare("B", "GET", "/a/{name}")
    declare("B", "PUT", "/a/{name}")


class OpenDialect:
    """A vendor who lets everybody in and wraps nothing."""

    def authorize(self, call: Call) -> None:
        call.actor = "anybody"

    def respond(self, call: Call, body: bytes, status: int) -> HttpResponse:
        del call
        return HttpResponse(body, status=status)

    def fail(self, request: Any, error: Exception) -> None:
        del request, error

    def refuse(self, request: Any, reason: str) -> Any:
        raise AssertionError(reason)
