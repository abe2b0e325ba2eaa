"""The stack: PostgreSQL stores, in databases of one server that `SANDLOT_POSTGRES` names.

Passwords may stand in the addresses, or in files that `SANDLOT_POSTGRES_PASSWORD_FILE` and
`SANDLOT_REDIS_PASSWORD_FILE` name.
"""

import os
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from clones.config.settings.base import *  # noqa: F403 - settings are one namespace
from clones.config.settings.base import secret

# Each connection is one of the server's; `sandlot serve` says how many its processes may keep.
OPEN_STORES = int(os.environ.get("SANDLOT_OPEN_STORES", "20"))

POSTGRES = urlsplit(os.environ.get("SANDLOT_POSTGRES", "postgresql://postgres@127.0.0.1:5432"))

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "clones.core.tenancy.postgres",
        "NAME": "no-sandbox",
        "HOST": POSTGRES.hostname or "",
        "PORT": str(POSTGRES.port or ""),
        "USER": unquote(POSTGRES.username or ""),
        "PASSWORD": secret("SANDLOT_POSTGRES_PASSWORD") or unquote(POSTGRES.password or ""),
        "OPTIONS": {"connect_timeout": 10, "server_side_binding": True},
    }
}
JOURNAL_ENGINE = "clones.core.journal.postgres.PostgresJournal"
SNAPSHOT_ENGINE = "snapshots.postgres.PostgresSnapshots"

REDIS = os.environ.get("SANDLOT_REDIS", "")
_password = secret("SANDLOT_REDIS_PASSWORD")
if REDIS and _password:
    REDIS = REDIS.replace("://", f"://:{quote(_password, safe='')}@", 1)
# Without a broker, jobs run where they are left, as embedded.
JOB_EXECUTOR = "clones.config.queue.Queue" if REDIS else "clones.core.execution.Inline"
# Only a queue's workers send: nobody else may wait for foreign hosts.
WEBHOOK_SENDER = (
    "clones.config.queue.Deliveries" if REDIS else "clones.core.webhooks.senders.Nowhere"
)
