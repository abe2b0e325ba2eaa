"""Kill processes in the middle of what they do, and look at what the next start finds.

`crash.py FOLDER KILLS SEED` forks a child per kill. The child says through a pipe when a phase
begins and ends; the kill (SIGKILL, which nothing can catch) comes at a random instant between. A
kill counts only if the child had not said that the phase was over. The result is JSON on stdout.
"""

from __future__ import annotations

import json
import os
import select
import signal
import statistics
import struct
import sys
import time
from abc import ABC, abstractmethod
from datetime import timedelta
from pathlib import Path
from random import Random

BEGUN, ENDED = b"b", b"e"
FINE = 0.002  # seconds
TRIES = 20  # per kill wanted: a short phase may be over before the signal arrives


def set_up(folder: Path) -> None:
    """Start Django on a data directory of its own."""
    os.environ["SANDLOT_DATA"] = str(folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.test"
    import django  # noqa: PLC0415 - after the settings are named

    django.setup()


if __name__ == "__main__":
    set_up(Path(sys.argv[1]))

from clones.core import clock, jobs  # noqa: E402 - after Django is set up
from clones.core.journal import act  # noqa: E402 - after Django is set up
from clones.core.models import Blob, Message  # noqa: E402 - after Django is set up
from clones.core.server import forget, server  # noqa: E402 - after Django is set up
from clones.core.tenancy import SandboxRow, unit_of_work  # noqa: E402 - after Django is set up
from snapshots.conformance import (  # noqa: E402 - after Django is set up
    build_image,
    digest_of,
    identity_of,
    work,
    write_message,
)
from snapshots.interface import engine  # noqa: E402 - after Django is set up
from snapshots.library import Library  # noqa: E402 - after Django is set up
from snapshots.manifest import Manifest  # noqa: E402 - after Django is set up
from snapshots.sandboxes import Sandboxes  # noqa: E402 - after Django is set up
from snapshots.transfer import export_snapshot, import_snapshot  # noqa: E402 - after Django is set up

VICTIM = "victim"
SHARED = "shared.snapshot"


class House:
    """A server's sandboxes as one process sees them, from its start on."""

    def __init__(self) -> None:
        self.library = Library(server().data)
        self.sandboxes = Sandboxes(self.library, pool_size=3)

    def image(self) -> Manifest:
        """Return the image that everything here is made of."""
        return self.library.get("conformance")

    def rows(self) -> list[SandboxRow]:
        """Return the sandboxes."""
        return self.sandboxes.all()

    def check(self) -> None:
        """Check that all there is is whole, and that there is nothing else."""
        expected = {server().data / name for name in ("server-key", "registry.sqlite", SHARED)}
        expected.update((server().data / "requests").glob("unlogged"))
        expected.update((server().data / "jobs").glob("*.sqlite"))  # counts, one file per process
        for row in self.rows():
            assert (row.state, row.resetting) == ("live", False), row
            verdict = self.sandboxes.verify(row.id)
            assert verdict.intact, verdict
            expected.add(row.store)
        for name, digest in self.library.named().items():
            manifest = self.library.get(name)
            expected.add(self.library.names / name)
            expected.update(
                {self.library.store(manifest), self.library.images / digest / "manifest.json"}
            )
        for ready in self.sandboxes.pool.ready():
            engine().check(ready)
            expected.add(ready)
        found = {
            path
            for path in server().data.rglob("*")
            if path.is_file() and not path.name.endswith(("-wal", "-shm"))
        }
        assert found == expected, f"orphans or losses: {found ^ expected}"
        assert not list(server().data.rglob("*.tmp*"))
        assert engine().sweep(self.sandboxes.folder) == []  # nor does the engine know more


class Phase(ABC):
    """Something that a process may be killed in."""

    name: str

    def prepare(self, house: House) -> None:  # noqa: B027 - some need nothing
        """Make the state before."""

    def warm_up(self, house: House) -> None:
        """Do, in the child, what should not be part of the phase."""
        for row in house.rows():
            digest_of(row)

    @abstractmethod
    def run(self, house: House) -> None:
        """Do it."""

    @abstractmethod
    def check(self, house: House) -> None:
        """Check that the state is that of before or that of after."""

    def clear(self, house: House) -> None:
        """Remove what is there."""
        for row in house.rows():
            house.sandboxes.delete(row.id)
        for name in house.library.named():
            if name != "conformance":
                house.sandboxes.delete_snapshot(name)
        house.sandboxes.pool.discard(house.image().digest)


class OnOneSandbox(Phase):
    """A phase that works on a sandbox with a past."""

    def prepare(self, house: House) -> None:
        row = house.sandboxes.create(house.image())
        work(row)
        house.sandboxes.mark(row.id, "early")
        self.early = digest_of(row)
        work(row, start=2000, count=60)
        house.sandboxes.mark(row.id, "late")
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            Blob.objects.create(sha256="bulk", data=b"x" * 200_000)
        self.row = row
        self.before, self.identity = digest_of(row), identity_of(row)
        self.after = self.foresee(house)

    def foresee(self, house: House) -> str:
        """Return the content after the phase, found on a fork."""
        return self.identity


class Capture(OnOneSandbox):
    """A snapshot is there under its name, or nothing of it is."""

    name = "capture"

    def run(self, house: House) -> None:
        house.sandboxes.capture(self.row.id, VICTIM)

    def check(self, house: House) -> None:
        assert digest_of(self.row) == self.before
        if VICTIM in house.library.named():
            assert house.library.get(VICTIM).digest == self.identity


class Clone(Phase):
    """A sandbox is there and is its image, or it is not there."""

    name = "clone"

    def run(self, house: House) -> None:
        house.sandboxes.create(house.image())

    def check(self, house: House) -> None:
        assert len(house.rows()) <= 1
        for row in house.rows():
            assert digest_of(row) == house.image().rows_digest
            assert server().registry.marks(row.id) == {"base": house.image().position}


class Fork(OnOneSandbox):
    """A fork is there with all its marks, or it is not there."""

    name = "fork"

    def run(self, house: House) -> None:
        house.sandboxes.fork(self.row.id)

    def check(self, house: House) -> None:
        assert len(house.rows()) in {1, 2}
        for row in house.rows():
            assert digest_of(row) == self.before
            assert server().registry.marks(row.id) == server().registry.marks(self.row.id)


class Rewind(OnOneSandbox):
    """The sandbox is as it was or as it was at the mark, and its marks are those of that state."""

    name = "rewind"

    def run(self, house: House) -> None:
        house.sandboxes.rewind(self.row.id, "early")

    def check(self, house: House) -> None:
        marks = list(server().registry.marks(self.row.id))
        found = digest_of(self.row)
        assert (found, marks) in [
            (self.before, ["base", "early", "late"]),
            (self.early, ["base", "early"]),
        ]
        house.sandboxes.rewind(self.row.id, "early")
        assert digest_of(self.row) == self.early


class Drain(OnOneSandbox):
    """All of what fell due has run, or none of it."""

    name = "drain"

    def prepare(self, house: House) -> None:
        super().prepare(house)
        with server().stores.bind(self.row.store, self.row.id), unit_of_work("write"):
            for minutes in range(40):
                jobs.enqueue("conformance.echo", due=clock.now() + timedelta(minutes=minutes))
        self.before, self.identity = digest_of(self.row), identity_of(self.row)
        self.after = self.foresee(house)

    def foresee(self, house: House) -> str:
        fork = house.sandboxes.fork(self.row.id)
        self.advance(fork)
        found = identity_of(fork)
        house.sandboxes.delete(fork.id)
        return found

    def advance(self, row: SandboxRow) -> None:
        """Move the clock of a sandbox over its timers."""
        with server().stores.bind(row.store, row.id), unit_of_work("write"):
            jobs.advance(clock.now() + timedelta(days=2))

    def run(self, house: House) -> None:
        self.advance(self.row)

    def check(self, house: House) -> None:
        assert identity_of(self.row) in {self.identity, self.after}
        assert self.identity != self.after


class Commit(Drain):
    """A write request's transaction is there wholly or not at all."""

    name = "commit"

    def prepare(self, house: House) -> None:
        OnOneSandbox.prepare(self, house)

    def advance(self, row: SandboxRow) -> None:
        """Answer one write request."""
        with (
            server().stores.bind(row.store, row.id),
            unit_of_work("write"),
            act(actor="agent", label="POST /messages", request="r-1"),
        ):
            for number in range(5000, 5030):
                write_message(number)
            Message.objects.filter(id__lt=20).update(subject="all of them")
            Blob.objects.create(sha256="upload", data=b"y" * 300_000)


class Delete(OnOneSandbox):
    """A sandbox is there as it was, or gone with all that was its."""

    name = "delete"

    def run(self, house: House) -> None:
        house.sandboxes.delete(self.row.id)

    def check(self, house: House) -> None:
        for row in house.rows():
            assert digest_of(row) == self.before
        if not house.rows():
            assert not self.row.store.parent.exists()


class DeleteSnapshot(OnOneSandbox):
    """A snapshot is there under its name, or gone."""

    name = "delete snapshot"

    def prepare(self, house: House) -> None:
        super().prepare(house)
        house.sandboxes.capture(self.row.id, VICTIM)

    def run(self, house: House) -> None:
        house.sandboxes.delete_snapshot(VICTIM)

    def check(self, house: House) -> None:
        if VICTIM in house.library.named():
            assert house.library.get(VICTIM).digest == self.identity


class Verify(OnOneSandbox):
    """A sandbox that does not match its image is still found out, or has a fresh store."""

    name = "verify"

    def prepare(self, house: House) -> None:
        super().prepare(house)
        server().registry.quarantine(self.row.id)

    def run(self, house: House) -> None:
        house.sandboxes.idle()

    def check(self, house: House) -> None:
        assert digest_of(house.sandboxes.get(self.row.id)) == house.image().rows_digest


class Import(Phase):
    """A shared snapshot is there under its name, or nothing of it is."""

    name = "import"

    def run(self, house: House) -> None:
        import_snapshot(house.library, server().data / SHARED, VICTIM)

    def check(self, house: House) -> None:
        if VICTIM in house.library.named():
            assert house.library.get(VICTIM).digest == house.image().digest


class Refill(Phase):
    """Clones in the pool are whole."""

    name = "pool"

    def warm_up(self, house: House) -> None:
        house.sandboxes.delete(house.sandboxes.create(house.image()).id)

    def run(self, house: House) -> None:
        while house.sandboxes.pool.refill():
            pass

    def check(self, house: House) -> None:
        row = house.sandboxes.create(house.image())
        assert digest_of(row) == house.image().rows_digest


class Recover(Rewind):
    """A start that is killed is like a start that did not happen."""

    name = "recover"

    def prepare(self, house: House) -> None:
        super().prepare(house)
        with server().stores.bind(self.row.store, self.row.id), unit_of_work("write"):
            server().registry.begin_reset(
                self.row.id, server().registry.marks(self.row.id)["early"]
            )
        for folder in (house.library.scratch, self.row.store.parent, house.library.images):
            folder.mkdir(exist_ok=True)
            (folder / f"half{engine().suffix}.tmp").write_bytes(b"x" * 100_000)
        (self.row.store.parent.parent / "sb-orphan").mkdir(exist_ok=True)
        orphan = self.row.store.parent.parent / "sb-orphan" / f"1{engine().suffix}"
        orphan.write_bytes(b"x" * 100_000)
        # What a worker and the control process say to each other while they work in a sandbox.
        self.words = [self.row.store.parent / name for name in ("working.w0.1", "reset-wanted")]
        for word in self.words:
            word.touch()

    def warm_up(self, house: House) -> None:
        server().registry.all()

    def run(self, house: House) -> None:
        house.sandboxes.recover()

    def check(self, house: House) -> None:
        assert not any(word.exists() for word in self.words)
        super().check(house)


MAIN = (Capture, Clone, Rewind, Drain, Delete, Commit)
MORE = (Fork, DeleteSnapshot, Verify, Import, Refill, Recover)


def run_in_child(phase: Phase, delay: float | None) -> float | None:
    """Run a phase in a child and kill it after `delay` seconds of it.

    Return how long it took, or None if the kill came before its end. No database connection may be
    open here: SQLite's do not outlive a fork.
    """
    forget()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            house = House()
            phase.warm_up(house)
            os.write(writing, BEGUN)
            begun = time.perf_counter()
            phase.run(house)
            os.write(writing, ENDED + struct.pack("d", time.perf_counter() - begun))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    assert os.read(reading, 1) == BEGUN, f"{phase.name} did not begin"
    begun = time.perf_counter()
    if delay is not None:
        if delay > FINE:
            select.select([reading], [], [], delay - FINE)
        while time.perf_counter() < begun + delay:
            pass  # sleeping is not exact enough for phases of a few milliseconds
        os.kill(child, signal.SIGKILL)
    ended = os.read(reading, 100)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, f"{phase.name} failed"
    return struct.unpack("d", ended[1:])[0] if ended.startswith(ENDED) else None


def look(phase: Phase) -> None:
    """Start anew, as after a crash, and check everything."""
    house = House()
    house.sandboxes.recover()
    phase.check(house)
    house.check()
    phase.clear(house)
    house.check()


def kill_in(phase: Phase, wanted: int, chance: Random) -> dict[str, object]:
    """Kill a phase as often as wanted; return when the kills came, as shares of its length."""
    lengths = []
    for _ in range(2):
        phase.prepare(House())
        lengths.append(run_in_child(phase, None) or 0.0)
        look(phase)
    length = statistics.median(lengths)
    hits: list[float] = []
    misses = 0
    while len(hits) < wanted and misses < wanted * TRIES:
        phase.prepare(House())
        # Spread over the phase; near its end it may be over first, so not for ever.
        share = chance.random() if misses % 5 == 4 else (len(hits) + chance.random()) / wanted
        if run_in_child(phase, share * length) is None:
            hits.append(share)
        else:
            misses += 1
        look(phase)
    return {
        "phase": phase.name,
        "kills": len(hits),
        "too late": misses,
        "milliseconds": round(length * 1000, 2),
        "from": round(min(hits, default=0), 2),
        "to": round(max(hits, default=0), 2),
    }


def main(kills: int, seed: int) -> None:
    """Kill each main phase `kills` times and each further one a seventh as often, once at least."""
    house = House()
    build_image(house.library, messages=200)
    export_snapshot(house.library, "conformance", server().data / SHARED)
    chance = Random(seed)
    plan = [(phase, kills) for phase in MAIN] + [(phase, max(1, kills // 7)) for phase in MORE]
    for phase, wanted in plan:
        print(json.dumps(kill_in(phase(), wanted, chance)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[2]), int(sys.argv[3]))
