"""How often the environment failed of late, and when that is too often to go on.

A run that goes on over a broken environment produces data that looks like agents' failures. So past
5 % of the last 200 episodes no new one starts until somebody has looked.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from typing import Any, Final

from episodes.rewards.model import SCORED_OUTCOMES
from episodes.spaces.errors import HarnessKind
from sandlot.service.errors import TooManyFailures
from sandlot.service.protocol import Status

WINDOW: Final = 200
# 5 % of the window: so many failures are borne, however few episodes there were.
BORNE: Final = 10


class Failures:
    """The last episodes of this server that ended, and which of them the environment failed.

    Abandoned ones are not among them: they show nothing of the environment.
    """

    def __init__(self) -> None:
        self._ended: deque[tuple[str, HarnessKind | None]] = deque(maxlen=WINDOW)
        self._lock = threading.Lock()

    def note(self, episode: str, status: Status, kind: HarnessKind | None = None) -> None:
        """Take in an episode that ended: `kind` is of the failure, if it was one."""
        if status == "harness_error" or status in SCORED_OUTCOMES:
            with self._lock:
                self._ended.append((episode, kind))

    def check(self) -> None:
        """Refuse to go on over a broken environment.

        Raises:
            TooManyFailures: more of the last episodes failed than are borne.
        """
        found = self.view()
        if not found["stopped"]:
            return
        causes = ", ".join(f"{kind} {times}" for kind, times in found["causes"].items())
        raise TooManyFailures(
            f"the environment failed {found['failures']} of the last {found['episodes']} episodes"
            f" ({causes}), where at most {BORNE} in {WINDOW} are borne: look into"
            f" {', '.join(found['latest'])}, then go on with `sandlot episode failures --go-on`"
        )

    def view(self) -> dict[str, Any]:
        """Return the numbers: failures by cause, of how many episodes, and whether that stops."""
        with self._lock:
            ended = list(self._ended)
        failed = [(episode, kind) for episode, kind in ended if kind is not None]
        return {
            "window": WINDOW,
            "borne": BORNE,
            "episodes": len(ended),
            "failures": len(failed),
            "rate": len(failed) / len(ended) if ended else 0.0,
            "causes": dict(Counter(kind for _, kind in failed).most_common()),
            "latest": [episode for episode, _ in failed[-3:]],
            "stopped": len(failed) > BORNE,
        }

    def go_on(self) -> None:
        """Begin to count anew: somebody has looked at the causes."""
        with self._lock:
            self._ended.clear()
