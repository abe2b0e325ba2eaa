"""What sandboxes there are: the one fact about a sandbox that no reset may undo.

The registry is a SQLite file beside the stores. It is read three times in each request, so it
is plain `sqlite3` with one connection per thread, not the ORM (which belongs to sandboxes).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from clones.core.tenancy.due import DUE_SCHEMA, DueNotes
from clones.core.tenancy.errors import UnknownSandbox
from clones.core.tenancy.origins import ORIGIN_SCHEMA, Origins
from clones.core.tenancy.outbox import OUTBOX_SCHEMA, OutboxNotes

State = Literal["live", "quarantined"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS sandbox (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('live', 'quarantined')),
  generation INTEGER NOT NULL,
  resetting INTEGER NOT NULL DEFAULT 0,
  rewinding_to INTEGER,
  credential_epoch INTEGER NOT NULL DEFAULT 1,
  store TEXT NOT NULL UNIQUE,
  engine TEXT NOT NULL,
  world TEXT NOT NULL,
  size TEXT NOT NULL,
  seed INTEGER NOT NULL,
  template TEXT NOT NULL,
  worker INTEGER NOT NULL DEFAULT 0,
  episode TEXT,
  step_seconds INTEGER,
  step_limit INTEGER,
  faults TEXT,
  resets INTEGER NOT NULL DEFAULT 0,
  verified INTEGER NOT NULL DEFAULT 0,
  created REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS mark (
  sandbox TEXT NOT NULL REFERENCES sandbox (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT;
"""
SCHEMA += ORIGIN_SCHEMA + DUE_SCHEMA + OUTBOX_SCHEMA

COLUMNS = (
    "id, state, generation, resetting, credential_epoch, store, engine, world, size, seed,"
    " template, worker, episode, step_seconds, step_limit, faults, resets, verified"
)


@dataclass(frozen=True, slots=True)
class SandboxRow:
    """One sandbox, as the registry has it at the moment of reading.

    `step_seconds` is set while an agent acts with its own client: each authenticated vendor-API
    request is then a step and moves a stepped clock by so many seconds, up to `step_limit` of them.
    `faults` is set while an episode runs whose requests meet faults (`clones.core.faults.setting`).
    `verified` is what `resets` was when the store was last compared whole with its image.
    """

    id: str
    state: State
    generation: int
    resetting: bool
    credential_epoch: int
    store: Path
    engine: str
    world: str
    size: str
    seed: int
    template: str
    worker: int
    episode: str | None
    step_seconds: int | None
    step_limit: int | None
    faults: str | None
    resets: int
    verified: int


