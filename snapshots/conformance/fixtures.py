"""What the tests of this package work in, and how they work there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from clones.core import clock, ids, jobs, randomness
from clones.core.journal import act, content_digest, store_digest
from clones.core.models import Account, Blob, Message, SandboxState
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


class Sabotage(Protocol):
    """How to do an engine's stores harm that its own interface does not allow."""

    def write_round_journal(self, row: SandboxRow) -> None:
        """Change a row of a sandbox so that the journal has no trace of it."""

    def damage(self, store: Path) -> None:
        """Spoil a store's bytes."""


@dataclass(frozen=True, slots=True)
class House:
    """What a test works in: a server's images and sandboxes, and an image with some rows."""

    library: Library
    sandboxes: Sandboxes
    manifest: Manifest
    sabotage: Sabotage

    @contextmanager
    def sandbox(self) -> Iterator[SandboxRow]:
        """Make a sandbox for the length of the block."""
        row = self.sandboxes.create(self.manifest)
        try:
            yield row
        finally:
            self.sandboxes.delete(row.id)

    def files(self) -> set[Path]:
        """Return every file of the server but the registry's own and the open stores' logs."""
        return {
            path
            for path in server().data.rglob("*")
            if path.is_file()
            and not path.name.endswith(("-wal", "-shm"))
            and path.parent != server().data
        }


def build_image(library: Library, *, messages: int = 40) -> Manifest:
    """Make an image with some rows of the tables that every build has."""
    with library.workshop() as store:
        engine().new_store(store)
        with server().stores.bind(store), unit_of_work("write"):
            SandboxState.objects.create(id=1, now=PRESENT, seed="conformance")
            with act(actor="system", label="build"):
                for number in range(1, messages + 1):
                    write_message(number)
                Account.objects.create(
                    id=1, clone="mail", subject="1", login="a@b.example", role="agent"
                )
                jobs.enqueue("conformance.echo", due=PRESENT + timedelta(days=1))
            jobs.observe()
        server().stores.discard(store)
        engine().seal(store)
        return library.add(
            store, world="conformance", size="tiny", seed=1, parent=None, name="conformance"
        )


@jobs.handles("conformance.echo")
def echo(payload: dict[str, Any]) -> None:
    """Leave a trace, as a job."""
    Blob.objects.create(sha256=f"echo {clock.now()}", data=b"echo")


def write_message(number: int, subject: str = "") -> Message:
    """Write one row."""
    return Message.objects.create(
        id=number,
        direction="out",
        clone="helpdesk",
        sent_at=PRESENT,
        sender="a@b.example",
        recipients=["c@d.example"],
        subject=subject,
        text="x" * 200,
    )


def work(row: SandboxRow, start: int = 1000, count: int = 10) -> None:
    """Change rows of every kind: records, clock, counters, chance and timers."""
    with server().stores.bind(row.store, row.id), unit_of_work("write"):
        with act(actor="agent", label="work"):
            for number in range(start, start + count):
                write_message(number)
                Message.objects.filter(id=number - start + 1).update(subject=f"changed {number}")
            Message.objects.filter(id=start).delete()
            ids.next_stamp(Message)
            randomness.stream("people").random()
            jobs.enqueue("conformance.echo", due=clock.now() + timedelta(minutes=start))
        jobs.begin_step(30)


def digest_of(row: SandboxRow) -> str:
    """Return the digest of a sandbox's stored rows."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return store_digest()


def identity_of(row: SandboxRow) -> str:
    """Return the digest of a sandbox's content."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return content_digest()


def idle(sandboxes: Sandboxes) -> None:
    """Do all work that waits."""
    for _ in range(100):
        if not sandboxes.idle():
            return
    raise AssertionError("idle work has no end")
