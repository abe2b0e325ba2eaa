"""Work in a data directory as one build, with Django set up. Prints one JSON line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from random import Random
from typing import Any

from django.apps import apps

from clones.core.journal import act, journal
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots.errors import SnapshotError
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.migration import migrate_snapshot
from snapshots.sandboxes import Sandboxes
from tests.core.journal_writes import populate

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


def table(name: str) -> Any:
    """Return a model of the museum, whichever build this is."""
    return apps.get_app_config("museum").get_model(name)


def make(library: Library) -> dict[str, Any]:
    """Make the snapshot `kept`, with rows in every table and two pieces."""
    with library.workshop() as store:
        engine().new_store(store)
        with server().stores.bind(store), unit_of_work("write"):
            SandboxState.objects.create(id=1, now=PRESENT, seed="museum", observed=55)
            populate(Random(5), rows=3)
            model = table("Piece")
            model.objects.all().delete()
            with act(actor="person:ana", label="gave"):
                for key, title in ((1, "Plane"), (2, "Saw")):
                    model.objects.create(id=key, title=title, donor="Ana")
        server().stores.discard(store)
        engine().seal(store)
        made = library.add(store, world="museum", size="tiny", seed=1, parent=None, name="kept")
    return asdict(made)


def migrate(library: Library, name: str) -> dict[str, Any]:
    """Make another of it and work in a sandbox of that."""
    made = migrate_snapshot(library, "kept", name)
    sandboxes = Sandboxes(library)
    row = sandboxes.create(library.get(name))
    piece = table("Piece")
    with server().stores.bind(row.store, row.id):
        with unit_of_work("read"):
            pieces = list(piece.objects.order_by("id").values_list("id", "title", "room__name"))
            acts = [found[4] for found in journal().export_acts()]
            missing = journal().missing_triggers()
            observed = SandboxState.objects.get().observed
        with unit_of_work("write"), act(actor="test", label="moves"):
            piece.objects.filter(id=1).update(title="A title that was too long for the old table")
            table("Room").objects.create(id=9, name="Attic")
    changes = [(change["table"], change["operation"]) for change in sandboxes.diff(row.id)]
    sandboxes.reset(row.id)
    intact = sandboxes.verify(row.id).intact
    sandboxes.delete(row.id)
    return {
        "manifest": asdict(made),
        "pieces": pieces,
        "acts": acts,
        "missing": missing,
        "observed": observed,
        "changes": changes,
        "after": sandboxes.all() == [],
        "intact": intact,
    }


def look(library: Library) -> dict[str, Any]:
    """Take the snapshot as it is."""
    return asdict(library.get("kept"))


DOINGS: dict[str, Callable[..., dict[str, Any]]] = {
    "make": make,
    "migrate": migrate,
    "look": look,
}


def main(what: str, *names: str) -> None:
    """Do it."""
    library = Library(server().data)
    try:
        found = DOINGS[what](library, *names)
    except (SnapshotError, ValueError) as error:
        found = {"refused": f"{type(error).__name__}: {error}"}
    left = sorted(path.name for path in library.scratch.glob("*"))
    known = sorted(library.named())
    print(json.dumps({**found, "left": left, "names": known}))