class Registry(DueNotes, OutboxNotes, Origins):
    """The registry file at `path`, made if absent.

    Raises:
        OtherSchema: another build made it.
    """

    schema = SCHEMA

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._connect()

    # Sandboxes

    def add(
        self,
        *,
        id: str,
        store: Path,
        engine: str,
        world: str,
        size: str,
        seed: int,
        template: str,
        worker: int,
        marks: Mapping[str, int],
    ) -> SandboxRow:
        """Record a new live sandbox with its marks (`base` among them) and return it."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO sandbox (id, state, generation, store, engine, world, size, seed,"
                " template, worker, created) VALUES (?, 'live', 1, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    id,
                    self._relative(store),
                    engine,
                    world,
                    size,
                    seed,
                    template,
                    worker,
                    time.time(),
                ),
            )
            connection.executemany(
                "INSERT INTO mark VALUES (?, ?, ?)",
                [(id, name, position) for name, position in marks.items()],
            )
        return self.get(id)

    def find(self, sandbox: str) -> SandboxRow | None:
        """Return the sandbox, or None when there is none of that id."""
        row = (
            self._connect()
            .execute(f"SELECT {COLUMNS} FROM sandbox WHERE id = ?", (sandbox,))  # noqa: S608 - constant columns
            .fetchone()
        )
        return None if row is None else self._row(row)

    def get(self, sandbox: str) -> SandboxRow:
        """Return the sandbox.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        row = self.find(sandbox)
        if row is None:
            raise UnknownSandbox(f"there is no sandbox {sandbox}")
        return row

    def all(self) -> list[SandboxRow]:
        """Return every sandbox, oldest first."""
        rows = self._connect().execute(f"SELECT {COLUMNS} FROM sandbox ORDER BY created, id")  # noqa: S608 - constant columns
        return [self._row(row) for row in rows]

    def generation(self, sandbox: str) -> tuple[int, bool] | None:
        """Return (generation, resetting), or None when the sandbox is gone."""
        row: tuple[int, int] | None = (
            self._connect()
            .execute("SELECT generation, resetting FROM sandbox WHERE id = ?", (sandbox,))
            .fetchone()
        )
        return None if row is None else (row[0], bool(row[1]))

    def begin_reset(self, sandbox: str, position: int) -> int:
        """Raise the generation and refuse requests until `end_reset`. Return the new generation.

        The caller holds the store's write lock, so that a writer who waited for it finds the new
        generation. Where the journal is being rewound to is noted, in case a crash cuts it off.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        with self._writing() as connection:
            row = connection.execute(
                "UPDATE sandbox SET generation = generation + 1, resetting = 1, rewinding_to = ?"
                " WHERE id = ? RETURNING generation",
                (position, sandbox),
            ).fetchone()
            if row is None:
                raise UnknownSandbox(f"there is no sandbox {sandbox}")
            return int(row[0])

    def end_reset(self, sandbox: str, generation: int, *, undone_to: int | None) -> None:
        """Let requests in again, unless another reset has begun since `generation`.

        If the journal was undone, the reset counts and the marks after `undone_to` are gone.
        """
        with self._writing() as connection:
            if undone_to is not None:
                connection.execute(
                    "DELETE FROM mark WHERE sandbox = ? AND position > ?", (sandbox, undone_to)
                )
                connection.execute(
                    "UPDATE sandbox SET resets = resets + 1 WHERE id = ?", (sandbox,)
                )
            connection.execute(
                "UPDATE sandbox SET resetting = 0, rewinding_to = NULL"
                " WHERE id = ? AND generation = ?",
                (sandbox, generation),
            )

    def interrupted(self) -> dict[str, int]:
        """Return the sandboxes whose reset a crash cut off, with the position it went to."""
        rows = self._connect().execute(
            "SELECT id, rewinding_to FROM sandbox WHERE resetting = 1 AND rewinding_to IS NOT NULL"
        )
        return {sandbox: int(position) for sandbox, position in rows}

    def note_verified(self, sandbox: str) -> None:
        """Record that the store has just been compared whole with its image."""
        with self._writing() as connection:
            connection.execute("UPDATE sandbox SET verified = resets WHERE id = ?", (sandbox,))

    def rotate_credentials(self, sandbox: str) -> int:
        """End every credential of the sandbox and return the new epoch."""
        with self._writing() as connection:
            row = connection.execute(
                "UPDATE sandbox SET credential_epoch = credential_epoch + 1 WHERE id = ?"
                " RETURNING credential_epoch",
                (sandbox,),
            ).fetchone()
            if row is None:
                raise UnknownSandbox(f"there is no sandbox {sandbox}")
            return int(row[0])

    def set_episode(
        self,
        sandbox: str,
        episode: str | None,
        step_seconds: int | None = None,
        step_limit: int | None = None,
    ) -> None:
        """Say which episode runs in the sandbox, and whether requests are its steps.

        No request of it meets faults until `set_faults`.
        """
        with self._writing() as connection:
            connection.execute(
                "UPDATE sandbox SET episode = ?, step_seconds = ?, step_limit = ?, faults = NULL"
                " WHERE id = ?",
                (episode, step_seconds, step_limit, sandbox),
            )

    def set_faults(self, sandbox: str, faults: str | None) -> None:
        """Say which faults requests to the sandbox meet from now on; None is none."""
        with self._writing() as connection:
            connection.execute("UPDATE sandbox SET faults = ? WHERE id = ?", (faults, sandbox))

    def quarantine(self, sandbox: str) -> None:
        """Take the sandbox out of service until it has another store."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE sandbox SET state = 'quarantined', generation = generation + 1"
                " WHERE id = ?",
                (sandbox,),
            )

    def replace_store(self, sandbox: str, store: Path, base: int) -> None:
        """Give the sandbox a fresh store: its marks but `base` are gone, and it is live again."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE sandbox SET store = ?, state = 'live', resetting = 0, rewinding_to = NULL,"
                " verified = resets, generation = generation + 1 WHERE id = ?",
                (self._relative(store), sandbox),
            )
            connection.execute("DELETE FROM mark WHERE sandbox = ?", (sandbox,))
            connection.execute("INSERT INTO mark VALUES (?, 'base', ?)", (sandbox, base))

    def remove(self, sandbox: str) -> SandboxRow:
        """Forget the sandbox and return what it was.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        with self._writing() as connection:
            row = connection.execute(
                f"DELETE FROM sandbox WHERE id = ? RETURNING {COLUMNS}",  # noqa: S608 - constant columns
                (sandbox,),
            ).fetchone()
        if row is None:
            raise UnknownSandbox(f"there is no sandbox {sandbox}")
        return self._row(row)

    def _row(self, row: tuple[Any, ...]) -> SandboxRow:
        values = list(row)
        values[3] = bool(values[3])
        values[5] = self.path.parent / values[5]
        return SandboxRow(*values)

    def _relative(self, store: Path) -> str:
        """Return a store's path as it is kept: the data directory may move."""
        return str(store.relative_to(self.path.parent))

    # Marks

    def set_mark(self, sandbox: str, name: str, position: int) -> None:
        """Name a journal position, replacing an older mark of that name."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO mark VALUES (?, ?, ?)"
                " ON CONFLICT (sandbox, name) DO UPDATE SET position = excluded.position",
                (sandbox, name, position),
            )

    def mark(self, sandbox: str, name: str) -> int | None:
        """Return the journal position of a mark, or None."""
        row = (
            self._connect()
            .execute("SELECT position FROM mark WHERE sandbox = ? AND name = ?", (sandbox, name))
            .fetchone()
        )
        return None if row is None else int(row[0])

    def marks(self, sandbox: str) -> dict[str, int]:
        """Return the sandbox's marks by name, in journal order."""
        rows = self._connect().execute(
            "SELECT name, position FROM mark WHERE sandbox = ? ORDER BY position, name", (sandbox,)
        )
        return dict(rows)
