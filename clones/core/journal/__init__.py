"""The append-only record, written by the database itself, of every row change."""

from clones.core.journal.acts import act, root_cause
from clones.core.journal.canonical import canonical_changes, fingerprint
from clones.core.journal.engine import (
    ActRow,
    JournalEngine,
    JournalRow,
    RewindReport,
    RowChange,
    journal,
)
from clones.core.journal.identity import content_digest, digests, store_digest
from clones.core.journal.layout import (
    Layout,
    TableLayout,
    layout,
    schema_version,
    table_versions,
)

__all__ = [
    "ActRow",
    "JournalEngine",
    "JournalRow",
    "Layout",
    "RewindReport",
    "RowChange",
    "TableLayout",
    "act",
    "canonical_changes",
    "content_digest",
    "digests",
    "fingerprint",
    "journal",
    "layout",
    "root_cause",
    "schema_version",
    "store_digest",
    "table_versions",
]
