"""Embedded: SQLite stores, jobs inline. The default."""

from typing import Any

from clones.config.settings.base import *  # noqa: F403 - settings are one namespace

DATABASES: dict[str, dict[str, Any]] = {
    "default": {"ENGINE": "clones.core.tenancy.backend", "NAME": "no-sandbox"}
}
JOURNAL_ENGINE = "clones.core.journal.sqlite.SqliteJournal"
SNAPSHOT_ENGINE = "snapshots.sqlite.SqliteSnapshots"
JOB_EXECUTOR = "clones.core.execution.Inline"
WEBHOOK_SENDER = "clones.core.webhooks.senders.Nowhere"
