"""How many API requests a clone was sent in a sandbox within a day, as the server's log has them.

Nothing is written for it: the log of requests is kept anyway. A reset begins anew.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest

_DAY: Final = 24 * 3600
_HOUR: Final = 3600
# A request is logged when it is answered: seconds by which it may come after later ones.
_LATE: Final = 300
# Sandboxes of which a process remembers what it counted.
_REMEMBERED: Final = 2000


@dataclass(slots=True)
class _Counted:
    """What was counted of a sandbox: how far its log was read, and the requests of each hour."""

    seen: dict[str, int] = field(default_factory=dict)
    until: float = 0.0
    hours: Counter[int] = field(default_factory=Counter)


_counted: OrderedDict[tuple[Path, str, int, str], _Counted] = OrderedDict()
_counting = threading.Lock()


def requests_today(request: SandboxRequest) -> int:
    """Return how many API requests of accounts came within a day, the one at hand included."""
    log, row, now = server().requests, request.sandbox, time.time()
    key = (log.folder, row.id, row.generation, request.clone.name)
    with _counting:
        found = _counted.setdefault(key, _Counted())
        _counted.move_to_end(key)
        if len(_counted) > _REMEMBERED:
            _counted.popitem(last=False)
        since = max(found.until - _LATE, now - _DAY)
        for one in log.arrivals(row.id, found.seen, since=since):
            is_ours = (one.generation, one.clone) == (row.generation, request.clone.name)
            if is_ours and one.account is not None and request.clone.is_api(one.path):
                found.hours[int(one.at // _HOUR)] += 1
        found.until = now
        for hour in [one for one in found.hours if one < (now - _DAY) // _HOUR]:
            del found.hours[hour]
        return found.hours.total() + 1
