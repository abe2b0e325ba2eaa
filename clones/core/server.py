"""What one server's processes share: its data directory, registry, key and open stores."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

from clones.core.jobcounts import JobCounts
from clones.core.requestlog import RequestLog
from clones.core.secret_files import secret_of
from clones.core.tenancy.registry import Registry
from clones.core.tenancy.stores import StorePool

# How many bytes the key of a server has.
KEY: Final = 32


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a server that are not of any sandbox."""

    data: Path
    key: bytes
    registry: Registry
    stores: StorePool
    requests: RequestLog
    jobs: JobCounts


_making = threading.Lock()


def server() -> Server:
    """Return this process's server, opening it at the first call."""
    with _making:
        return _server(settings.DATA_DIR)


@cache
def _server(folder: str) -> Server:
    data = Path(folder)
    data.mkdir(parents=True, exist_ok=True)
    return Server(
        data=data,
        key=server_key(data),
        registry=Registry(data / "registry.sqlite"),
        stores=StorePool(settings.OPEN_STORES, memory=settings.STORE_MEMORY, looks=True),
        requests=RequestLog(data / "requests", settings.PROCESS_NAME),
        jobs=JobCounts(data / "jobs", settings.PROCESS_NAME),
    )


def forget() -> None:
    """Close this process's server, so that the next call opens the one the settings name."""
    with _making:
        if _server.cache_info().currsize:
            found = _server(settings.DATA_DIR)
            found.stores.close()
            found.registry.close()
        _server.cache_clear()


def server_key(data: Path) -> bytes:
    """Return the key of a data directory's server, by which it signs; made if there is none.

    Raises:
        BadSecret: the file holds none: whoever signs by an empty key can be forged by anybody.
    """
    return secret_of(data / "server-key", lambda: secrets.token_bytes(KEY), least=KEY)
