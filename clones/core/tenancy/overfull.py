"""Log a request that was refused because as many of its sandbox waited as may wait."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from clones.core.requestlog import LoggedRequest
from clones.core.server import server

# What the log says of it: who sends so many at once is the cause.
TOO_MANY: Final = "too_many"


def log_refused(sandbox: str, scope: Mapping[str, Any]) -> None:
    """Log a request that no application saw; any thread of a worker may call this.

    Args:
        sandbox: whose queue is full.
        scope: the request, as WSGI has it.
    """
    server().requests.write(
        LoggedRequest(
            id=server().requests.next_id(),
            at=time.time(),
            sandbox=sandbox,
            generation=None,
            clone=None,
            account=None,
            operation=None,
            method=str(scope.get("REQUEST_METHOD", "")),
            path=str(scope.get("PATH_INFO", ""))[:500],
            status=503,
            milliseconds=0.0,
            position=None,
            step=None,
            fault=TOO_MANY,
        )
    )
