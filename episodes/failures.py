"""How often the environment failed of late, and when that is too often to go on.

A run that goes on over a broken environment produces data that looks like agents' failures. So past
5 % of the last 200 episodes no new one starts until somebody has looked.

An agent that has found a request at which we fail can repeat it. What one request or one task has
of failures is therefore counted apart: it stops that task, and counts little for all the others.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from dataclasses import dataclass
from typing import Any, Final

from episodes.rewards.model import SCORED_OUTCOMES
from episodes.spaces.errors import HarnessKind
from sandlot.service.errors import TooManyFailures
from sandlot.service.protocol import Status

WINDOW: Final = 200
# 5 % of the window: so many failures are borne, however few episodes there were.
BORNE: Final = 10


# So many failures at requests count towards the end of every run: of one request, at most those of
# so many tasks; of one task, at most those at so many requests. The others stop their task only.
SHARE: Final = 3

# Of these no request of an agent is the cause.
OF_THE_SERVER: Final = frozenset({"harness_lost", "harness_reset", "harness_unlogged"})


@dataclass(frozen=True, slots=True)
class EndedEpisode:
    """An episode that ended: its task, and of a failure the kind and the request that met it."""

    episode: str
    task: str
    kind: HarnessKind | None = None
    request: str | None = None

    @property
    def is_apart(self) -> bool:
        """Whether an agent may have brought the failure about, by a request that it can repeat."""
        return self.kind is not None and self.kind not in OF_THE_SERVER and self.request is not None


class Failures:
    """The last episodes of this server that ended, and which of them the environment failed.

    Abandoned ones are not among them: they show nothing of the environment.
    """

    def __init__(self) -> None:
        self._ended: deque[EndedEpisode] = deque(maxlen=WINDOW)
        self._lock = threading.Lock()

    def note(
        self,
        episode: str,
        status: Status,
        kind: HarnessKind | None = None,
        *,
        task: str = "",
        request: str | None = None,
    ) -> None:
        """Take in an episode that ended: `kind` is of the failure, if it was one."""
        if status == "harness_error" or status in SCORED_OUTCOMES:
            with self._lock:
                self._ended.append(EndedEpisode(episode, task, kind, request))

    def check(self, task: str = "") -> None:
        """Refuse to go on over a broken environment.

        Raises:
            TooManyFailures: more of the last episodes failed than are borne, of all or of a task.
        """
        found = self.view()
        look = (
            f"look into {', '.join(found['latest'])}, then go on with"
            " `sandlot episode failures --go-on`"
        )
        if found["stopped"]:
            causes = ", ".join(f"{kind} {times}" for kind, times in found["causes"].items())
            raise TooManyFailures(
                f"the environment failed {found['failures']} of the last {found['episodes']}"
                f" episodes ({causes}), where at most {BORNE} in {WINDOW} are borne: {look}"
            )
        if task in found["stopped_tasks"]:
            apart = [entry for entry in found["apart"] if entry["task"] == task]
            requests = ", ".join(f"{entry['request']} {entry['failures']}" for entry in apart)
            raise TooManyFailures(
                f"the environment failed {found['stopped_tasks'][task]} of the last episodes of"
                f" {task} ({requests}), where at most {BORNE} are borne; other tasks go on: {look}"
            )

    def view(self) -> dict[str, Any]:
        """Return the numbers: failures by cause, of how many episodes, and what that stops.

        `counted` are those that count towards the end of every run: of failures that a request of
        an agent met, listed in `apart` by task and request, few of one request and of one task do.
        """
        with self._lock:
            ended = list(self._ended)
        failed = [one for one in ended if one.kind is not None]
        apart = Counter((one.task, one.request) for one in failed if one.is_apart)
        tasks = Counter(one.task for one in failed if one.is_apart)
        counted = len([one for one in failed if not one.is_apart]) + _counted(apart)
        return {
            "window": WINDOW,
            "borne": BORNE,
            "episodes": len(ended),
            "failures": len(failed),
            "counted": counted,
            "rate": len(failed) / len(ended) if ended else 0.0,
            "causes": dict(Counter(one.kind for one in failed).most_common()),
            "apart": [
                {"task": task, "request": request, "failures": times}
                for (task, request), times in apart.most_common()
            ],
            "latest": [one.episode for one in failed[-3:]],
            "stopped": counted > BORNE,
            "stopped_tasks": {task: times for task, times in tasks.items() if times > BORNE},
        }

    def go_on(self) -> None:
        """Begin to count anew: somebody has looked at the causes."""
        with self._lock:
            self._ended.clear()


def _counted(apart: Counter[tuple[str, str | None]]) -> int:
    """Return how many failures that requests met count towards the end of every run."""
    by_task, by_request = Counter[str](), Counter[str | None]()
    for task, request in apart:
        if by_task[task] < SHARE and by_request[request] < SHARE:
            by_task[task] += 1
            by_request[request] += 1
    return by_task.total()
