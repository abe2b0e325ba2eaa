"""How long an episode goes on though nobody asks for it: a client may have vanished.

The lease is kept by whatever is heard of the client: each call at the control plane that names the
episode or its sandbox, and each request of the sandbox. In the space `browser` pages are open in
the server's own browser, which tells by itself that they still are: there only requests by API
count, and calls.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from clones.core.vendors import clone_named
from sandlot.service import Space


@dataclass(slots=True)
class Lease:
    """How many seconds an episode may be left alone (None: for ever), and when it was last not."""

    seconds: float | None
    heard: float = field(default_factory=time.monotonic)

    def renew(self) -> None:
        """Begin anew: the client was heard of."""
        self.heard = time.monotonic()

    def alone(self) -> float:
        """Return for how many seconds nothing was heard."""
        return time.monotonic() - self.heard

    @property
    def is_over(self) -> bool:
        """Whether nothing was heard for too long."""
        return self.seconds is not None and self.alone() > self.seconds

    def hear(self, sandbox: str, space: Space) -> None:
        """Renew it by the last of the client's requests at the data plane, if there was one."""
        found = server().requests.read(sandbox, since=time.time() - self.alone())
        asked = [entry.at for entry in found if space != "browser" or _is_by_api(entry)]
        if asked:
            since = max(0.0, time.time() - max(asked))
            self.heard = max(self.heard, time.monotonic() - since)


def _is_by_api(entry: LoggedRequest) -> bool:
    clone = clone_named(entry.clone or "")
    return clone is not None and clone.is_api(entry.path)
