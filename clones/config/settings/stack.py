"""The stack: PostgreSQL stores, in databases of one server that `SANDLOT_POSTGRES` names."""

import os
from typing import Any
from urllib.parse import unquote, urlsplit

from clones.config.settings.base import *  # noqa: F403 - settings are one namespace

POSTGRES = urlsplit(os.environ.get("SANDLOT_POSTGRES", "postgresql://postgres@127.0.0.1:5432"))

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "clones.core.tenancy.postgres",
        "NAME": "no-sandbox",
        "HOST": POSTGRES.hostname or "",
        "PORT": str(POSTGRES.port or ""),
        "USER": unquote(POSTGRES.username or ""),
        "PASSWORD": unquote(POSTGRES.password or ""),
        "OPTIONS": {"connect_timeout": 10, "prepare_threshold": 3},
    }
}
JOURNAL_ENGINE = "clones.core.journal.postgres.PostgresJournal"
SNAPSHOT_ENGINE = "snapshots.postgres.PostgresSnapshots"

REDIS = os.environ.get("SANDLOT_REDIS", "")
# Without a broker, jobs run where they are left, as embedded.
JOB_EXECUTOR = "clones.config.queue.Queue" if REDIS else "clones.core.execution.Inline"
