"""A worker or the control process died: what it had in hands is lost, and never scored.

Stores outlive workers, so a sandbox in which no episode runs goes on where its last commit left it.
An episode is another matter: of an act that was cut off nobody can say how much was done.
"""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clones.core.server import server
from episodes.recorder import end_unfinished
from sandlot.service.errors import NotFound

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerLoss:
    """Sandbox and episode of what was lost, and the sandboxes of that worker that go on."""

    worker: int
    lost: tuple[tuple[str, str], ...]
    kept: tuple[str, ...]


def lose_worker(host: ControlPlane, worker: int) -> WorkerLoss:
    """End the episodes in a dead worker's sandboxes as harness errors, and replace those stores.

    Raises:
        NotFound: there is no worker of that number.
    """
    if worker not in range(len(host.addresses.ports)):
        raise NotFound(f"there is no worker {worker}")
    lost, kept = list[tuple[str, str]](), list[str]()
    for row in host.sandboxes.all():
        if host.addresses.worker_of(row) != worker:
            continue
        if row.episode is None:
            kept.append(row.id)
            continue
        lost.append((row.id, row.episode))
        host.episodes.lose(row.episode, f"worker {worker} died")
        if server().registry.find(row.id) is not None:
            server().registry.set_episode(row.id, None)
            host.sandboxes.replace(row.id)
    return WorkerLoss(worker, tuple(lost), tuple(kept))


@contextmanager
def alone(data: Path) -> Iterator[bool]:
    """Tell for a block whether no other control process is at work on a data directory."""
    with (data / "control.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def lose_unfinished(host: ControlPlane) -> list[str]:
    """End the episodes that ran when the last control process died; return their ids.

    Their sandboxes stay for who wants to look, free for other episodes and without the agent's
    credentials.
    """
    ended = []
    for path in sorted(host.episodes.folder.glob("ep-*/manifest.json")):
        try:
            manifest = end_unfinished(path.parent, "the control process died")
        except ValueError as error:  # of another build: no reason not to serve
            logger.warning("%s cannot be read, and is left as it is: %s", path.parent, error)
            continue
        if manifest is not None:
            ended.append(manifest.id)
            logger.warning("episode %s ran when the control process died: lost", manifest.id)
    for row in host.sandboxes.all():
        if row.episode is not None:
            server().registry.rotate_credentials(row.id)
            server().registry.set_episode(row.id, None)
            logger.warning("sandbox %s is left of episode %s", row.id, row.episode)
    return ended
