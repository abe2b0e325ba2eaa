"""Snapshot errors.

SnapshotError
├── UnknownSnapshot    no snapshot has that name or digest
├── UnknownMark        the sandbox has no such mark
├── NameTaken          a snapshot of that name exists
├── CorruptSnapshot    a stored image or an imported file is not what its manifest says
├── SchemaMismatch     the snapshot was made by another schema
├── NoSpace            the disk is full
└── RewindFailed       a sandbox was found damaged, and has a fresh store now
"""

from __future__ import annotations


class SnapshotError(Exception):
    """Base of the errors of this package. Its text is one line that says what to do."""


class UnknownSnapshot(SnapshotError):
    """Raised when no snapshot has the name or digest asked for."""


class UnknownMark(SnapshotError):
    """Raised when a sandbox has no mark of the name asked for."""


class NameTaken(SnapshotError):
    """Raised when a snapshot of that name exists."""


class CorruptSnapshot(SnapshotError):
    """Raised when bytes are not what their manifest says."""


class SchemaMismatch(SnapshotError):
    """Raised when a snapshot was made by another schema."""


class NoSpace(SnapshotError):
    """Raised when the disk is full; nothing half-made is left."""


class RewindFailed(SnapshotError):
    """Raised when a sandbox was found damaged: its store has been replaced by a fresh one."""
