"""Embedded: SQLite stores, jobs inline. The default."""

from typing import Any

from clones.config.settings.base import *  # noqa: F403 - settings are one namespace

# Seconds for which a writer waits for another one. Requests are many and wait for short; what the
# control process does is seldom, and a request that works in its way is ended meanwhile.
WAITS = 60 if PROCESS_NAME == "control" else 5  # noqa: F405 - of base
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "clones.core.tenancy.backend",
        "NAME": "no-sandbox",
        "OPTIONS": {"timeout": WAITS},
    }
}
JOURNAL_ENGINE = "clones.core.journal.sqlite.SqliteJournal"
SNAPSHOT_ENGINE = "snapshots.sqlite.SqliteSnapshots"
JOB_EXECUTOR = "clones.core.execution.Inline"
WEBHOOK_SENDER = "clones.core.webhooks.senders.Nowhere"
