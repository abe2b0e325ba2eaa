"""Which deliveries of webhooks are to be sent: a part of the registry, as the notes of jobs are."""

from __future__ import annotations

from clones.core.tenancy.due import RegistryFile

OUTBOX_SCHEMA = """
CREATE TABLE IF NOT EXISTS outbox (
  sandbox TEXT NOT NULL REFERENCES sandbox (id) ON DELETE CASCADE,
  delivery TEXT NOT NULL,
  generation INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at REAL NOT NULL,
  held_until REAL NOT NULL,
  PRIMARY KEY (sandbox, delivery)
) STRICT;
"""


class OutboxNotes(RegistryFile):
    """Notes of what is to be sent. What it is, and what came of it, say the sandbox's own rows."""

    def note_delivery(
        self, sandbox: str, generation: int, delivery: str, number: int, at: float
    ) -> None:
        """Note, before the write that made it commits, that an attempt is to be sent."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO outbox SELECT id, ?, ?, ?, ?, 0 FROM sandbox WHERE id = ?"
                " ON CONFLICT (sandbox, delivery) DO UPDATE SET generation = excluded.generation,"
                " number = excluded.number, at = excluded.at, held_until = 0",
                (delivery, generation, number, at, sandbox),
            )

    def hold_delivery(
        self, sandbox: str, generation: int, delivery: str, number: int, *, now: float, until: float
    ) -> bool:
        """Take an attempt for oneself up to a machine time; tell whether it was free to take."""
        with self._writing() as connection:
            found = connection.execute(
                "UPDATE outbox SET held_until = ? WHERE sandbox = ? AND delivery = ?"
                " AND generation = ? AND number = ? AND held_until <= ?",
                (until, sandbox, delivery, generation, number, now),
            )
            return found.rowcount == 1

    def put_off_delivery(
        self, sandbox: str, generation: int, delivery: str, number: int, *, to: float
    ) -> None:
        """Say that an attempt has a message under way: nobody need send one before a time."""
        with self._writing() as connection:
            connection.execute(
                "UPDATE outbox SET at = ? WHERE sandbox = ? AND delivery = ? AND generation = ?"
                " AND number = ?",
                (to, sandbox, delivery, generation, number),
            )

    def forget_delivery(self, sandbox: str, generation: int, delivery: str, number: int) -> None:
        """Take the note of an attempt away."""
        with self._writing() as connection:
            connection.execute(
                "DELETE FROM outbox WHERE sandbox = ? AND delivery = ? AND generation = ?"
                " AND number = ?",
                (sandbox, delivery, generation, number),
            )

    def deliveries_before(self, moment: float, *, now: float) -> list[tuple[str, int, str, int]]:
        """Return (sandbox, generation, delivery, number) noted up to a time and held by nobody."""
        return list(
            self._connect().execute(
                "SELECT sandbox, generation, delivery, number FROM outbox"
                " WHERE at <= ? AND held_until <= ? ORDER BY at, sandbox, delivery",
                (moment, now),
            )
        )
