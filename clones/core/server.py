"""What one server's processes share: its data directory, registry, key and open stores."""

from __future__ import annotations

import os
import secrets
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

from clones.core.jobcounts import JobCounts
from clones.core.requestlog import RequestLog
from clones.core.tenancy.registry import Registry
from clones.core.tenancy.stores import StorePool


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
        key=_key(data / "server-key"),
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


def _key(path: Path) -> bytes:
    """Return the server's key, making it (readable by its owner only) if there is none."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(32))
    return path.read_bytes()
