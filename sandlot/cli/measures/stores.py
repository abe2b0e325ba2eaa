"""Resets, copies and clones of a 20 MB store."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command
from django.db import connection

from clones.core import clock, ids
from clones.core.journal import act
from clones.core.models import Blob, Message
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clones
from clones.helpdesk.models import Ticket
from sandlot.cli.measures.figures import Figure, repeat, timed
from snapshots.interface import engine
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

CHANGES = (10, 50, 500)
# Milliseconds, median and 95th percentile, of a reset after 50 changes.
RESET_BUDGETS: dict[str, tuple[float | None, float | None]] = {
    "sqlite": (3.0, 5.0),
    "postgres": (6.0, 12.0),
}


def change_rows(row: SandboxRow, count: int) -> None:
    """Change so many rows as an episode does: updates, inserts and deletes through the ORM."""
    with (
        server().stores.bind(row.store, row.id),
        unit_of_work("write"),
        act(actor="bench", label="changes"),
    ):
        tickets = list(Ticket.objects.order_by("id")[: max(1, count // 2)])
        for number, ticket in enumerate(tickets):
            ticket.subject = f"changed {number}"
            ticket.save(update_fields=["subject"])
        for number in range(count - len(tickets)):
            Message.objects.create(
                id=ids.next_stamp(Message),
                direction="out",
                clone="helpdesk",
                sent_at=clock.now(),
                sender="bench@kestrel.example",
                recipients=[f"{number}@customer.example"],
            )


def resets(sandboxes: Sandboxes, manifest: Manifest) -> list[Figure]:
    """Time resets after 10, 50 and 500 changes."""
    row = sandboxes.create(manifest)
    found = []
    for count in CHANGES:
        budget = RESET_BUDGETS[engine().name] if count == 50 else (None, None)
        figure = Figure(
            f"reset after {count} row changes", "ms", budget=budget[0], budget_p95=budget[1]
        )
        for turn in range(33):
            change_rows(row, count)
            if turn < 3:
                sandboxes.reset(row.id)
                continue
            with timed(figure):
                sandboxes.reset(row.id)
        found.append(figure)
    sandboxes.delete(row.id)
    return found


def same_end_otherwise(sandboxes: Sandboxes, manifest: Manifest) -> list[Figure]:
    """Time other ways to the same end: copy the store over, or flush and load a fixture."""
    if engine().name == "postgres":
        return _resets_and_clones(sandboxes, manifest)
    image = sandboxes.library.store(manifest)
    target = server().data / f"copied{engine().suffix}"

    def copy_over() -> None:
        shutil.copyfile(image, target)
        _read_from(target)
        _remove(target)

    copied = Figure("same end by copying the file and opening it again", "ms")
    repeat(copied, 10, copy_over, warm_up=1)
    return [copied, _flush_and_load(sandboxes, manifest)]


def _resets_and_clones(sandboxes: Sandboxes, manifest: Manifest) -> list[Figure]:
    """Time resets and template clones by turns, so that both meet the same machine."""
    row = sandboxes.create(manifest)
    image = sandboxes.library.store(manifest)
    target = row.store.with_name(f"99{row.store.suffix}")
    reset = Figure("reset after 50 row changes, by turns with clones", "ms")
    cloned = Figure("same end by a default template clone, opened", "ms")
    for turn in range(33):
        change_rows(row, 50)
        with timed(reset):
            sandboxes.reset(row.id)
        with timed(cloned):
            _default_clone(image, target)
            _read_from(target)
        _remove(target)
        if turn < 3:
            reset.samples.clear()
            cloned.samples.clear()
    sandboxes.delete(row.id)
    pairs = zip(cloned.samples, reset.samples, strict=True)
    faster = Figure(
        "a reset is faster than the clone beside it",
        "times",
        [clone / own for clone, own in pairs],
        budget=20.0,
        higher_is_better=True,
    )
    return [reset, cloned, faster]


def _read_from(target: Path) -> None:
    """Open a store and read a row of it."""
    with server().stores.bind(target), unit_of_work("read"):
        Ticket.objects.first()


def _remove(target: Path) -> None:
    server().stores.discard(target)
    engine().remove(target)


def _default_clone(image: Path, target: Path) -> None:
    """Copy an image's database as PostgreSQL does when nothing is said of how."""
    from clones.core.tenancy.postgres.marker import (  # noqa: PLC0415 - an extra
        database_of,
        write_marker,
    )
    from snapshots.postgres_databases import default_clone  # noqa: PLC0415 - the same

    write_marker(target, default_clone(database_of(image)))


def _apps() -> list[str]:
    """Return the labels of the apps that have rows in a store."""
    return [*(clone.name for clone in clones()), "core"]


def _flush_and_load(sandboxes: Sandboxes, manifest: Manifest) -> Figure:
    """Time Django's flush and loaddata of a store's rows: the usual way in test suites."""
    row = sandboxes.create(manifest)
    figure = Figure("same end by flush and loaddata", "ms")
    fixture = server().data / "bench-fixture.json"
    with server().stores.bind(row.store, row.id):
        call_command("dumpdata", *_apps(), output=str(fixture), verbosity=0)
        for _ in range(2):
            with timed(figure):
                with connection.constraint_checks_disabled():
                    call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
                call_command("loaddata", str(fixture), verbosity=0)
    fixture.unlink()
    sandboxes.delete(row.id)
    return figure


def copies(sandboxes: Sandboxes, manifest: Manifest) -> list[Figure]:
    """Time new sandboxes, forks and hand-outs of the pool."""
    reflink = engine().capabilities(server().data).reflink
    made: list[str] = []

    def create() -> None:
        made.append(sandboxes.create(manifest).id)

    sandboxes.pool.discard(manifest.digest)
    fresh = repeat(
        Figure(
            "new sandbox, 20 MB",
            "ms",
            budget=None if engine().name == "postgres" else 3.0 if reflink else 30.0,
        ),
        10,
        _without_pool(sandboxes, manifest, create),
    )
    handed = Figure("new sandbox from the pool", "ms", budget=3.0)
    for _ in range(8):
        while sandboxes.pool.refill():
            pass
        with timed(handed):
            create()
    source = sandboxes.create(manifest)
    made.append(source.id)
    change_rows(source, 50)
    forked = repeat(
        Figure("fork of a live sandbox", "ms"), 8, lambda: made.append(sandboxes.fork(source.id).id)
    )
    deleted = Figure("delete a sandbox", "ms")
    for name in made:
        with timed(deleted):
            sandboxes.delete(name)
    return [fresh, handed, forked, deleted]


def _without_pool(
    sandboxes: Sandboxes, manifest: Manifest, create: Callable[[], None]
) -> Callable[[], None]:
    def work() -> None:
        sandboxes.pool.discard(manifest.digest)
        create()

    return work


def pad_to(row_bytes: int, store: Path) -> None:
    """Fill a store with attachments up to a size."""
    with server().stores.bind(store), unit_of_work("write"):
        missing = row_bytes - engine().size_of(store)
        for number in range(max(0, missing // 100_000)):
            Blob.objects.create(sha256=f"{number:064d}", data=bytes([number % 251]) * 100_000)
